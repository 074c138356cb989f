"""Our own sign: two foils crossed, for the backs of cards and the mat."""

from __future__ import annotations

import math
from collections.abc import Iterator

from vision.sheets.shapes import Disc, Path, Pen, PrintColour, Shape, Stroke, group


def crossed_foils(width_mm: float, metal: PrintColour, blade: PrintColour) -> Iterator[Shape]:
    """Two foils, points up, crossing in the middle of a frame of their own; as wide as said."""
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
    yield Path(
        tuple((length * 0.075 * math.cos(a), guard - length * 0.035 * math.sin(a)) for a in _half_turn()), fill=metal
    )
    yield Disc((0.0, end), length * 0.026, fill=metal)
    yield Disc((0.0, top), length * 0.010, fill=metal)


def _half_turn() -> list[float]:
    return [math.pi * step / 16 for step in range(17)]
