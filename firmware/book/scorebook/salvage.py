"""A damaged scorebook: set aside untouched, and everything in it that can still be read put into a new one.

The new book is whole before the damaged one makes way, so a power cut in the middle leaves one or the other.
"""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from engine.table.presses import NoteKind
from firmware.book.scorebook.copies import newest_copy
from firmware.book.scorebook.file import (
    SIDE_FILES,
    ScorebookError,
    beside,
    check,
    connect,
    fresh_name,
    replace_book,
    telling,
)
from firmware.book.scorebook.found import Choice, Found, KeptMatch, TooManyError
from firmware.book.scorebook.modes import PLAY
from firmware.book.scorebook.page_reader import PageRow, rows
from firmware.book.scorebook.schema import uid_of
from firmware.book.scorebook.sums import event_sums, match_sum
from firmware.core.io.database import open_database
from firmware.core.io.files import sync, write_whole

MAX_NAMED: Final = 5

MAX_BOOK_BYTES: Final = 150_000_000
"""A thousand matches take a sixth of it; a rescue holds the whole file in memory."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """A rescued book: where the damaged one is kept, and what was saved. ``cut`` matches lack events in the middle or
    stand without their names.

    ``mended`` rows were changed and were taken from a copy; ``changed`` names those that no copy has and were kept as
    they were found.
    """

    aside: Path
    matches: int
    events: int
    cut: int
    mended: int = 0
    changed: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """For the command line."""
        kept = f"it was set aside as {self.aside.name}, untouched"
        if not self.matches:
            return f"The scorebook was damaged and nothing in it could be read: {kept}, and a new one begun."
        cut = f" ({self.cut} of them with gaps)" if self.cut else ""
        told = (
            f"The scorebook was damaged: {self.matches} matches{cut} with {self.events} events were recovered from it; "
            f"{kept}."
        )
        if self.mended:
            told += f" Changed, and taken from a copy of the book: {self.mended}."
        if self.changed:
            more = f" and {len(self.changed) - MAX_NAMED} more" if len(self.changed) > MAX_NAMED else ""
            told += f" Not what was written, and left as found: {', '.join(self.changed[:MAX_NAMED])}{more}."
        return told


def news_of(saved: Salvaged) -> tuple[NoteKind, int]:
    """The note that players see of it, and the number of matches in it."""
    return (NoteKind.BOOK_SALVAGED if saved.matches else NoteKind.BOOK_LOST), saved.matches


def salvage(path: Path) -> Salvaged:
    """Put a recovered book in the place of the damaged one, which is kept beside it. Raises ScorebookError, OSError."""
    found = read_damaged(path)
    fresh = fresh_name(path)
    for leftover in (fresh, *(beside(fresh, end) for end in SIDE_FILES)):
        leftover.unlink(missing_ok=True)
    with closing(connect(fresh)) as connection, telling(fresh):
        told = _fill(connection, found)
        check(fresh, connection)
    sync(fresh)
    return replace(told, aside=replace_book(path, fresh, "damaged"))


def read_damaged(path: Path) -> Found:
    """Everything of ours that can still be read in this file, and what the newest copy of the book has beside it.

    The files are not touched.
    """
    if path.stat().st_size > MAX_BOOK_BYTES:
        raise _too_large(path)
    found = Found()
    try:
        for content in itertools.chain(_versions(path), newest_copy(path)):
            for row in rows(content):
                found.sort(row)
    except TooManyError:
        raise _too_large(path) from None
    return found


def _too_large(path: Path) -> ScorebookError:
    return ScorebookError(
        f"the scorebook {path} is damaged, and larger than any can be; name another file with --scorebook."
    )


def _versions(path: Path) -> Iterable[bytes]:
    """The bytes worth reading: as SQLite would leave them after rolling back or taking in what lies beside the file,
    where it still can; else as they are."""
    if any(beside(path, end).exists() for end in SIDE_FILES[:2]):
        with tempfile.TemporaryDirectory(prefix="engarde-") as folder:
            copy = Path(folder) / "book"
            write_whole(copy, path.read_bytes(), private=True)
            for end in SIDE_FILES[:2]:
                if beside(path, end).exists():
                    write_whole(beside(copy, end), beside(path, end).read_bytes(), private=True)
            with suppress(sqlite3.Error), closing(open_database(copy)) as connection:
                connection.execute("PRAGMA schema_version").fetchone()
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            yield copy.read_bytes()
    else:
        yield path.read_bytes()


def _fill(connection: sqlite3.Connection, found: Found) -> Salvaged:
    """Write what was found into an empty book; what came of it, with no file set aside yet."""
    matches = events = cut = 0
    choice = Choice(found)
    names: set[str] = set()
    connection.execute("BEGIN IMMEDIATE")
    for key in found.numbers():
        kept = choice.match(key)
        if not kept.events:
            continue
        row = _named(key, kept, names)
        connection.execute("INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        stored = event_sums(match_sum(row), kept.events)
        connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", stored)
        matches, events = matches + 1, events + len(kept.events)
        cut += kept.names is None or kept.gaps
    connection.execute("COMMIT")
    return Salvaged(Path(), matches, events, cut, choice.mended, tuple(choice.changed))


def _named(key: int, kept: KeptMatch, taken: set[str]) -> PageRow:
    """The match's own row, with a name no other has."""
    row = kept.names or (key, "White", "Black", PLAY, None, kept.events[0][6], None)
    uid = row[6] if isinstance(row[6], str) else uid_of(row[:6], kept.events[0])
    if uid in taken:
        return (*row[:6], None)
    taken.add(uid)
    return (*row[:6], uid)
