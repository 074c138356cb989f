"""The scorebook's file: opened, made, checked, and brought up to date with a copy kept.

Its journal mode is DELETE, not WAL: between two writes there is one whole file to copy or to pull out with the stick
it lies on. ``synchronous=EXTRA`` is FULL that also syncs the folder in which SQLite's own journal was just deleted;
without that a power cut right after a commit could bring the journal, and so the old state, back.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from firmware.book.scorebook.schema import APPLICATION_ID, SUMMED, VERSION, create, first_changed, foreign, migrate
from firmware.core.errors import EngardeError
from firmware.core.io.database import closed_after_error, content_of, in_memory, open_database, transaction
from firmware.core.io.files import edit_stream, expect_on_disk, sync, write_new


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Holds the scorebook at ``path`` for this program: to referee a table by it, or to put another in its place.

    The lock lies in ``PATH.lock`` and is the kernel's, so a program that was killed holds none. Raises ScorebookError
    at once when another program has it, and where there is something else in its place.
    """
    is_there(path)
    name = path.with_name(f"{path.name}.lock")
    try:
        held = edit_stream(name)
    except OSError as error:
        raise NotKeptError(
            f"the scorebook {path} cannot be written in ({error.strerror}); "
            "name a place that can be written with --scorebook."
        ) from error
    with held:
        handle = held.fileno()
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(handle, 20, 0).decode("ascii", "replace").strip() or "unknown"
            raise ScorebookError(
                f"the scorebook {path} is in use by another program (process {holder}); "
                "end that one first, or name another scorebook with --scorebook."
            ) from error
        # Who holds it is for others to name; a full disk keeps nobody from holding it.
        with suppress(OSError):
            os.ftruncate(handle, 0)
            os.pwrite(handle, str(os.getpid()).encode(), 0)
        yield


SIDE_FILES: Final = ("-journal", "-wal", "-shm")
"""Files of SQLite beside a database: part of it, and never to be taken for part of another."""
BUSY_S: Final = 5.0
MAGIC: Final = b"SQLite format 3\x00"
SMALLEST: Final = 512
"""Bytes. SQLite takes a shorter file for an empty one and writes over it."""
MAX_FILE_BYTES: Final = 256_000_000
"""Ten thousand matches: nobody plays as many, and reading all of a larger file would take longer than anybody waits."""

_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NO_TEXT: Final = "decode to UTF-8"  # what Python says of bytes that are none
_REASONS: Final = {
    sqlite3.SQLITE_FULL: "the disk is full; make room and start again",
    sqlite3.SQLITE_READONLY: "the disk or the file is read-only; name a place that can be written with --scorebook",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened; name a place that can be written with --scorebook",
    sqlite3.SQLITE_PERM: "it may not be opened; name a place that can be written with --scorebook",
    sqlite3.SQLITE_BUSY: f"another program has held it for {BUSY_S:g} seconds; end that one first",
    sqlite3.SQLITE_IOERR: "the disk does not answer; see whether the card or stick is still there",
}


class ScorebookError(EngardeError):
    """The scorebook cannot be used. Its text names the file, the reason and the cure."""


class NotKeptError(ScorebookError):
    """A write failed and left the book as it was: the disk is full, read-only, gone or held."""


class DamagedError(ScorebookError):
    """The file is no whole scorebook."""


