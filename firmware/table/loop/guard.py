"""Calls each part that the game can do without so that its errors, its hanging and its nonsense cost that part only.

A part that failed is left out and tried again at a growing interval (``firmware.table.loop.watched``); what it was
asked at the time is kept for a report. Whether it hangs is told by its work (``firmware.table.readers.progress``).
"""

from __future__ import annotations

import math
import queue
import reprlib
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import cv2

from display.i18n import LANGUAGES
from display.lamps import LAMPS
from display.view import MissingPart, Situation, ViewModel
from engine.record.answers import entry_to_json
from engine.record.corrections import Setting
from engine.rules.track import BySide
from engine.table.desk import Desk, Entry
from engine.table.observation import TableObservation
from engine.table.presses import Button, Press
from firmware.core.errors import EngardeError
from firmware.core.io.files import MAX_REPORT_LETTERS, keep_among
from firmware.table.loop.requests import Request
from firmware.table.loop.watched import GUARDED, RULES, TOLD_S, EndsGameError, Part, Watched
from firmware.table.readers.progress import SAMPLE_EVERY_S, Limits, Progress, sample_of
from vision.frame import Frame

T = TypeVar("T")

LIMITS: Final = Limits(cpu_s=10.0, asleep_s=3.0, wait_s=0.0)
"""Limits of one call of a part. The longest that is allowed sleeps for a second, on a card that writes. Chosen."""
EYES_LIMITS: Final = Limits(cpu_s=60.0, asleep_s=15.0, wait_s=0.0)
"""The same for a look: it waits up to 5 s for a reader of its own, twice in a frame at most. Chosen."""
DRIVER_LIMITS: Final = Limits(cpu_s=5.0, asleep_s=1.5, wait_s=0.0)
"""The same for a driver that another part calls, and less than that one may take."""
STEP_LIMITS: Final = Limits(cpu_s=2.0, asleep_s=1.5, wait_s=0.0)
"""The same for a step of the referee, which takes a millisecond and waits for nothing. Chosen."""
_LEFT_S: Final = 2.0
"""So long the last reports are waited for at the end."""
_THREADS: Final = Path("/proc/self/task")


class HungError(Exception):
    """A part did not come back in time. ``call`` is what it is still busy with."""

    def __init__(self, said: str, call: Future[Any] | None = None) -> None:
        super().__init__(said)
        self.call = call


class NonsenseError(Exception):
    """A part gave what it cannot give."""


class Worker:
    """A thread that does one call after the other. One that hangs is left behind, and ends when it comes back."""

    def __init__(self, name: str) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        # A daemon, as no executor of the library's: a driver that never returns must not keep the program from ending.
        self.thread = threading.Thread(target=self._work, name=name, daemon=True)
        self.thread.start()

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have this done, after what was asked for before."""
        call: Future[T] = Future()

        def run() -> None:
            try:
                call.set_result(work())
            except BaseException as error:  # it is raised again where the answer is waited for
                call.set_exception(error)

        self._calls.put(run)
        return call

    def end(self) -> None:
        """End the thread once all is done."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            del call  # or all that it was given would be kept until the next one


@dataclass(slots=True)
class _State:
    """A part that failed, or did lately. ``busy``: the call that it has not come back from."""

    member: object
    watched: Watched
    busy: Future[Any] | None = None


@dataclass(slots=True)
class _Here:
    """A call that the loop's own thread does. ``late``: it is to be broken off."""

    limits: Limits
    ended: threading.Event = field(default_factory=threading.Event)
    late: str = ""


class Referee:
    """The judging as a member of the table: in the loop's own thread, for it is the loop that owns the state."""

    part: Final = Part.REFEREE
    rule: Final = RULES[Part.REFEREE]
    in_loop: Final = True


REFEREE: Final = Referee()


def part_of(member: object) -> MissingPart:
    """This member's name on the screen."""
    if isinstance(member, Part):
        return MissingPart(member.value, failed=True)
    part: Part = getattr(member, "part", Part.OTHER)
    return MissingPart(part.value, type(member).__name__ if part is Part.OTHER else "", failed=True)


