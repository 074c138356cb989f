"""A damaged scorebook: set aside untouched, and everything in it that can still be read put into a new one.

The new book is whole before the damaged one makes way, so a power cut in the middle leaves one or the other. Which rows
are what was written the checksums tell (schema.py): one that was changed is taken from the newest copy, where that has
it, else kept as found.
"""

from __future__ import annotations

import marshal
import math
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from engine.record.corrections import Correction
from engine.strict.text import MalformedError, json_of
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
from firmware.book.scorebook.page_reader import PageRow, Value, rows
from firmware.book.scorebook.schema import MODES, PLAY, event_sum, match_sum, put_match, uid_of
from firmware.core.io.database import open_database
from firmware.core.io.files import sync, write_whole

KINDS: Final = ("match", "round", "turn", "yield", "reveal", "undo", Correction.name)
MAX_NAMED: Final = 5
MAX_ROWS: Final = 400_000
"""Of ours in a book: three thousand matches and more, one every evening for nine years."""
MAX_BOOK_BYTES: Final = 150_000_000
"""A thousand matches take a sixth of it; a rescue holds the whole file in memory."""

Summed = tuple[PageRow, int | None]
"""A row without its sum, and the sum; None in a book of an older version."""


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


class TooManyError(ValueError):
    """More rows than any book has."""


@dataclass(slots=True)
class Found:
    """Rows by what they are: matches by number, events by match and place.

    Several rows may claim one place: one was changed, is an older state of a page, or is the copy's. Events are packed,
    in a third of the memory, until their match is gone through.
    """

    matches: dict[int, list[PageRow]] = field(default_factory=dict)
    events: dict[int, dict[int, list[bytes]]] = field(default_factory=dict)
    _rows: int = 0

    def sort(self, read: PageRow) -> None:
        """Put a row where it belongs, behind those that claim its place already, if it is one of ours: by the number
        and kinds of its values.

        Raises TooManyError.
        """
        row = tuple(each.decode("utf-8", "surrogateescape") if isinstance(each, bytes) else each for each in read)
        match row:
            case (int(key), str(), str(), str(), seed, wall_s, *uid) if (
                key > 0 and isinstance(seed, int | None) and _is_time(wall_s) and len(uid) < 2
            ):
                new = _claim(self.matches.setdefault(key, []), (*row[:6], *(uid or (None,))))
            case (int(match_id), int(seq), str(), str(), str(), t_s, wall_s, *stored) if (
                match_id > 0 and seq > 0 and _is_time(t_s) and _is_time(wall_s) and len(stored) < 2
            ):
                summed = stored[0] if stored and isinstance(stored[0], int) else None
                claims = self.events.setdefault(match_id, {}).setdefault(seq, [])
                new = _claim(claims, marshal.dumps((row[:7], summed)))
            case _:
                return
        self._rows += new
        if self._rows > MAX_ROWS:
            raise TooManyError


def _claim(claims: list[Any], row: object) -> bool:
    if row in claims:
        return False
    claims.append(row)
    return True


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def read_damaged(path: Path) -> Found:
    """Everything of ours that can still be read in this file, and what the newest copy of the book has beside it.

    The files are not touched.
    """
    too_large = f"the scorebook {path} is damaged, and larger than any can be; name another file with --scorebook."
    if path.stat().st_size > MAX_BOOK_BYTES:
        raise ScorebookError(too_large)
    found = Found()
    try:
        for content in _versions(path):
            for row in rows(content):
                found.sort(row)
    except TooManyError:
        raise ScorebookError(too_large) from None
    return found


def _versions(path: Path) -> Iterable[bytes]:
    """The bytes worth reading: as SQLite would leave them after rolling back or taking in what lies beside the file,
    where it still can, else as they are; and those of the newest copy."""
    if there := [end for end in SIDE_FILES[:2] if beside(path, end).exists()]:
        with tempfile.TemporaryDirectory(prefix="engarde-") as folder:
            copy = Path(folder) / "book"
            for end in ("", *there):
                write_whole(beside(copy, end), beside(path, end).read_bytes(), private=True)
            with suppress(sqlite3.Error), closing(open_database(copy)) as connection:
                connection.execute("PRAGMA schema_version").fetchone()
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            yield copy.read_bytes()
    else:
        yield path.read_bytes()
    yield newest_copy(path)


