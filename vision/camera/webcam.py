"""A camera that OpenCV opens through Video4Linux: a USB webcam, or any other by its number or device path."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeGuard

import cv2
import numpy as np

from vision.camera.sources import GONE_FRAME_S, REOPEN_AFTER_S, SourceError, frame_of
from vision.frame import GONE, Frame, Picture
from vision.limits import MOST_PIXELS


class WebCamera:
    """A camera by its number or device path. One that vanishes is waited for: it gives empty frames meanwhile.

    So is one that gives what is no picture, or one of another size than the one before: it is opened again. Where it
    gives pictures of another size from then on, they are made to fit the first.
    """

    def __init__(
        self,
        device: int | str,
        size: tuple[int, int],
        *,
        open_capture: Callable[[int | str], Any] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``size`` is width and height to ask for. The last three stand in for OpenCV and time in tests.

        Raises SourceError when no such camera opens.
        """
        self._device, self._size = device, size
        self._open_capture: Callable[[Any], Any] = cv2.VideoCapture if open_capture is None else open_capture
        self._clock, self._sleep = clock, sleep
        self._capture: Any = self._opened()
        if self._capture is None:
            raise SourceError(
                f"camera {device}: expected a camera, found none that opens; see which exist with "
                "`v4l2-ctl --list-devices`, and close other programs that use it"
            )
        self._began_s = self._tried_s = clock()
        self._index = 0
        self._shape: tuple[int, ...] | None = None  # of what is handed on
        self._given: tuple[int, ...] | None = None  # of what comes since it was opened

    def read(self) -> Frame | None:
        """The next frame; an empty one while the camera is gone."""
        image = None
        if self._capture is not None:
            image = self._picture()
            if image is None:
                self._capture.release()
                self._capture = self._given = None
                self._tried_s = self._clock()
        else:
            self._sleep(GONE_FRAME_S)
            if self._clock() - self._tried_s >= REOPEN_AFTER_S:
                self._tried_s = self._clock()
                self._capture = self._opened()
        t_s = self._clock() - self._began_s
        index = self._index
        self._index += 1
        return Frame(index, t_s, GONE) if image is None else frame_of(image, index, t_s)

    def close(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _picture(self) -> Picture | None:
        """What the driver gives, where it is what a camera gives."""
        try:
            ok, image = self._capture.read()
        except cv2.error:
            return None
        if not ok or not _is_picture(image):
            return None
        shape = image.shape[:2]
        self._shape, self._given = self._shape or shape, self._given or shape
        if shape != self._given:
            return None
        return image if shape == self._shape else _fitted(image, *self._shape)

    def _opened(self) -> Any:
        capture = self._open_capture(self._device)
        if not capture.isOpened():
            capture.release()
            return None
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return capture


def _is_picture(image: object) -> TypeGuard[Picture]:
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8 or image.shape[2:] not in ((), (3,)):
        return False
    return image.ndim >= 2 and 0 < image.shape[0] * image.shape[1] <= MOST_PIXELS


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
