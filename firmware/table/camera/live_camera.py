"""Sources between a camera's driver and the loop: a camera may come late, repeat itself, hang and go away.

Its driver is called in one thread, and is opened again by the rules of ``firmware.table.loop.watched``. Whatever it
raises means that the camera is not there. A call that does not come back holds nobody up: the game, its panel and its
screen go on with empty frames, and what the call brings in the end is used.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Final, Protocol, TypeVar

import numpy as np

from firmware.table.loop.guard import Guard, Worker
from firmware.table.loop.watched import RULES, Part, Watched
from vision.camera.sources import LiveSource, Source, SourceError
from vision.frame import GONE, Frame, Picture

# A stuck camera gives the very same picture again and again.
#
# A camera that tells when its sensor took a picture is believed. Of any other, no sensor takes the same picture twice:
# its noise differs. Drivers repeat one for a moment, where a dark room makes them slower than they promised; one that
# goes on doing so would have a turn judged by a table that stood there before.

STALE_S: Final = 0.5  # nobody lays a card, takes the hand away and presses in less
_EVERY_ROWS: Final = 16  # of which one is compared: any part of a sensor has noise
_FLAT: Final = 16  # of 255: a covered lens may be so evenly dark that two pictures are the same


class FreshCamera:
    """A live ``Source`` before another one: a picture that is repeated for longer than half a second is none."""

    def __init__(self, source: LiveSource) -> None:
        self._source = source
        self._last: Picture = GONE
        self._sensor_ns: int | None = None
        self._taken_s = 0.0

    def read(self) -> Frame | None:
        """The next frame; one without a picture where it is an old one."""
        frame = self._source.read()
        if frame is None or frame.y.size == 0:
            return frame
        if self._is_fresh(frame):
            self._taken_s = frame.t_s
        elif frame.t_s - self._taken_s > STALE_S:
            return replace(frame, y=GONE, picture=None)
        return frame

    def _is_fresh(self, frame: Frame) -> bool:
        if frame.sensor_ns is not None:
            before, self._sensor_ns = self._sensor_ns, frame.sensor_ns
            return before != frame.sensor_ns
        last, self._last = self._last, frame.y[::_EVERY_ROWS]
        return not np.array_equal(self._last, last) or bool(np.ptp(self._last) < _FLAT)

    def reopen(self) -> None:
        self._source.reopen()

    def close(self) -> None:
        self._source.close()


OPENS_WITHIN_S: Final = 8.0
"""How long a command that needs the camera waits for it: a Pi's takes two seconds, a webcam behind a slow hub four."""
DEADLINE_S: Final = 1.0  # at five frames a second, five of them; the exposure of the darkest room takes less
LOOK_S: Final = 0.05
"""How far empty frames are apart: meanwhile the game may be kept by hand, and fingers wait for no camera."""
_LET_GO_S: Final = 1.0


_Brought = Frame | bool | None
"""The result of a call: a frame, None at an end, or that the camera is open; True: it was opened anew, and its driver's
clock begins then."""


