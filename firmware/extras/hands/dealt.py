"""Who holds which cards in a round that was dealt from a known deck, as the referee's state says it went.

Nobody but the hands at the table and the bots who hold such cards is told: the referee never is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine.rules.cards import HAND_SIZE, Card
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side


@dataclass(frozen=True, slots=True)
class Holding:
    """What each holds, in the order in which it came to him, and what is left of the pile, from its top."""

    hands: BySide[tuple[Card, ...]]
    pile: tuple[Card, ...]


def holding(deck: tuple[Card, ...], state: PublicState) -> Holding:
    """Who holds what after the turns of this round that were accepted, the deck having been dealt before it.

    A card is dealt to each in turn, the starter first. Whoever laid cards draws as many as the referee says that he
    holds then; what was laid is gone from wherever it came.
    """
    states = _of_this_round(state)
    first, second = deck[: 2 * HAND_SIZE : 2], deck[1 : 2 * HAND_SIZE : 2]
    hands = BySide(first, second) if states[0].starter is Side.WHITE else BySide(second, first)
    pile = deck[2 * HAND_SIZE :]
    for before, now in pairwise(states):
        laid = now.played[len(before.played) :]
        drawn = max(0, before.pile - now.pile)
        hands = hands.map(lambda hand, laid=laid: tuple(card for card in hand if card not in laid))  # type: ignore[misc]
        if before.to_act is not None:
            hands = hands.put(before.to_act, (*hands[before.to_act], *pile[:drawn]))
        pile = pile[drawn:]
    return Holding(hands, pile)


def _of_this_round(state: PublicState) -> list[PublicState]:
    """The states of this round, from its beginning to this one."""
    states = [state]
    while (before := states[0].previous) is not None and before.round == state.round:
        states.insert(0, before)
    return states
