"""What every camera shares: the frames it gives, their pace and size, and how it fails."""

from __future__ import annotations

from typing import Final, Protocol, TypeGuard

import cv2
import numpy as np

from vision.frame import Frame, Picture
from vision.limits import MAX_PIXELS

PERIOD_S: Final = 0.1
"""How far the pictures of a live camera are apart."""
_MAX_SKIPPED: Final = 12  # as many as a camera of 120 a second gives meanwhile


class SourceError(ValueError):
    """A camera or recording that cannot be used; the message says what was expected, found, and the cure."""


class Source(Protocol):
    """A camera. ``read`` gives the next frame, None at the end of a recording.

    A frame whose ``y`` is empty says that the camera is gone for the moment; reading on waits for it.
    """

    def read(self) -> Frame | None: ...

    def close(self) -> None: ...


class LiveSource(Source, Protocol):
    """A camera that may fail. ``read`` raises SourceError, or whatever its driver does, once it has to be reopened."""

    def reopen(self) -> None:
        """Let go of it and open it again, in whatever state it is. Raises as opening it does."""
        ...


class Pace:
    """Which pictures of a camera are taken: ten a second, however many it gives."""

    def __init__(self, now_s: float) -> None:
        self._due_s, self._skipped = now_s, 0

    def takes(self, now_s: float) -> bool:
        """Whether the picture of this moment is taken, the next one being farther from when it is due."""
        if now_s < self._due_s - PERIOD_S / 2 and self._skipped < _MAX_SKIPPED:
            self._skipped += 1
            return False
        self._due_s, self._skipped = max(self._due_s + PERIOD_S, now_s + PERIOD_S / 2), 0
        return True


def frame_of(image: Picture, index: int, t_s: float) -> Frame:
    """A frame from a BGR or grey image."""
    if image.ndim == 2:
        return Frame(index, t_s, image)
    y = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return Frame(index, t_s, y, lambda: image)


class OneSize:
    """Takes what a camera gives where it is a picture, and fits it to the size of the first there ever was."""

    def __init__(self) -> None:
        self._shape: tuple[int, ...] | None = None  # of what is handed on
        self._given: tuple[int, ...] | None = None  # of what comes since the camera was opened

    def opened(self) -> None:
        """The camera is opened anew: what comes first now says the size of all that follows."""
        self._given = None

    def fitted(self, image: object) -> Picture | None:
        """The picture in the first one's size; None for what is none, or of another size than the one before."""
        if not _is_picture(image):
            return None
        shape = image.shape[:2]
        self._shape, self._given = self._shape or shape, self._given or shape
        if shape != self._given:
            return None
        return image if shape == self._shape else _fitted(image, *self._shape)


def _is_picture(image: object) -> TypeGuard[Picture]:
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.shape[2:] not in ((), (3,)):
        return False
    return image.ndim >= 2 and 0 < image.shape[0] * image.shape[1] <= MAX_PIXELS


def _fitted(image: Picture, height: int, width: int) -> Picture:
    """The image as wide as asked for, and as high by what is cut off or left black above and below alike.

    A sensor gives most of its sizes over the whole of its width.
    """
    scaled_px = max(1, round(image.shape[0] * width / image.shape[1]))
    kind = cv2.INTER_AREA if image.shape[1] > width else cv2.INTER_CUBIC
    scaled = cv2.resize(image, (width, scaled_px), interpolation=kind)
    fitted = np.zeros((height, *scaled.shape[1:]), np.uint8)
    rows = min(height, scaled_px)
    to, of = (height - rows) // 2, (scaled_px - rows) // 2
    fitted[to : to + rows] = scaled[of : of + rows]
    return fitted
