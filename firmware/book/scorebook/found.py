"""Rows found in a damaged scorebook and its newest copy: which of them are what was written.

The checksums tell (sums.py). A row that was changed is taken from the copy, where that has it, else kept as found.
"""

from __future__ import annotations

import marshal
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.record.corrections import Correction
from engine.strict.text import MalformedError, json_of
from firmware.book.scorebook.modes import MODES, PLAY
from firmware.book.scorebook.page_reader import PageRow, Value
from firmware.book.scorebook.sums import event_sum, match_sum

KINDS: Final = ("match", "round", "turn", "yield", "reveal", "undo", Correction.name)
MAX_ROWS: Final = 400_000
"""Of ours in a book: three thousand matches and more, one every evening for nine years."""

Summed = tuple[PageRow, int | None]
"""A row without its sum, and the sum; None in a book of an older version."""


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
                key > 0 and isinstance(seed, int | None) and _time(wall_s) and len(uid) < 2
            ):
                new = _claim(self.matches.setdefault(key, []), (*row[:6], *(uid or (None,))))
            case (int(match_id), int(seq), str(), str(), str(), t_s, wall_s, *rest) if (
                match_id > 0 and seq > 0 and _time(t_s) and _time(wall_s) and len(rest) < 2
            ):
                claims = self.events.setdefault(match_id, {}).setdefault(seq, [])
                new = _claim(claims, packed_row(row[:7], _sum(rest)))
            case _:
                return
        self._rows += new
        if self._rows > MAX_ROWS:
            raise TooManyError

    def numbers(self) -> list[int]:
        """The matches' own, in order."""
        return sorted({*self.matches, *self.events})


def _claim(claims: list[Any], row: object) -> bool:
    if row in claims:
        return False
    claims.append(row)
    return True


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
        names = self._names(key, [unpacked(each) for each in packed.get(1, [])])
        # What the next event may continue; None: a book without sums. After a changed row either its own sum is right,
        # or that of the row as it was found.
        before: tuple[int, ...] | None = None if names is None else (match_sum(names),)
        standing: list[PageRow] = []
        for seq in sorted(packed):
            claims = [unpacked(each) for each in packed[seq]]
            fitting = [place for place, claim in enumerate(claims) if _continues(before, claim)]
            row, stored = claims[fitting[0] if fitting else 0]
            if seq != len(standing) + 1 or row[2] not in KINDS or not _is_object(_as_text(row[3])):
                break
            standing.append(tuple(map(_as_text, row)))
            if not fitting:
                self.changed.append(f"event {seq} of match {key}")
            self.mended += bool(fitting and fitting[0])
            if stored is None:
                before = None
            else:
                as_found = () if fitting or before is None else tuple(event_sum(each, row) for each in before)
                before = (stored, *as_found)
        return KeptMatch(names and _presentable(names), tuple(standing), gaps=len(standing) < len(packed))

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


def _presentable(names: PageRow) -> PageRow:
    """The match's row with values that a book may hold, whatever a card made of them."""
    uid = names[6] if isinstance(names[6], str) and _clean(names[6:]) else None
    return (*map(_as_text, names[:3]), names[3] if names[3] in MODES else PLAY, *names[4:6], uid)


def _as_text(value: Value) -> Value:
    """A text with a sign in the place of bytes that are none; any other value as it is."""
    if not isinstance(value, str):
        return value
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _clean(row: PageRow) -> bool:
    """Whether all its texts are text."""
    try:
        for each in row:
            if isinstance(each, str):
                each.encode()
    except UnicodeEncodeError:
        return False
    return True


def packed_row(row: PageRow, stored: int | None) -> bytes:
    """A row and its sum in few bytes, with whatever is no text in them."""
    return marshal.dumps((row, stored))


def unpacked(packed: bytes) -> Summed:
    """The row and sum of ``packed_row``."""
    row: Summed = marshal.loads(packed)
    return row


def _sum(rest: Sequence[Value]) -> int | None:
    return rest[0] if rest and isinstance(rest[0], int) else None


def _time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _is_object(text: object) -> bool:
    try:
        return isinstance(json_of(str(text)), dict)
    except MalformedError:
        return False
