"""A simulated table shown at the speed of life."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.camera.sources import Source
from vision.frame import Frame


class PacedSource:
    """Hands each frame of another source over no sooner than its own clock says."""

    def __init__(
        self,
        source: Source,
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._source = source
        self._now_s = now_s
        self._sleep = sleep
        self._began_s: float | None = None

    def read(self) -> Frame | None:
        """The next frame, when it is due; at once when it is late."""
        frame = self._source.read()
        now_s = self._now_s()
        if frame is None:
            return None
        if self._began_s is None:
            self._began_s = now_s - frame.t_s
        early_s = self._began_s + frame.t_s - now_s
        if early_s > 0:
            self._sleep(early_s)
        return frame

    def close(self) -> None:
        self._source.close()
