"""A camera that may come late, hang and go away: its driver is called in one thread, and is opened again by the rules.

Whatever a driver raises means that the camera is not there. A call that does not come back holds nobody up: the game,
its panel and its screen go on with empty frames, and what the call brings in the end is used. Source of the intervals:
``firmware.table.service.retry``.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from firmware.table.loop.watched import RULES, Part, Watched
from vision.camera.sources import LiveSource, SourceError
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


_Brought = Frame | Exception | bool | None
"""The result of a call: a frame, None at an end, what was raised instead, or that the camera is open; True: it was
opened anew, and its driver's clock begins then."""


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
        self._calls: queue.SimpleQueue[Callable[[], _Brought]] = queue.SimpleQueue()
        self._brought: queue.SimpleQueue[_Brought] = queue.SimpleQueue()
        self._called_s: float | None = None
        self._open = self._released = False
        self._index, self._last_s = 0, 0.0
        self._began_s, self._offset_s = now_s(), 0.0
        self._state = Watched(RULES[Part.CAMERA]).lost(self._began_s)
        self.problem = ""
        """Why it is not there, as far as its driver told."""
        # A daemon: a driver that never returns must not keep the program from ending.
        self._thread = threading.Thread(target=self._work, name=f"camera {name}", daemon=True)
        self._thread.start()
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
        self._take(within_s)
        if not self._open:
            raise SourceError(
                self.problem
                or f"camera {self._name}: expected it to open within seconds, its driver has not answered yet; unplug "
                "it and plug it in again, or start the machine anew"
            )

    def read(self) -> Frame | None:
        """The next frame; one without a picture where none came in time."""
        now_s = self._now_s()
        if self._called_s is None:
            if self._state.due(now_s):
                self._look_for_it()
            elif self._open:
                self._call(self._read)
            else:
                self._sleep(LOOK_S)
                return self._empty()
        return self._take(LOOK_S if self._state.is_missing else self._deadline_s)

    def close(self) -> None:
        """Let go of the camera, unless a call has it that does not end: the program's end does that."""
        self._calls.put(self._let_go)
        self._thread.join(_LET_GO_S)

    def _look_for_it(self) -> None:
        self._state = self._state.looking(self._now_s())
        self._open = False
        self._call(self._reopen)

    def _call(self, call: Callable[[], _Brought]) -> None:
        self._called_s = self._now_s()
        self._calls.put(call)

    def _take(self, within_s: float) -> Frame | None:
        """The frame that the call under way brought; an empty one where it brought none, or not in time."""
        assert self._called_s is not None
        try:
            brought = self._brought.get(timeout=within_s)
        except queue.Empty:
            now_s = self._now_s()
            self._state = self._state.lost(now_s)
            if self._state.looking_since_s is None and now_s - self._called_s >= self._deadline_s:
                self._state = self._state.looking(self._called_s)  # a read that may never come back
            return self._empty()
        self._called_s, now_s = None, self._now_s()
        if brought is None:
            return None
        if isinstance(brought, Frame) and brought.y.size:
            if self._state.is_missing:
                self._state = self._state.found()
            return self._next(brought, brought.t_s + self._offset_s)
        if isinstance(brought, bool):
            self._open, self.problem = True, ""
            if brought:
                self._offset_s = now_s - self._began_s
        else:
            if isinstance(brought, Exception):
                self._open, self.problem = False, self._sentence(brought)
            self._state = self._state.lost(now_s)
            self._sleep(LOOK_S)
        if self._state.looking_since_s is not None:
            # Open is not there: a camera that opens and gives no picture is opened less and less often.
            self._state = self._state.failed(now_s)
        return self._empty()

    def _sentence(self, error: Exception) -> str:
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

    def _work(self) -> None:
        while not self._released:
            call = self._calls.get()
            try:
                self._brought.put(call())
            except Exception as error:  # whatever the layers below raise: the camera is not there
                self._brought.put(error)

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
        self._released = True
        if self._source is not None:
            self._source.close()
