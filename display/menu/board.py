"""Positions drawn on a page, as values: one to play on by tapping, and a round of a past match turn by turn.

The lines of a page with a ``Board`` are its cards, the turns they may be, and its buttons; ``display.screens.board``
gives each its place. Keeping the score by hand and solving a puzzle use the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from display.menu.lines import Act, Line
from display.view import Mark, PanelLine, PisteView
from display.words.review import ReviewView
from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from engine.table.possible_turns import Values


class GivenUp(Enum):
    """A turn that is none: the player is hit, or cannot move."""

    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand that lies open, and whose it is; without cards one that is hidden, as the title says."""

    side: Side
    title: str
    cards: Values


@dataclass(frozen=True, slots=True)
class Board:
    """A position drawn over the lines of the page.

    ``head`` stands between the two names. ``ask`` says what to do now, ``told`` adds to it, marked by ``mark``. The
    distance is hidden if its text is empty. ``named`` cards were tapped, ``owed`` ones follow from the attack,
    ``usable`` values may be tapped and lead to ``spaces``. ``hands`` lie open; ``played`` cards are shown if the answer
    depends on them. ``plain``: points only, without a piste.
    """

    piste: PisteView
    names: BySide[str]
    score: BySide[int]
    ask: str
    told: str = ""
    mark: Mark = Mark.PLAIN
    head: str = ""
    named: Values = ()
    owed: Values = ()
    owed_text: str = ""
    usable: Values = ()
    spaces: tuple[int, ...] = ()
    hands: tuple[HandView, ...] = ()
    played: tuple[Card, ...] = ()
    played_text: str = ""
    plain: bool = False


def is_card(line: Line) -> bool:
    """Whether this line is a card to tap."""
    return isinstance(line, Act) and line.deed == "lay"


def is_way(line: Line) -> bool:
    """Whether this line is a turn to choose."""
    return isinstance(line, Act) and line.deed == "way"


@dataclass(frozen=True, slots=True)
class PastTurn:
    """The table after a turn of a round, or as it began. ``text`` says what was done, ``note`` what hung on it."""

    text: str
    piste: PisteView
    note: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A turn, from 1, that was a mistake: who made it, and whether it is kept as that player's puzzle."""

    number: int
    name: str
    kept: bool = False


@dataclass(frozen=True, slots=True)
class PastRound:
    """A round turn by turn, the first entry as it began, and its review so far.

    ``offer``: the words and the number of the line that makes the shown mistake a puzzle.
    """

    turns: tuple[PastTurn, ...]
    review: ReviewView
    at: int = 0
    mistakes: tuple[Mistake, ...] = ()
    offer: tuple[str, int] | None = None


MAX_SAID: Final = 2
"""So many lines have room between table and graph: what hung on a turn is said elsewhere where the review says more."""


def said_of(past: PastRound) -> tuple[PanelLine, ...]:
    """What the review says of the shown turn, and the turn's note if there is room."""
    own, turn = _reviewed(past), past.turns[past.at]
    if turn.note and len(own) < MAX_SAID:
        own = [*(own or [PanelLine(turn.text)]), PanelLine(turn.note)]
    return tuple(own)


def unsaid_of(past: PastRound) -> str:
    """The note of the shown turn, if ``said_of`` has no room for it."""
    return past.turns[past.at].note if len(_reviewed(past)) >= MAX_SAID else ""


def _reviewed(past: PastRound) -> list[PanelLine]:
    lead = f"{past.at}. "
    own: list[PanelLine] = []
    for line in past.review.lines:
        if own and line.mark is Mark.GOOD:
            own.append(line)
        elif own:
            break
        elif line.text.startswith(lead):
            own.append(line)
    return own
