"""What vision promises the engine: the table as the frames have agreed on it.

Lengths are millimetres in the board frame (origin at the centre of space 1, x towards space 23, y away from the
players). Source: FORMATS.md, "Cameras see" and "The table file".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from engine.rules.cards import Card
from engine.rules.track import BySide, Side


class Sight(Enum):
    """How far the eyes can be trusted at this moment."""

    STEADY = "steady"
    CHECKING = "checking"
    BLIND = "blind"


class Why(Enum):
    """What keeps the eyes from being steady."""

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
    laid again gets a new one. ``covered``: not in sight now, known to lie beneath others.
    """

    card: Card
    x_mm: float
    y_mm: float
    laid_at_s: float
    covered: bool = False


@dataclass(frozen=True, slots=True)
class UnreadLabel:
    """A code in the play area that is seen since ``since_s`` and that nobody can read: a card half hidden, perhaps.

    ``glares``: light burns it out at the moment.
    """

    x_mm: float
    y_mm: float
    since_s: float
    glares: bool = field(default=False, compare=False)  # it is the same label in any light


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
    ``why_side`` names the fencer when his tag is hidden. ``foreign_decks`` are the letters of other decks in sight.
    ``glimpsed`` are cards that were read too seldom to be agreed on and are not in sight now: perhaps covered by the
    next one before enough looks were had, perhaps taken back into the hand. ``unread`` are codes that no known card
    explains; ``outshone`` are places where light burns on cards that nobody reads now, since a hand was there last:
    another card may have been laid on them then. ``backs`` are cards lying face down, where the eyes were asked for
    them: empty in a game of two people.
    """

    t_s: float
    since_s: float
    figures: BySide[FigureReading]
    cards: tuple[CardReading, ...]
    sight: Sight
    why: Why | None = None
    why_side: Side | None = None
    foreign_decks: tuple[str, ...] = ()
    glimpsed: tuple[Card, ...] = ()
    unread: tuple[UnreadLabel, ...] = ()
    outshone: tuple[UnreadLabel, ...] = ()
    backs: tuple[BackReading, ...] = ()
