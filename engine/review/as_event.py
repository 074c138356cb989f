"""A turn that is proved to be better, as the event that it would have been."""

from __future__ import annotations

from collections.abc import Sequence

from engine.record.course import CourseStep
from engine.review.own_puzzle import held_from
from engine.review.proof import Better
from engine.rules.cards import DECK, Card
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.track import Side


def better_event(steps: Sequence[CourseStep], place: int, better: Better) -> TurnEvent | None:
    """What should have been laid and where both fencers would stand then, as the referee allows it; else None.

    ``steps`` are those of the round after its beginning, ``place`` the turn's among them, from 0. Cards of a value are
    those that this player laid or showed from here on, as far as there are enough, and then any that were not played.
    """
    before, play = steps[place].state.previous, better.play
    if before is None:
        return None
    forwards = 1 if better.side is Side.WHITE else -1
    parried = 0 if before.attack is None else before.attack.value
    wanted = [parried] * play.parry + [abs(play.move)] * bool(play.move)
    wanted += [before.distance - play.move] * play.attack
    known = held_from(steps[place:], better.side, before.hands[better.side])
    free = [*known, *(card for card in DECK if card not in before.played and card not in known)]
    cards: list[Card] = []
    for value in wanted:
        card = next((each for each in free if each.value == value and each not in cards), None)
        if card is None:
            return None
        cards.append(card)
    spaces = before.spaces.put(better.side, before.spaces[better.side] + forwards * play.move)
    event = TurnEvent(tuple(cards), spaces.white, spaces.black)
    return event if judge(before, event)[1].ok else None