def is_there(path: Path) -> bool:
    """Whether there is a file of this name. Raises ScorebookError where that cannot be said, and where there is
    something else: a link or a folder for instance."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise ScorebookError(f"the scorebook {path} cannot be opened: {error.strerror}.") from error
    if stat.S_ISLNK(found.st_mode):
        raise ScorebookError(
            f"the scorebook {path} is a link, and nothing is written through one; name the file that it leads to, "
            f"{os.path.realpath(path)}, with --scorebook."
        )
    if not stat.S_ISREG(found.st_mode):
        raise ScorebookError(f"the scorebook {path} is no file; name another with --scorebook.")
    return True


def connect(path: Path) -> sqlite3.Connection:
    """An open scorebook to write in, made if there is none, of the newest version.

    Raises DamagedError, and ScorebookError for everything else.
    """
    with telling(path):
        connection = _opened(path)
        with closed_after_error(connection):
            connection.execute("PRAGMA synchronous = EXTRA")
            connection.execute("PRAGMA foreign_keys = ON")
            _create_if_empty(connection)
            version = check(path, connection)
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "delete":
                connection.execute("PRAGMA journal_mode = DELETE")
            if version < VERSION:
                write_copy(free_name(path, f"version-{version}"), content_of(connection))
                migrate(connection, version)
    return connection


def read_whole(path: Path) -> sqlite3.Connection:
    """The scorebook as it is at this moment, in memory, checked there: whoever writes waits for the copying alone.

    Raises as ``connect`` does.
    """
    with telling(path):
        with closing(_opened(path)) as file:
            copy = in_memory(content_of(file))
        with closed_after_error(copy):
            check(path, copy)
    return copy


def _opened(path: Path) -> sqlite3.Connection:
    there = is_there(path)
    _look_first(path)
    if there and (size := path.stat().st_size) > MAX_FILE_BYTES:
        raise ScorebookError(
            f"the scorebook {path} has {size / 1e6:.0f} MB, more than any can have; name another file with --scorebook."
        )
    return open_database(path, patience_s=BUSY_S, one_thread=False)


def _look_first(path: Path) -> None:
    """Keep SQLite off a file it would take for an empty one, or whose log it would throw away. Raises DamagedError.

    A file whose beginning was lost in the middle of a write is its business: it rolls the write back.
    """
    try:
        with open(path, "rb") as stream:
            head = stream.read(SMALLEST)
    except OSError:
        return  # SQLite says why
    if head and (len(head) < SMALLEST or not head.startswith(MAGIC)):
        if path.with_name(f"{path.name}-journal").exists() and len(head) == SMALLEST:
            return
        raise DamagedError(f"the scorebook {path} is damaged: it does not begin like one.")


def check(path: Path, connection: sqlite3.Connection) -> int:
    """The version of a whole scorebook. Raises DamagedError, and ScorebookError for a file that is not ours to touch.

    Whole: SQLite finds every page and index sound, the file holds what a scorebook has and nothing else, every text is
    text, and every value is what its checksum says; versions 1 and 2 have none.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    whole = {"matches", "events"} <= tables
    if application != APPLICATION_ID and not whole and tables:
        raise ScorebookError(f"{path} is another program's database; name another file with --scorebook.")
    if application == APPLICATION_ID and version > VERSION:
        raise ScorebookError(
            f"the scorebook {path} is of version {version}, this program knows {VERSION}; upgrade the program."
        )
    (health,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if application != APPLICATION_ID or health != "ok" or not whole or version < 1:
        raise DamagedError(f"the scorebook {path} is damaged.")
    others = foreign(connection, version)
    if others:
        raise DamagedError(f"the scorebook {path} is damaged: not as any scorebook has it: {', '.join(others)}.")
    if version < SUMMED:
        _read_every_text(connection)
    elif changed := first_changed(connection):
        raise DamagedError(f"the scorebook {path} is damaged: {changed} is not what was written.")
    return int(version)


def _read_every_text(connection: sqlite3.Connection) -> None:
    """SQLite's own check looks into no text: one flipped bit may have made bytes of it that are no text at all."""
    for columns in ("white, black, mode FROM matches", "kind, event, ruling FROM events"):
        for _ in connection.execute(f"SELECT {columns}"):
            pass


def _create_if_empty(connection: sqlite3.Connection) -> None:
    empty = "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)"
    if connection.execute(empty).fetchone()[0]:
        with transaction(connection):
            if connection.execute(empty).fetchone()[0]:  # another program may have been faster
                create(connection)


def write_copy(target: Path, content: bytes) -> None:
    """Write a book's content under a name that is not taken, once it was checked as ``check`` does.

    Raises ScorebookError, FileExistsError, sqlite3.Error and OSError; no half copy is left behind.
    """
    with closing(in_memory(content)) as copy:
        check(target, copy)
    write_new(target, [content], private=True)
    try:
        expect_on_disk(target, content)
    except OSError:
        target.unlink(missing_ok=True)
        raise


def free_name(path: Path, what: str) -> Path:
    """The first name such as ``book.sqlite.what-1`` that is not taken: a number, because a clock may be wrong."""
    number = 1
    while (free := path.with_name(f"{path.name}.{what}-{number}")).exists():
        number += 1
    return free


def replace_book(path: Path, fresh: Path, what: str) -> Path:
    """Have the checked book ``fresh`` called ``path``; what was called so is kept under the name that is given back.

    Raises ScorebookError.
    """
    aside = free_name(path, what)
    try:
        try:
            os.link(path, aside)
        except OSError:  # a stick without links: for a moment there is no book under this name, see finish()
            os.rename(path, aside)
        for end in SIDE_FILES:
            with suppress(FileNotFoundError):
                os.rename(beside(path, end), beside(aside, end))
        os.replace(fresh, path)
        sync(path.parent)
    except OSError as error:
        raise ScorebookError(f"the scorebook {path} cannot be set aside as {aside.name}: {error.strerror}.") from error
    return aside


def fresh_name(path: Path) -> Path:
    """Where the book is made that is to take the place of this one."""
    return path.with_name(f"{path.name}.recovering")


def finish(path: Path) -> None:
    """Bring an interrupted rescue or restore to its end: the new book was whole before the old one was moved."""
    fresh = fresh_name(path)
    if not path.exists() and fresh.exists():
        os.replace(fresh, path)
        sync(path.parent)


def beside(path: Path, end: str) -> Path:
    """The file of SQLite beside this one whose name ends so."""
    return path.with_name(path.name + end)


def counts(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many matches and events an open book holds."""
    (matches,) = connection.execute("SELECT count(*) FROM matches").fetchone()
    (events,) = connection.execute("SELECT count(*) FROM events").fetchone()
    return int(matches), int(events)


@contextmanager
def telling(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into ScorebookErrors that name the file, the reason and the cure."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise DamagedError(f"the scorebook {path} is damaged: a text in it is none ({error.reason}).") from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGE or _NO_TEXT in str(error):
            raise DamagedError(f"the scorebook {path} is damaged ({error}).") from error
        sentence = f"the scorebook {path}: {_REASONS.get(code, str(error))}."
        raise (NotKeptError if code in _REASONS else ScorebookError)(sentence) from error
