"""What hands do at the simulated table, as values; lengths in millimetres in the board frame.

Angles turn counter-clockwise seen from above; a card at 0 degrees has its top towards +y.
Source: FORMATS.md, "A sitting as a file".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.presses import Button


@dataclass(frozen=True, slots=True)
class Deal:
    """The deck is dealt, from its top: a card each in turn, the starter first, until both have five."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Lay:
    """A card is laid with its middle at x, y, over whatever lies there, wherever it was before."""

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Take:
    """A card is taken off the table; nothing happens where it does not lie there."""

    card: Card


@dataclass(frozen=True, slots=True)
class MoveFigure:
    """A fencer is put with the middle of its base at x, y, as exactly as was said."""

    side: Side
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class MoveTo:
    """A fencer is put into the middle of a space, 1 to 23."""

    side: Side
    space: int


@dataclass(frozen=True, slots=True)
class Cover:
    """A hand is over the table for ``s`` seconds, its finger tips at x, y.

    It holds a card, which is not on the table meanwhile, or a fencer, or nothing.
    """

    x_mm: float
    y_mm: float
    s: float
    card: Card | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class PressButton:
    """A button goes down."""

    button: Button


@dataclass(frozen=True, slots=True)
class Clear:
    """All cards are taken off the table, and the fencers put where a round begins."""


Act: TypeAlias = Deal | Lay | Take | MoveFigure | MoveTo | Cover | PressButton | Clear


@dataclass(frozen=True, slots=True)
class TimedAct:
    """What was done at ``t_s`` on the clock of the frames: the first frame from then on shows it."""

    t_s: float
    act: Act
