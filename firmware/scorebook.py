"""The scorebook: every accepted event of every match, on disk before anybody is shown its verdict.

Several programs may write one book, each its own match. Two that write the same match find out at the first event
that both would call the next one: the second is refused, before it has shown anything. Source: issue threads about
lost games, PI.md.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.answers import answer_to_json
from engine.events import Event, MatchEvent, event_from_json, event_to_json
from engine.referee import judge
from engine.rulings import Ruling
from engine.state import Phase, PublicState
from engine.track import BySide
from firmware.clock import Clock, SystemClock
from firmware.scorebook_file import DamagedError, ScorebookError, connect, set_aside, telling


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match as the book has it. ``seed`` is a demo's; ``wall_s`` is when it began, as the machine believed."""

    id: int
    names: BySide[str]
    mode: str
    seed: int | None
    wall_s: float


@dataclass(frozen=True, slots=True)
class Row:
    """One accepted event. ``t_s`` is on the camera's clock of its program run."""

    seq: int
    event: Event
    ruling: dict[str, Any]
    t_s: float
    wall_s: float


@dataclass(frozen=True, slots=True)
class Played:
    """A match refereed again from its rows: ``states[i]`` is the state after ``rows[i]``.

    ``problem`` is empty, or says at which row reading stopped and why; what came before it stands.
    """

    match: MatchRow
    rows: tuple[Row, ...]
    states: tuple[PublicState, ...]
    problem: str = ""

    @property
    def state(self) -> PublicState | None:
        """Where the match stands; None when not even its first event can be read."""
        return self.states[-1] if self.states else None

    @property
    def finished(self) -> bool:
        return self.state is not None and self.state.phase is Phase.MATCH_OVER


class Scorebook:
    """An open scorebook. ``notice`` is empty, or says that a damaged file was set aside."""

    def __init__(self, path: Path, connection: sqlite3.Connection, clock: Clock, notice: str = "") -> None:
        self.path = path
        self.notice = notice
        self._connection = connection
        self._clock = clock

    def begin(self, names: BySide[str], *, mode: str, seed: int | None = None) -> MatchJournal:
        """A journal for a new match; the match is in the book once its first event is."""
        return MatchJournal(self, names, mode, seed)

    def resume(self, played: Played) -> MatchJournal:
        """A journal that goes on where this match stands."""
        journal = MatchJournal(self, played.match.names, played.match.mode, played.match.seed)
        journal.match_id = played.match.id
        journal.seq = len(played.rows)
        return journal

    def matches(self, *, last: int | None = None) -> tuple[MatchRow, ...]:
        """The matches in the order they began; only the ``last`` so many if that is given."""
        with telling(self.path):
            found = self._connection.execute(
                "SELECT id, white, black, mode, seed, wall_s FROM matches ORDER BY id DESC LIMIT ?",
                (-1 if last is None else last,),
            ).fetchall()
        return tuple(
            MatchRow(key, BySide(white, black), mode, seed, wall) for key, white, black, mode, seed, wall in found[::-1]
        )

    def replay(self, wanted: int | MatchRow) -> Played:
        """The match judged again, event by event. Raises ScorebookError when there is none with this number."""
        if isinstance(wanted, MatchRow):
            return self._replay(wanted)
        for match in self.matches():
            if match.id == wanted:
                return self._replay(match)
        raise ScorebookError(f"the scorebook {self.path} has no match {wanted}.")

    def replay_all(self, *, last: int | None = None) -> Iterator[Played]:
        """The matches judged again, in the order they began."""
        for match in self.matches(last=last):
            yield self._replay(match)

    def digests(self) -> Mapping[int, str]:
        """Of every match by its number: equal digests are equal events in the same order."""
        hashes: dict[int, Any] = {}
        for match_id, seq, event in self.event_texts():
            digest = hashes.get(match_id) or hashes.setdefault(match_id, hashlib.blake2b(digest_size=16))
            digest.update(f"{seq} {event}\n".encode("utf-8", "surrogatepass"))
        return {match_id: digest.hexdigest() for match_id, digest in hashes.items()}

    def rewrite(self, names: Mapping[int, BySide[str]], events: Mapping[tuple[int, int], str]) -> None:
        """Give these matches other names, and these rows (match, seq) another event text; what stood there before is
        then nowhere in the file, nor in SQLite's own files beside it.

        ``secure_delete`` overwrites what is freed, VACUUM writes the whole file anew, and the checkpoint empties a
        write-ahead log if there is one.
        """
        with telling(self.path):
            self._connection.execute("PRAGMA secure_delete = ON")
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(
                    "UPDATE matches SET white = ?, black = ? WHERE id = ?",
                    [(pair.white, pair.black, match_id) for match_id, pair in names.items()],
                )
                self._connection.executemany(
                    "UPDATE events SET event = ? WHERE match_id = ? AND seq = ?",
                    [(text, *row) for row, text in events.items()],
                )
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.rollback()
                raise
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def event_texts(self) -> Iterator[tuple[int, int, str]]:
        """Every row's match, seq and event as it is written."""
        with telling(self.path):
            yield from self._connection.execute("SELECT match_id, seq, event FROM events ORDER BY match_id, seq")

    def unfinished(self, mode: str = "play") -> Played | None:
        """The last match of this mode if it was not played to its end, else None."""
        for match in reversed(self.matches()):
            if match.mode == mode:
                played = self._replay(match)
                return None if played.finished or played.state is None else played
        return None

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Scorebook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _replay(self, match: MatchRow) -> Played:
        with telling(self.path):
            found = self._connection.execute(
                "SELECT seq, event, ruling, t_s, wall_s FROM events WHERE match_id = ? ORDER BY seq", (match.id,)
            ).fetchall()
        rows: list[Row] = []
        states: list[PublicState] = []
        problem = ""
        for expected, (seq, event_text, ruling_text, t_s, wall_s) in enumerate(found, 1):
            try:
                row = Row(seq, event_from_json(json.loads(event_text)), json.loads(ruling_text), t_s, wall_s)
                state = _next(states[-1] if states else None, row, expected)
            except (ValueError, TypeError) as error:
                problem = f"match {match.id}, event {seq}: {error}"
                break
            rows.append(row)
            states.append(state)
        return Played(match, tuple(rows), tuple(states), problem)

    def write(self, journal: MatchJournal, event: Event, ruling: Ruling, t_s: float) -> None:
        """Put one event on disk; with the match itself if it is the first. Returns once it is there."""
        wall_s = self._clock.wall_s()
        ruling_json = answer_to_json(None, ruling)
        del ruling_json["state"]
        with telling(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                match_id = journal.match_id
                if match_id is None:
                    match_id = self._connection.execute(
                        "INSERT INTO matches (white, black, mode, seed, wall_s) VALUES (?, ?, ?, ?, ?)",
                        (journal.names.white, journal.names.black, journal.mode, journal.seed, wall_s),
                    ).lastrowid
                self._connection.execute(
                    "INSERT INTO events (match_id, seq, kind, event, ruling, t_s, wall_s) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        match_id,
                        journal.seq + 1,
                        event.name,
                        json.dumps(event_to_json(event)),
                        json.dumps(ruling_json),
                        t_s,
                        wall_s,
                    ),
                )
                self._connection.execute("COMMIT")
            except sqlite3.IntegrityError as error:
                self._connection.rollback()
                raise ScorebookError(
                    f"{self.path}: match {match_id} cannot go on here ({error}): another program is playing it; "
                    "end that one first."
                ) from error
            except BaseException:
                self._connection.rollback()
                raise
        journal.match_id, journal.seq = match_id, journal.seq + 1


