"""The simulated table as it is shown to those who play at it, and what their hands do there: values only.

Places are millimetres in the board frame, x along the piste and y away from the players; angles turn counter-clockwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from engine.rules.cards import Card
from engine.rules.track import BySide, Side

CARD_MM: Final = (63.0, 88.0)
"""A card of the simulated table, across and down."""


START_MM: Final = BySide((0.0, 0.0), (616.0, 0.0))
"""Where the fencers stand at first."""


@dataclass(frozen=True, slots=True)
class LyingCard:
    """A card on the table with its middle at x, y."""

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Arm:
    """Somebody's hand over the table, its finger tips at x, y; what it holds is drawn under the fingers."""

    side: Side
    x_mm: float
    y_mm: float
    card: LyingCard | None = None
    figure: Side | None = None


@dataclass(frozen=True, slots=True)
class Fan:
    """Cards in a hand at the bottom edge. ``hidden``: they are somebody's who has not taken the screen yet."""

    owner: Side
    cards: tuple[Card, ...]
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class TopView:
    """Everything that is shown of the table. ``cards`` from the lowest up; ``figures`` are where their bases stand.

    ``fans`` are the hands of cards at the bottom edge; ``pile`` counts the cards that nobody has drawn. ``to_deal``
    counts those of them that the companion is owed, to be laid face down in its ``slots_mm``. ``ask`` is what is said
    at the bottom edge, ``offer`` what a tap there does, and ``hint`` how hands are used, in the players' language,
    empty for nothing. ``distance`` stands between the fencers; 0 leaves it out. ``settled`` are cards of turns
    that were ruled on: nobody turns those.
    """

    cards: tuple[LyingCard, ...] = ()
    figures: BySide[tuple[float, float]] = START_MM
    arms: tuple[Arm, ...] = ()
    fans: tuple[Fan, ...] = ()
    pile: int = 0
    to_deal: int = 0
    slots_mm: tuple[tuple[float, float], ...] = ()
    ask: str = ""
    offer: str = ""
    hint: str = ""
    distance: int = 0
    settled: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Laid:
    """A card was laid, or turned where it lies; None is the next one of the pile, face down, whichever that is."""

    card: Card | None
    x_mm: float
    y_mm: float
    turn_deg: float


@dataclass(frozen=True, slots=True)
class Taken:
    """A card was taken back into the hand."""

    card: Card


@dataclass(frozen=True, slots=True)
class Put:
    """A fencer was put down with its base there."""

    side: Side
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True)
class Held:
    """A hand is over the table now, with a card or a fencer in it, or nothing."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    card: Card | None = None
    figure: Side | None = None


@dataclass(frozen=True, slots=True)
class LetGo:
    """No hand is over the table any more."""


@dataclass(frozen=True, slots=True)
class Offered:
    """What was offered at the bottom edge is wanted: the cards shown, or the next round dealt."""


PointerDeed: TypeAlias = Laid | Taken | Put | Held | LetGo | Offered
"""What somebody did with the pointer or with keys."""
