"""The scorebook's tables: made, brought up to date, compared with a file's, and summed.

SQLite's own check looks at how pages hang together and never into a value. Here every event continues the CRC-32 of the
event before it, the first that of its match's row: a value that was changed, a row that came to stand elsewhere and one
that is missing in between all show. A CRC finds any single flipped bit for certain. It is no signature: whoever writes
into the file on purpose can write the sums as well.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from firmware.core.io.database import in_memory, transaction

VERSION: Final = 5
SUMMED: Final = 3
"""The first version with checksums."""
APPLICATION_ID: Final = 0x454E4744  # "ENGD": tells our files from other programs' databases

_SCHEMA: Final = Path(__file__).with_name("schema.sql")
_COLUMNS_BEFORE: Final = {
    "matches": "id INTEGER, white TEXT, black TEXT, mode TEXT, seed INTEGER, wall_s REAL, uid TEXT",
    "events": "match_id INTEGER, seq INTEGER, kind TEXT, event TEXT, ruling TEXT, t_s REAL, wall_s REAL",
    "leftovers": "id INTEGER, content TEXT, wall_s REAL",
}
"""What versions 1 and 2 had at most: a book that was brought from one to the other says it in other words."""
_SUM: Final = {"events": ", sum INTEGER", "leftovers": ", sum INTEGER"}
"""And what versions 3 and 4 had besides."""

# Where a match was played (mode).
PLAY: Final = "play"
"""At a table with a camera; in books of version 3 and before at any table, with or without one, simulated too."""
BY_HAND: Final = "by_hand"
"""At a table without a camera: none was there when it began."""
SIMULATED: Final = "simulated"
"""At the simulated table, by people, whoever sat opposite."""
DEMO: Final = "demo"
"""At the simulated table, by bots, to be watched."""

AT_A_TABLE: Final = (PLAY, BY_HAND)
"""These count for ratings, form and streaks, and go on after a power cut."""
MODES: Final = (DEMO, *AT_A_TABLE, SIMULATED)

MATCH_COLUMNS: Final = "id, white, black, mode, seed, wall_s, uid"
EVENT_COLUMNS: Final = "match_id, seq, kind, event, ruling, t_s, wall_s"


def create(connection: sqlite3.Connection) -> None:
    """Make the tables and the index of an empty book; the caller has begun a transaction and ends it."""
    for statement in _SCHEMA.read_text(encoding="utf-8").rstrip(";\n").split(";\n"):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def foreign(connection: sqlite3.Connection, version: int) -> list[str]:
    """Differences between the file and a scorebook of this version: triggers, views, tables, columns, rules."""
    wanted = _ours()
    found = {
        (kind, name): _plain(sql)
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        if not name.startswith("sqlite_")
    }
    known = {*wanted, *([] if version == VERSION else [("table", "leftovers")])}
    wrong = [f"{kind} {name}" for kind, name in found if (kind, name) not in known]
    if version == VERSION:
        wrong += [f"{kind} {name}" for (kind, name), sql in wanted.items() if found.get((kind, name)) != sql]
        return wrong
    for table, columns in _COLUMNS_BEFORE.items():
        if version >= SUMMED:
            columns += _SUM.get(table, "")
        there = connection.execute(f"PRAGMA table_xinfo({table})")
        wrong += [
            f"column {table}.{name}" for _, name, kind, *_ in there if f"{name} {kind}" not in columns.split(", ")
        ]
    return wrong


@cache
def _ours() -> dict[tuple[str, str], str]:
    """Every part of a book of this version, with what made it."""
    with closing(in_memory()) as connection:
        create(connection)
        made = connection.execute("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'")
        return {(kind, name): _plain(sql) for kind, name, sql in made}


def _plain(sql: str | None) -> str:
    """Without comments and line ends: these may be written better one day."""
    return " ".join(re.sub(r"--[^\n]*", "", sql or "").split())


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Put every row of a book of this version into tables made anew, so that nothing else of the old ones comes along.

    All or nothing; nothing is done where another program was faster.
    """
    connection.execute("PRAGMA secure_delete = ON")  # a row must not be found twice in the bytes of a damaged book
    try:
        with transaction(connection):
            if connection.execute("PRAGMA user_version").fetchone()[0] == version:
                _move(connection, version)
    finally:
        connection.execute("PRAGMA secure_delete = OFF")
    with suppress(sqlite3.Error):  # where the old rows stood is only room; a full disk may keep it
        connection.execute("VACUUM")