class MatchJournal:
    """Where a match's accepted events go. ``match_id`` is None until the first; ``seq`` is the last event's number."""

    def __init__(self, book: Scorebook, names: BySide[str], mode: str, seed: int | None) -> None:
        self.names = names
        self.mode = mode
        self.seed = seed
        self.match_id: int | None = None
        self.seq = 0
        self._book = book

    def append(self, event: Event, ruling: Ruling, t_s: float) -> None:
        """Put one accepted event on disk; it is there when this returns. A match event begins a new match.

        Raises ScorebookError, with the book as it was before; ValueError for a refused event.
        """
        if not ruling.ok:
            raise ValueError(f"only accepted events are kept, this {event.name} was refused")
        if isinstance(event, MatchEvent):
            self.match_id, self.seq = None, 0
        self._book.write(self, event, ruling, t_s)


def open_scorebook(path: Path, clock: Clock | None = None) -> Scorebook:
    """The scorebook at ``path`` to write in, made with its folder if it is not there.

    A damaged one is set aside under another name beside it, never overwritten, and a new one begun; the book's
    ``notice`` says so. Raises ScorebookError.
    """
    clock = clock or SystemClock()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScorebookError(f"the folder {path.parent} for the scorebook cannot be made: {error.strerror}.") from error
    try:
        return Scorebook(path, connect(path), clock)
    except DamagedError as error:
        aside = set_aside(path)
        notice = f"{error} It was set aside as {aside.name}, untouched, and a new scorebook begun."
        return Scorebook(path, connect(path), clock, notice)


def read_scorebook(path: Path) -> Scorebook | None:
    """The scorebook at ``path`` to read from, None if there is none: none is made, and a damaged one stays where it is.

    Raises ScorebookError.
    """
    if not path.exists() or (path.is_file() and path.stat().st_size == 0):
        return None
    return Scorebook(path, connect(path), SystemClock())


def _next(state: PublicState | None, row: Row, expected: int) -> PublicState:
    if row.seq != expected:
        raise ValueError(f"event {expected} is missing")
    if (row.seq == 1) is not isinstance(row.event, MatchEvent):
        raise ValueError("a match event is the first of a match and only that")
    following, ruling = judge(state, row.event)
    if following is None or not ruling.ok:
        raise ValueError("the referee refuses it")
    return following