class LiveCamera:
    """A ``Source`` before the driver that ``opens`` gives, on one clock that never goes back.

    It begins to open at once. ``read`` gives empty frames while there is no camera; ``wait`` waits for it instead.
    """

    def __init__(
        self,
        name: str,
        opens: Callable[[], LiveSource],
        deadline_s: float = DEADLINE_S,
        now_s: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """``name`` is the camera's, for sentences; ``deadline_s`` how long a frame is waited for."""
        self._name, self._opens, self._deadline_s = name, opens, deadline_s
        self._now_s, self._sleep = now_s, sleep
        self._source: LiveSource | None = None  # belongs to the thread
        self._under_way: Future[_Brought] | None = None
        self._called_s = 0.0
        self._open = False
        self._index, self._last_s = 0, 0.0
        self._began_s, self._offset_s = now_s(), 0.0
        self._state = Watched(RULES[Part.CAMERA]).lost(self._began_s)
        self.problem = ""
        """Why it is not there, as far as its driver told."""
        self._worker = Worker(f"camera {name}")
        self._look_for_it()

    @property
    def found(self) -> bool:
        """Whether the camera has been there."""
        return self._state.was_there

    def watched(self, now_s: float) -> Watched:
        """The camera as the watch sees it."""
        return self._state

    def wait(self, within_s: float = OPENS_WITHIN_S) -> None:
        """Return once the camera is open. Raises SourceError where it does not open in time."""
        if self._under_way is not None:
            self._take(self._under_way, within_s)
        if not self._open:
            raise SourceError(
                self.problem
                or f"camera {self._name}: expected it to open within seconds, its driver has not answered yet; unplug "
                "it and plug it in again, or start the machine anew"
            )

    def read(self) -> Frame | None:
        """The next frame; one without a picture where none came in time."""
        now_s = self._now_s()
        if self._under_way is None:
            if self._state.due(now_s):
                self._look_for_it()
            elif self._open:
                self._call(self._read)
        if self._under_way is None:
            self._sleep(LOOK_S)
            return self._empty()
        return self._take(self._under_way, LOOK_S if self._state.is_missing else self._deadline_s)

    def close(self) -> None:
        """Let go of the camera, unless a call has it that does not end: the program's end does that."""
        self._worker.submit(self._let_go)
        self._worker.end()
        self._worker.thread.join(_LET_GO_S)

    def _look_for_it(self) -> None:
        self._state = self._state.looking(self._now_s())
        self._open = False
        self._call(self._reopen)

    def _call(self, call: Callable[[], _Brought]) -> None:
        self._called_s = self._now_s()
        self._under_way = self._worker.submit(call)

    def _take(self, call: Future[_Brought], within_s: float) -> Frame | None:
        """The frame that this call brought; an empty one where it brought none, or not in time."""
        in_time, now_s = bool(wait([call], within_s).done), self._now_s()
        if not in_time:
            self._state = self._state.lost(now_s)
            if self._state.looking_since_s is None and now_s - self._called_s >= self._deadline_s:
                self._state = self._state.looking(self._called_s)  # a read that may never come back
            return self._empty()
        self._under_way = None
        error = call.exception()  # whatever the layers below raise: the camera is not there
        brought = call.result() if error is None else False
        if brought is None:
            return None
        if isinstance(brought, Frame) and brought.y.size:
            if self._state.is_missing:
                self._state = self._state.found()
            return self._next(brought, brought.t_s + self._offset_s)
        if isinstance(brought, bool) and error is None:
            self._open, self.problem = True, ""
            if brought:
                self._offset_s = now_s - self._began_s
        else:
            if error is not None:
                self._open, self.problem = False, self._sentence(error)
            self._state = self._state.lost(now_s)
            self._sleep(LOOK_S)
        if self._state.looking_since_s is not None:
            # Open is not there: a camera that opens and gives no picture is opened less and less often.
            self._state = self._state.failed(now_s)
        return self._empty()

    def _sentence(self, error: BaseException) -> str:
        if isinstance(error, SourceError):
            return str(error)
        return (
            f"camera {self._name} cannot be used ({type(error).__name__}: {error}); close other programs that use it, "
            "then look at both ends of its cable"
        )

    def _empty(self) -> Frame:
        return self._next(Frame(0, 0.0, GONE), self._now_s() - self._began_s)

    def _next(self, frame: Frame, t_s: float) -> Frame:
        self._last_s = max(t_s, self._last_s)
        self._index += 1
        return replace(frame, index=self._index - 1, t_s=self._last_s)

    # What follows runs in the thread.

    def _read(self) -> Frame | None:
        assert self._source is not None
        return self._source.read()

    def _reopen(self) -> bool:
        if self._source is not None:
            self._source.reopen()
            return False
        self._source = self._opens()
        return True

    def _let_go(self) -> None:
        if self._source is not None:
            self._source.close()


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
