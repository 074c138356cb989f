"""A position that is drawn on a page and played on by tapping: values only, nothing is drawn.

The lines of such a page are its cards, the turns they may be, and its buttons; ``display.screens.board`` gives each its
place. Who keeps the score by hand and who solves a puzzle taps the same things.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from display.menu.lines import Do, Line, Of
from display.view import Mark, PisteView
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
    """What is drawn over the lines of the page.

    ``head`` stands between the two names. ``ask`` says what to do now, ``told`` what there is to know with it, as
    ``mark`` says. Without a text for it, the distance does not matter any more. ``named`` cards were tapped, ``owed``
    follow from the attack, ``usable`` values may be tapped, and lead to ``spaces``. ``hands`` lie open; ``played``
    cards are shown where the answer depends on them. ``plain``: points only, without a piste.
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
    return isinstance(line, Of) and line.what is Do.LAY


def is_way(line: Line) -> bool:
    """Whether this line is a turn to choose."""
    return isinstance(line, Of) and line.what is Do.WAY
