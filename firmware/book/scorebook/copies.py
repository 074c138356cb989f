"""Backup and restore of the whole scorebook: checked copies, and nothing overwritten by either.

``back_up`` and ``restore`` are what the command and the menu call.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.book.scorebook.file import DamagedError, ScorebookError, alone, check, connect, copy_to, counts, telling
from firmware.book.scorebook.rolling import copies_of, keep_copy, number_of, numbered
from firmware.book.scorebook.salvage import finish, fresh_name, replace_book
from firmware.core.io.database import open_to_read
from firmware.core.io.files import make_folder

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
    with closing(connect(book, writing=False)) as connection:
        try:
            target = folder / BACKUP_NAME.format(max(map(number_of, backups_in(folder)), default=0) + 1)
            with telling(target):
                copy_to(connection, target)
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
                copy_to(source, fresh)
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
    with closing(_open_unchanged(backup)) as source:
        with telling(backup):
            check(backup, source)
        yield source


def _open_unchanged(path: Path) -> sqlite3.Connection:
    """Open to read only, with nothing rolled back and no file made beside it: a backup is whole or it is none."""
    with telling(path):
        if path.with_name(f"{path.name}-journal").exists():
            raise DamagedError(f"the backup {path} was being written when it was cut off; take an earlier one.")
        return open_to_read(path.resolve(), immutable=True)


def _events_missing(backup: sqlite3.Connection, book: Path) -> int | None:
    """How many events of the present book the backup does not have; None where the book cannot be read."""
    if not book.is_file() or book.stat().st_size == 0:
        return 0
    with suppress(ScorebookError, sqlite3.Error), closing(connect(book, writing=False)) as present:
        wanted = present.execute("SELECT match_id, seq, event, t_s FROM events").fetchall()
        there = set(backup.execute("SELECT match_id, seq, event, t_s FROM events").fetchall())
        return sum(row not in there for row in wanted)
    return None
