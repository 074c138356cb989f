"""A font without the gaps that its own table of pairs tears into words: "zurück weichen" for "zurückweichen".

pygame's font moves most of its pairs of letters apart, by up to an eighth of their height ("kw", "xy", "33"), though
each letter has its room already. Source of the table's form: OpenType, "kern", version 0, format 0.
"""

from __future__ import annotations

import struct
from typing import Final

_TABLES_AT: Final = 12
_TABLE: Final = struct.Struct(">4sLLL")
"""One entry of a font's directory: a table's name, checksum, place and length in bytes."""
_PART: Final = struct.Struct(">HHHHHHH")
"""The head of one part of the table: version, length, form, number of pairs, and three that help to search it."""
_PAIR: Final = struct.Struct(">HHh")
"""Two letters, and by how much they are moved apart, or together where it is negative."""
_PAIRS_ACROSS: Final = 0x0001
"""The form of a part that is a list of pairs of a written line, each to be added as it is."""


def without_gaps(font_file: bytes) -> bytes:
    """This font, no pair of its letters moved apart; those moved together stay so. One without a table is as it was."""
    (count,) = struct.unpack_from(">H", font_file, 4)
    tables = (_TABLE.unpack_from(font_file, _TABLES_AT + number * _TABLE.size) for number in range(count))
    start = next((at for name, _, at, _ in tables if name == b"kern"), None)
    if start is None or struct.unpack_from(">H", font_file, start) != (0,):
        return font_file
    mended = bytearray(font_file)
    (parts,) = struct.unpack_from(">H", font_file, start + 2)
    part = start + 4
    for _ in range(parts):
        _, length, form, pairs, *_ = _PART.unpack_from(font_file, part)
        if form == _PAIRS_ACROSS:
            for pair in range(part + _PART.size, part + _PART.size + pairs * _PAIR.size, _PAIR.size):
                left, right, apart = _PAIR.unpack_from(font_file, pair)
                _PAIR.pack_into(mended, pair, left, right, min(0, apart))
        part += length
    return bytes(mended)
