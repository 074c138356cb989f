"""A damaged scorebook: set aside untouched, and everything in it that can still be read put into a new one.

The new book is whole before the damaged one makes way, so a power cut in the middle leaves one or the other.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from engine.record.corrections import Correction
from engine.table.notes import NoteKind
from firmware.scorebook.file import ScorebookError, check, connect, free_name, sync, telling, uid_from_rows
from firmware.scorebook.page_reader import Row, rows

KINDS: Final = ("match", "round", "turn", "yield", "reveal", "undo", Correction.name)
SIDE_FILES: Final = ("-journal", "-wal", "-shm")
"""What SQLite may have left beside a file: part of it, and never to be taken for part of another."""


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What came of a damaged book: where it is kept, and what was saved. ``cut`` matches lack events in the middle or
    stand without their names."""

    aside: Path
    matches: int
    events: int
    cut: int

    @property
    def sentence(self) -> str:
        """For the command line."""
        kept = f"it was set aside as {self.aside.name}, untouched"
        if not self.matches:
            return f"The scorebook was damaged and nothing in it could be read: {kept}, and a new one begun."
        cut = f" ({self.cut} of them with gaps)" if self.cut else ""
        return (
            f"The scorebook was damaged: {self.matches} matches{cut} with {self.events} events were recovered from it; "
            f"{kept}."
        )


def news_of(saved: Salvaged) -> tuple[NoteKind, int]:
    """What the players are told of it on the screen, and the number of matches in it."""
    return (NoteKind.BOOK_SALVAGED if saved.matches else NoteKind.BOOK_LOST), saved.matches


@dataclass(slots=True)
class Found:
    """Rows by what they are: matches by number, events by match and place, and the rest of earlier rescues."""

    matches: dict[int, Row] = field(default_factory=dict)
    events: dict[int, dict[int, Row]] = field(default_factory=dict)
    leftovers: list[str] = field(default_factory=list)


def salvage(path: Path) -> Salvaged:
    """Put a recovered book in the place of the damaged one, which is kept beside it. Raises ScorebookError, OSError."""
    found = read_damaged(path)
    fresh = fresh_name(path)
    for leftover in (fresh, *(_beside(fresh, end) for end in SIDE_FILES)):
        leftover.unlink(missing_ok=True)
    with closing(connect(fresh)) as connection, telling(fresh):
        counts = _fill(connection, found)
        check(fresh, connection, thorough=True)
    sync(fresh)
    return Salvaged(_put_in_place(path, fresh, "damaged"), *counts)


def _put_in_place(path: Path, fresh: Path, what: str) -> Path:
    """Have ``fresh`` called ``path``; what was called so is kept under the name that is given back."""
    aside = free_name(path, what)
    try:
        try:
            os.link(path, aside)
        except OSError:  # a stick without links: for a moment there is no book under this name, see finish()
            os.rename(path, aside)
        for end in SIDE_FILES:
            with suppress(FileNotFoundError):
                os.rename(_beside(path, end), _beside(aside, end))
        os.replace(fresh, path)
        sync(path.parent)
    except OSError as error:
        raise ScorebookError(f"the scorebook {path} cannot be set aside as {aside.name}: {error.strerror}.") from error
    return aside


def replace_book(path: Path, fresh: Path, what: str) -> Path | None:
    """Have the checked book ``fresh`` called ``path``; the present one, if any, is kept under the name given back.

    Raises ScorebookError.
    """
    if path.exists():
        return _put_in_place(path, fresh, what)
    os.replace(fresh, path)
    sync(path.parent)
    return None


def fresh_name(path: Path) -> Path:
    """Where the book is made that is to take the place of this one."""
    return path.with_name(f"{path.name}.recovering")


def finish(path: Path) -> None:
    """Bring an interrupted rescue or restore to its end: the new book was whole before the old one was moved."""
    fresh = fresh_name(path)
    if not path.exists() and fresh.exists():
        os.replace(fresh, path)


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def read_damaged(path: Path) -> Found:
    """Everything of ours that can still be read in this file, and only that. The file is not touched."""
    found = Found()
    for content in _versions(path):
        for row in rows(content):
            _sort(row, found)
    return found


def _versions(path: Path) -> Iterable[bytes]:
    """The bytes worth reading: as SQLite would leave them after rolling back or taking in what lies beside the file,
    where it still can; else as they are."""
    if any(_beside(path, end).exists() for end in SIDE_FILES[:2]):
        with tempfile.TemporaryDirectory(prefix="engarde-") as folder:
            copy = Path(folder) / "book"
            shutil.copyfile(path, copy)
            for end in SIDE_FILES[:2]:
                if _beside(path, end).exists():
                    shutil.copyfile(_beside(path, end), _beside(copy, end))
            with suppress(sqlite3.Error), closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                connection.execute("PRAGMA schema_version").fetchone()
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            yield copy.read_bytes()
    else:
        yield path.read_bytes()


def _sort(row: Row, found: Found) -> None:
    """Put a row where it belongs, if it is one of ours: by the number and kinds of its values."""
    match row:
        case (int(key), str(), str(), "demo" | "play", seed, wall_s, *uid) if (
            key > 0 and isinstance(seed, int | None) and _time(wall_s) and len(uid) < 2
        ):
            found.matches.setdefault(key, row)
        case (int(match_id), int(seq), str(kind), str(), str(), t_s, wall_s) if (
            match_id > 0 and seq > 0 and kind in KINDS and _time(t_s) and _time(wall_s)
        ):
            found.events.setdefault(match_id, {}).setdefault(seq, row)
        case (int(), str(content), wall_s) if _time(wall_s) and isinstance(_json(content), dict):
            found.leftovers.append(content)


def _time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _json(text: object) -> Any:
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return None


def _fill(connection: sqlite3.Connection, found: Found) -> tuple[int, int, int]:
    """Write what was found into an empty book; how many matches, events, and matches with gaps."""
    matches = events = cut = 0
    leftovers = [*found.leftovers]
    connection.execute("BEGIN IMMEDIATE")
    for key in sorted({*found.matches, *found.events}):
        rows_of = found.events.get(key, {})
        whole = [row for seq, row in sorted(rows_of.items()) if isinstance(_json(row[3]), dict)]
        standing = [row for place, row in enumerate(whole, 1) if row[1] == place]
        leftovers += [json.dumps({"row": row}) for row in rows_of.values() if row not in standing]
        if not standing:
            continue
        named = found.matches.get(key)
        _write_match(connection, key, named, standing)
        matches, events = matches + 1, events + len(standing)
        cut += named is None or len(standing) < len(rows_of)
    connection.executemany("INSERT INTO leftovers (content, wall_s) VALUES (?, 0)", [(text,) for text in leftovers])
    connection.execute("COMMIT")
    return matches, events, cut


def _write_match(connection: sqlite3.Connection, key: int, named: Row | None, standing: list[Row]) -> None:
    white, black, mode, seed, wall_s, *uid = named[1:] if named else ("White", "Black", "play", None, standing[0][6])
    connection.execute(
        "INSERT INTO matches (id, white, black, mode, seed, wall_s) VALUES (?, ?, ?, ?, ?, ?)",
        (key, white, black, mode, seed, wall_s),
    )
    connection.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)", standing)
    name = uid[0] if uid and isinstance(uid[0], str) else uid_from_rows(connection, key)
    connection.execute("UPDATE OR IGNORE matches SET uid = ? WHERE id = ?", (name, key))