class Guard:
    """``call`` has a member do something. ``failing`` are those that are left out now.

    ``say`` hears of each failure once, and where its report lies in ``folder``; None: none is kept.
    A class with ``vital`` is called as if there were no guard; one with ``in_loop`` in the loop's own thread, others in
    a thread that is given up on when it hangs. ``anew()``, where there is such a method, begins a part anew: even one
    that still hangs, where it is ``replaced`` by that.
    """

    def __init__(
        self, say: Callable[[str], None] = lambda sentence: None, folder: Path | None = None, limits: Limits = LIMITS
    ) -> None:
        self._say, self._folder, self._limits = say, folder, limits
        self.is_private: Callable[[], bool] = lambda: False
        """Whether what is in the picture now is nobody's business, and not kept; raises nothing."""
        self._scene: tuple[Frame, Desk] | None = None
        self._states: dict[int, _State] = {}
        self._told: set[tuple[str, str, str]] = set()
        self._idle: list[Worker] = []
        self._reporter: Worker | None = None
        self._here: _Here | None = None
        self._watching: queue.SimpleQueue[_Here] | None = None

    def tells(self, say: Callable[[str], None], folder: Path) -> None:
        """Tell and keep from now on there."""
        self._say, self._folder = say, folder

    def look(self, frame: Frame, desk: Desk) -> None:
        """Date what happens from now on by this frame, and note what it is about."""
        self._scene = frame, desk

    @property
    def _now_s(self) -> float:
        return self._scene[0].t_s if self._scene is not None else 0.0

    @property
    def failing(self) -> tuple[MissingPart, ...]:
        """The parts left out now, and those that were so lately that nobody could have read it."""
        told = []
        for each in self._states.values():
            since_s = each.watched.missing_since_s
            if self.is_out(each.member) or (since_s is not None and self._now_s - since_s < TOLD_S):
                told.append(part_of(each.member))
        return tuple(dict.fromkeys(told))

    def is_out(self, member: object) -> bool:
        """Whether this member is left out now."""
        state = self._states.get(id(member))
        return state is not None and state.watched.is_missing and state.watched.looking_since_s is None

    def call(
        self,
        member: object,
        doing: str,
        work: Callable[[], T],
        otherwise: T,
        fits: Callable[[T], bool] = lambda answer: True,
        limits: Limits | None = None,
    ) -> T:
        """The result of this member's work; ``otherwise`` where it is left out, fails, or gives what does not fit.

        Raises EndsGameError, and whatever a ``vital`` member raises.
        """
        if getattr(member, "vital", False):
            return work()
        if not self._may(member):
            return otherwise
        try:
            answer = self.attempt(work, in_loop=getattr(member, "in_loop", False), limits=limits)
            if fits(answer):
                return answer
            raise NonsenseError(f"gave {_shortly(answer)}")
        except EndsGameError:
            raise
        except (Exception, SystemExit) as error:  # whatever other people's code and our own mistakes raise
            self.blame(member, doing, error)
        return otherwise

    def judge(self, doing: str, work: Callable[[], T], otherwise: T) -> T:
        """The result of the referee's work; ``otherwise`` where it fails. Raises EngardeError as it does."""
        try:
            return self._in_loop(work, STEP_LIMITS)
        except EngardeError:
            raise
        except Exception as error:
            self.blame(REFEREE, doing, error)
            return otherwise

    def attempt(self, work: Callable[[], T], *, in_loop: bool = False, limits: Limits | None = None) -> T:
        """The result of this work. Raises what it raises, and HungError where it does not come back."""
        if in_loop:
            return self._in_loop(work, limits or self._limits)
        # A part that has another one do something takes a second thread.
        try:
            worker = self._idle.pop()
        except IndexError:  # who comes back late may have taken the last one meanwhile
            worker = Worker("parts")
        call, progress = worker.submit(work), None
        while not wait([call], SAMPLE_EVERY_S).done:
            progress = _progressed(progress, worker.thread, limits or self._limits)
            if progress.hung:
                worker.end()
                raise HungError(progress.hung, call)
        self._idle.append(worker)
        return call.result()

    def blame(self, member: object, doing: str, error: BaseException) -> None:
        """Leave this member out for a while: it did this, and failed so."""
        part = part_of(member)
        told = f"{part.part} {part.name}", doing, type(error).__name__
        if is_new := told not in self._told:
            self._told.add(told)
            private = self.is_private()  # before it is left out, who may be the one to ask
        state = self._states.setdefault(id(member), _State(member, Watched(getattr(member, "rule", GUARDED))))
        if not state.watched.is_missing:
            state.watched = state.watched.lost(self._now_s)
        elif state.watched.looking_since_s is not None:
            state.watched = state.watched.failed(self._now_s)
        if isinstance(error, HungError) and not getattr(member, "replaced", False):
            state.busy = error.call
        if is_new:
            if self._reporter is None:
                self._reporter = Worker("reports")
            self._reporter.submit(partial(self._report, member, doing, error, self._scene, private=private))

    def close(self) -> None:
        """Have the last reports written, if that can be soon."""
        if self._reporter is not None:
            self._reporter.end()
            self._reporter.thread.join(_LEFT_S)
            self._reporter = None
        while self._idle:
            self._idle.pop().end()

    def _may(self, member: object) -> bool:
        """Whether this member may be called now; one whose time has come is begun anew."""
        state = self._states.get(id(member))
        if state is None:
            return True
        watched = state.watched
        if watched.looking_since_s is not None:  # on trial: as long again as it was left out
            if self._now_s - watched.looking_since_s >= watched.interval_s:
                self._states.pop(id(member), None)
            return True
        if not watched.due(self._now_s) or (state.busy is not None and not state.busy.done()):
            return False
        state.watched = watched.looking(self._now_s)
        anew = getattr(member, "anew", None)
        if anew is not None:
            try:
                self.attempt(anew, in_loop=getattr(member, "in_loop", False))
            except (Exception, SystemExit) as error:
                self.blame(member, "anew", error)
                return False
        return True

    @contextmanager
    def unbroken(self) -> Iterator[None]:
        """Within this, work is waited for, however long it takes: nobody knows what a write did that is broken off."""
        here, self._here = self._here, None
        try:
            yield
        finally:
            self._here = here

    def _in_loop(self, work: Callable[[], T], limits: Limits) -> T:
        """The same in this thread, which a signal breaks off as soon as Python can be broken off there."""
        if threading.current_thread() is not threading.main_thread() or self._here is not None:
            return work()
        if self._watching is None:
            self._watching = queue.SimpleQueue()
            threading.Thread(target=self._watch, args=(self._watching,), name="watches the loop", daemon=True).start()
        before = signal.signal(signal.SIGALRM, self._break_off)
        # Longer than whom it calls in turn: the fault is theirs then.
        self._here = here = _Here(replace(limits, asleep_s=2 * limits.asleep_s))
        self._watching.put(here)
        try:
            return work()
        finally:
            self._here = None
            here.ended.set()
            signal.signal(signal.SIGALRM, before)

    def _break_off(self, *_: object) -> None:
        if self._here is not None and self._here.late:
            late, self._here.late = self._here.late, ""
            raise HungError(late)

    def _watch(self, calls: queue.SimpleQueue[_Here]) -> None:
        loop = threading.main_thread()
        while True:
            here, progress = calls.get(), None
            while not here.ended.wait(SAMPLE_EVERY_S):
                progress = _progressed(progress, loop, here.limits)
                if progress.hung and loop.ident is not None:
                    here.late, progress = progress.hung, None
                    signal.pthread_kill(loop.ident, signal.SIGALRM)

    def _report(
        self, member: object, doing: str, error: BaseException, scene: tuple[Frame, Desk] | None, *, private: bool
    ) -> None:
        """Keep what happened, and say so."""
        part = part_of(member)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        where = None
        if self._folder is not None:
            at = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
            lines = [f"{type(member).__name__}.{doing}", *traceback.format_exception(error)]
            lines += [] if scene is None else _told(*scene)
            files = {".txt": "\n".join(lines)[:MAX_REPORT_LETTERS].encode(errors="replace")}
            if scene is not None and scene[0].y.size and not private:
                with suppress(cv2.error):
                    files[".png"] = cv2.imencode(".png", scene[0].y)[1].tobytes()
            where = keep_among(self._folder, f"{at}-{part.part}-{doing}", files)
        kept = f" Kept for a report: {where}." if where is not None else ""
        name = f"{part.part} {part.name}".strip()
        self._say(f"{name} failed ({doing}: {what}) and is begun anew after a while; the game goes on.{kept}")


