"""Notes beside rulings: answers to a press, so that none is met with silence, and news of the scorebook."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import FigureProblem, Why


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
