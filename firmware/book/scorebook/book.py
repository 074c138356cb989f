"""The scorebook: every accepted event of every match, on disk before anybody is shown its verdict.

Several programs may write one book, each its own match; only one at a time referees a table by it (``alone``). Two
that write the same match all the same find out at the first event that both would call the next one: the second is
refused, before it has shown anything. Corrections are entries like events: nothing is erased, and where a match
stands follows from all its rows. Source: hardware/PLATFORM.md, "What owners complain of".
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from engine.record.answers import entry_from_json, entry_to_json, ruling_to_json
from engine.record.corrections import Correction
from engine.record.course import Course, JournalEntry, follow
from engine.rules.events import MatchEvent
from engine.rules.rulings import Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from engine.strict.text import json_of
from firmware.book.scorebook.copies import copies_of, keep_copy
from firmware.book.scorebook.file import (
    DamagedError,
    NotKeptError,
    ScorebookError,
    connect,
    counts,
    finish,
    is_there,
    read_whole,
    telling,
)
from firmware.book.scorebook.file import alone as held_alone
from firmware.book.scorebook.salvage import Salvaged, salvage
from firmware.book.scorebook.schema import AT_A_TABLE, last_sum, put_events
from firmware.core.clock import Clock, SystemClock
from firmware.core.io.database import open_to_read, transaction
from firmware.core.io.files import make_folder
from firmware.core.names import shown_name

MAX_EVENTS: Final = 200_000
"""Of a match that is judged again: more than three weeks of evenings make, and no more than the memory holds."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match as the book has it. ``mode`` is where it was played (schema.py), ``seed`` is a demo's; ``wall_s`` is
    when it began, as the machine believed.

    ``uid`` is the match's name in every copy of the book; empty in a book of version 1, read without being brought up
    to date.
    """

    id: int
    names: BySide[str]
    mode: str
    seed: int | None
    wall_s: float
    uid: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One accepted event, or a correction of earlier ones. ``t_s`` is on the camera's clock of its program run."""

    seq: int
    event: JournalEntry
    ruling: dict[str, Any]
    t_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class Played:
    """A match refereed again from its rows: ``states[i]`` is the state after ``rows[i]``.

    ``course.steps`` are the entries that stand, each with its ruling and the state after it: without what was undone,
    and as corrected. ``problem`` is empty, or says at which row reading stopped and why; what came before it stands.
    """

    match: MatchRow
    rows: tuple[Row, ...]
    states: tuple[PublicState, ...]
    course: Course | None
    problem: str = ""

    @property
    def state(self) -> PublicState | None:
        """Where the match stands; None when not even its first event can be read."""
        return self.course.state if self.course is not None else None

    @property
    def corrections(self) -> tuple[Row, ...]:
        """The rows that corrected others, in order, those taken back again included."""
        return tuple(row for row in self.rows if isinstance(row.event, Correction))

    @property
    def finished(self) -> bool:
        return self.state is not None and self.state.phase is Phase.MATCH_OVER