def _progressed(before: Progress | None, thread: threading.Thread, limits: Limits) -> Progress:
    try:
        sample = sample_of(thread.native_id or 0, _THREADS)
    except OSError:  # it is only beginning, or ending
        if before is not None:
            return before
        raise
    return Progress(limits, sample, sample) if before is None else before.after(sample)


def _shortly(answer: object) -> str:
    try:
        return reprlib.repr(answer)
    except Exception:  # of nonsense anything may come
        return f"some {type(answer).__name__}"


def _told(frame: Frame, desk: Desk) -> list[str]:
    """The match until then, an event a line, and the desk."""
    try:
        steps = desk.course.steps if desk.course is not None else ()
        events = [str(entry_to_json(step.entry)) for step in steps if not isinstance(step.entry, Setting)]
        return [f"at {frame.t_s:.3f} s", *events, repr(desk)]
    except Exception:  # a desk that cannot be told is no reason to keep nothing
        return traceback.format_exc().splitlines()


_REQUESTS: Final = get_args(Request)


def are_requests(asked: object) -> bool:
    """Whether all of it can be asked of the loop."""
    return isinstance(asked, tuple) and all(isinstance(each, _REQUESTS) for each in asked)


def is_sifted(table: object, seen: TableObservation) -> bool:
    """Whether it is this table, with nothing on it that was not there: cards may have been taken out, or doubted.

    The companion's may lie elsewhere: at a reveal they count in its half.
    """
    there = [reading.card for reading in seen.cards]
    return (
        isinstance(table, TableObservation)
        and (table.t_s, table.figures) == (seen.t_s, seen.figures)
        and all(reading.card in there for reading in table.cards)
    )


