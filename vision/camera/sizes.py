"""Pictures of one size, whatever a driver or a server gives."""

from __future__ import annotations

from typing import TypeGuard

import cv2
import numpy as np

from vision.frame import Picture
from vision.limits import MAX_PIXELS


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
