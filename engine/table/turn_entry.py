"""A turn as it is entered by hand, card value by card value: which turns can it be?

The cards of a parry that is owed are never named: they follow from the attack. Nothing counts by being listed here.
Pure, by values: which of several cards alike it was does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.rules.cards import DECK, VALUES, Card
from engine.rules.events import TurnEvent
from engine.rules.legal import Counts, Play, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState

Values = tuple[int, ...]
"""Card values, in the order in which they were named."""


def may_hold(state: PublicState) -> Counts:
    """How many cards of each value the player to act may hold, by all that is known from the table."""
    unseen = state.unseen_counts
    return unseen[1], unseen[2], unseen[3], unseen[4], unseen[5]


def named_by(state: PublicState, play: Play) -> Values:
    """The cards of a turn beyond its parry: the one it moves by, then those it attacks with."""
    moved = (abs(play.move),) if play.move else ()
    return (*moved, *[state.distance - play.move] * play.attack)


def ways(state: PublicState, held: Counts, named: Values) -> tuple[Play, ...]:
    """Every legal turn with these cards among those it names, the one with the fewest others first.

    One card alone is the first that was laid. With no card named: what needs none, as the last defence does.
    ``held`` are the cards there may be in the hand. Empty where nobody is to act.
    """
    side = state.to_act
    if side is None:
        return ()
    wanted = Counter(named)
    found = []
    for play in legal_plays(state, held):
        own = named_by(state, play)
        first = own[:1] == named if len(named) == 1 else wanted <= Counter(own) and bool(named) == bool(own)
        if first and play.parry + len(own) <= state.hands[side]:
            found.append(play)
    return tuple(sorted(found, key=lambda play: len(named_by(state, play))))


def meant(state: PublicState, found: Iterable[Play], named: Values) -> Play | None:
    """The one way that lays just these cards, None where there are several such, or none."""
    exact = [play for play in found if Counter(named_by(state, play)) == Counter(named)]
    return exact[0] if len(exact) == 1 else None


def can_name(state: PublicState, held: Counts, named: Values) -> tuple[int, ...]:
    """The values that may be named next."""
    return tuple(value for value in VALUES if ways(state, held, (*named, value)))


def picked(state: PublicState, named: Values, lying: Iterable[Card] = ()) -> tuple[Card, ...]:
    """Cards of these values that were not played: those that lie on the table first, else any that nobody has seen."""
    order = _order(state, lying)
    chosen: list[Card] = []
    for value in named:
        card = next((card for card in order if card.value == value and card not in chosen), None)
        if card is not None:
            chosen.append(card)
    return tuple(chosen)


def entered(state: PublicState, play: Play, lying: Iterable[Card] = ()) -> TurnEvent:
    """The event of this way; cards that nobody read are stood for by others of their value, as in ``picked``."""
    return play_event(state, _order(state, lying), play)


def why_not(state: PublicState, value: int) -> Ruling | None:
    """Why a card of this value can make no turn by itself, judged as an advance; None where it can."""
    side = state.to_act
    cards = picked(state, (value,))
    if side is None or not cards or ways(state, may_hold(state), (value,)):
        return None
    parry = () if state.attack is None else picked(state, (state.attack.value,) * state.attack.count)
    others = tuple(card for card in _order(state, ()) if card.value == value and card not in parry)
    spaces = state.spaces.put(side, state.spaces[side] + side.forward * value)
    ruling = judge(state, TurnEvent((*parry, *others[:1]), spaces.white, spaces.black))[1]
    return None if ruling.ok else ruling


def rest_of(state: PublicState, hand: Iterable[int]) -> Values:
    """The cards nobody has seen but those of this hand: what the other one holds once the pile is empty."""
    left = Counter(state.unseen_counts) - Counter(hand)
    return tuple(value for value in VALUES for _ in range(left[value]))


def _order(state: PublicState, lying: Iterable[Card]) -> tuple[Card, ...]:
    first = tuple(card for card in lying if card not in state.played)
    return (*first, *(card for card in DECK if card not in first and card not in state.played))
