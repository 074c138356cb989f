"""Has the screen go on while the camera's next frame is waited for: moves are smooth however slow the camera is."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Final, Protocol, TypeVar

from firmware.table.loop.guard import Guard
from firmware.table.loop.watched import Part
from vision.camera.sources import Source
from vision.frame import Frame


class PacedSource:
    """Hands each frame of another source over no sooner than its own clock says."""

    def __init__(self, source: Source, sleep: Callable[[float], None] = time.sleep) -> None:
        self._source = source
        self._sleep = sleep
        self._began_s: float | None = None

    def read(self) -> Frame | None:
        """The next frame, when it is due; at once when it is late."""
        frame = self._source.read()
        now_s = time.monotonic()
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


T = TypeVar("T")

PICTURE_S: Final = 1 / 30


class Mover(Protocol):
    """A screen on which a move may be on its way."""

    @property
    def moving(self) -> bool: ...

    def go_on(self) -> None: ...


class Meanwhile:
    """A ``Source`` that reads another one and lets a move on the screen go on until its frame is there.

    While nothing moves, or the screen fails, it is the other source and no more. Frames are waited for in a thread of
    their own, one at a time; the screen is drawn on in the caller's, as SDL wants it.
    """

    part: Final = Part.SCREEN
    in_loop: Final = True  # SDL wants it

    def __init__(self, source: Source, screen: Mover, guard: Guard | None = None) -> None:
        self._source, self._screen = source, screen
        self._guard = Guard() if guard is None else guard
        self._aside = ThreadPoolExecutor(1, "camera")
        self._due_s = 0.0

    def read(self) -> Frame | None:
        """The next frame of the other source. Raises whatever that raises."""
        return self.aside(self._source.read)

    def aside(self, work: Callable[[], T]) -> T:
        """The result of this work, done while the screen goes on. Raises what it raises."""
        if not self._moving:
            return work()
        doing = self._aside.submit(work)
        while not wait([doing], max(0.0, self._due_s - time.monotonic())).done:
            self._due_s = max(self._due_s, time.monotonic() - PICTURE_S) + PICTURE_S
            if self._moving:
                self._guard.call(self, "go_on", self._screen.go_on, None)
        return doing.result()

    @property
    def _moving(self) -> bool:
        return self._guard.call(self, "moving", lambda: self._screen.moving, False)

    def close(self) -> None:
        """Waits for a frame that is being read. The other source is closed by whoever opened it."""
        self._aside.shutdown()
