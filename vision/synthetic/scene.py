"""Things that lie, stand and move on the simulated table: immutable values, millimetres in the board frame.

Angles turn counter-clockwise seen from above; a card at 0 degrees has its top towards +y, as its player reads it.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from engine.rules.cards import Card
from engine.rules.track import Side
from vision.printed.table import CardSize, Table
from vision.synthetic.drawing import Sprite
from vision.synthetic.studio import Studio

CARD_WIDTH_MM = 63.0
CARD_HEIGHT_MM = 88.0
CARD_THICKNESS_MM = 0.3
CARD_SIZE = CardSize(CARD_WIDTH_MM, CARD_HEIGHT_MM)


class StuckLabel(NamedTuple):
    """A label as somebody stuck it on a card: its middle from the card's, to the right and up, and its own turn."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class CardMake:
    """How a card is made: its size, and its two labels where they are stuck on and not printed."""

    size: CardSize = CARD_SIZE
    labels: tuple[StuckLabel, ...] = ()


PRINTED = CardMake()


@dataclass(frozen=True, slots=True)
class SceneCard:
    """A card with its middle at x, y. ``level`` counts the cards it lies on; higher levels hide lower ones.

    ``lifted_mm`` holds it in the air above its level. ``deck`` is another deck's letter for a foreign card; None is
    the table's own. ``back`` is the token of the label on its back; None where there is none. ``make`` is for cards
    that differ from the printed ones, which must lie face up.
    """

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    level: int = 0
    face_up: bool = True
    lifted_mm: float = 0.0
    deck: str | None = None
    back: str | None = None
    make: CardMake = PRINTED


@dataclass(frozen=True, slots=True)
class SceneFigure:
    """A fencer whose base has its middle at x, y on a surface at ``z_mm``; it looks along the piste at 0 degrees.

    ``lying`` has it fallen on its back, the tag's tab on edge. ``lifted_mm`` holds it in the air.
    """

    side: Side
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    lying: bool = False
    lifted_mm: float = 0.0
    z_mm: float = 0.0


@dataclass(frozen=True, slots=True)
class SceneHand:
    """A hand whose finger tips are at x, y, ``height_mm`` above the track, its arm coming from ``from_deg``.

    ``from_deg`` is the direction in which the elbow lies seen from the finger tips: -90 is straight from the players'
    side. ``holds`` is drawn under the fingers at its own place. ``velocity_mm_s`` (x, y) blurs hand and what it holds.
    Without ``height_mm`` the tips are where they grip what they hold, or just above the table.
    """

    side: Side
    x_mm: float
    y_mm: float
    from_deg: float = -90.0
    height_mm: float | None = None
    holds: SceneCard | SceneFigure | None = None
    velocity_mm_s: tuple[float, float] = (0.0, 0.0)


class SceneThing(Hashable, Protocol):
    """Something that does not belong to the game; equal to what looks the same."""

    @property
    def x_mm(self) -> float: ...

    @property
    def y_mm(self) -> float: ...

    @property
    def stands(self) -> bool:
        """Whether it hides what is behind it."""

    def sprites(self, studio: Studio) -> tuple[Sprite, ...]:
        """Its shadow and its body."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything in view at one moment. ``light`` scales its grey levels: 1 is a lit room, 0.1 almost dark."""

    cards: tuple[SceneCard, ...] = ()
    white: SceneFigure | None = None
    black: SceneFigure | None = None
    hands: tuple[SceneHand, ...] = ()
    things: tuple[SceneThing, ...] = ()
    light: float = 1.0

    @property
    def figures(self) -> tuple[SceneFigure, ...]:
        """The fencers that stand or lie on the table, not those in a hand."""
        return tuple(figure for figure in (self.white, self.black) if figure is not None)


def figure_at(table: Table, side: Side, space: int) -> SceneFigure:
    """The fencer standing upright in the middle of this space."""
    place = table.space_mm(space)
    return SceneFigure(side, place.x, place.y, z_mm=place.z)