def _fill(connection: sqlite3.Connection, found: Found) -> Salvaged:
    """Write what was found into an empty book; what came of it, with no file set aside yet."""
    matches = events = cut = 0
    choice = Choice(found)
    taken: set[str] = set()
    connection.execute("BEGIN IMMEDIATE")
    for key in sorted({*found.matches, *found.events}):
        kept = choice.match(key)
        if kept.events:
            put_match(connection, _named(key, kept, taken), kept.events)
            matches, events = matches + 1, events + len(kept.events)
            cut += kept.names is None or kept.gaps
    connection.execute("COMMIT")
    return Salvaged(Path(), matches, events, cut, choice.mended, tuple(choice.changed))


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match as far as it can be read: its row, None where that is lost, and its events from the first without a gap.

    ``gaps``: there were more events than these.
    """

    names: PageRow | None
    events: tuple[PageRow, ...]
    gaps: bool


class Choice:
    """Chooses among what was found. ``mended`` counts rows of which another than the first found is what was written;
    ``changed`` names those of which none is."""

    def __init__(self, found: Found) -> None:
        self.mended = 0
        self.changed: list[str] = []
        self._found = found

    def match(self, key: int) -> KeptMatch:
        """This match, as far as it can be read: up to a gap."""
        packed = self._found.events.get(key, {})
        names = self._names(key, list(map(marshal.loads, packed.get(1, []))))
        # What the next event may continue; None: a book without sums. After a changed row either its own sum is right,
        # or that of the row as it was found.
        before: tuple[int, ...] | None = None if names is None else (match_sum(names),)
        standing: list[PageRow] = []
        for seq in sorted(packed):
            claims: list[Summed] = list(map(marshal.loads, packed[seq]))
            fitting = [place for place, claim in enumerate(claims) if _continues(before, claim)]
            row, stored = claims[fitting[0] if fitting else 0]
            readable: list[Value] = list(map(_as_text, row))
            if seq != len(standing) + 1 or row[2] not in KINDS or not _is_object(readable[3]):
                break
            if not _is_object(readable[4]):
                readable[4] = "{}"  # the referee's answer: judging the event again gives it
            standing.append(tuple(readable))
            if not fitting:
                self.changed.append(f"event {seq} of match {key}")
            self.mended += bool(fitting and fitting[0])
            if stored is None:
                before = None
            else:
                as_found = () if fitting or before is None else tuple(event_sum(each, row) for each in before)
                before = (stored, *as_found)
        return KeptMatch(names, tuple(standing), gaps=len(standing) < len(packed))

    def _names(self, key: int, first: list[Summed]) -> PageRow | None:
        """The match's row; its first event tells which of several is what was written."""
        claims = self._found.matches.get(key, [])
        for place, names in enumerate(claims):
            if any(_continues((match_sum(names),), event) for event in first):
                self.mended += bool(place)
                return names
        return claims[0] if claims else None


def _continues(before: tuple[int, ...] | None, claim: Summed) -> bool:
    """Whether this row is what was written behind a row with one of these sums, as far as that can be known."""
    row, stored = claim
    return before is None or stored is None or any(event_sum(each, row) == stored for each in before)


def _named(key: int, kept: KeptMatch, taken: set[str]) -> PageRow:
    """The match's own row with values that a book may hold, whatever a card made of them, and a uid no other has."""
    found = kept.names or (key, "White", "Black", PLAY, None, kept.events[0][6], None)
    row = (*map(_as_text, found[:3]), found[3] if found[3] in MODES else PLAY, *found[4:6])
    uid = found[6]
    if not isinstance(uid, str) or uid != _as_text(uid):
        uid = uid_of(row, kept.events[0])
    if uid in taken:
        return (*row, None)
    taken.add(uid)
    return (*row, uid)


def _as_text(value: Value) -> Value:
    """A text with a sign in the place of bytes that are none; any other value as it is."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _is_object(text: object) -> bool:
    try:
        return isinstance(json_of(str(text)), dict)
    except MalformedError:
        return False
