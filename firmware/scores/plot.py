"""A line over time in a terminal: braille dots, or plain signs where those cannot be shown. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

BLOCKS: Final = "▁▂▃▄▅▆▇█"
PLAIN_BLOCKS: Final = "_.:-=+*#"
DOTS_ACROSS: Final = 2
DOTS_DOWN: Final = 4
# The bit of each dot in a braille sign, [column][row from the top]. Source: Unicode, "Braille Patterns".
_DOT_BITS: Final = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BRAILLE: Final = 0x2800
_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000, 2000)


@dataclass(frozen=True, slots=True)
class PlottedValue:
    """One value with the range around it that is not ruled out."""

    value: float
    low: float
    high: float


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
    low = min(readings[-1].low, *(reading.value for reading in readings))
    high = max(readings[-1].high, *(reading.value for reading in readings))
    ticks = _ticks(low, high, height)
    labels = [f"{tick:.0f}" for tick in ticks]
    margin = max(len(label) for label in labels) + 1
    columns = max(30, width) - margin - 1
    across, down = (DOTS_ACROSS, DOTS_DOWN) if signs else (1, 1)
    dots_x, dots_y = columns * across, height * down

    def row_of(value: float) -> int:
        return round((high - value) / ((high - low) or 1.0) * (dots_y - 1))

    line = _path([row_of(reading.value) for reading in readings], dots_x)
    edges = [
        _spread([row_of(end) for end in ends], dots_x)
        for ends in ([reading.low for reading in readings], [reading.high for reading in readings])
    ]
    dotted = {(x, rows[x]) for rows in edges for x in range(0, dots_x, 3 if signs else 2)}
    bar = "│" if signs else "|"
    named = {min(height - 1, row_of(tick) // down): label for tick, label in zip(ticks, labels, strict=True)}
    draw = _braille if signs else _plain
    return [
        f"{named.get(row, ''):>{margin - 1}} {bar}{draw(line, dotted, row, columns)}".rstrip() for row in range(height)
    ]


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


def _path(rows: Sequence[int], dots_x: int) -> set[tuple[int, int]]:
    """The same without gaps: where the line is steep its column is filled up to the next one's row."""
    spread = _spread(rows, dots_x)
    dots = set()
    for x, row in enumerate(spread):
        until = spread[x + 1] if x + 1 < dots_x else row
        step = 1 if until >= row else -1
        dots |= {(x, each) for each in range(row, until, step)} | {(x, row)}
    return dots


_Dots = set[tuple[int, int]]
_Draw = Callable[[_Dots, _Dots, int, int], str]


def _braille(line: _Dots, dotted: _Dots, row: int, columns: int) -> str:
    signs = []
    for column in range(columns):
        bits = 0
        for across in range(DOTS_ACROSS):
            for down in range(DOTS_DOWN):
                dot = (column * DOTS_ACROSS + across, row * DOTS_DOWN + down)
                if dot in line or dot in dotted:
                    bits |= _DOT_BITS[across][down]
        signs.append(chr(_BRAILLE + bits) if bits else " ")
    return "".join(signs)


def _plain(line: _Dots, dotted: _Dots, row: int, columns: int) -> str:
    return "".join(
        "*" if (column, row) in line else "." if (column, row) in dotted else " " for column in range(columns)
    )
