"""Whole matches in virtual time while everything fails that can: truth, book, screen and lamps agree at every step.

``tests/bench/bench_faults.py`` does the same for as long as one likes; a seed that fails there fails here.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from fault_disk import Disk, Killed
from fault_injector import Fault
from fault_run import Report, run_seed
from fault_world import Scene, World

from engine.record.course import JournalEntry
from engine.rules.events import TurnEvent
from engine.rules.rulings import Ruling
from engine.rules.track import BySide
from firmware.book.scorebook.book import MatchJournal
from firmware.table.panel.patterns import LampSignals
from vision.frame import Frame

SEEDS, FAULTS = (0, 1, 3, 4, 5, 7), 50
"""Short runs and a long one, in which everything fails that can; more are for the bench."""
APPEND, HALVES, KILL = MatchJournal.append, World.halves, Disk.kill


@cache
def report_of(seed: int) -> Report:
    return run_seed(seed, FAULTS)


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_and_everything_agrees_whatever_fails() -> None:
    counted: Counter[Fault] = Counter()
    for seed in SEEDS:
        report = report_of(seed)
        assert report.broken == "", f"seed {seed}, which breaks it again: {report.broken}"
        assert report.faults.total() == FAULTS
        assert report.lives > 1
        counted += report.faults
    assert set(counted) == set(Fault)


@pytest.mark.slow
def test_a_seed_is_the_same_run_again() -> None:
    assert run_seed(3, FAULTS) == report_of(3)


def _forgets_turns(journal: MatchJournal, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
    if not isinstance(entry, TurnEvent):
        APPEND(journal, entry, ruling, t_s)


def _a_space_too_far(world: World, frame: Frame) -> tuple[Scene, Scene]:
    upper, lower = HALVES(world, frame)
    white, black = upper.spaces.white, upper.spaces.black
    return replace(upper, spaces=BySide(white + (1 < white < black - 1), black)), lower


def _dark(signals: LampSignals, t_s: float) -> dict[str, bool]:
    return dict.fromkeys(signals.lamps, False)


def _loses_the_last(disk: Disk) -> None:
    try:
        KILL(disk)
    finally:
        if disk.book.exists():
            with closing(sqlite3.connect(disk.book)) as book, book:
                book.execute("DELETE FROM events WHERE seq > 1 AND seq = (SELECT max(seq) FROM events)")


def test_a_program_is_killed_at_its_moment_and_the_next_life_finds_what_lay_on_the_disk(tmp_path: Path) -> None:
    disk = Disk(tmp_path, lambda: None)
    disk.book.write_bytes(b"whole")
    disk.kill_at = "in a write"
    disk.reaches("before a write")
    before = disk.folder
    with pytest.raises(Killed):
        disk.reaches("in a write")
    assert disk.folder != before
    assert disk.book.read_bytes() == b"whole"
    disk.reaches("in a write")  # once only


@pytest.mark.slow
@pytest.mark.parametrize(
    ("where", "wrong", "found"),
    [
        ("firmware.book.scorebook.book.MatchJournal.append", _forgets_turns, "were acknowledged"),
        ("fault_world.World.halves", _a_space_too_far, "lies there"),
        ("firmware.table.panel.patterns.lamp_state", _dark, "lamps"),
        ("fault_disk.Disk.kill", _loses_the_last, "acknowledged, "),
    ],
)
def test_what_is_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch, where: str, wrong: object, found: str) -> None:
    """The checks see what they are there for."""
    monkeypatch.setattr(where, wrong)
    broken: list[str] = []
    while len(broken) < 6 and not any(found in one for one in broken):
        broken.append(run_seed(len(broken), FAULTS).broken)
    assert found in broken[-1], broken
