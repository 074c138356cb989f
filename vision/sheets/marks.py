"""Markers with their white margin, crosses, and our own sign, for several sheets."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vision.printed.tags import MARGIN_CELLS, marker_bits
from vision.sheets.shapes import (
    WHITE,
    Code,
    Disc,
    Oblong,
    Path,
    Pen,
    Place,
    PrintColour,
    Rect,
    Shape,
    Stroke,
    group,
)


def square(middle: Place, side_mm: float) -> Rect:
    """A square around a place."""
    return Rect(middle[0] - side_mm / 2, middle[1] - side_mm / 2, side_mm, side_mm)


def margin_mm(size_mm: float, dictionary: str) -> float:
    """How wide the white margin around a marker of this size is."""
    return size_mm / len(marker_bits(0, dictionary)) * MARGIN_CELLS


def marker(middle: Place, marker_id: int, size_mm: float, dictionary: str) -> Iterator[Shape]:
    """A marker upright around a place, ``size_mm`` its black square, on its white margin."""
    black = square(middle, size_mm)
    yield Oblong(black.grown(margin_mm(size_mm, dictionary)), fill=WHITE)
    yield Code(black, marker_bits(marker_id, dictionary))


def cross(middle: Place, reach_mm: float, pen: Pen) -> Iterator[Shape]:
    """Two lines through a place."""
    x, y = middle
    yield Stroke((x - reach_mm, y), (x + reach_mm, y), pen)
    yield Stroke((x, y - reach_mm), (x, y + reach_mm), pen)


def crossed_foils(width_mm: float, metal: PrintColour, blade: PrintColour) -> Iterator[Shape]:
    """Our own sign, so wide: two foils, points up, crossing in the middle of a frame of their own."""
    tilt = 62.0
    length = width_mm / math.sin(math.radians(tilt))
    for way in (-1.0, 1.0):
        yield group(_foil(length, metal, blade), (0.0, 0.0), way * tilt)


def _foil(length: float, metal: PrintColour, blade: PrintColour) -> Iterator[Shape]:
    """A foil standing upright, its middle at the origin."""
    guard, top, end = length * 0.27, -length / 2, length / 2
    thick = length * 0.012
    yield Path(((-thick, guard), (-thick * 0.5, top), (thick * 0.5, top), (thick, guard)), fill=blade)
    yield Stroke((0.0, guard), (0.0, end), Pen(metal, length * 0.035))
    turns = [math.pi * step / 16 for step in range(17)]
    bell = tuple((length * 0.075 * math.cos(turn), guard - length * 0.035 * math.sin(turn)) for turn in turns)
    yield Path(bell, fill=metal)
    yield Disc((0.0, end), length * 0.026, fill=metal)
    yield Disc((0.0, top), length * 0.010, fill=metal)
