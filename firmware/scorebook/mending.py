"""What a damaged book's rows are worth: whole, made again what was written, or kept as they were found.

The checksums tell (sums.py). One flipped bit is what an old card makes most often: only some thousand rows differ from
a damaged one by a single bit, and of these the checksum fits the one that was written.
"""

from __future__ import annotations

import json
import marshal
import math
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine.record.corrections import Correction
from firmware.scorebook.modes import MODES, PLAY
from firmware.scorebook.page_reader import PageRow, Value
from firmware.scorebook.sums import event_sum, leftover_sum, match_sum

KINDS: Final = ("match", "round", "turn", "yield", "reveal", "undo", Correction.name)
MOST_LETTERS: Final = 20_000
"""Of a row. Trying every bit of a longer one would take seconds."""
MOST_TRIES: Final = 500
"""Rows tried in a book. One with more of them is no book that a card has spoilt."""
MOST_TRIED_LETTERS: Final = 2_000_000_000
"""In all that is tried in a book: a few seconds, whatever somebody has put into its rows."""
MOST_ROWS: Final = 400_000
"""Of ours in a book: three thousand matches and more, one every evening for nine years."""

Summed = tuple[PageRow, int | None]
"""A row without its sum, and the sum; None in a book of an older version."""


class TooManyError(ValueError):
    """More rows than any book has."""


@dataclass(slots=True)
class Found:
    """Rows by what they are: matches by number, events by match and place, and the rest of earlier rescues.

    Two rows may claim one place: one was changed, or is an older state of a page. Events are packed, in a third of the
    memory, until their match is gone through.
    """

    matches: dict[int, PageRow] = field(default_factory=dict)
    events: dict[int, dict[int, list[bytes]]] = field(default_factory=dict)
    leftovers: list[bytes] = field(default_factory=list)
    _rows: int = 0

    def sort(self, read: PageRow) -> None:
        """Put a row where it belongs, if it is one of ours: by the number and kinds of its values.

        Raises TooManyError.
        """
        row = tuple(each.decode("utf-8", "surrogateescape") if isinstance(each, bytes) else each for each in read)
        match row:
            case (int(key), str(), str(), str(), seed, wall_s, *uid) if (
                key > 0 and isinstance(seed, int | None) and _time(wall_s) and len(uid) < 2
            ):
                self.matches.setdefault(key, (*row[:6], *(uid or (None,))))
            case (int(match_id), int(seq), str(), str(), str(), t_s, wall_s, *rest) if (
                match_id > 0 and seq > 0 and _time(t_s) and _time(wall_s) and len(rest) < 2
            ):
                self.events.setdefault(match_id, {}).setdefault(seq, []).append(packed_row(row[:7], _sum(rest)))
            case (int(), str(), wall_s, *rest) if _time(wall_s) and len(rest) < 2:
                self.leftovers.append(packed_row(row[:3], _sum(rest)))
            case _:
                return
        self._rows += 1
        if self._rows > MOST_ROWS:
            raise TooManyError

    def numbers(self) -> list[int]:
        """The matches' own, in order."""
        return sorted({*self.matches, *self.events})


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match as far as it can be read: its row, None where that is lost, and its events from the first without a gap.

    ``gaps``: there were more events than these.
    """

    names: PageRow | None
    events: tuple[PageRow, ...]
    gaps: bool


class Mending:
    """Goes through what was found. ``mended`` counts rows made right again, ``changed`` names those that could not."""

    def __init__(self, found: Found) -> None:
        self.mended = 0
        self.changed: list[str] = []
        self._found = found
        self._spare: list[bytes] = []
        self._tries, self._letters_left = 0, MOST_TRIED_LETTERS

    def match(self, key: int) -> KeptMatch:
        """What this match comes to; its rows that stand behind a gap are spare."""
        packed = self._found.events.get(key, {})
        names = self._names(key, [unpacked(each) for each in packed.get(1, [])])
        before = None if names is None else match_sum(names)
        standing: list[PageRow] = []
        for seq in sorted(packed):
            (row, stored), known = self._event(before, [unpacked(each) for each in packed[seq]])
            before = stored
            if seq == len(standing) + 1 and _clean(row) and row[2] in KINDS and isinstance(_json(row[3]), dict):
                standing.append(row)
                if not known:
                    self.changed.append(f"event {seq} of match {key}")
            else:
                self._spare.append(packed_row(row, None))
        return KeptMatch(names and _presentable(names), tuple(standing), gaps=len(standing) < len(packed))

    def leftovers(self) -> Iterator[str]:
        """The contents of earlier leftovers."""
        for each in self._found.leftovers:
            row, stored = unpacked(each)
            content = row[1]
            if stored is not None and leftover_sum(row) != stored:
                mended = self._tried(row, lambda tried, stored=stored: leftover_sum(tried) == stored)
                content = content if mended is None else mended[1]
            if isinstance(content, str) and _clean((content,)) and isinstance(_json(content), dict):
                yield content

    def spare_rows(self) -> Iterator[str]:
        """The events that belong to no match that can be replayed, as contents of leftovers."""
        for each in self._spare:
            row, _ = unpacked(each)
            if _is_ours(row):
                yield json.dumps({"row": row})

    def _names(self, key: int, first: list[Summed]) -> PageRow | None:
        """The match's row; its first event tells whether it is what was written."""
        names = self._found.matches.get(key)
        if names is None or any(stored is None or _fits(match_sum(names), row, stored) for row, stored in first):
            return names
        for row, stored in first:
            mended = self._tried(
                names, lambda tried, row=row, stored=stored: event_sum(match_sum(tried), row) == stored
            )
            if mended is not None:
                return mended
        return names

    def _event(self, before: int | None, claims: list[Summed]) -> tuple[Summed, bool]:
        """Which of the rows that claim a place was written there, with the sum that the next one continues; and
        whether that is known."""
        for row, stored in claims:
            if stored is None or before is None or event_sum(before, row) == stored:
                return (row, stored), True
        assert before is not None
        for row, stored in claims:
            if stored is not None and _fits(before, row, stored):
                self.mended += 1
                return (row, event_sum(before, row)), True
            mended = self._tried(row, lambda tried, stored=stored: event_sum(before, tried) == stored)
            if mended is not None:
                return (mended, stored), True
        return claims[0], False

    def _tried(self, row: PageRow, fits: Callable[..., bool]) -> PageRow | None:
        """The row that differs from this one by a bit of one value and fits; None where there is none."""
        letters = sum(len(each) for each in row if isinstance(each, str))
        self._tries += 1
        if self._tries > MOST_TRIES or letters > MOST_LETTERS:
            return None
        for place, value in enumerate(row):
            for other in _one_bit_from(value):
                self._letters_left -= letters
                if self._letters_left < 0:
                    return None
                tried = (*row[:place], other, *row[place + 1 :])
                if fits(tried):
                    self.mended += 1
                    return tried
        return None


