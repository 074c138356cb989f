"""The club's scorebook: what all tables told, each event once, whatever way and however often it came.

Idempotent by match and number, and chained: an event is believed when it continues the one before it. One that comes
too early is left out, and its table asked for it and those before. Order is never taken from a clock.
The book keeps what was told word for word, so that its sums hold there too; what it gives is as read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from engine.rules.state import Reason
from engine.strict.text import MalformedError
from firmware.core.io.database import closed_after_error, open_log, transaction
from firmware.extras.club.messages import RESUMED, START, ClubError, dumped, read, read_text

# A hostile table can lie about its own match within the bounds of ``impossible`` and ``firmware.extras.club.messages``,
# and about nothing else. What is not believed is told.

_SIDES: Final = ("white", "black")


def impossible(before: Mapping[str, Any] | None, event: Mapping[str, Any]) -> str:
    """Why no match can go from ``before`` (None: the beginning) to this, both as read; empty where one can."""
    score, kind = event["score"], event["kind"]
    over = max(score.values()) >= event["points"]
    if kind not in ("correct", "undo", "time") and over != (event["phase"] == "match_over"):
        return "the match is over and is not"
    if max(score.values()) > event["points"]:
        return "more touches than the match has"
    if before is None:
        begins = kind == RESUMED.event or (kind == "match" and score == {"white": 0, "black": 0})
        return "" if begins else "it does not begin with a match"
    if kind in ("match", RESUMED.event):
        return "a match begins once"
    terms = ("rules", "bout") if kind in ("time", "undo") else ("rules", "points", "bout")  # see _by_time
    if [event.get(name) for name in terms] != [before.get(name) for name in terms]:
        return "its terms change in the middle"
    if kind in ("correct", "undo"):  # people may put right anything, and it stays told
        return ""
    gained = sum(score.values()) - sum(before["score"].values())
    if gained not in (0, 1) or any(score[side] < before["score"][side] for side in _SIDES):
        return "touches come from nowhere"
    if gained and (event["result"] is None or event["result"]["winner"] is None):
        return "a touch without a round that is won"
    if event["round"] != before["round"] + (kind == "round"):
        return "rounds are left out"
    if before["phase"] == "match_over":
        return "it goes on after its end"
    if kind == "time" and (gained or not _by_time(before, event)):
        return "time does not end it so"
    return "" if kind == "round" or event["pile"] <= before["pile"] else "the pile grows"


def _by_time(before: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
    """Whether time can have been called so: the match over, or one more touch to be played where it is level."""
    (low, high), result = sorted(event["score"].values()), event["result"]
    if event["phase"] == "match_over":
        ahead = "white" if event["score"]["white"] == high else "black"
        drawn = {"winner": None, "reason": Reason.TIME.value}
        level = low == high and result is not None and (result["reason"] == Reason.PRIORITY.value or result == drawn)
        timed = low < high and result == {"winner": ahead, "reason": Reason.TIME.value}
        return bool(event["points"] == before["points"] and (level or timed))
    return bool(low == high and event["points"] == low + 1 <= before["points"] and event["phase"] == before["phase"])


MAX_OPEN: Final = 8
"""The last matches of a table that something may still come of."""
MAX_ASIDE: Final = 500
"""Messages that were put aside; of more the oldest are gone, and only counted."""
MAX_REASONS: Final = 50
"""Reasons that are counted apart for each table."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS matches (
    match TEXT PRIMARY KEY, tbl TEXT NOT NULL, seq INTEGER NOT NULL, sum TEXT NOT NULL, last TEXT NOT NULL,
    doubt TEXT NOT NULL DEFAULT ''
);
CREATE TABLE IF NOT EXISTS events (
    match TEXT NOT NULL, seq INTEGER NOT NULL, sum TEXT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (match, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refused (
    tbl TEXT NOT NULL, why TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (tbl, why)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS aside (
    id INTEGER PRIMARY KEY AUTOINCREMENT, tbl TEXT NOT NULL, what TEXT NOT NULL, payload BLOB NOT NULL,
    why TEXT NOT NULL
);
"""


class Reception(Enum):
    """The answer to an event: believed, known before, too early, or not believed."""

    NEW = "new"
    KNOWN = "known"
    EARLY = "early"
    REFUSED = "refused"


@dataclass(slots=True)
class _Match:
    table: str
    seq: int
    sum: str
    last: dict[str, Any] | None
    doubt: str = ""


class HallBook:
    """An open club scorebook, used by one thread."""

    def __init__(self, path: Path) -> None:
        """Raises ClubError."""
        try:
            self._connection = open_log(path, _SCHEMA)
            self._matches: dict[str, _Match] = {}
            with closed_after_error(self._connection):
                self._connection.execute("PRAGMA synchronous = FULL")
                self._read()
        except (OSError, sqlite3.Error) as error:
            raise ClubError(
                f"the club's book {path} cannot be used ({error}); move it away or name another."
            ) from error

    def _read(self) -> None:
        self._matches = {
            match: _Match(table, seq, total, event, doubt)
            for match, table, seq, total, last, doubt in self._connection.execute(
                "SELECT match, tbl, seq, sum, last, doubt FROM matches"
            )
            for event in _as_read([(last,)])
        }

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is taken meanwhile is on disk when this ends, or none of it. Raises sqlite3.Error."""
        try:
            with transaction(self._connection):
                yield
        except BaseException:
            self._read()
            raise

    @contextmanager
    def one(self) -> Iterator[None]:
        """Undo all that the block took, within ``together``, where it ends with an error."""
        self._connection.execute("SAVEPOINT one")
        before = self._connection.total_changes
        try:
            yield
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO one")
                if self._connection.total_changes > before:  # of a message that cannot be read nothing was taken
                    self._read()
            raise
        finally:
            if self._connection.in_transaction:
                self._connection.execute("RELEASE one")

    def put_aside(self, table: str, what: str, payload: bytes, why: str) -> None:
        """Keep a message that cannot be used, and count it."""
        self.note_refusal(table, why)
        self._connection.execute(
            "INSERT INTO aside (tbl, what, payload, why) VALUES (?, ?, ?, ?)", (table, what, payload, why)
        )
        self._connection.execute("DELETE FROM aside WHERE id <= (SELECT max(id) FROM aside) - ?", (MAX_ASIDE,))

    def aside(self) -> list[tuple[str, str, bytes, str]]:
        """Table, kind, bytes and reason of the last messages that could not be used."""
        return self._connection.execute("SELECT tbl, what, payload, why FROM aside ORDER BY id").fetchall()

    def take(self, event: dict[str, Any]) -> tuple[Reception, dict[str, Any]]:
        """Believe this event of right shape and table, or leave it out. With it as read, where it is new."""
        name, seq = event["match"], event["seq"]
        match = self._matches.get(name)
        if match is not None and match.table != event["table"]:
            return self._refuse(event, "it speaks of another table's match")
        if match is not None and seq <= match.seq:
            (found,) = self._connection.execute(
                "SELECT max(sum) FROM events WHERE match = ? AND seq = ?", (name, seq)
            ).fetchone()
            if found in (None, event["sum"]):
                return Reception.KNOWN, {}
            return self._refuse(event, "it told this otherwise before")
        if match is not None and match.doubt:
            return Reception.REFUSED, {}
        match = match or _Match(event["table"], 0, START, None)
        if seq > match.seq + 1:
            return Reception.EARLY, {}
        why = self._add(match, event)
        return self._refuse(event, why) if why else (Reception.NEW, match.last or {})

    def _add(self, match: _Match, event: dict[str, Any]) -> str:
        """Put the next event of a match into the book; why not, where it cannot be believed."""
        name, now = event["match"], read(event)
        why = "it continues something else" if event["prev"] != match.sum else impossible(match.last, now)
        if why:
            if match.last is not None:  # the match stands as far as it was believed
                self._connection.execute("UPDATE matches SET doubt = ? WHERE match = ?", (why, name))
                match.doubt = why
            return why
        text = dumped(event)
        row = (name, event["seq"], event["sum"], text)
        self._connection.execute("INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?)", row)
        match.seq, match.sum, match.last = event["seq"], event["sum"], now
        self._matches[name] = match
        self._connection.execute(
            "INSERT INTO matches (match, tbl, seq, sum, last) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (match) DO UPDATE SET seq = excluded.seq, sum = excluded.sum, last = excluded.last",
            (name, match.table, match.seq, match.sum, text),
        )
        return ""

    def _refuse(self, event: dict[str, Any], why: str) -> tuple[Reception, dict[str, Any]]:
        self.note_refusal(event["table"], why)
        return Reception.REFUSED, {}

    def note_refusal(self, table: str, why: str) -> None:
        """Count that something of this table was not believed."""
        known = self._connection.execute("SELECT why FROM refused WHERE tbl = ?", (table,)).fetchall()
        if len(known) >= MAX_REASONS and (why[:200],) not in known:
            why = "another reason"
        self._connection.execute(
            "INSERT INTO refused VALUES (?, ?, 1) ON CONFLICT (tbl, why) DO UPDATE SET count = count + 1",
            (table, why[:200]),
        )

    def refusals(self) -> dict[str, dict[str, int]]:
        """How often what was not believed, by table."""
        found: dict[str, dict[str, int]] = {}
        for table, why, count in self._connection.execute("SELECT tbl, why, count FROM refused"):
            found.setdefault(table, {})[why] = count
        return found

    def known(self, match: str) -> int:
        """The last event that is believed of a match; 0 for none."""
        found = self._matches.get(match)
        return 0 if found is None else found.seq

    def doubted(self, match: str) -> bool:
        """Whether a match is believed only so far."""
        found = self._matches.get(match)
        return found is not None and bool(found.doubt)

    def open_matches(self, table: str) -> list[str]:
        """The last matches of this table that are not over as far as is known, and believed."""
        rows = self._connection.execute(
            "SELECT match FROM matches WHERE tbl = ? AND doubt = '' ORDER BY rowid DESC LIMIT ?", (table, MAX_OPEN)
        )
        last = ((match, self._matches[match].last) for (match,) in rows if match in self._matches)
        return [match for match, event in last if event is not None and event["phase"] != "match_over"]

    def latest(self) -> list[dict[str, Any]]:
        """The last event of every match as read, in the order they came into the book."""
        rows = self._connection.execute("SELECT last FROM matches ORDER BY rowid").fetchall()
        return list(_as_read(rows))

    def last_match(self, table: str) -> str:
        """The match that this table began last; empty for none."""
        found = self._connection.execute(
            "SELECT match FROM matches WHERE tbl = ? ORDER BY rowid DESC LIMIT 1", (table,)
        ).fetchone()
        return found[0] if found else ""

    def doubts(self) -> dict[str, str]:
        """Matches that are believed only so far, and why."""
        return {name: match.doubt for name, match in self._matches.items() if match.doubt}

    def events(self, match: str) -> list[dict[str, Any]]:
        """A match's events as read, in order."""
        rows = self._connection.execute("SELECT event FROM events WHERE match = ? ORDER BY seq", (match,)).fetchall()
        return list(_as_read(rows))

    def counts(self) -> tuple[int, int]:
        """How many matches and events."""
        (matches,) = self._connection.execute("SELECT count(*) FROM matches").fetchone()
        (events,) = self._connection.execute("SELECT count(*) FROM events").fetchone()
        return int(matches), int(events)

    def close(self) -> None:
        self._connection.close()


def _as_read(rows: Iterable[tuple[str]]) -> Iterator[dict[str, Any]]:
    """The events in these rows. One that the disk has spoiled is left out: its table is asked for it again."""
    for (text,) in rows:
        try:
            yield read_text(text)
        except MalformedError:
            continue