def _move(connection: sqlite3.Connection, version: int) -> None:
    (last,) = connection.execute("SELECT max(seq) FROM sqlite_sequence").fetchone()
    connection.execute("DROP INDEX IF EXISTS matches_uid")
    connection.execute("DROP TABLE IF EXISTS leftovers")
    for table in ("events", "matches"):
        connection.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    create(connection)
    uid = "NULL" if version == 1 else "uid"
    matches = connection.execute(f"SELECT id, white, black, mode, seed, wall_s, {uid} FROM old_matches").fetchall()
    for *match, name in matches:
        found = connection.execute(f"SELECT {EVENT_COLUMNS} FROM old_events WHERE match_id = ? ORDER BY seq", match[:1])
        rows = found.fetchall()
        put_match(connection, (*match, uid_of(match, rows[0] if rows else None) if name is None else name), rows)
    for table in ("events", "matches"):
        connection.execute(f"DROP TABLE old_{table}")
    if last is not None:
        connection.execute("DELETE FROM sqlite_sequence")
        connection.execute("INSERT INTO sqlite_sequence VALUES ('matches', ?)", (last,))


def put_match(connection: sqlite3.Connection, row: Sequence[Any], events: Iterable[Sequence[Any]]) -> None:
    """Write a row of ``MATCH_COLUMNS`` and its rows of ``EVENT_COLUMNS``, with their sums."""
    connection.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    put_events(connection, match_sum(row), events)


def put_events(connection: sqlite3.Connection, before: int, events: Iterable[Sequence[Any]]) -> None:
    """Write rows of ``EVENT_COLUMNS`` that continue a sum, each with its own."""
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", event_sums(before, events))


def uid_of(match: Sequence[Any], first: Sequence[Any] | None) -> str:
    """A name for a match of a version that gave none: made from its content, so that copies of a book agree on it.

    ``match`` is its number, names, mode, seed and time, ``first`` its first event's row. The number is part of it: two
    matches with the very same rows stay two.
    """
    content = json.dumps([list(match), None if first is None else [first[3], first[5], first[6]]])
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def match_sum(row: Sequence[Any]) -> int:
    """The sum of a row of ``MATCH_COLUMNS``, which its first event continues. Raises TypeError for wrong kinds."""
    key, white, black, mode, seed, wall_s, uid = row
    return crc32(f"{key} {seed} {wall_s + 0.0!r} {uid}\n{white}\n{black}\n{mode}".encode("utf-8", "surrogatepass"))


def event_sum(before: int, row: Sequence[Any]) -> int:
    """The sum of a row of ``EVENT_COLUMNS`` that continues ``before``. Raises TypeError for wrong kinds."""
    # Adding nothing makes a float of a whole number and 0.0 of -0.0, as SQLite gives them back.
    match_id, seq, kind, event, ruling, t_s, wall_s = row
    text = f"{match_id} {seq} {t_s + 0.0!r} {wall_s + 0.0!r}\n{kind}\n{event}\n{ruling}"
    return crc32(text.encode("utf-8", "surrogatepass"), before)


def event_sums(before: int, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[Any, ...]]:
    """The events in their order, each with its sum as a last value."""
    for row in rows:
        before = event_sum(before, row)
        yield (*row, before)


def last_sum(connection: sqlite3.Connection, match_id: int) -> int:
    """The sum that the next event of this match continues."""
    last = connection.execute("SELECT sum FROM events WHERE match_id = ? ORDER BY seq DESC LIMIT 1", (match_id,))
    if (found := last.fetchone()) is not None:
        return int(found[0])
    match = connection.execute(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (match_id,)).fetchone()
    return match_sum(match)


def seal(connection: sqlite3.Connection, matches: Iterable[int]) -> None:
    """Write the sums of these matches anew, for the values that stand there now."""
    for match_id in matches:
        (match,) = connection.execute(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (match_id,))
        rows = connection.execute(f"SELECT {EVENT_COLUMNS} FROM events WHERE match_id = ? ORDER BY seq", (match_id,))
        sums = [(row[-1], *row[:2]) for row in event_sums(match_sum(match), rows.fetchall())]
        connection.executemany("UPDATE events SET sum = ? WHERE match_id = ? AND seq = ?", sums)


def first_changed(connection: sqlite3.Connection) -> str:
    """The first place that does not hold what was written, such as ``event 5 of match 3``; empty where all do.

    Read a match at a time, each as it stood at one moment: who plays by this book meanwhile waits for no longer.
    """
    nameless = "SELECT match_id FROM events WHERE match_id NOT IN (SELECT id FROM matches) LIMIT 1"
    for (key,) in connection.execute(nameless).fetchall():
        return f"match {key}, which has no names,"
    for (key,) in connection.execute("SELECT id FROM matches").fetchall():
        connection.execute("BEGIN")
        try:
            if changed := _changed_in(connection, key):
                return changed
        finally:
            connection.execute("COMMIT")
    return ""


def _changed_in(connection: sqlite3.Connection, key: int) -> str:
    match = connection.execute(f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ?", (key,)).fetchone()
    events = connection.execute(f"SELECT {EVENT_COLUMNS}, sum FROM events WHERE match_id = ? ORDER BY seq", (key,))
    first = place = f"match {key}"
    try:
        before = match_sum(match)
        for *row, stored in events:
            place = f"event {row[1]} of match {key}"
            if event_sum(before, row) != stored:
                return place
            before = stored
    except TypeError:  # a value of another kind than was ever written, or the match is gone
        return place
    return first if place == first else ""
