"""Possible hidden hands: deck arithmetic from the cards already played.

All cards not played this round are in the two hands and the pile. A player knows their own hand too. Everything here
follows by counting; how anybody played is not taken as evidence. Source: RULES.md, rulings 11 to 13.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod

from engine.rules.cards import DECK, Card
from engine.rules.legal import Counts, counts_of, legal_plays
from engine.rules.state import PublicState
from engine.rules.track import Side


@dataclass(frozen=True, slots=True)
class HiddenHand:
    """All hands a player may hold: any ``size`` of the unseen cards, of which there are ``unseen`` of each value."""

    unseen: Counts
    size: int

    def most(self, value: int) -> int:
        """The most cards of this value the hand can hold."""
        return min(self.unseen[value - 1], self.size)

    def hands(self) -> Iterator[tuple[Counts, int]]:
        """Every possible hand by values, with the number of ways to make it of single cards.

        The numbers of ways add up to ``ways()``.
        """
        for first in product(*(range(min(left, self.size) + 1) for left in self.unseen[:4])):
            last = self.size - sum(first)
            if 0 <= last <= self.unseen[4]:
                counts: Counts = (first[0], first[1], first[2], first[3], last)
                yield counts, prod(map(comb, self.unseen, counts))

    def ways(self) -> int:
        """The number of possible hands card by card."""
        return comb(sum(self.unseen), self.size)


def unseen_cards(public: PublicState, shown: Sequence[Card] = ()) -> tuple[Card, ...]:
    """The cards of the deck that were neither played nor are among those ``shown``, in deck order."""
    seen = {*public.played, *shown}
    return tuple(card for card in DECK if card not in seen)


def hidden_hand(public: PublicState, side: Side, own_hand: Sequence[Card] = ()) -> HiddenHand:
    """The hands ``side`` can hold, as seen by the public, or by the opponent with this ``own_hand``."""
    return HiddenHand(counts_of(unseen_cards(public, own_hand)), public.hands[side])


def goes_on(public: PublicState, counts: Counts) -> bool:
    """Whether a hand of so many of each value gives the player to act a legal turn, a parry alone included.

    Asked of every possible hand this is ruling 13; the referee gets the same answer from two counts
    (``endings.is_unanswerable`` and ``endings.is_stuck``). Between a parry and the turn that has to follow it a hand
    may still fail (ruling 3): the attack was answered all the same.
    """
    attack = public.attack
    parries = attack is not None and counts[attack.value - 1] >= attack.count
    return parries or bool(legal_plays(public, counts))
