"""What lies, stands and moves on one table at one moment, for any renderer: millimetres in the board frame."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from engine.rules.cards import Card
from engine.rules.track import Side
from vision.frame import Picture

PRINTED_QR_MM: Final = 25.0
_GROWN: Final = 1.3
"""A label with what its quiet zone needs, in labels."""

Polygon = np.ndarray


@dataclass(frozen=True, slots=True)
class Laid:
    """A card and how it lies; ``labels``: from its left and top edge, and how far turned."""

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float
    level: int
    size_mm: tuple[float, float]
    labels: tuple[tuple[float, float, float], tuple[float, float, float]]
    bent_mm: float = 0.0

    def outline(self) -> Polygon:
        """Its four corners, (4, 2) mm."""
        width, height = self.size_mm
        return self._placed([(0, 0), (width, 0), (width, height), (0, height)])

    def label_outlines(self) -> tuple[Polygon, Polygon]:
        """Both labels with the paper that has to be seen round them, (4, 2) mm each."""
        width, height = self.size_mm
        found = []
        for number, (x, y, _) in enumerate(self.labels):
            margin = PRINTED_QR_MM * (_GROWN - 1) / 2
            a, b, c = x - margin, y - margin, PRINTED_QR_MM + 2 * margin
            points = [(a, b), (a + c, b), (a + c, b + c), (a, b + c)]
            found.append(self._placed([(width - px, height - py) for px, py in points] if number else points))
        return found[0], found[1]

    def _placed(self, points: list[tuple[float, float]]) -> Polygon:
        """Points from the card's left and top edge, on the table."""
        width, height = self.size_mm
        flat = np.array([(x - width / 2, height / 2 - y) for x, y in points])
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return np.asarray(flat @ np.array([[c, s], [-s, c]]) + (self.x_mm, self.y_mm))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a fencer's base really stands."""

    space: int
    x_mm: float
    y_mm: float
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Reaching:
    """A hand with its finger tips at a place, and what it holds: a card, or a side's fencer."""

    side: Side
    x_mm: float
    y_mm: float
    z_mm: float
    card: Laid | None = None
    fencer: Side | None = None


@dataclass(slots=True)
class Room:
    """One moment. ``light`` scales the whole picture, ``bumped`` and ``lamps`` say which camera and light it is.

    ``boxed`` is the corner marker (its number in the table file) that something stands on; ``heads`` are those who
    lean in: x and how far they reach into the picture, mm.
    """

    cards: dict[Card, Laid] = field(default_factory=dict)
    figures: dict[Side, Standing] = field(default_factory=dict)
    hands: dict[Side, Reaching] = field(default_factory=dict)
    heads: tuple[tuple[float, float], ...] = ()
    light: float = 1.0
    blur_px: float = 0.0
    boxed: int | None = None
    bumped: bool = False
    lamps: int = 0

    @property
    def still(self) -> tuple[object, ...]:
        """All that does not move by itself: while this is equal, the still scene is the same."""
        return (
            tuple(self.cards.values()),
            tuple(sorted(self.figures.items(), key=lambda item: item[0].value)),
            self.boxed,
            self.bumped,
            self.lamps,
        )


class World(Protocol):
    """A renderer of rooms."""

    fps: float

    def picture(self, room: Room, index: int) -> Picture:
        """What the camera sees of this room at its ``index``-th frame, grey."""

    def calibration_frames(self, room: Room) -> list[Picture]:
        """A few frames of this room at rest, as ``engarde calibrate`` takes them."""
