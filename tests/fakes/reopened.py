"""A driver's camera read without threads, and opened again a second after it failed: by a clock of the test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from vision.camera.sources import LiveSource, SourceError
from vision.frame import GONE, Frame

AFTER_S = 1.0
EMPTY_S = 0.05
EMPTY_FRAMES = round(AFTER_S / EMPTY_S) + 1
"""So many reads bring back a camera that can be opened."""


class Reopened:
    """Gives empty frames while it fails, as ``firmware.table.camera.live_camera`` does."""

    def __init__(self, source: LiveSource, now_s: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._source, self._now_s, self._sleep = source, now_s, sleep
        self._failed_s: float | None = None
        self._index, self._began_s = 0, now_s()

    def read(self) -> Frame:
        """The next frame."""
        self._index += 1
        frame = self._picture()
        if frame is None:
            self._sleep(EMPTY_S)
            return Frame(self._index - 1, self._now_s() - self._began_s, GONE)
        return replace(frame, index=self._index - 1)

    def close(self) -> None:
        """Let go of it."""
        self._source.close()

    def _picture(self) -> Frame | None:
        try:
            if self._failed_s is not None:
                if self._now_s() - self._failed_s < AFTER_S - 1e-6:
                    return None
                self._failed_s = self._now_s()
                self._source.reopen()
                self._failed_s = None
            return self._source.read()
        except SourceError:
            if self._failed_s is None:
                self._failed_s = self._now_s()
            return None
