"""The only place that opens SQLite files.

Nothing in a file is trusted. A file that is made here is private from the start, and none is opened through a link.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, cast

from firmware.core.io.files import make_folder, new_stream

MAX_VALUE_BYTES: Final = 1 << 24
"""No value of ours is near it; one that says so would fill the memory."""


def open_database(path: Path, *, patience_s: float = 5.0, one_thread: bool = True) -> sqlite3.Connection:
    """The file to write in, made where there is none; another program's lock is waited for so long.

    Raises OSError for a link, and sqlite3.Error.
    """
    if path.is_symlink():
        said = f"nothing is written through a link; name the file itself, {os.path.realpath(path)}"
        raise OSError(errno.ELOOP, said, str(path))
    if not path.exists():
        with suppress(OSError):  # SQLite says why
            new_stream(path).close()
    # The whole path: SQLite keeps what is called ":memory:" nowhere, and asks "file:" names for options.
    connection = sqlite3.connect(
        path.absolute(), timeout=patience_s, isolation_level=None, check_same_thread=one_thread
    )
    return _distrusting(connection)


def open_log(path: Path, script: str) -> sqlite3.Connection:
    """A file for any thread with a write-ahead log, made by this script. Text that the disk has spoiled has other
    letters, where SQLite would raise an error. Raises OSError, and sqlite3.Error."""
    make_folder(path.parent, private=True)
    connection = open_database(path, one_thread=False)
    with closed_after_error(connection):
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(script)
    return connection


@contextmanager
def closed_after_error(connection: sqlite3.Connection) -> Iterator[None]:
    """The connection is closed where the block raises anything."""
    try:
        yield
    except BaseException:
        connection.close()
        raise


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is written in the block is on disk when it ends, or none of it. Raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.rollback()
        raise


def open_to_read(path: Path, *, patience_s: float = 5.0, immutable: bool = False) -> sqlite3.Connection:
    """The file to read from; ``immutable``: nothing is rolled back, locked or made beside it. Raises sqlite3.Error."""
    address = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if immutable else ''}"
    return _distrusting(sqlite3.connect(address, uri=True, timeout=patience_s, isolation_level=None))


def in_memory(content: bytes = b"") -> sqlite3.Connection:
    """A database in memory: an empty one, or the one whose file has these bytes. Raises sqlite3.Error."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with closed_after_error(connection):
        if content:
            connection.deserialize(content)
    return _distrusting(connection)


def content_of(connection: sqlite3.Connection) -> bytes:
    """The bytes of a whole file of what is stored at this moment; none where nothing is. Raises sqlite3.Error."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # locks the file against writers
        if not connection.execute("PRAGMA page_count").fetchone()[0]:
            return b""  # SQLite serializes no file without pages
        content = connection.serialize()
    finally:
        connection.execute("COMMIT")
    # A file with a write-ahead log says so in these two bytes, and there will be none beside this one.
    return content[:18] + b"\x01\x01" + content[20:]


def _distrusting(connection: sqlite3.Connection) -> sqlite3.Connection:
    with closed_after_error(connection):
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)
        defensive: Any = getattr(sqlite3, "SQLITE_DBCONFIG_DEFENSIVE", None)  # from Python 3.12
        if defensive is not None:
            cast(Any, connection).setconfig(defensive, True)
    return connection
