"""Decodes picture files and videos by other people's code, as plain functions of plain values.

So whoever does not trust that code can run it in another process and give up on it. ``Decoder`` is how it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision.frame import Picture
from vision.limits import MAX_PIXELS

PICTURE: Final = "picture"
VIDEO_FPS: Final = "video_fps"
VIDEO_FRAME: Final = "video_frame"


class NotDecodedError(Exception):
    """The decoder hung or crashed; the message says which."""


class Decoder(Protocol):
    """Decodes picture files and videos, named by their paths. Each raises NotDecodedError where no answer comes."""

    def picture(self, path: str, colour: bool) -> Picture | None:
        """A picture file, (height, width), or in BGR (height, width, 3).

        None for one that is damaged, gone, or larger than any camera's.
        """

    def video_fps(self, path: str) -> float | None:
        """How many frames a second the video has as it says itself, 0 where it does not.

        None where it is no video, or one whose frames are larger than any camera's.
        """

    def video_frame(self, path: str, index: int, colour: bool) -> tuple[Picture, float] | None:
        """Frame ``index`` of a video, (height, width), or in BGR (height, width, 3), and its own time in seconds.

        The time is whatever the container says. None past the end. Cheap for one frame after the other, and for the one
        that was given last.
        """

    def close(self) -> None: ...


@dataclass(slots=True)
class _Open:
    """A video that is open, which of its frames it gives next, and the one before that, in BGR with its time."""

    capture: Any
    next: int = 0
    last: Picture | None = None
    stamp_s: float = 0.0


class DecodesHere:
    """Decodes in this very process, whatever comes of that."""

    def __init__(self) -> None:
        self._open: dict[str, _Open] = {}

    def picture(self, path: str, colour: bool) -> Picture | None:
        try:
            image = cv2.imread(path, cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE)
        except cv2.error:
            return None
        if image is None or image.shape[0] * image.shape[1] > MAX_PIXELS:
            return None
        return np.asarray(image, dtype=np.uint8)

    def video_fps(self, path: str) -> float | None:
        capture = self._video(path).capture
        pixels = float(capture.get(cv2.CAP_PROP_FRAME_WIDTH)) * float(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if not capture.isOpened() or pixels > MAX_PIXELS:
            return None
        return float(capture.get(cv2.CAP_PROP_FPS))

    def video_frame(self, path: str, index: int, colour: bool) -> tuple[Picture, float] | None:
        video = self._video(path)
        if video.next != index + 1 or video.last is None:
            if video.next != index:
                video.capture.set(cv2.CAP_PROP_POS_FRAMES, index)
            video.last = None  # two large ones would need more memory than there may be
            ok, image = video.capture.read()
            video.next = index + 1
            video.last = np.asarray(image, dtype=np.uint8) if ok else None
            video.stamp_s = float(video.capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
        if video.last is None:
            return None
        if colour or video.last.ndim == 2:
            return video.last, video.stamp_s
        return np.asarray(cv2.cvtColor(video.last, cv2.COLOR_BGR2GRAY), dtype=np.uint8), video.stamp_s

    def close(self) -> None:
        for video in self._open.values():
            video.capture.release()
        self._open.clear()

    def _video(self, path: str) -> _Open:
        if path not in self._open:
            self._open[path] = _Open(cv2.VideoCapture(path))
        return self._open[path]


_HERE: Final = DecodesHere()

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    PICTURE: _HERE.picture,
    VIDEO_FPS: _HERE.video_fps,
    VIDEO_FRAME: _HERE.video_frame,
}