def _fits(before: int, row: PageRow, stored: int) -> bool:
    """Whether the sum is this row's, but for one bit of the sum."""
    return (event_sum(before, row) ^ stored).bit_count() < 2


def _one_bit_from(value: Value) -> Iterator[Value]:
    if isinstance(value, str):
        yield value
        for found in _flipped(value.encode("utf-8", "surrogateescape")):
            try:
                yield found.decode()
            except UnicodeDecodeError:
                continue
    elif isinstance(value, float):
        yield from (struct.unpack(">d", found)[0] for found in _flipped(struct.pack(">d", value)))
    elif isinstance(value, int):
        yield from (value ^ 1 << bit for bit in range(48))


def _flipped(stored: bytes) -> Iterator[bytes]:
    changed = bytearray(stored)
    for bit in range(8 * len(stored)):
        changed[bit // 8] ^= 1 << bit % 8
        yield bytes(changed)
        changed[bit // 8] ^= 1 << bit % 8


def _presentable(names: PageRow) -> PageRow:
    """The match's row with values that a book may hold, whatever a card made of them."""
    white, black = (str(each).encode("utf-8", "surrogateescape").decode("utf-8", "replace") for each in names[1:3])
    uid = names[6] if isinstance(names[6], str) and _clean(names[6:]) else None
    return (names[0], white, black, names[3] if names[3] in MODES else PLAY, *names[4:6], uid)


def _is_ours(row: PageRow) -> bool:
    """Whether anything in an event's row is what we write. Chance gives a damaged page's rubbish the shape of one."""
    return row[2] in KINDS or any(isinstance(_json(text), dict) for text in row[3:5])


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
    """What was packed."""
    row: Summed = marshal.loads(packed)
    return row


def _sum(rest: Sequence[Value]) -> int | None:
    return rest[0] if rest and isinstance(rest[0], int) else None


def _time(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)


def _json(text: object) -> Any:
    try:
        return json.loads(str(text))
    except (ValueError, RecursionError):
        return None
