"""The simulated table put right by itself: as it stood before a turn that is taken back, and cleared after one.

Pure: the table as it is and the state it is to show go in, acts come out.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Final

from engine.record.course import Course
from engine.rules.cards import Card
from engine.rules.state import PublicState
from engine.rules.track import Side
from firmware.extras.hands.acts import Act, Deal, MoveTo, Take
from firmware.extras.hands.table_top import TableTop

_STANDS_MM: Final = 14.0  # half a space


def undos_to_own_turn(course: Course, persons: Collection[Side]) -> int:
    """How many entries are undone until a person is to act again in this round: the own turn and what answered it.

    0 where no person has acted in it.
    """
    count, earlier = 0, course.earlier
    while earlier is not None and earlier.state.round == course.state.round:
        count += 1
        if earlier.state.to_act in persons:
            return count
        earlier = earlier.earlier
    return 0


def before(course: Course, undos: int) -> PublicState:
    """The state after so many entries are undone."""
    for _ in range(undos):
        course = course.earlier or course
    return course.state


def last_turn(state: PublicState) -> tuple[Card, ...]:
    """The cards of the last turn of this round."""
    earlier = state.previous
    while earlier is not None and earlier.round == state.round and earlier.played == state.played:
        earlier = earlier.previous
    begun = 0 if earlier is None or earlier.round != state.round else len(earlier.played)
    return state.played[begun:]


def discarded(top: TableTop, state: PublicState) -> tuple[Act, ...]:
    """What takes the cards of all turns but the last off the play area: nobody needs them, and they hide others."""
    kept = last_turn(state)
    return tuple(Take(card.card) for card in top.cards if card.card in state.played and card.card not in kept)


def put_back(top: TableTop, deck: tuple[Card, ...], state: PublicState) -> tuple[Act, ...]:
    """What makes the table show this state of a round that was dealt from ``deck``; empty where it does."""
    dealt = () if top.deck == deck else (Deal(deck),)
    taken = tuple(Take(card.card) for card in top.cards if card.card not in state.played and card.face_up)
    moved = tuple(MoveTo(side, state.spaces[side]) for side in Side if not _stands(top, side, state))
    return (*dealt, *taken, *moved)


def _stands(top: TableTop, side: Side, state: PublicState) -> bool:
    place, figure = top.table.space_mm(state.spaces[side]), top.figures[side]
    return math.hypot(figure.x_mm - place.x, figure.y_mm - place.y) < _STANDS_MM