def are_presses(heard: object) -> bool:
    """Whether all of it are presses of buttons there are, at a time there is."""
    return isinstance(heard, tuple) and all(
        isinstance(each, Press) and isinstance(each.button, Button) and math.isfinite(each.t_s) for each in heard
    )


def are_heard(heard: tuple[Press, ...], presses: Sequence[Press], now_s: float) -> bool:
    """Whether all of it are presses until now: those there were, by whomever they count for, and one on top of them.

    The coach presses for somebody who has played on.
    """
    return are_presses(heard) and len(heard) <= len(presses) + 1 and all(each.t_s <= now_s for each in heard)


def is_judged(judged: object) -> bool:
    """Whether it is a desk, and what fell."""
    match judged:
        case (Desk(), (*entries,)):
            return all(isinstance(each, Entry) for each in entries)
    return False


def is_situation(advised: object) -> bool:
    """Whether it can be put into words, as far as its form tells."""
    return isinstance(advised, Situation) and advised.language in LANGUAGES and isinstance(advised.names, BySide)


def is_view(view: object) -> bool:
    """Whether screen, lamps and sound can do with it, as far as its form tells."""
    return isinstance(view, ViewModel) and isinstance(view.serial, int) and {*view.lamps} == {*LAMPS}


def is_look(look: object, t_s: float) -> bool:
    """Whether the eyes looked at the frame of this time."""
    table = getattr(look, "table", None)
    return isinstance(table, TableObservation) and table.t_s == t_s
