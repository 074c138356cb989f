"""A round refereed while the readers hang, are late and crash: every verdict comes in time, and systemd is content."""

from __future__ import annotations

import socket
import sys
from contextlib import ExitStack, closing
from itertools import pairwise
from pathlib import Path

import pytest

from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.extras.simulation.match import MatchPlan, SimulatedMatch
from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.loop.moment import Moment, People
from firmware.table.readers.apart import Fate
from firmware.table.readers.guard import ASLEEP_S, Guard, Mishap
from firmware.table.service.watchdog import Notifier, WatchdogAudience
from vision.synthetic.disturbances import TYPICAL

pytestmark = pytest.mark.slow

STUBS = """
import os, signal, time, zlib
from vision.marks import foreign
def failing(reader):
    def reads(y, *how):
        chance = zlib.crc32(y.tobytes()) % 150
        while chance == 0: pass
        if chance == 1: time.sleep(0.9)
        if chance in (2, 3, 4): os.kill(os.getpid(), signal.SIGSEGV)
        return reader(y, *how)
    return reads
FUNCTIONS = {name: failing(reader) for name, reader in foreign.FUNCTIONS.items()}
"""
IN_TIME_S = 2.0
VERDICTS = 6
WATCHDOG_S = 30.0  # as in the unit


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

    @property
    def fates(self) -> set[Fate]:
        return {mishap.fate for mishap in self.told}


def test_verdicts_come_in_time_whatever_the_readers_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_readers.py").write_text(STUBS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    waits = Waits()
    with ExitStack() as held:
        book = held.enter_context(open_scorebook(tmp_path / "book.sqlite"))
        guard = held.enter_context(closing(Guard(waits.hear, module="failing_readers", now_s=waits.now_s)))
        manager = held.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        manager.bind(str(tmp_path / "notify"))
        manager.setblocking(False)
        environ = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": f"{WATCHDOG_S * 1e6:.0f}"}
        notifier = held.enter_context(closing(Notifier(environ)))
        watchdog = WatchdogAudience(notifier, lambda: False, waits.now_s)
        people = People(BySide("Ana", "Bo"), "en")
        plan = MatchPlan(MatchEvent("ferti-advanced", Side.WHITE, 3), 3, 0.0, TYPICAL)
        journal = book.begin(people.names, mode="demo")
        match = SimulatedMatch(
            plan,
            table_of(TABLE_FILE),
            journal,
            (waits, watchdog),
            people,
            run=guard,
        )
        fed_s = [waits.now_s()]
        while len(waits.waits_s) < VERDICTS or waits.fates != {Fate.HUNG, Fate.CRASHED}:
            assert match.loop.advance() is not None
            if b"WATCHDOG=1" in _heard(manager):
                fed_s.append(waits.now_s())
        fed_s.append(waits.now_s())
        (played,) = book.replay_all()
        assert played.problem == ""
        assert played.state == match.loop.desk.state
        assert not match.director.tally.wrong
    assert max(waits.waits_s) < IN_TIME_S, waits.waits_s
    assert max(after - before for before, after in pairwise(fed_s)) < WATCHDOG_S


def _heard(manager: socket.socket) -> bytes:
    heard = b""
    while True:
        try:
            heard += manager.recv(256)
        except BlockingIOError:
            return heard
