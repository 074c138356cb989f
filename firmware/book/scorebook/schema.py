"""What a scorebook is made of, and whether a file is made of just that."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from firmware.core.io.database import in_memory

VERSION: Final = 4
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
"""And what version 3 had besides."""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables and the index of an empty book; the caller has begun a transaction and ends it."""
    for statement in statements():
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {VERSION}")


def statements() -> list[str]:
    """What makes a book of this version, in order."""
    return [each for each in _SCHEMA.read_text(encoding="utf-8").split(";\n") if each.strip()]


def foreign(connection: sqlite3.Connection, version: int) -> list[str]:
    """What the file has and no scorebook of this version, lacks or has otherwise: triggers, views, tables, columns,
    rules."""
    wanted = _ours()
    found = {
        (kind, name): _plain(sql)
        for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name")
        if not name.startswith("sqlite_")
    }
    wrong = [f"{kind} {name}" for kind, name in found if (kind, name) not in wanted]
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
