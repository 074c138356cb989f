"""The scorebook under whatever happens to it, in any order: what was acknowledged is there, or a copy of before has it.

Faults: a full disk, one that is read-only, whose sync fails before or after the write; cut writes (a kill at each step
of a write); another program that holds the book or plays the same match; a clock that jumps by years; a damaged, cut,
emptied or deleted file; copies that are damaged or deleted; restores; matches that are taken in from elsewhere.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
import tempfile
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from fault_disk import Disk, DiskState, Killed
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine.record.answers import entry_to_json
from engine.record.course import Course, follow
from engine.record.notation import Record, RoundRecord
from engine.rules.events import Event
from engine.rules.track import BySide
from firmware.book.scorebook import file as book_file
from firmware.book.scorebook.book import MatchJournal, Scorebook, open_scorebook, read_scorebook
from firmware.book.scorebook.copies import MAX_COPIES, check_backup, copies_of, restore
from firmware.book.scorebook.file import ScorebookError
from firmware.book.scorebook.records import take_in, uid_of_record
from tests.firmware.conftest import SetClock, whole_match

pytestmark = pytest.mark.slow

Told = dict[str, list[dict[str, Any]]]
"""What was acknowledged: the entries of each match by its uid."""
KILLS = ("before a write", "in a write", "before the write is done", "after the write is done")


class BookStates(RuleBasedStateMachine):
    """One book, the program that plays by it, and what may befall both."""

    @initialize(seed=st.integers(0, 9))
    def begins(self, seed: int) -> None:
        self.held = ExitStack()
        self.root = Path(self.held.enter_context(tempfile.TemporaryDirectory(prefix="engarde-states-")))
        self.disk = Disk(self.root, lambda: None)
        self.held.enter_context(self.disk.under_sqlite())
        self.patience, book_file.BUSY_S = book_file.BUSY_S, 0.02  # type: ignore[misc]
        self.clock = SetClock(wall=1_800_000_000.0)
        self.told: Told = {}
        self.taken_in: list[list[str]] = []
        self.book: Scorebook | None = None
        self.journal: MatchJournal | None = None
        self.course: Course | None = None
        self.left: list[Event] = []
        self.seed = seed
        self.open_book()

    def teardown(self) -> None:
        if hasattr(self, "held"):
            self.disk.state, self.disk.kill_at = DiskState.WELL, None
            self.close_quietly()
            book_file.BUSY_S = self.patience  # type: ignore[misc]
            self.held.close()

    @property
    def path(self) -> Path:
        return self.disk.book

    def open_book(self) -> None:
        with self.disk.well():
            self.book = open_scorebook(self.path, self.clock, alone=True)
            self.journal = None
            self.expect(self.book)

    def close_quietly(self) -> None:
        book, self.book, self.journal = self.book, None, None
        if book is not None:
            with self.disk.well(), suppress(ScorebookError, sqlite3.Error):
                book.close()

    def expect(self, book: Scorebook) -> None:
        """What the book holds is what was acknowledged; one entry more where a write was cut off."""
        found = {played.match.uid: [entry_to_json(row.event) for row in played.rows] for played in book.replay_all()}
        for uid, entries in self.told.items():
            assert found.get(uid, [])[: len(entries)] == entries, uid
            assert len(found[uid]) <= len(entries) + 1
        for together in self.taken_in:
            assert len({uid in found for uid in together}) == 1, "all of them or none"
        self.told = found

    def kill(self) -> None:
        """The program is gone, and its locks with it; the disk lies where the next life finds it."""
        book, self.book, self.journal = self.book, None, None
        assert book is not None
        book.connection.close()
        book._held.close()

    # What the program does

    @precondition(lambda self: self.book is not None)
    @rule(count=st.integers(1, 6))
    def plays(self, count: int) -> None:
        assert self.book is not None
        for _ in range(count):
            if self.journal is None or not self.left:
                self.seed += 1
                self.left, self.course = list(whole_match(self.seed, points=1)), None
                self.journal = self.book.begin(BySide("Ana", "Bo"), mode="play")
            event = self.left[0]
            after, ruling = follow(self.course, event)
            try:
                self.journal.append(event, ruling, 1.0)
            except Killed:
                self.kill()
                return
            except ScorebookError:
                return  # the same is tried again
            self.course = after
            self.left.pop(0)
            self.told.setdefault(self.journal.uid, []).append(entry_to_json(event))

    @precondition(lambda self: self.book is not None)
    @rule()
    def takes_two_matches_in(self) -> None:
        assert self.book is not None
        self.seed += 1
        pairs = [BySide(f"Guest {self.seed}", name) for name in ("Ana", "Bo")]
        records = [Record(names, "2026-11-28", rounds=(RoundRecord((), None),)) for names in pairs]
        self.taken_in.append([uid_of_record(each) for each in records])
        try:
            take_in(self.book, records)
        except Killed:
            self.kill()
        except ScorebookError:
            return
        else:
            with self.disk.well():
                self.expect(self.book)
            assert set(self.taken_in[-1]) <= set(self.told)

    @precondition(lambda self: self.book is not None)
    @rule()
    def closes(self) -> None:
        self.close_quietly()
        self.left = []

    @precondition(lambda self: self.book is None)
    @rule()
    def opens(self) -> None:
        self.left = []
        self.open_book()

    # What befalls it

    @rule(state=st.sampled_from(DiskState))
    def disk_is(self, state: DiskState) -> None:
        self.disk.state = state

    @rule(moment=st.sampled_from(KILLS))
    def is_killed_soon(self, moment: str) -> None:
        self.disk.kill_at = moment if self.book is not None else None

    @rule(years=st.integers(-60, 60))
    def clock_jumps(self, years: int) -> None:
        self.clock.wall = max(0.0, self.clock.wall + years * 31_557_600.0)

    @precondition(lambda self: self.book is not None)
    @rule()
    def another_holds_it(self) -> None:
        with closing(sqlite3.Connection(self.path, isolation_level=None)) as other:
            with suppress(sqlite3.Error):
                other.execute("BEGIN IMMEDIATE")
            before = sum(map(len, self.told.values()))
            if self.disk.kill_at is None:
                self.plays(1)
                assert sum(map(len, self.told.values())) <= before + 1

    @precondition(lambda self: self.journal is not None and self.journal.match_id is not None and self.left)
    @rule()
    def another_plays_the_same_match(self) -> None:
        """Whoever is second is refused, and the first goes on only in a book that has its own entries."""
        assert self.journal is not None
        if self.disk.kill_at is not None:
            return
        with self.disk.well(), open_scorebook(self.path, self.clock) as other:
            played = next(each for each in other.replay_all() if each.match.id == self.journal.match_id)
            if played.course is None or len(played.rows) != self.journal.seq:
                return  # an entry that is in doubt stands there
            _, ruling = follow(self.course, self.left[0])
            other.resume(played).append(self.left[0], ruling, 2.0)
            self.told[played.match.uid].append(entry_to_json(self.left[0]))
            with pytest.raises(ScorebookError, match="another program is playing it"):
                self.journal.append(self.left[0], ruling, 1.0)
            self.left, self.journal = [], None

    @precondition(lambda self: self.book is None and self.path.exists())
    @rule(seed=st.integers(0, 2**32), how=st.sampled_from(("a bit", "a page", "cut", "gone")))
    def is_damaged(self, seed: int, how: str) -> None:
        """While nobody has it open: the copy of when it was closed has all of it."""
        rng, content = random.Random(seed), bytearray(self.path.read_bytes())
        copies = copies_of(self.path)
        if not content or not copies or (whole := self.in_copy(copies[-1])) != self.told:
            return
        if how == "a bit":
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        elif how == "a page":
            start = 4096 * rng.randrange(max(1, len(content) // 4096))
            content[start : start + 4096] = bytes(len(content[start : start + 4096]))
        elif how == "cut":
            del content[rng.randrange(len(content)) :]
        self.path.unlink()
        if how == "gone" or not content:
            restore(self.path, copies[-1])
        else:
            self.path.write_bytes(content)
            for end in ("-journal", "-wal"):
                self.path.with_name(self.path.name + end).unlink(missing_ok=True)
        self.open_book()
        assert self.told == whole

    @precondition(lambda self: self.book is None and len(copies_of(self.path)) > 1)
    @rule(which=st.integers(0, MAX_COPIES - 1))
    def is_restored(self, which: int) -> None:
        copies = copies_of(self.path)
        copy = copies[which % len(copies)]
        with self.disk.well():
            self.told = self.in_copy(copy)
            restore(self.path, copy)
        self.open_book()

    @precondition(lambda self: self.book is None and len(copies_of(self.path)) > 1)
    @rule()
    def the_oldest_copy_is_lost(self) -> None:
        copies_of(self.path)[0].unlink()

    def in_copy(self, copy: Path) -> Told:
        aside = self.root / "aside.sqlite"
        shutil.copyfile(copy, aside)
        with self.disk.well():
            book = read_scorebook(aside)
            assert book is not None
            with book:
                return {each.match.uid: [entry_to_json(row.event) for row in each.rows] for each in book.replay_all()}

    # What always holds

    @invariant()
    def copies_are_whole_and_few(self) -> None:
        if not hasattr(self, "disk"):
            return
        copies = copies_of(self.path)
        assert len(copies) <= MAX_COPIES
        for copy in copies:
            check_backup(copy)


TestBookStates = BookStates.TestCase
TestBookStates.settings = settings(deadline=None, max_examples=25, stateful_step_count=25)
