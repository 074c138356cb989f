"""Copies of the scorebook that are kept beside it by themselves: whenever a table is opened or closed by it.

They are whole and checked, and a bounded number: ``scorebook.sqlite.copy-7`` is newer than ``copy-6``, whatever a clock
says. ``engarde book restore`` and the menu bring one back, and a rescue takes from the newest what was damaged.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from firmware.book.scorebook.file import counts, write_copy
from firmware.core.io.database import content_of, in_memory
from firmware.core.io.files import read_bytes

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
    newest = next(newest_copy(book), b"")
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


def newest_copy(book: Path) -> Iterator[bytes]:
    """The bytes of the newest copy that can be read, if there is one."""
    for path in reversed(copies_of(book)):
        with suppress(OSError):
            if content := read_bytes(path):  # else a program was killed while it made it, where no name can be linked
                yield content
                return
