"""Answers to a press that are no rulings, so that no press is met with silence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine.cards import Card
from engine.observation import FigureProblem, Why
from engine.track import Side


class NoteKind(Enum):
    """Why a press led to no ruling."""

    NOT_YOUR_TURN = "not_your_turn"
    CANNOT_SEE = "cannot_see"
    FIGURE_UNREADABLE = "figure_unreadable"
    ROUND_NOT_SET_UP = "round_not_set_up"
    HANDS_NOT_SHOWN = "hands_not_shown"
    CARD_UNSURE = "card_unsure"
    CARD_HIDDEN = "card_hidden"


@dataclass(frozen=True, slots=True)
class Note:
    """A note given at ``t_s``. ``side``: whose turn it is, or whose figure; ``why`` and ``problem``: what is wrong;
    ``cards``: those that were glimpsed, and are to be shown if they were laid."""

    kind: NoteKind
    t_s: float
    side: Side | None = None
    why: Why | None = None
    problem: FigureProblem | None = None
    cards: tuple[Card, ...] = ()
