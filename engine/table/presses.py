"""Presses: who pressed which button, and when on the camera's clock; and the notes that answer them beside rulings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Final, Protocol

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.strict.values import Alias, Range
from engine.table.observation import FigureProblem, Why

ENDLESS_S: Final = 1e9
"""Thirty years: no clock of frames shows more."""


class Button(Enum):
    """``act`` is the space bar or a touch on the screen: the button of whoever is to act."""

    WHITE = "white"
    BLACK = "black"
    ACT = "act"
    UNDO = "undo"
    MENU = "menu"

    @property
    def side(self) -> Side | None:
        """Whose own button this is, or None."""
        return {Button.WHITE: Side.WHITE, Button.BLACK: Side.BLACK}.get(self)


@dataclass(frozen=True, slots=True)
class Press:
    """A button went down at ``t_s`` on the clock of the frames; in a file its time is called ``t``."""

    t_s: Annotated[float, Range(-ENDLESS_S, ENDLESS_S), Alias("t")]
    button: Button


class Presses(Protocol):
    """Where presses come from. ``due`` hands out each press once, when its time has come."""

    def due(self, now_s: float) -> tuple[Press, ...]: ...


# No press is met with silence: where no ruling answers it, a note does. News of the scorebook are notes, too.


class NoteKind(Enum):
    """The subject of a note; most say why a press led to no ruling."""

    NOT_YOUR_TURN = "not_your_turn"
    CANNOT_SEE = "cannot_see"
    FIGURE_UNREADABLE = "figure_unreadable"
    ROUND_NOT_SET_UP = "round_not_set_up"
    ROUND_TAKEN_UP = "round_taken_up"  # its start was missed: it goes on from what lies there
    HANDS_NOT_SHOWN = "hands_not_shown"
    CARD_UNSURE = "card_unsure"
    CARD_COVERED = "card_covered"  # cards that lay there, and lie beneath others or were taken back
    CARD_HIDDEN = "card_hidden"
    CAME_LATER = "came_later"  # cards laid so long after the press that they may be the next turn's
    TABLE_AGREES = "table_agrees"  # compared with the record: play goes on
    TABLE_IMPOSSIBLE = "table_impossible"  # the table cannot be right: White stands right of Black
    CORRECTION_REFUSED = "correction_refused"  # the match went on meanwhile
    BOOK_SALVAGED = "book_salvaged"  # count: matches recovered from a damaged scorebook
    BOOK_LOST = "book_lost"  # nothing could be
    NOT_KEPT = "not_kept"  # it could not be put on disk, so it did not happen


@dataclass(frozen=True, slots=True)
class Note:
    """A note given at ``t_s``. ``side``: whose turn it is, or whose figure; ``why`` and ``problem``: what is wrong;
    ``cards``: those out of sight, to be shown if they were laid; ``count``: how many matches. It stands until the table
    changes, but ``hold_s`` at least."""

    kind: NoteKind
    t_s: float
    side: Side | None = None
    why: Why | None = None
    problem: FigureProblem | None = None
    cards: tuple[Card, ...] = ()
    count: int = 0
    hold_s: float = 0.0
