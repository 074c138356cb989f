"""Counting from memory: how many cards of a value are still unseen, asked once the cards played are covered."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from engine.rules.cards import DECK, LETTERS, VALUES, Card

ANSWERS: Final = tuple(range(len(LETTERS) + 1))
FEWEST: Final = 6
"""Cards to remember at first; one more for each right answer in a row, until ten are left."""
MOST: Final = len(DECK) - 10


@dataclass(frozen=True, slots=True)
class CountingDrill:
    """The cards that were played, in their order, and the value that is asked for."""

    played: tuple[Card, ...]
    value: int

    @property
    def left(self) -> int:
        """How many of the value were not played."""
        return len(LETTERS) - sum(card.value == self.value for card in self.played)


def drill_alone(seed: str, row: int) -> CountingDrill:
    """Cards dealt from a seed, the more of them the longer the ``row`` of right answers is."""
    rng = Random(f"counting {seed}")
    cards = rng.sample(DECK, min(MOST, FEWEST + row))
    return CountingDrill(tuple(cards), rng.choice(VALUES))


def drill_of_round(played: tuple[Card, ...], seed: str) -> CountingDrill:
    """The cards of a round that is over."""
    return CountingDrill(played, Random(f"counting {seed}").choice(VALUES))
