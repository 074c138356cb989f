"""The scorebook's file: opened, made, checked, and set aside when it is damaged.

Its journal mode is DELETE, not WAL: between two writes there is one whole file to copy or to pull out with the stick
it lies on. ``synchronous=EXTRA`` is FULL that also syncs the folder in which SQLite's own journal was just deleted;
without that a power cut right after a commit could bring the journal, and so the old state, back.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from firmware.errors import EngardeError

VERSION: Final = 1
APPLICATION_ID: Final = 0x454E4744  # "ENGD": tells our files from other programs' databases
BUSY_S: Final = 5.0

_SCHEMA: Final = Path(__file__).with_name("schema.sql")
_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_REASONS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; make room and start again",
    sqlite3.SQLITE_READONLY: "the disk or the file is read-only; name a place that can be written with --scorebook",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; name a place that can be written with --scorebook",
    sqlite3.SQLITE_PERM: "it may not be opened; name a place that can be written with --scorebook",
    sqlite3.SQLITE_BUSY: f"another program has held it for {BUSY_S:g} seconds; end that one first",
    sqlite3.SQLITE_IOERR: "the disk does not answer; is the card or stick still there?",
}


class ScorebookError(EngardeError):
    """The scorebook cannot be used. Its text names the file, the reason and the cure."""


class DamagedError(ScorebookError):
    """The file is no whole scorebook."""


def connect(path: Path) -> sqlite3.Connection:
    """An open scorebook, made if there is none. Raises DamagedError, and ScorebookError for everything else."""
    if path.exists() and not path.is_file():
        raise ScorebookError(f"the scorebook {path} is no file; name another with --scorebook.")
    with telling(path):
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        try:
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("PRAGMA foreign_keys = ON")
            _check(path, connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _check(path: Path, connection: sqlite3.Connection) -> None:
    """Make sure this is a whole scorebook of a version we know; an empty file becomes one."""
    _create_if_empty(connection)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    whole = {"matches", "events"} <= tables
    if application != APPLICATION_ID and not whole:
        raise ScorebookError(f"{path} is another program's database; name another file with --scorebook.")
    if version > VERSION:
        raise ScorebookError(
            f"the scorebook {path} is of version {version}, this program knows {VERSION}; upgrade the program."
        )
    (health,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if application != APPLICATION_ID or health != "ok" or not whole:
        raise DamagedError(f"the scorebook {path} is damaged.")


def _create_if_empty(connection: sqlite3.Connection) -> None:
    if _tables(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _tables(connection):  # another program may have been faster
            for statement in _SCHEMA.read_text(encoding="utf-8").split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.rollback()
        raise


def _tables(connection: sqlite3.Connection) -> int:
    (count,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return int(count)


def set_aside(path: Path) -> Path:
    """Rename the file, and SQLite's journal of it, to the first free name; gives the new one."""
    number = 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        os.rename(path, aside)
        journal = path.with_name(f"{path.name}-journal")
        if journal.exists():
            os.rename(journal, aside.with_name(f"{aside.name}-journal"))
    except OSError as error:
        raise ScorebookError(f"the scorebook {path} is damaged and cannot be set aside: {error.strerror}.") from error
    return aside


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into ScorebookErrors that name the file, the reason and the cure."""
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGE:
            raise DamagedError(f"the scorebook {path} is damaged ({error}).") from error
        raise ScorebookError(f"the scorebook {path}: {_REASONS.get(code, str(error))}.") from error
