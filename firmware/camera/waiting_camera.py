"""A camera that is not there when the game begins: waited for, so that plugging it in is all it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from vision.camera.sources import Source, SourceError
from vision.frame import Frame

LOOK_S: Final = 0.05
"""Meanwhile the game may be kept by hand: fingers wait for no camera."""
RETRY_S: Final = 3.0


class WaitingCamera:
    """A ``Source`` that gives empty frames, twenty a second, and asks for the camera every three seconds.

    Once it is there its frames come through, on a clock that goes on from the waiting.
    """

    def __init__(
        self,
        open_camera: Callable[[], Source],
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``open_camera`` raises SourceError while there is none."""
        self._open_camera = open_camera
        self._now_s = now_s
        self._sleep = sleep
        self._began_s = self._tried_s = now_s()
        self._index = 0
        self._found: Source | None = None
        self._offset_s = 0.0

    def read(self) -> Frame | None:
        """The camera's next frame, or an empty one while it is missing."""
        if self._found is None:
            self._sleep(LOOK_S)
            self._try()
        index = self._index
        self._index += 1
        if self._found is None:
            return Frame(index, self._now_s() - self._began_s, np.empty((0, 0), np.uint8))
        frame = self._found.read()
        return None if frame is None else replace(frame, index=index, t_s=frame.t_s + self._offset_s)

    @property
    def found(self) -> bool:
        """Whether the camera is there by now."""
        return self._found is not None

    def close(self) -> None:
        """Let go of the camera, if it came."""
        if self._found is not None:
            self._found.close()

    def _try(self) -> None:
        now_s = self._now_s()
        if now_s - self._tried_s < RETRY_S:
            return
        self._tried_s = now_s
        try:
            self._found = self._open_camera()
        except SourceError:
            return
        self._offset_s = now_s - self._began_s
