"""Checked copies of the whole scorebook: kept beside it by themselves, and made and restored on request.

Whenever a table is opened or closed by a book a copy is kept, of which there is a bounded number:
``scorebook.sqlite.copy-7`` is newer than ``copy-6``, whatever a clock says. ``restore`` brings one back, and a rescue
takes from the newest what was damaged. Nothing is overwritten by any of it.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.book.scorebook.file import (
    DamagedError,
    ScorebookError,
    alone,
    check,
    counts,
    finish,
    fresh_name,
    read_whole,
    replace_book,
    telling,
    write_copy,
)
from firmware.core.io.database import content_of, in_memory, open_to_read
from firmware.core.io.files import make_folder, read_bytes

MAX_COPIES: Final = 5
MIN_FREE_BYTES: Final = 64_000_000
"""Left on the disk for the game: a copy is worth less than the next matches."""


def numbered(folder: Path, name: str) -> list[Path]:
    """The files whose names are this pattern in the order of the numbers at their ends; none in a folder that cannot be
    read."""
    with suppress(OSError):
        return sorted((path for path in folder.iterdir() if re.fullmatch(name, path.name)), key=number_of)
    return []


def number_of(copy: Path) -> int:
    """Which of its kind this copy or backup is: numbers order them, because a clock may be wrong."""
    found = re.search(r"\d+", copy.name.rpartition("-")[2])
    return int(found[0]) if found else 0


def copies_of(book: Path) -> list[Path]:
    """The copies of this book, the oldest first; none where its folder cannot be read."""
    return numbered(book.parent, re.escape(book.name) + r"\.copy-\d{1,9}")


def keep_copy(book: Path, connection: sqlite3.Connection) -> int:
    """Keep a copy of this open book, unless the newest is the same or little room is left; old ones make way.

    Gives how many events more the newest copy until now has: those were lost since. The largest is kept beside the
    newest: a book that was lost and begun anew drives no good copy out. Raises ScorebookError, sqlite3.Error and
    OSError, with all copies as they were.
    """
    events = counts(connection)[1]
    if not events:
        return 0
    content, copies = content_of(connection), copies_of(book)
    newest = newest_copy(book)
    if newest == content:
        return 0
    lost = max(0, _events_in(newest) - events)
    if shutil.disk_usage(book.parent).free < len(content) + MIN_FREE_BYTES:
        return lost
    made = book.with_name(f"{book.name}.copy-{number_of(copies[-1]) + 1 if copies else 1}")
    write_copy(made, content)
    largest = max(copies, key=lambda path: path.stat().st_size, default=made)
    older = [path for path in copies if path != largest]
    for path in older[: max(0, len(copies) + 1 - MAX_COPIES)]:
        path.unlink(missing_ok=True)
    return lost


def _events_in(copy: bytes) -> int:
    """How many events this copy has; none where it is none, or damaged."""
    with suppress(sqlite3.Error), closing(in_memory(copy)) as connection:
        return counts(connection)[1]
    return 0


def newest_copy(book: Path) -> bytes:
    """The bytes of the newest copy that can be read; none where there is none."""
    for path in reversed(copies_of(book)):
        with suppress(OSError):
            if content := read_bytes(path):  # else a program was killed while it made it, where no name can be linked
                return content
    return b""


BACKUP_NAME: Final = "engarde-scorebook-{:04}.sqlite"
_BACKUP: Final = r"engarde-scorebook-[0-9]{4,9}\.sqlite"


@dataclass(frozen=True, slots=True)
class Copied:
    """A checked copy: where it is, and how much is in it."""

    path: Path
    matches: int
    events: int


@dataclass(frozen=True, slots=True)
class Restored:
    """A finished restore. ``kept``: where the book that was there lies now, None if there was none.

    ``only_in_kept`` events are in that book and not in the restored one; None where it could not be read.
    """

    matches: int
    events: int
    kept: Path | None
    only_in_kept: int | None


def back_up(book: Path, folder: Path) -> Copied:
    """A checked copy of the book in this folder, on a stick for instance, numbered after those that lie there.

    The number orders them, because a clock may be wrong. The book may be in use meanwhile. Raises ScorebookError.
    """
    if not folder.is_dir():
        raise ScorebookError(f"there is no folder {folder} to put the backup into; is the stick in?")
    if not book.is_file() or book.stat().st_size == 0:
        raise ScorebookError(f"there is no scorebook {book} yet, so there is nothing to back up.")
    with closing(read_whole(book)) as connection:
        try:
            target = folder / BACKUP_NAME.format(max(map(number_of, backups_in(folder)), default=0) + 1)
            with telling(target):
                write_copy(target, content_of(connection))
                return Copied(target, *counts(connection))
        except OSError as error:
            raise ScorebookError(f"the backup cannot be written to {folder}: {error.strerror}.") from error


def backups_in(folder: Path) -> list[Path]:
    """The backups in this folder, in the order in which they were made; none where it cannot be read."""
    return numbered(folder, _BACKUP)


def restore(book: Path, backup: Path) -> Restored:
    """Put a backup in the place of the book, which is kept beside it. Raises ScorebookError.

    The backup is checked first, index by index; neither it nor the present book is changed.
    """
    if book.exists() and backup.exists() and backup.samefile(book):
        raise ScorebookError(f"{backup} is the scorebook in use; name a backup of it.")
    make_folder(book.parent, private=True)
    with alone(book), _checked(backup) as source:
        with telling(backup):
            matches, events = counts(source)
            missing = _events_missing(source, book)
        fresh = fresh_name(book)
        fresh.unlink(missing_ok=True)
        try:
            with telling(fresh):
                write_copy(fresh, content_of(source))
            kept = replace_book(book, fresh, "before-restore") if book.exists() else None
            finish(book)
        except OSError as error:
            raise ScorebookError(f"the scorebook {book} cannot be restored: {error.strerror}.") from error
        if copies_of(book):  # what it has less than the newest would be told as lost
            with suppress(ScorebookError, sqlite3.Error, OSError):
                keep_copy(book, source)
    return Restored(matches, events, kept, missing)


def last_other_copy(book: Path) -> Path:
    """The newest of the copies beside the book that can be restored and is not the same. Raises ScorebookError."""
    for copy in reversed(copies_of(book)):
        with suppress(ScorebookError, OSError):
            check_backup(copy)
            if not book.is_file() or copy.read_bytes() != book.read_bytes():
                return copy
    raise ScorebookError(f"no copy that differs from it lies beside {book}; name the backup to restore.")


def check_backup(backup: Path) -> None:
    """Look whether this backup can be restored, index by index. Raises ScorebookError."""
    with _checked(backup):
        pass


@contextmanager
def _checked(backup: Path) -> Iterator[sqlite3.Connection]:
    if not backup.is_file():
        raise ScorebookError(f"there is no backup {backup}; name a file that engarde book backup made.")
    if backup.with_name(f"{backup.name}-journal").exists():
        raise DamagedError(f"the backup {backup} was being written when it was cut off; take an earlier one.")
    with telling(backup):  # nothing is rolled back and no file made beside it: a backup is whole or it is none
        opened = open_to_read(backup.resolve(), immutable=True)
    with closing(opened) as source:
        with telling(backup):
            check(backup, source)
        yield source


def _events_missing(backup: sqlite3.Connection, book: Path) -> int | None:
    """How many events of the present book the backup does not have; None where the book cannot be read."""
    if not book.is_file() or book.stat().st_size == 0:
        return 0
    with suppress(ScorebookError, sqlite3.Error), closing(read_whole(book)) as present:
        wanted = present.execute("SELECT match_id, seq, event, t_s FROM events").fetchall()
        there = set(backup.execute("SELECT match_id, seq, event, t_s FROM events").fetchall())
        return sum(row not in there for row in wanted)
    return None
