"""Rows out of the bytes of an SQLite file, page by page, however much of the rest is gone.

No page is asked where the others are: a zeroed header, a lost schema or a broken branch cost only the rows on the very
pages that are damaged. What is read in vain is bounded, so that a file that only looks like a book costs seconds.
Source: the published description of the SQLite database file format, "B-tree Pages" and "Record Format".
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

Value: TypeAlias = int | float | str | bytes | None
PageRow: TypeAlias = tuple[Value, ...]

USUAL_PAGE: Final = 4096
HEADER: Final = 100
_INDEX_BRANCH, _TABLE_LEAF, _INDEX_LEAF = 0x02, 0x0D, 0x0A
_INT_SIZES: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
_MAX_BYTES: Final = 1 << 20  # no row of ours is near it; a garbled length is
_MAX_BROKEN: Final = 100  # cells of a page that are none, and more of them than are some. Ours hold forty rows
_IN_VAIN_BYTES: Final = 1 << 26  # a sound file has each of its pages in one chain; so much more for damaged ones


class _BrokenError(ValueError):
    """These bytes are no cell or no record."""


@dataclass(slots=True)
class _Chained:
    """How many bytes may still be read from pages that rows are continued on."""

    left: int


def rows(content: bytes) -> Iterator[PageRow]:
    """Every row of every table and index that can still be read; a table's row number takes the place of its first
    value where that is stored as nothing."""
    size, chained = page_size(content), _Chained(len(content) + _IN_VAIN_BYTES)
    for start in range(0, len(content), size):
        yield from _page(content, start, size, chained)


def page_size(content: bytes) -> int:
    """As the header says, where it makes sense, else what our own books have."""
    if len(content) >= HEADER and content[:16] == b"SQLite format 3\x00":
        (stored,) = struct.unpack(">H", content[16:18])
        size = 65536 if stored == 1 else stored
        if 512 <= size <= 65536 and size & (size - 1) == 0:
            return int(size)
    return USUAL_PAGE


def _page(content: bytes, start: int, size: int, chained: _Chained) -> Iterator[PageRow]:
    page = content[start : start + size]
    head = HEADER if start == 0 else 0
    if len(page) < head + 8 or page[head] not in (_INDEX_BRANCH, _TABLE_LEAF, _INDEX_LEAF):
        return
    kind = page[head]
    (count,) = struct.unpack(">H", page[head + 3 : head + 5])
    first = head + (12 if kind == _INDEX_BRANCH else 8)
    count = min(count, (len(page) - first) // 2)
    # No two pointers of a page lead to the same cell.
    cells = dict.fromkeys(struct.unpack_from(f">{count}H", page, first))
    some = broken = 0
    for cell in cells:
        try:
            row = _cell(content, page, cell, kind, size, chained)
        except (_BrokenError, IndexError, UnicodeDecodeError, struct.error):
            broken += 1
            if broken > max(_MAX_BROKEN, some):
                return
            continue
        some += 1
        yield row


def _cell(content: bytes, page: bytes, at: int, kind: int, size: int, chained: _Chained) -> PageRow:
    if kind == _INDEX_BRANCH:
        at += 4
    length, at = _varint(page, at)
    row_number = None
    if kind == _TABLE_LEAF:
        row_number, at = _varint(page, at)
    if not 0 < length <= _MAX_BYTES:
        raise _BrokenError("no such length")
    row = _record(_payload(content, page, at, length, size, chained, in_table=kind == _TABLE_LEAF))
    return (row_number, *row[1:]) if row_number is not None and row and row[0] is None else row


def _payload(
    content: bytes, page: bytes, at: int, length: int, size: int, chained: _Chained, *, in_table: bool
) -> bytes:
    """The bytes of a row: on its page, and the rest on pages chained to it."""
    most = size - 35 if in_table else (size - 12) * 64 // 255 - 23
    if length <= most:
        return _exactly(page, at, length)
    least = (size - 12) * 32 // 255 - 23
    here = least + (length - least) % (size - 4)
    if here > most:
        here = least
    found = [_exactly(page, at, here)]
    (following,) = struct.unpack(">I", _exactly(page, at + here, 4))
    left = length - here
    if left > chained.left:
        raise _BrokenError("more is chained than the file can hold")
    while left:
        start = (following - 1) * size
        if following < 1 or start >= len(content):
            raise _BrokenError("the chain leads out of the file")
        part = min(left, size - 4)
        found.append(_exactly(content, start + 4, part))
        left, chained.left = left - part, chained.left - part
        (following,) = struct.unpack(">I", content[start : start + 4])
    return b"".join(found)


def _record(payload: bytes) -> PageRow:
    head, at = _varint(payload, 0)
    kinds = []
    while at < head:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != head:
        raise _BrokenError("the head of the record does not end where it says")
    values: list[Value] = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise _BrokenError("the record does not end where it says")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in _INT_SIZES:
        end = at + _INT_SIZES[kind]
        return int.from_bytes(_exactly(payload, at, end - at), "big", signed=True), end
    if kind == 7:
        (real,) = struct.unpack(">d", _exactly(payload, at, 8))
        return float(real), at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind < 12:
        raise _BrokenError("no such kind of value")
    size = (kind - 12) // 2
    found = _exactly(payload, at, size)
    # Bytes that are no text any more stay what they are, escaped: checksums tell such rows from whole ones.
    return (found.decode("utf-8", "surrogateescape") if kind % 2 else found), at + size


def _varint(source: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    number = 0
    for place in range(8):
        byte = source[at + place]
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            return number, at + place + 1
    number = number << 8 | source[at + 8]
    return (number - (1 << 64) if number >= 1 << 63 else number), at + 9


def _exactly(source: bytes, at: int, count: int) -> bytes:
    found = source[at : at + count]
    if len(found) < count or at < 0:
        raise _BrokenError("cut off")
    return found
