"""Readers that loop, sleep, crash their process or stumble: whoever asks gets an answer, or None and who failed."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.core.io.files import MAX_KEPT, kept_in
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.loop.moment import Moment, People
from firmware.table.readers.apart import Apart, Fate, NoAnswerError
from firmware.table.readers.guard import ASLEEP_S, CPU_S, CPU_S_PER_MEGAPIXEL, Guard, KeptPictures, Mishap
from firmware.table.readers.progress import SAMPLE_EVERY_S, Limits, Progress, Sample, sample_of
from tests.firmware.conftest import SetClock
from tests.waiting import HANG_S, until
from vision.marks.foreign import ARUCO, THOROUGH, ZBAR, ZXING, in_process
from vision.printed.tags import qr_bits
from vision.synthetic.camera import TYPICAL

STUBS = """
import os, signal, time
def echo(y, *how): return int(y.sum()), how
def hangs(y, *how):
    while True: pass
def sleeps(y, *how): time.sleep(60)
def works(y, seconds):
    until = time.process_time() + seconds
    while time.process_time() < until: pass
    return "worked"
def crashes(y, *how): os.kill(os.getpid(), signal.SIGSEGV)
def stumbles(y, *how): raise ValueError("no such picture")
FUNCTIONS = {"echo": echo, "hangs": hangs, "sleeps": sleeps, "works": works, "crashes": crashes, "stumbles": stumbles}
FUNCTIONS |= {"pid": lambda y: os.getpid()}
FUNCTIONS |= {"prints": lambda y: [os.readlink(f"/proc/self/fd/{stream}") for stream in (1, 2)]}
FUNCTIONS |= {"zbar": stumbles, "zxing": stumbles}
"""
SLOW_TO_BEGIN = """
import os, time
while not os.path.exists(MAY_BEGIN): time.sleep(0.01)
FUNCTIONS = {"echo": lambda y: int(y.sum()), "ends": lambda y: os._exit(1)}
"""
PICTURE = np.full((40, 60), 3, np.uint8)
PLENTY = Limits(cpu_s=20.0, asleep_s=20.0, wait_s=HANG_S)


class Guarded:
    """A guard before stubs, with what it told."""

    def __init__(self) -> None:
        self.clock = SetClock(100.0)
        self.told: list[Mishap] = []
        self.run = Guard(self.told.append, module="reader_stubs", now_s=self.clock.now_s)


@pytest.fixture
def may_begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Processes of ``slow_to_begin`` begin while this file is there."""
    path = tmp_path / "may_begin"
    (tmp_path / "slow_to_begin.py").write_text(f"MAY_BEGIN = {str(path)!r}\n{SLOW_TO_BEGIN}", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    path.touch()
    return path


def end(asked: Apart, may_begin: Path) -> None:
    """End its process; the next one is slow to begin."""
    with pytest.raises(NoAnswerError, match="its process ended"):
        asked.ask(PLENTY, "ends", PICTURE)
    may_begin.unlink()


@pytest.mark.slow
def test_who_takes_longer_to_begin_than_is_waited_for_is_there_in_the_end(may_begin: Path) -> None:
    """As on a machine that is very busy: a process that is still beginning is not ended for another one."""
    with closing(Apart("slow_to_begin", 0.5)) as asked:
        end(asked, may_begin)
        began_s = time.monotonic()
        for _ in range(40):  # in one frame several are asked: they wait for it once
            with pytest.raises(NoAnswerError, match="is there yet") as raised:
                asked.ask(PLENTY, "echo", PICTURE)
            assert raised.value.fate is Fate.BEGINNING
        assert 0.5 <= time.monotonic() - began_s < 20 * 0.5
        may_begin.touch()
        assert until(lambda: answered(asked))


def answered(asked: Apart) -> bool:
    with suppress(NoAnswerError):
        return bool(asked.ask(PLENTY, "echo", PICTURE) == PICTURE.sum())
    return False


@pytest.mark.slow
def test_whom_no_game_waits_for_is_waited_for(may_begin: Path) -> None:
    with closing(Apart("slow_to_begin", HANG_S)) as asked:
        end(asked, may_begin)
        threading.Timer(0.2, may_begin.touch).start()
        assert asked.ask(PLENTY, "echo", PICTURE) == PICTURE.sum()


@pytest.fixture
def guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guarded]:
    """A guard that gives up for what a reader does, however slow the machine is."""
    (tmp_path / "reader_stubs.py").write_text(STUBS, encoding="utf-8")
    monkeypatch.setattr("firmware.table.readers.guard.WAIT_S", HANG_S)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    made = Guarded()
    yield made
    made.run.close()


