"""A camera whose driver may not come back from a read: waited for so long and no longer.

The read goes on in a thread of its own. Until it ends the camera counts as gone, and the game, its panel and its screen
go on; what it brings in the end is the next frame.
"""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import replace
from typing import Final

from vision.camera.sources import Source
from vision.frame import GONE, Frame

DEADLINE_S: Final = 1.0  # at five frames a second, five of them; the exposure of the darkest room takes less
_LET_GO_S: Final = 0.5


class PatientCamera:
    """A live ``Source`` before another one. Raises what the other raises."""

    def __init__(self, source: Source, deadline_s: float = DEADLINE_S) -> None:
        self._source, self._deadline_s = source, deadline_s
        self._wanted: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._read: queue.SimpleQueue[Frame | BaseException | None] = queue.SimpleQueue()
        self._waiting = False
        self._index = 0
        self._last_s, self._seen_at_s = 0.0, time.monotonic()
        # A daemon: a driver that never returns must not keep the program from ending.
        self._thread = threading.Thread(target=self._reads, name="camera", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The next frame; one without a picture where none came in time."""
        if not self._waiting:
            self._wanted.put(True)
            self._waiting = True
        try:
            brought = self._read.get(timeout=self._deadline_s)
        except queue.Empty:
            return self._next(Frame(0, self._last_s + time.monotonic() - self._seen_at_s, GONE))
        self._waiting = False
        if isinstance(brought, BaseException):
            raise brought
        if brought is None:
            return None
        return self._next(brought)

    def close(self) -> None:
        """Let go of the camera, unless a read has it that does not end: the program's end does that."""
        self._wanted.put(False)
        self._thread.join(_LET_GO_S)
        if not self._thread.is_alive():
            self._source.close()

    def _next(self, frame: Frame) -> Frame:
        # While it was gone, time was counted here: it never goes back.
        self._last_s, self._seen_at_s = max(frame.t_s, self._last_s), time.monotonic()
        self._index += 1
        return replace(frame, index=self._index - 1, t_s=self._last_s)

    def _reads(self) -> None:
        while self._wanted.get():
            try:
                self._read.put(self._source.read())
            except BaseException as error:  # it is raised again where the frame was asked for
                self._read.put(error)
