"""The scorebook's tables: made, brought up to date, and compared with a file's."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

from firmware.book.scorebook.sums import EVENT_COLUMNS, event_sums, match_sum
from firmware.core.io.database import in_memory, transaction


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
        rows = connection.execute(
            f"SELECT {EVENT_COLUMNS} FROM old_events WHERE match_id = ? ORDER BY seq", (match[0],)
        ).fetchall()
        row = (*match, uid_of(match, rows[0] if rows else None) if name is None else name)
        connection.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", event_sums(match_sum(row), rows))
    for table in ("events", "matches"):
        connection.execute(f"DROP TABLE old_{table}")
    if last is not None:
        connection.execute("DELETE FROM sqlite_sequence")
        connection.execute("INSERT INTO sqlite_sequence VALUES ('matches', ?)", (last,))


def uid_of(match: Sequence[Any], first: Sequence[Any] | None) -> str:
    """A name for a match of a version that gave none: made from its content, so that copies of a book agree on it.

    ``match`` is its number, names, mode, seed and time, ``first`` its first event's row. The number is part of it: two
    matches with the very same rows stay two.
    """
    content = json.dumps([list(match), None if first is None else [first[3], first[5], first[6]]])
    return hashlib.sha256(content.encode()).hexdigest()[:32]


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


def create(connection: sqlite3.Connection) -> None:
    """Make the tables and the index of an empty book; the caller has begun a transaction and ends it."""
    for statement in statements():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def statements() -> list[str]:
    """The SQL statements that make a book of this version, in order."""
    return [each for each in _SCHEMA.read_text(encoding="utf-8").split(";\n") if each.strip()]


def foreign(connection: sqlite3.Connection, version: int) -> list[str]:
    """Differences between the file and a scorebook of this version: triggers, views, tables, columns,
    rules."""
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