class Scorebook:
    """An open scorebook. ``notice``: what was found, or empty; ``salvaged``: of it; ``written``: the last match."""

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        clock: Clock,
        *,
        notice: str = "",
        salvaged: Salvaged | None = None,
        held: ExitStack | None = None,
        alone: bool = False,
    ) -> None:
        """``held`` is closed with the book; ``alone``: it is copied first."""
        self.path = path
        self.notice = notice
        self.salvaged = salvaged
        self.written: int | None = None
        self.connection = connection
        self._clock = clock
        self._held = held or ExitStack()
        self._alone = alone
        self._file = _identity(path)
        self._in_doubt: list[tuple[int | None, str, Row]] = []
        """Entries whose write was reported as failed, with number (None for a new one's first) and uid of the match."""

    def begin(self, names: BySide[str], *, mode: str | Callable[[], str], seed: int | None = None) -> MatchJournal:
        """A journal for a new match; the match is in the book once its first event is, and of its ``mode`` then."""
        return MatchJournal(self, names, mode, seed)

    def resume(self, played: Played) -> MatchJournal:
        """A journal that goes on where this match stands.

        A match with a row that cannot be read goes on as a new one, which begins with the rows before it.
        """
        journal = MatchJournal(self, played.match.names, played.match.mode, played.match.seed)
        if played.problem:
            journal.carried = played.rows
        else:
            journal.match_id = played.match.id
        journal.seq = len(played.rows)
        return journal

    def matches(self, *, last: int | None = None) -> tuple[MatchRow, ...]:
        """The matches in the order they began; only the ``last`` so many if that is given."""
        with telling(self.path):
            (version,) = self.connection.execute("PRAGMA user_version").fetchone()
            uid = "uid" if version > 1 else "NULL"
            found = self.connection.execute(
                f"SELECT id, white, black, mode, seed, wall_s, {uid} FROM matches ORDER BY id DESC LIMIT ?",
                (-1 if last is None else last,),
            ).fetchall()
        return tuple(
            MatchRow(key, BySide(shown_name(white), shown_name(black)), mode, seed, wall, uid or "")
            for key, white, black, mode, seed, wall, uid in found[::-1]
        )

    def replay(self, wanted: int | MatchRow) -> Played:
        """The match judged again, event by event. Raises ScorebookError when there is none with this number."""
        asked = [wanted] if isinstance(wanted, MatchRow) else [each for each in self.matches() if each.id == wanted]
        if not asked:
            raise ScorebookError(f"the scorebook {self.path} has no match {wanted}.")
        match = asked[0]
        with telling(self.path):
            found = self.connection.execute(
                "SELECT seq, event, ruling, t_s, wall_s FROM events WHERE match_id = ? ORDER BY seq LIMIT ?",
                (match.id, MAX_EVENTS + 1),
            ).fetchall()
        rows: list[Row] = []
        states: list[PublicState] = []
        course: Course | None = None
        problem = ""
        for expected, (seq, event_text, ruling_text, t_s, wall_s) in enumerate(found, 1):
            try:
                if expected > MAX_EVENTS:
                    raise ValueError("no match has so many")
                row = Row(seq, entry_from_json(json_of(event_text)), json_of(ruling_text), t_s, wall_s)
                course = next_course(course, row, expected)
            except (ValueError, TypeError, RecursionError) as error:
                problem = f"match {match.id}, event {seq}: {error}"
                break
            rows.append(row)
            states.append(course.state)
        return Played(match, tuple(rows), tuple(states), course, problem)

    def replay_all(self, *, last: int | None = None) -> Iterator[Played]:
        """The matches judged again, in the order they began."""
        return map(self.replay, self.matches(last=last))

    def unfinished(self) -> Played | None:
        """The last match at a table if it was not played to its end, else None."""
        for match in reversed(self.matches()):
            if match.mode in AT_A_TABLE:
                played = self.replay(match)
                return None if played.finished or played.state is None else played
        return None

    def counts(self) -> tuple[int, int]:
        """How many matches and events there are."""
        with telling(self.path):
            return counts(self.connection)

    def keep_copy(self) -> None:
        """Keep a copy beside the book, if it is another than the last; ``notice`` tells where that cannot be, or
        where the last had more events."""
        told = ""
        try:
            if lost := keep_copy(self.path, self.connection):
                told = f"The scorebook {self.path} has {lost} events fewer than the copy that was kept of it: the disk "
                told += "has lost what it said was written. engarde book restore puts the copy in its place."
        except (ScorebookError, sqlite3.Error, OSError) as error:
            told = f"No copy of the scorebook can be kept: {str(error).rstrip('.')}."
        self.notice = " ".join(filter(None, (self.notice, told)))

    def close(self) -> None:
        if self._alone:
            self.keep_copy()
        self.connection.close()
        self._held.close()

    def __enter__(self) -> Scorebook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, journal: MatchJournal, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        """Put one entry on disk; with the match itself if it is the first. Returns once it is there.

        Raises NotKeptError, with the book as it was before, and ScorebookError where another program plays the match.
        """
        row = Row(journal.seq + 1, entry, ruling_to_json(ruling), t_s, self._clock.wall_s())
        try:
            if journal.match_id is None:
                match = MatchRow(0, journal.names, journal.mode(), journal.seed, row.wall_s, journal.uid)
                (journal.match_id,) = self.add_all([(match, (*journal.carried, row))])
                journal.carried = ()
            else:
                with self._writing():
                    self._insert(journal.match_id, (row,))
        except NotKeptError:
            self._in_doubt.append((journal.match_id, journal.uid, row))
            raise
        journal.seq += 1
        self.written = journal.match_id

    def add_all(self, matches: Iterable[tuple[MatchRow, Sequence[Row]]]) -> list[int]:
        """Put new matches with their rows on disk, all or nothing; gives their numbers, whatever each ``id`` was.

        Without a ``uid``, or with one that is taken, a match gets another.
        """
        with self._writing():
            return [self._add(match, rows) for match, rows in matches]

    def _add(self, match: MatchRow, rows: Sequence[Row]) -> int:
        uid = match.uid
        if not uid or self.connection.execute("SELECT 1 FROM matches WHERE uid = ?", (uid,)).fetchone():
            uid = uuid.uuid4().hex
        match_id = self.connection.execute(
            "INSERT INTO matches (white, black, mode, seed, wall_s, uid) VALUES (?, ?, ?, ?, ?, ?)",
            (match.names.white, match.names.black, match.mode, match.seed, match.wall_s, uid),
        ).lastrowid
        assert match_id is not None
        self._insert(match_id, rows)
        return match_id

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: on disk when this ends, and nothing of it after an error."""
        # SQLite would write on into a file that was moved or deleted, and nobody would ever find it.
        if _identity(self.path) != self._file:
            raise NotKeptError(
                f"the scorebook {self.path} was moved, replaced or taken away while it was in use; start again."
            )
        with telling(self.path), transaction(self.connection):
            for doubtful in self._in_doubt:
                self._take_out(*doubtful)
            yield
        self._in_doubt.clear()

    def _take_out(self, match_id: int | None, uid: str, row: Row) -> None:
        """Delete this entry, and none that another program wrote in its place meanwhile. Within a transaction."""
        if match_id is None:
            of_it = "match_id IN (SELECT id FROM matches WHERE uid = ?)"
            self.connection.execute(f"DELETE FROM events WHERE {of_it}", (uid,))
            self.connection.execute("DELETE FROM matches WHERE uid = ?", (uid,))
        else:
            self.connection.execute(
                "DELETE FROM events WHERE match_id = ? AND seq = ? AND event = ? AND t_s = ? AND wall_s = ?",
                (match_id, row.seq, json.dumps(entry_to_json(row.event)), row.t_s, row.wall_s),
            )

    def _insert(self, match_id: int, rows: Sequence[Row]) -> None:
        stored = []
        for row in rows:
            event, ruling = json.dumps(entry_to_json(row.event)), json.dumps(row.ruling)
            stored.append((match_id, row.seq, row.event.name, event, ruling, row.t_s, row.wall_s))
        try:
            put_events(self.connection, last_sum(self.connection, match_id), stored)
        except sqlite3.IntegrityError as error:
            raise ScorebookError(
                f"{self.path}: match {match_id} cannot go on here ({error}): another program is playing it; "
                "end that one first."
            ) from error


class MatchJournal:
    """Where a match's accepted entries go. ``match_id`` is None until the first; ``seq`` is the last one's number.

    ``uid`` is the name that a new match gets; ``carried`` are rows of another that it begins with, written with its
    first entry.
    """

    def __init__(self, book: Scorebook, names: BySide[str], mode: str | Callable[[], str], seed: int | None) -> None:
        self.names = names
        self.mode = mode if callable(mode) else lambda: mode
        self.seed = seed
        self.match_id: int | None = None
        self.seq = 0
        self.uid = uuid.uuid4().hex
        self.carried: tuple[Row, ...] = ()
        self._book = book

    def append(self, entry: JournalEntry, ruling: Ruling, t_s: float) -> None:
        """Put one accepted entry on disk; it is there when this returns. A match event begins a new match.

        Raises ScorebookError, with the book as it was before; ValueError for a refused event.
        """
        if not ruling.ok:
            raise ValueError(f"only accepted events are kept, this {entry.name} was refused")
        if isinstance(entry, MatchEvent):
            self.match_id, self.seq, self.carried = None, 0, ()
            self.uid = uuid.uuid4().hex
        self._book.write(self, entry, ruling, t_s)


def open_scorebook(path: Path, clock: Clock | None = None, *, alone: bool = False) -> Scorebook:
    """The scorebook at ``path`` to write in, made with its folder if it is not there.

    A damaged one is set aside under another name beside it, never overwritten; what can be read of it is in the new
    one, and the book's ``notice`` says so. ``alone``: no other program may referee by this book until it is closed.
    Raises ScorebookError.
    """
    clock = clock or SystemClock()
    try:
        make_folder(path.parent, private=True)
    except OSError as error:
        raise ScorebookError(f"the folder {path.parent} for the scorebook cannot be made: {error.strerror}.") from error
    is_there(path)  # else it says why, before anything is looked for or made beside it
    finish(path)
    with ExitStack() as held:
        if alone:
            held.enter_context(held_alone(path))
        notice, saved = "", None
        if path.exists() and path.stat().st_size == 0:
            notice = f"The scorebook {path} was an empty file: a new one was begun in it."
        elif not path.exists() and (copies := copies_of(path)):
            notice = f"The scorebook {path} is gone and a new one was begun. {copies[-1]} is the newest copy: engarde "
            notice += "book restore puts it in place."
        try:
            connection = connect(path)
        except DamagedError:
            if not alone:
                held.enter_context(held_alone(path))
            saved = salvage(path)
            if not alone:
                held.close()
            notice, connection = saved.sentence, connect(path)
        book = Scorebook(path, connection, clock, notice=notice, salvaged=saved, held=held.pop_all(), alone=alone)
    if alone:
        book.keep_copy()
    return book


def read_scorebook(path: Path) -> Scorebook | None:
    """The scorebook at ``path`` as it is at this moment, to read from, None if there is none: none is made, and a
    damaged one stays where it is.

    Raises ScorebookError.
    """
    if not is_there(path) or path.stat().st_size == 0:
        return None
    try:
        return Scorebook(path, read_whole(path), SystemClock())
    except DamagedError as error:
        if path.stat().st_size == 0:
            return None  # a program was killed while it made the book, and that was just rolled back
        raise DamagedError(f"{str(error).rstrip('.')}; engarde book check recovers what can be read.") from error


GLANCE_S: Final = 0.5
"""A verdict that is being written holds the book for a hundredth of that."""


def mark_of(path: Path, number: int) -> str:
    """A digest of this match, and of its players and those of all before it; empty where there is none.

    The book is not checked for it, which takes the longer the more was played; whoever reads a match out of it does.
    Raises sqlite3.Error for a file that cannot be read now, or is no scorebook.
    """
    if not path.is_file():
        return ""
    with closing(open_to_read(path, patience_s=GLANCE_S)) as asked:
        rows = asked.execute(
            "SELECT id, white, black, mode, wall_s FROM matches WHERE id <= ? ORDER BY id DESC", (number,)
        ).fetchall()
        if not rows or rows[0][0] != number:
            return ""
        (last,) = asked.execute("SELECT max(seq) FROM events WHERE match_id = ?", (number,)).fetchone()
    return hashlib.blake2b(repr((rows, last)).encode(), digest_size=16).hexdigest()


def next_course(course: Course | None, row: Row, expected: int) -> Course:
    """The match after this row, which is to be number ``expected``. Raises ValueError, saying what is wrong with it."""
    if row.seq != expected:
        raise ValueError(f"event {expected} is missing")
    if (row.seq == 1) is not isinstance(row.event, MatchEvent):
        raise ValueError("a match event is the first of a match and only that")
    following, ruling = follow(course, row.event)
    if following is None or not ruling.ok:
        raise ValueError("the referee refuses it")
    return following


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and inode of this file; None when it is gone."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
