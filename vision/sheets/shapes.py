"""The parts of a page: frozen vector shapes in millimetres, origin at the top left, x right, y down; and our marks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from vision.printed.tags import MARGIN_CELLS, Bits, marker_bits

PrintColour = tuple[float, float, float]
"""Red, green, blue, each 0 to 1."""

BLACK: Final[PrintColour] = (0.0, 0.0, 0.0)
WHITE: Final[PrintColour] = (1.0, 1.0, 1.0)
INK: Final[PrintColour] = (0.13, 0.13, 0.15)
GREY: Final[PrintColour] = (0.42, 0.43, 0.46)
PALE: Final[PrintColour] = (0.80, 0.81, 0.83)
CUT: Final[PrintColour] = (0.45, 0.45, 0.48)
FOLD: Final[PrintColour] = (0.10, 0.35, 0.75)

Anchor = Literal["left", "middle", "right"]
Place = tuple[float, float]


class Rect(NamedTuple):
    """A rectangle of a page."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> Place:
        return self.x + self.width / 2, self.y + self.height / 2

    def grown(self, by_mm: float) -> Rect:
        """The same with every edge moved out by so much."""
        return Rect(self.x - by_mm, self.y - by_mm, self.width + 2 * by_mm, self.height + 2 * by_mm)


class Pen(NamedTuple):
    """How a line is drawn; ``dash_mm`` is on, off, on, off …; empty for a solid one."""

    colour: PrintColour
    width_mm: float
    dash_mm: tuple[float, ...] = ()


CUT_PEN: Final = Pen(CUT, 0.2)
FOLD_PEN: Final = Pen(FOLD, 0.3, (2.4, 1.2))
HAIR: Final = Pen(GREY, 0.15)


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    start: Place
    end: Place
    pen: Pen


@dataclass(frozen=True, slots=True)
class Oblong:
    """A rectangle, its corners rounded by ``radius_mm``; filled, outlined or both."""

    rect: Rect
    fill: PrintColour | None = None
    pen: Pen | None = None
    radius_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class Path:
    """Points joined by straight lines; a closed one may be filled."""

    points: tuple[Place, ...]
    fill: PrintColour | None = None
    pen: Pen | None = None
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle."""

    middle: Place
    radius_mm: float
    fill: PrintColour | None = None
    pen: Pen | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text. ``at`` is on its baseline; ``size_mm`` is the height of a capital letter."""

    at: Place
    text: str
    size_mm: float
    colour: PrintColour = INK
    bold: bool = False
    anchor: Anchor = "left"


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A QR code or marker: black squares only, no margin. ``rect`` holds exactly its cells."""

    rect: Rect
    bits: Bits


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes with an origin of their own, put at ``at``, turned clockwise, and cut off outside ``clip``."""

    shapes: tuple[Shape, ...]
    at: Place = (0.0, 0.0)
    turn_deg: float = 0.0
    clip: Rect | None = None


Shape = Stroke | Oblong | Path | Disc | Text | Code | Group


def group(shapes: Iterable[Shape], at: Place = (0.0, 0.0), turn_deg: float = 0.0, clip: Rect | None = None) -> Group:
    """A group of whatever shapes."""
    return Group(tuple(shapes), at, turn_deg, clip)


def half_round(shapes: Iterable[Shape], width_mm: float, height_mm: float) -> Group:
    """Shapes of a piece of this size, turned half round within it."""
    return group(shapes, (width_mm, height_mm), 180.0)


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
