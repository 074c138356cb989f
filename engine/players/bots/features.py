"""What the judgement looks at: which rows of its table of weights count for a position.

A position is one that a player has just left behind: the hand before it is refilled, the attack just made, what he has
not seen. Each of its features is one row. How the hand and the unseen cards count depends on the situation: how far the
fencers stand apart, or which attack has been made from there.
"""

from __future__ import annotations

from typing import Final

from engine.players.bots.hands import HANDS
from engine.players.bots.options import APART, INDIRECT
from engine.rules.cards import HAND_SIZE, VALUES
from engine.rules.state import PILE_SIZE

FAR: Final = 11
"""Distances from here on are one situation: nobody can attack before he has come nearer by a turn."""
SITUATIONS: Final = FAR + 2 * HAND_SIZE
_HELD: Final = HAND_SIZE + 1
_STAGES: Final = 7
_MAX_LEAD: Final = 7


class _Layout:
    """Where each group of rows begins."""

    def __init__(self) -> None:
        self.size = 0

    def group(self, *sizes: int) -> int:
        begin = self.size
        count = 1
        for size in sizes:
            count *= size
        self.size += count
        return begin


_layout = _Layout()
_LEFT = _layout.group(SITUATIONS, len(VALUES), _HELD)
_UNSEEN = _layout.group(SITUATIONS, len(VALUES), _HELD)
_STRIKE = _layout.group(2 * HAND_SIZE + 1, _HELD)
_REACH = _layout.group(HAND_SIZE, _HELD, _HELD)
_APART = _layout.group(APART + 1)
_GAINED = _layout.group(APART + 1)
_THEIRS = _layout.group(APART + 1)
_PILE = _layout.group(PILE_SIZE + 1)
_LEAD = _layout.group(_STAGES, 2 * _MAX_LEAD + 1)
NONE: Final = _layout.group(1)
"""A row without weight, for what is not there."""
ROWS: Final = _layout.size


def situation_of(distance: int, attack: int) -> int:
    """The number of the situation: of the distance alone, or with a direct or an indirect attack from there."""
    if attack:
        return FAR + (HAND_SIZE if attack > INDIRECT else 0) + distance - 1
    return min(distance, FAR) - 1


def left_rows(situation: int, left: int) -> tuple[int, ...]:
    """For the hand a player keeps, by number."""
    return tuple(_LEFT + (situation * 5 + place) * _HELD + held for place, held in enumerate(HANDS[left]))


def unseen_rows(situation: int, unseen: int) -> tuple[int, int, int, int, int]:
    """For how many cards of each value (``hands.packed``) are in the opponent's hand or in the pile."""
    first = _UNSEEN + situation * 5 * _HELD
    return (
        first + (unseen & 7),
        first + _HELD + (unseen >> 3 & 7),
        first + 2 * _HELD + (unseen >> 6 & 7),
        first + 3 * _HELD + (unseen >> 9 & 7),
        first + 4 * _HELD + (unseen >> 12 & 7),
    )


def meeting_row(distance: int, attack: int, kept: int, there: int) -> int:
    """For the cards equal to the distance: ``kept`` in the own hand, ``there`` unseen, that could answer or attack."""
    if attack:
        return _STRIKE + attack * _HELD + there
    if distance > HAND_SIZE:
        return NONE
    return _REACH + ((distance - 1) * _HELD + kept) * _HELD + there


def place_rows(distance: int, gained: int, pile: int) -> tuple[int, ...]:
    """For where both stand, and for how much is left to draw."""
    theirs = APART - distance - gained
    lead = max(-_MAX_LEAD, min(_MAX_LEAD, gained - theirs)) + _MAX_LEAD
    stage = min(pile, _STAGES - 1)
    return (
        _APART + distance,
        _GAINED + gained,
        _THEIRS + theirs,
        _PILE + pile,
        _LEAD + stage * (2 * _MAX_LEAD + 1) + lead,
    )
