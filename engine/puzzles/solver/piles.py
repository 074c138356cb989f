"""What drawing from a pile can bring, with exact chances: in a known order, or in any order alike."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, prod
from typing import NamedTuple, Protocol

from engine.rules.cards import VALUES

Pile = tuple[int, ...]
"""Card values. In a known order the first is drawn next; otherwise they are sorted, which says nothing of the order."""


class Draw(NamedTuple):
    """Some cards drawn, sorted, what is left in the pile, and how likely that is."""

    drawn: Pile
    left: Pile
    chance: Fraction


class DrawingRule(Protocol):
    """How cards come off a pile."""

    def __call__(self, pile: Pile, count: int) -> Sequence[Draw]:
        """Everything drawing so many cards can bring; the chances add up to one. No more than there are are drawn."""


@lru_cache(maxsize=1 << 14)
def in_any_order(pile: Pile, count: int) -> Sequence[Draw]:
    """From a sorted pile whose order nobody knows: every card of it is as likely as any other (hypergeometric)."""
    count = min(count, len(pile))
    held = [pile.count(value) for value in VALUES]
    ways = comb(len(pile), count)
    found = []
    for taken in product(*(range(min(there, count) + 1) for there in held)):
        if sum(taken) == count:
            chance = Fraction(prod(comb(there, some) for there, some in zip(held, taken, strict=True)), ways)
            rest = [there - some for there, some in zip(held, taken, strict=True)]
            found.append(Draw(_cards(taken), _cards(rest), chance))
    return tuple(found)


def _cards(counts: Sequence[int]) -> Pile:
    return tuple(value for value, count in zip(VALUES, counts, strict=True) for _ in range(count))
