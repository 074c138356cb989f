"""The table as the frames have agreed on it: vision's promise to the engine.

Lengths are millimetres in the board frame (origin at the centre of space 1, x towards space 23, y away from the
players). Source: FORMATS.md, "Cameras see" and "The table file".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.rules.cards import Card
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side


class Sight(Enum):
    """How far the eyes can be trusted at this moment."""

    STEADY = "steady"
    CHECKING = "checking"
    BLIND = "blind"


class Why(Enum):
    """The reason why the eyes are not steady."""

    HAND = "hand"
    DARK = "dark"
    GLARE = "glare"
    BLUR = "blur"
    MOVED = "moved"
    BOARD_LOST = "board_lost"
    TAG_HIDDEN = "tag_hidden"
    CAMERA_LOST = "camera_lost"


class FigureProblem(Enum):
    """Why a fencer has no space although the table is in view."""

    HIDDEN = "hidden"
    BETWEEN_SPACES = "between_spaces"
    OFF_TRACK = "off_track"
    LYING = "lying"


@dataclass(frozen=True, slots=True)
class FigureReading:
    """Where a fencer stands. ``space`` is None exactly when ``problem`` says why; ``x_mm`` None when unseen."""

    space: int | None
    problem: FigureProblem | None = None
    x_mm: float | None = None


@dataclass(frozen=True, slots=True)
class CardReading:
    """A card on the table and the place of its middle.

    ``laid_at_s`` is when it came to lie at this place (camera's clock); a card already played that is taken up and
    laid again gets a new one. ``covered``: not in sight now, beneath others or in the light.
    """

    card: Card
    x_mm: float
    y_mm: float
    laid_at_s: float
    covered: bool = False


class DoubtReason(Enum):
    """Why it is not known what lies somewhere."""

    COVERED = "covered"  # a card was read too seldom to be agreed on, and another one lies there now
    HALF_HIDDEN = "half_hidden"  # no known card explains a code that nobody can read, or that does not lie level
    BURNT = "burnt"  # the same, and light burns it out at the moment
    LIGHT = "light"  # light burns on cards that nobody reads, and a hand was there since


@dataclass(frozen=True, slots=True)
class Doubt:
    """A thing that may lie in the play area, since when at the latest, why it is not known; ``card``: a known one."""

    x_mm: float
    y_mm: float
    since_s: float
    why: DoubtReason = field(default=DoubtReason.HALF_HIDDEN, compare=False)  # it is the same thing in any light
    card: Card | None = None

    @property
    def glares(self) -> bool:
        """Whether light burns there."""
        return self.why in (DoubtReason.BURNT, DoubtReason.LIGHT)


@dataclass(frozen=True, slots=True)
class BackReading:
    """A card that lies face down where backs are looked for: its back's token, the card's middle, and since when."""

    token: str
    x_mm: float
    y_mm: float
    since_s: float


@dataclass(frozen=True, slots=True)
class TableObservation:
    """The agreed table at ``t_s`` on the camera's clock.

    ``cards`` are in the order in which they came to lie where they lie (the newest last). ``since_s`` is the time
    from which this table (spaces and cards) has stood unchanged. ``why`` is None exactly when ``sight`` is steady;
    ``why_side`` names the fencer when its tag is hidden. ``foreign_decks`` are the letters of other decks in sight.
    ``doubts``: what may lie there besides. ``backs`` are cards lying face down, where the eyes were asked for them:
    empty in a game of two people.
    """

    t_s: float
    since_s: float
    figures: BySide[FigureReading]
    cards: tuple[CardReading, ...]
    sight: Sight
    why: Why | None = None
    why_side: Side | None = None
    foreign_decks: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    backs: tuple[BackReading, ...] = ()

    @property
    def glimpsed(self) -> tuple[Card, ...]:
        """Cards that were read too seldom: covered before enough looks were had, or taken back into the hand."""
        return tuple(doubt.card for doubt in self.doubts if doubt.card is not None)

    @property
    def unread(self) -> tuple[Doubt, ...]:
        """Codes that nobody can read and no known card explains: cards half hidden, perhaps."""
        return tuple(doubt for doubt in self.doubts if doubt.why in (DoubtReason.HALF_HIDDEN, DoubtReason.BURNT))

    @property
    def outshone(self) -> tuple[Doubt, ...]:
        """Where another card may have been laid into the light on cards that nobody reads."""
        return tuple(doubt for doubt in self.doubts if doubt.why is DoubtReason.LIGHT)


def is_quiet(seen: TableObservation, for_s: float) -> bool:
    """Whether the eyes are steady and the table has stood unchanged for so long."""
    return seen.sight is Sight.STEADY and seen.t_s - seen.since_s >= for_s


def may_begin(seen: TableObservation, for_s: float) -> bool:
    """Whether a board that is set up has stood so for so long, as far as a round may begin on it.

    Glare on an empty table keeps nobody from it: it may hide a card that was forgotten, and that one counts for none.
    """
    glares = seen.sight is Sight.CHECKING and seen.why is Why.GLARE and seen.t_s - seen.since_s >= for_s
    return glares or is_quiet(seen, for_s)


def unsure(state: PublicState, seen: TableObservation) -> tuple[Card, ...]:
    """Cards glimpsed that this round has not counted as played: perhaps laid this turn."""
    return tuple(card for card in seen.glimpsed if card not in state.played)


def half_hidden(opened_s: float, seen: TableObservation) -> tuple[Doubt, ...]:
    """Labels that came in sight in the turn opened then and cannot be read: perhaps its cards, under others."""
    return tuple(label for label in seen.unread if label.since_s > opened_s)


def shining(opened_s: float, seen: TableObservation) -> tuple[Doubt, ...]:
    """Half-hidden labels that light burns out now: each is a label that lies there, and no remainder of one."""
    return tuple(label for label in half_hidden(opened_s, seen) if label.glares)


def outshone(opened_s: float, seen: TableObservation) -> tuple[Doubt, ...]:
    """Where light burns on cards that nobody reads, and a hand was in the turn opened then: others may lie on them."""
    return tuple(place for place in seen.outshone if place.since_s > opened_s)


def figures_are_read(seen: TableObservation) -> bool:
    """Whether it is known on which space each figure stands."""
    return all(figure.space is not None for _, figure in seen.figures.items())


# Which way a camera has to be turned until all corner markers of the board are in its picture.


class CameraTurn(Enum):
    """Where the camera is to look, as somebody at the players' side says it; White sits at the left."""

    LEFT = "left"
    RIGHT = "right"
    AWAY = "away"
    NEAR = "near"
    HIGHER = "higher"  # it is too close: the board sticks out on two sides


@dataclass(frozen=True, slots=True)
class Aim:
    """How many of the corner markers are seen, and what is to be done about the others.

    ``turn`` None with some missing: these lie in the picture and cannot be read, or, where none is seen, nobody knows
    where they are. ``mirrored``: the picture is a mirror image, and none can be read for that.
    """

    seen: int
    of: int
    turn: CameraTurn | None = None
    mirrored: bool = False

    @property
    def done(self) -> bool:
        """Whether all are seen."""
        return self.seen >= self.of
