"""A scorebook of an older version brought up to date, in one transaction."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from firmware.book.scorebook.schema import create
from firmware.book.scorebook.sums import EVENT_COLUMNS, LEFTOVER_COLUMNS, event_sums, leftover_sum, match_sum


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Put every row of a book of this version into tables made anew, so that nothing else of the old ones comes along.

    All or nothing; nothing is done where another program was faster.
    """
    connection.execute("PRAGMA secure_delete = ON")  # a row must not be found twice in the bytes of a damaged book
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == version:
            _move(connection, version)
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise
    finally:
        connection.execute("PRAGMA secure_delete = OFF")
    with suppress(sqlite3.Error):  # where the old rows stood is only room; a full disk may keep it
        connection.execute("VACUUM")


def _move(connection: sqlite3.Connection, version: int) -> None:
    old = ("events", "matches") if version == 1 else ("events", "matches", "leftovers")
    (last,) = connection.execute("SELECT max(seq) FROM sqlite_sequence").fetchone()
    connection.execute("DROP INDEX IF EXISTS matches_uid")
    for table in old:
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
    if "leftovers" in old:
        for row in connection.execute(f"SELECT {LEFTOVER_COLUMNS} FROM old_leftovers").fetchall():
            connection.execute("INSERT INTO leftovers VALUES (?, ?, ?, ?)", (*row, leftover_sum(row)))
    for table in old:
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