def pid_of(guarded: Guarded) -> int:
    """Of the process that answers."""
    return int(guarded.run("pid", PICTURE) or 0)


def reads_on(guarded: Guarded, tone: int = 3) -> bool:
    """Whether it answers, once a process is there: on a busy machine a fresh one may take longer than is waited for."""
    return until(lambda: guarded.run("echo", np.full_like(PICTURE, tone)) == (tone * PICTURE.size, ()))


def test_an_answer_comes_through_and_what_a_library_prints_does_not(guarded: Guarded) -> None:
    assert guarded.run("echo", PICTURE, 1, "two") == (3 * PICTURE.size, (1, "two"))
    assert guarded.run("echo", PICTURE[::2, ::3]) == (3 * 20 * 20, ())
    assert guarded.run("prints", PICTURE) == [os.devnull] * 2
    assert guarded.told == []


@pytest.mark.parametrize("alone", [False, True])
def test_who_failed_rests_ever_longer_and_not_for_long_where_nobody_reads_in_its_place(
    alone: bool, guarded: Guarded
) -> None:
    failed_s: list[float] = []
    for _ in range(60 if alone else 1200):
        guarded.clock.now += 0.5
        told = len(guarded.told)
        assert guarded.run(ZBAR, PICTURE) is None
        if alone:
            guarded.run(ZXING, PICTURE)
        failed_s += [guarded.clock.now] * (len(guarded.told) - told)
    waits_s = np.diff(failed_s).tolist()
    if alone:  # one of the two is asked again every second
        assert set(waits_s) == {0.0, 1.0}
    else:
        assert waits_s == [5.0, 10.0, 20.0, 40.0, 80.0, 120.0, 120.0, 120.0]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "fate"), [("hangs", Fate.HUNG), ("sleeps", Fate.HUNG), ("crashes", Fate.CRASHED)])
def test_whoever_does_not_answer_is_given_up_on_and_the_others_read_on(guarded: Guarded, name: str, fate: Fate) -> None:
    assert guarded.run(name, PICTURE) is None
    assert reads_on(guarded)
    (mishap,) = guarded.told
    assert (mishap.reader, mishap.fate) == (name, fate)
    assert np.array_equal(mishap.picture, PICTURE)


@pytest.mark.slow
def test_whoever_was_stopped_has_hung_too(guarded: Guarded) -> None:
    """A process that takes nothing any more neither holds up the game for ever nor counts as busy."""
    os.kill(pid_of(guarded), signal.SIGSTOP)
    assert guarded.run("echo", PICTURE) is None
    assert [mishap.fate for mishap in guarded.told] == [Fate.HUNG]
    assert reads_on(guarded)
    os.kill(pid_of(guarded), signal.SIGKILL)  # one that dies between two questions is replaced
    assert guarded.run("echo", PICTURE) is None
    guarded.clock.now += 1000.0
    assert reads_on(guarded)


