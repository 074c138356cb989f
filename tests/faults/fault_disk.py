"""A disk that fails under the scorebook: full, read-only, slow, not syncing. And the program killed while it writes.

Full and read-only are SQLite's own answers; a sync that fails, before or after the write was done, is its error in our
words, since no file system can be told to.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any, Final
from unittest import mock


class Killed(BaseException):
    """The program is killed here. What was on disk at this very moment has been put aside."""


class DiskState(Enum):
    """What is wrong with it."""

    WELL = "well"
    FULL = "full"
    READ_ONLY = "read-only"
    SLOW = "slow"
    NO_SYNC = "a sync fails"
    LATE_SYNC = "a sync fails after the write was done"


class Disk:
    """The folder that the book lies in. ``kill_at``: the name of the moment at which the program is killed."""

    def __init__(self, folder: Path, slowly: Callable[[], None]) -> None:
        self._root, self._slowly = folder, slowly
        self.state = DiskState.WELL
        self.kill_at: str | None = None
        self.in_doubt = False
        """The last write was done, and reported as failed."""
        self._lives = 0
        self.folder = self._next_folder()

    @property
    def book(self) -> Path:
        """The scorebook, where it lies now."""
        return self.folder / "book.sqlite"

    def reaches(self, moment: str) -> None:
        """The program is at this moment. Raises Killed where it is to be killed there."""
        if self.kill_at == moment:
            self.kill()

    def kill(self) -> None:
        """Raises Killed, after copying what lies on the disk now to where the next life finds it."""
        before, self.kill_at = self.folder, None
        self.folder = self._next_folder()
        for path in before.iterdir():
            shutil.copyfile(path, self.folder / path.name)
        raise Killed

    @contextmanager
    def well(self) -> Iterator[None]:
        """While this lasts nothing fails: for whoever looks at what was left."""
        before = self.state, self.kill_at
        self.state, self.kill_at = DiskState.WELL, None
        try:
            yield
        finally:
            self.state, self.kill_at = before

    def _next_folder(self) -> Path:
        old = self._root / str(self._lives - 2)
        if old.exists():
            shutil.rmtree(old)
        self._lives += 1
        made = self._root / str(self._lives)
        made.mkdir()
        return made

    @contextmanager
    def under_sqlite(self) -> Iterator[None]:
        """While this lasts every connection to a database that is opened writes to this disk."""
        opened, disk = sqlite3.connect, self

        class Connection(sqlite3.Connection):
            writes = False

            def execute(self, sql: str, *given: Any) -> sqlite3.Cursor:
                word = sql.split(None, 1)[0].upper()
                if word == "BEGIN":
                    self.writes = "IMMEDIATE" in sql  # what only reads syncs nothing
                if word == "BEGIN" and self.writes:
                    _limit(super().execute, disk.state)
                    disk.reaches("before a write")
                if word == "COMMIT" and self.writes:
                    return disk._commit(super().execute)
                return super().execute(sql, *given)

            def executemany(self, sql: str, *given: Any) -> sqlite3.Cursor:
                cursor = super().executemany(sql, *given)
                disk.reaches("in a write")
                return cursor

        def connects(*given: Any, **named: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = opened(*given, **{"factory": Connection, **named})
            return connection

        with mock.patch("sqlite3.connect", connects):
            yield

    def _commit(self, execute: Callable[[str], sqlite3.Cursor]) -> sqlite3.Cursor:
        self.reaches("before the write is done")
        if self.state is DiskState.SLOW:
            self._slowly()
        if self.state is DiskState.NO_SYNC:
            raise _io_error()
        cursor = execute("COMMIT")
        self.reaches("after the write is done")
        self.in_doubt = self.state is DiskState.LATE_SYNC
        if self.in_doubt:
            raise _io_error()
        return cursor


def _limit(execute: Callable[[str], sqlite3.Cursor], state: DiskState) -> None:
    """Has SQLite itself find the disk full or read-only."""
    (pages,) = execute("PRAGMA page_count").fetchone()
    (free,) = execute("PRAGMA freelist_count").fetchone()
    execute(f"PRAGMA max_page_count = {pages if state is DiskState.FULL and not free else _MANY}").fetchone()
    execute(f"PRAGMA query_only = {int(state is DiskState.READ_ONLY)}")


def _io_error() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_FSYNC
    error.sqlite_errorname = "SQLITE_IOERR_FSYNC"
    return error


_MANY: Final = 1 << 30
