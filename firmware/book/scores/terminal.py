"""The terminal's width and signs, tables that fit it, and plots."""

from __future__ import annotations

import itertools
import math
import os
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TextIO, TypeAlias

NEEDED: Final = "±│▁█⣿"  # every sign that plots and tables use beyond ASCII
GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class Terminal:
    """``width`` in columns; None where nobody wraps lines (a file, a pipe). ``signs``: more than ASCII can be shown."""

    width: int | None = None
    colour: bool = False
    signs: bool = True

    @property
    def plus_minus(self) -> str:
        return "±" if self.signs else "+/-"

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text


def terminal_of(stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> Terminal:
    """The terminal behind this stream. Colour only where a person reads it and has not set NO_COLOR (no-color.org)."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        NEEDED.encode(encoding)
        signs = True
    except (UnicodeError, LookupError):
        signs = False
    if stream is None or not stream.isatty():
        return Terminal(None, False, signs)
    dumb = environment.get("TERM") == "dumb"
    return Terminal(shutil.get_terminal_size().columns, not dumb and not environment.get("NO_COLOR"), signs)


def columns_of(text: str) -> int:
    """How many columns of a terminal this text takes: East Asian letters two, accents of their own none."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    marks = sum(unicodedata.category(sign) in ("Mn", "Me", "Cf") for sign in text)
    return len(text) + wide - marks


def printable(text: str) -> str:
    """A name cannot move the cursor or break the table, whatever an old book has kept."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def table(
    terminal: Terminal,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int] = (),
    spare: Sequence[int] = (),
) -> list[str]:
    """Lines of columns as wide as their widest cell, under a ruled heading.

    ``right`` are flush right. ``spare`` are left out one by one, in this order, until the lines fit the terminal;
    what is too long even then, the terminal wraps.
    """
    cells = [[printable(cell) for cell in row] for row in (head, *rows)]
    widths = [max(columns_of(row[place]) for row in cells) for place in range(len(head))]
    kept = list(range(len(head)))
    for place in spare:
        if terminal.width is None or sum(widths[each] for each in kept) + len(GAP) * (len(kept) - 1) <= terminal.width:
            break
        kept.remove(place)
    lines = []
    for row in cells:
        parts = []
        for place in kept:
            blanks = " " * (widths[place] - columns_of(row[place]))
            parts.append(blanks + row[place] if place in right else row[place] + blanks)
        lines.append(GAP.join(parts).rstrip())
    rule = GAP.join("-" * widths[place] for place in kept)
    return [terminal.bold(lines[0]), terminal.dim(rule), *lines[1:]]


# A line over time in a terminal: braille dots, or plain signs where those cannot be shown. Pure.

BLOCKS: Final = "▁▂▃▄▅▆▇█"
PLAIN_BLOCKS: Final = "_.:-=+*#"
DOTS_ACROSS: Final = 2
DOTS_DOWN: Final = 4
# The bit of each dot in a braille sign, [column][row from the top]. Source: Unicode, "Braille Patterns".
_DOT_BITS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BRAILLE: Final = 0x2800
_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000)


PlottedValue: TypeAlias = tuple[float, float, float]
"""A value with the low and the high end of the range around it that is not ruled out."""


def sparkline(values: Sequence[float], low: float, high: float, width: int, *, signs: bool = True) -> str:
    """The values as a row of bars of eight heights between ``low`` and ``high``, at most ``width`` of them.

    Of more values than that the last of each stretch is shown, so that the newest always is.
    """
    blocks = BLOCKS if signs else PLAIN_BLOCKS
    count = min(width, len(values))
    shown = [values[(place + 1) * len(values) // count - 1] for place in range(count)]
    span = (high - low) or 1.0
    return "".join(blocks[max(0, min(7, math.floor((value - low) / span * 8)))] for value in shown)


def chart(readings: Sequence[PlottedValue], width: int, height: int, *, signs: bool = True) -> list[str]:
    """``height`` lines of at most ``width`` columns: the values as a line, the ends of their ranges as dots.

    The scale at the left has round numbers. It spans the values and the last range; of wider ranges earlier on, the
    part that fits is drawn. At least one reading; a width under 30 columns is taken as 30.
    """
    values, lows, highs = ([reading[part] for reading in readings] for part in range(3))
    low, high = min(lows[-1], *values), max(highs[-1], *values)
    ticks = _ticks(low, high, height)
    labels = [f"{tick:.0f}" for tick in ticks]
    margin = max(len(label) for label in labels) + 1
    columns = max(30, width) - margin - 1
    across, down = (DOTS_ACROSS, DOTS_DOWN) if signs else (1, 1)
    dots_x, dots_y = columns * across, height * down

    def row_of(value: float) -> int:
        return round((high - value) / ((high - low) or 1.0) * (dots_y - 1))

    dots = _path([row_of(value) for value in values], dots_x)
    for ends in (lows, highs):
        for x, y in list(enumerate(_spread([row_of(end) for end in ends], dots_x)))[:: 3 if signs else 2]:
            dots.setdefault((x, y), ".")
    bar = "│" if signs else "|"
    named = {min(height - 1, row_of(tick) // down): label for tick, label in zip(ticks, labels, strict=True)}
    rows = ("".join(_sign(dots, column, row, signs=signs) for column in range(columns)) for row in range(height))
    return [f"{named.get(at, ''):>{margin - 1}} {bar}{row}".rstrip() for at, row in enumerate(rows)]


def _ticks(low: float, high: float, height: int) -> list[float]:
    """Round values between the two, not more than every other line has room for."""
    for step in _STEPS:
        first = math.ceil(low / step)
        ticks = [float(place * step) for place in range(first, math.floor(high / step) + 1)]
        if len(ticks) <= max(2, height // 2):
            return ticks or [round(low / 10) * 10.0]
    return [low, high]


def _spread(rows: Sequence[int], dots_x: int) -> list[int]:
    """The row at every dot across, straight from one reading to the next."""
    if len(rows) == 1:
        return [rows[0]] * dots_x
    found = []
    for x in range(dots_x):
        place = x * (len(rows) - 1) / max(1, dots_x - 1)
        before = min(int(place), len(rows) - 2)
        found.append(round(rows[before] + (rows[before + 1] - rows[before]) * (place - before)))
    return found


def _path(rows: Sequence[int], dots_x: int) -> dict[tuple[int, int], str]:
    """The same without gaps, a star at each dot: where the line is steep its column is filled up to the next row."""
    spread = _spread(rows, dots_x)
    dots: dict[tuple[int, int], str] = {}
    for x, row in enumerate(spread):
        until = spread[x + 1] if x + 1 < dots_x else row
        dots |= dict.fromkeys(((x, each) for each in (row, *range(row, until, 1 if until >= row else -1))), "*")
    return dots


def _sign(dots: Mapping[tuple[int, int], str], column: int, row: int, *, signs: bool) -> str:
    """This cell's sign: its dots in braille, or its one dot as it is."""
    if not signs:
        return dots.get((column, row), " ")
    places = itertools.product(range(DOTS_ACROSS), range(DOTS_DOWN))
    bits = sum(_DOT_BITS[x][y] for x, y in places if (column * DOTS_ACROSS + x, row * DOTS_DOWN + y) in dots)
    return chr(_BRAILLE + bits) if bits else " "
