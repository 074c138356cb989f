"""A program that is killed at any moment: every event it had shown is in the book, no half one, and the match goes on.

The real loop and the real book play fast matches; the power cut is SIGKILL after a random verdict and a random part of
the time to the next. tests/bench/bench_kill.py does the same as often as one likes.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.book.scorebook.book import Played, open_scorebook, read_scorebook
from firmware.book.scorebook.copies import MAX_COPIES, check_backup, copies_of
from firmware.book.scorebook.schema import VERSION

pytestmark = pytest.mark.slow

KILLS = 100
MAX_OF_A_MOMENT = 2
PROGRAM = Path(__file__).with_name("killed_match.py")
ROOT = Path(__file__).parents[4]


class Victim:
    """The program, and what it had shown before it was killed."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )

    def live_and_die(self, seed: int, verdicts: int, more_s: float) -> dict[int, int]:
        """Let it live until it has shown so many verdicts, and so long after that; the last shown number of each match.

        Counted in verdicts because a busy machine takes its time with everything else.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{seed}\n")
        self._process.stdin.flush()
        child = int(self._process.stdout.readline())
        shown: dict[int, int] = {}
        for _ in range(verdicts):
            match_id, seq = self._process.stdout.readline().split()
            shown[int(match_id)] = int(seq)
        time.sleep(more_s)
        os.kill(child, signal.SIGKILL)
        while not (line := self._process.stdout.readline()).startswith("ended"):
            match_id, seq = line.split()
            shown[int(match_id)] = int(seq)
        assert line == f"ended -{signal.SIGKILL}\n", line
        return shown

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


@contextmanager
def memory_folder(fallback: Path) -> Iterator[Path]:
    """A folder in memory where there is one. SIGKILL leaves the system's own caches alone, so nothing is easier there;
    a sync costs nothing, so far more of the time is spent where a kill can hurt."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        folder = memory / f"engarde-test-{os.getpid()}-{fallback.name}"
        folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder)
    else:
        yield fallback


def check_book(path: Path, shown: dict[int, int]) -> dict[int, Played]:
    """Every match in the book is whole, with all that was shown of it and no more than one moment's entries besides.

    The loop shows a moment's entries together, once all of them are on disk. The victim's players press one button at
    most before a moment: that gives one entry, and one more can fall by itself in the same moment, as when a reveal is
    taken back while both hands still lie there.
    """
    book = read_scorebook(path)
    if book is None:
        assert shown == {}
        return {}
    with book:
        found = {played.match.id: played for played in book.replay_all()}
    for match_id, seq in shown.items():
        ahead = found[match_id].rows[seq:]
        assert seq <= len(found[match_id].rows) <= seq + MAX_OF_A_MOMENT, (match_id, seq)
        assert len({row.t_s for row in ahead}) <= 1, (match_id, seq, ahead)
    for played in found.values():
        assert played.problem == ""
    return found


def kill_often(path: Path, kills: int, seed: int) -> Counter[str]:
    """Kill the program so often, always on the same book; what was counted."""
    rng = random.Random(seed)
    victim = Victim(path)
    counted: Counter[str] = Counter()
    known: dict[int, int] = {}
    try:
        for number in range(kills):
            verdicts = rng.randrange(7)
            # Without a verdict it is killed while it starts; else somewhere between this verdict and the next few.
            shown = victim.live_and_die(rng.randrange(10**9), verdicts, rng.uniform(0.0, 0.004 if verdicts else 0.05))
            known |= shown
            hot = path.with_name(f"{path.name}-journal").exists()
            found = check_book(path, known)
            counted += Counter(
                kills=1,
                lives_with_verdicts=bool(shown),
                in_the_middle_of_a_write=hot,
                written_but_not_shown=any(len(found[match_id].rows) > seq for match_id, seq in shown.items()),
                taken_up=number > 0 and bool(shown) and min(shown) in found and len(found[min(shown)].rows) > 1,
            )
            known = {match_id: len(played.rows) for match_id, played in found.items()}
    finally:
        victim.close()
    counted["matches"] = len(known)
    counted["events"] = sum(known.values())
    return counted


def test_killed_at_any_moment_every_shown_event_is_there_and_the_match_goes_on(tmp_path: Path) -> None:
    with memory_folder(tmp_path) as folder:
        path = folder / "book.sqlite"
        counted = kill_often(path, KILLS, seed=0)
        assert counted["kills"] == KILLS
        assert counted["lives_with_verdicts"] > KILLS // 2, counted
        assert counted["events"] > KILLS
        with open_scorebook(path) as book:
            assert book.notice == ""
            # A kill before the journal's first byte leaves an empty one: nothing, and gone with the next write.
            book.connection.execute(f"PRAGMA user_version = {VERSION}")
        copies = copies_of(path)
        others = {each.name for each in folder.iterdir()} - {each.name for each in copies}
        # Killed while it made a copy, the program leaves the beginning of one; the next copy of that number sweeps it.
        begun = {name for name in others if name.endswith(".part")}
        assert others - begun == {"book.sqlite", "book.sqlite.lock"}
        assert len(begun) <= 1
        assert 1 <= len(copies) <= MAX_COPIES
        for copy in copies:
            check_backup(copy)
