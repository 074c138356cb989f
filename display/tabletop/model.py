"""The simulated table as it is shown to those who play at it, and what their hands do there: values only.

Places are millimetres in the board frame, x along the piste and y away from the players; angles turn counter-clockwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from engine.table.possible_turns import Lead

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


Target: TypeAlias = int | None
"""Where a card in hand can be played to: a space for the own fencer, or the opponent (None)."""


@dataclass(frozen=True, slots=True)
class TopView:
    """Everything that is shown of the table. ``cards`` from the lowest up; ``figures`` are where their bases stand.

    ``fans`` are the hands of cards at the bottom edge; ``pile`` counts the cards that nobody has drawn. ``to_deal``
    counts those of them that the companion is owed, to be laid face down in its ``slots_mm``. ``ask`` is what is said
    in the bar, ``offer`` what a tap on the one button does, and ``hint`` how hands are used, in the players' language,
    empty for nothing. ``distance`` stands between the fencers; 0 leaves it out. ``settled`` are cards of turns
    that were ruled on: nobody turns those. ``discards`` are those of them that were squared up, beside the play area.

    ``player`` is whose turn it is, where somebody at this screen plays it, and ``leads`` is where each card of that
    hand can be played to, by the enumeration of legal turns. ``steps``: spaces that the cards which lie there lead to.
    ``stuck``: no card of it leads anywhere, and none was laid yet. ``answers``: an attack waits for them. ``waits``: a
    bot plays. ``act`` is what the one button says, empty for no button; ``ready``: it is what comes next. ``both``:
    White and Black have a button each. ``ended``: what both held when the round ended, where that is known.
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
    discards: tuple[Card, ...] = ()
    player: Side | None = None
    leads: Mapping[Card, Lead] = field(default_factory=dict)
    steps: tuple[int, ...] = ()
    stuck: bool = False
    answers: bool = False
    waits: bool = False
    act: str = ""
    ready: bool = False
    both: bool = False
    ended: BySide[tuple[Card, ...]] | None = None

    def parries(self, card: Card) -> bool:
        """Whether this card of a hand parries the attack."""
        return self.leads.get(card, Lead()).parries

    def targets(self, card: Card) -> tuple[Target, ...]:
        """Where this card of a hand can be played to, the space that is farthest forward first."""
        lead = self.leads.get(card, Lead())
        return (*reversed(lead.spaces), *((None,) if lead.strikes or lead.parries else ()))


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
class Played:
    """A card of the hand was played to where it leads: laid, and the own fencer moved to that space."""

    card: Card
    target: Target


@dataclass(frozen=True, slots=True)
class Acted:
    """The one button was pressed: what it says is wanted."""


PointerDeed: TypeAlias = Laid | Taken | Put | Held | LetGo | Played | Acted
"""What somebody did with the pointer or with keys."""