@pytest.mark.slow
def test_work_within_its_limits_is_waited_for_and_more_of_it_with_more_pixels(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.table.readers.guard.WAIT_S", 600.0)  # this machine may be as busy as it likes
    large = np.zeros((1000, 2000), np.uint8)
    assert guarded.run("works", PICTURE, 0.6 * CPU_S) == "worked"
    assert guarded.run("works", large, CPU_S + CPU_S_PER_MEGAPIXEL) == "worked"
    assert guarded.told == []
    assert guarded.run("works", PICTURE, CPU_S + CPU_S_PER_MEGAPIXEL) is None
    assert [(mishap.reader, mishap.fate) for mishap in guarded.told] == [("works", Fate.HUNG)]


@pytest.mark.slow
def test_on_a_busy_machine_nobody_is_blamed_and_a_late_answer_is_dropped(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting no time at all makes any machine a busy one."""
    process = pid_of(guarded)
    with monkeypatch.context() as busy:
        busy.setattr("firmware.table.readers.guard.WAIT_S", 0.0)
        assert guarded.run("works", PICTURE, 0.15) is None
    assert guarded.run("echo", PICTURE) == (3 * PICTURE.size, ())
    assert guarded.told == []
    assert pid_of(guarded) == process


@pytest.mark.slow
def test_whoever_hung_is_blamed_though_another_is_asked_meanwhile(
    guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = PICTURE + 1
    with monkeypatch.context() as busy:
        busy.setattr("firmware.table.readers.guard.WAIT_S", 0.0)
        assert guarded.run("hangs", PICTURE) is None
    assert guarded.run("echo", other) is None
    (mishap,) = guarded.told
    assert (mishap.reader, mishap.fate) == ("hangs", Fate.HUNG)
    assert np.array_equal(mishap.picture, PICTURE)
    assert reads_on(guarded, 4)


@pytest.mark.parametrize("error", [OSError(11, "Resource temporarily unavailable"), EOFError("unexpected EOF")])
def test_where_there_is_no_room_for_another_process_the_place_is_unread_and_the_game_goes_on(
    error: Exception, guarded: Guarded, monkeypatch: pytest.MonkeyPatch
) -> None:
    apart = guarded.run._apart
    apart.close()
    started = apart._context.Process.start

    def no_room(process: object) -> None:
        raise error

    monkeypatch.setattr(apart._context.Process, "start", no_room)
    assert guarded.run("echo", PICTURE) is None
    monkeypatch.setattr(apart._context.Process, "start", started)
    guarded.clock.now += 1000.0
    assert reads_on(guarded)


def test_the_readers_give_behind_a_guard_what_they_give_without() -> None:
    modules = qr_bits("EG1:A:3B").repeat(6, 0).repeat(6, 1)
    y = np.full((400, 400), 230, np.uint8)
    y[80 : 80 + len(modules), 80 : 80 + len(modules)] = np.where(modules, 20, 230)
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11), 4, 80)
    y[280:360, 280:360] = marker
    guard = Guard()
    try:
        for name, how in ((ZXING, (True,)), (ZXING, (False,)), (ZBAR, ()), (ARUCO, ("DICT_APRILTAG_36h11", THOROUGH))):
            here, there = in_process(name, y, *how), guard(name, y, *how)
            assert str(there) == str(here)
            assert here not in (None, [], ([], []))
    finally:
        guard.close()


def test_the_pictures_are_kept_and_the_oldest_give_way(tmp_path: Path) -> None:
    said: list[str] = []
    clock = iter([*range(100, 105), *range(4_000_000_000, 4_000_000_000 + MAX_KEPT), 1_000_000_000, 1_000_000_001])
    keep = KeptPictures(tmp_path / "kept", said.append, lambda: next(clock))
    for _ in range(MAX_KEPT + 5):
        keep(Mishap("zxing", Fate.HUNG, "no answer after 0.5 s of work", PICTURE))
    kept = kept_in(tmp_path / "kept")
    assert len(kept) == MAX_KEPT
    shown = cv2.imread(str(kept[0]), cv2.IMREAD_GRAYSCALE)
    assert shown is not None
    assert np.array_equal(shown, PICTURE)
    assert len(said) == 1
    assert said[0].startswith(
        "the reader zxing hung (no answer after 0.5 s of work) and rests a while; the picture is kept"
    )
    for _ in range(2):  # after a clock that was years ahead the newest is kept all the same
        keep(Mishap("zbar", Fate.HUNG, "", PICTURE))
        names = [path.name for path in kept_in(tmp_path / "kept")]
        assert len(names) == MAX_KEPT
        assert any("zbar" in name for name in names)


LIMITS = Limits(cpu_s=1.0, asleep_s=0.5, wait_s=3.0)
BEFORE = Sample(runnable=False, cpu_s=7.0, faults=100)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.01, 0.2]), st.integers(0, 1)), max_size=80))
def test_it_hangs_by_its_own_work_or_sleep_alone(steps: list[tuple[bool, float, int]]) -> None:
    progress, sample, asleep = Progress(LIMITS, BEFORE, BEFORE), BEFORE, 0
    for runnable, cpu_s, faults in steps:
        moved = (cpu_s, faults) != (0.0, 0) and (sample.cpu_s + cpu_s, faults) != (sample.cpu_s, 0)
        sample = Sample(runnable, sample.cpu_s + cpu_s, sample.faults + faults)
        progress = progress.after(sample)
        asleep = 0 if runnable or moved else asleep + 1
        expected = sample.cpu_s - BEFORE.cpu_s > LIMITS.cpu_s or asleep * SAMPLE_EVERY_S > LIMITS.asleep_s + 1e-9
        if abs(asleep * SAMPLE_EVERY_S - LIMITS.asleep_s) > 1e-9:
            assert bool(progress.hung) is expected


@pytest.mark.parametrize("name", ["readers", "odd) R 9 (name", "with space"])
def test_the_kernels_line_is_read_whatever_the_process_is_called(tmp_path: Path, name: str) -> None:
    (tmp_path / "42").mkdir()
    line = f"42 ({name}) S 1 1 1 0 -1 4194304 5 0 2 0 300 50 0 0 20 0 1 0 100 1 1\n"
    (tmp_path / "42" / "stat").write_text(line, encoding="ascii")
    sample = sample_of(42, tmp_path)
    assert (sample.runnable, sample.faults) == (False, 7)
    assert sample.cpu_s == pytest.approx(350 / os.sysconf("SC_CLK_TCK"))
    assert sample_of(os.getpid()).runnable
    with pytest.raises(OSError, match="No such file"):
        sample_of(2**22 + 1)


PLAY_STUBS = """
import os, signal, time, zlib
from vision.marks import foreign
def failing(reader):
    def reads(y, *how):
        chance = zlib.crc32(y.tobytes() + reader.__name__.encode()) % 150
        while chance == 0: pass
        if chance == 1: time.sleep(0.9)
        if chance in (2, 3, 4): os.kill(os.getpid(), signal.SIGSEGV)
        return reader(y, *how)
    return reads
FUNCTIONS = {name: failing(reader) for name, reader in foreign.FUNCTIONS.items()}
"""
IN_TIME_S = 2.0
VERDICTS = 6


class Waits:
    """How long after a press its verdict came.

    ``now_s`` is the camera's clock, and besides, which no simulated table knows, what is waited for a reader that
    hangs. It is counted, not measured: a busy machine is no fault of theirs.
    """

    def __init__(self) -> None:
        self.told: list[Mishap] = []
        self.waits_s: list[float] = []
        self._frame_s = self._lost_s = 0.0
        self._pressed_s: float | None = None

    def now_s(self) -> float:
        return self._frame_s + self._lost_s

    def attend(self, moment: Moment) -> None:
        self._frame_s = moment.frame.t_s
        if self._pressed_s is not None and any(isinstance(entry.event, TurnEvent) for entry in moment.entries):
            self.waits_s.append(self.now_s() - self._pressed_s)
        if moment.desk.waiting is None:
            self._pressed_s = None
        elif self._pressed_s is None:
            self._pressed_s = self.now_s()

    def hear(self, mishap: Mishap) -> None:
        self.told.append(mishap)
        self._lost_s += ASLEEP_S if mishap.fate is Fate.HUNG else 0.0


@pytest.mark.slow
def test_verdicts_come_in_time_whatever_the_readers_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_readers.py").write_text(PLAY_STUBS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    waits = Waits()
    with ExitStack() as held:
        book = held.enter_context(open_scorebook(tmp_path / "book.sqlite"))
        guard = held.enter_context(closing(Guard(waits.hear, module="failing_readers", now_s=waits.now_s)))
        people = People(BySide("Ana", "Bo"), "en")
        plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 3), 3, 0.0, TYPICAL)
        journal = book.begin(people.names, mode="demo")
        match = SimulatedMatch(plan, table_of(TABLE_FILE), journal, (waits,), people, run=guard)
        while len(waits.waits_s) < VERDICTS or {mishap.fate for mishap in waits.told} != {Fate.HUNG, Fate.CRASHED}:
            assert match.loop.advance() is not None
        (played,) = book.replay_all()
        assert played.problem == ""
        assert played.state == match.loop.desk.state
        assert not match.director.tally.wrong
    assert max(waits.waits_s) < IN_TIME_S, waits.waits_s
