"""Hands by values as small numbers, so that a bot can play thousands of rounds in its head in one answer.

There are 252 hands of up to five cards when cards of one value are alike. Each is an index into ``HANDS``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from engine.rules.cards import HAND_SIZE, Card
from engine.rules.legal import Counts, counts_of
from engine.rules.track import SPACES

HANDS: Final[tuple[Counts, ...]] = tuple(
    (one, two, three, four, five)
    for one, two, three, four, five in product(range(HAND_SIZE + 1), repeat=5)
    if one + two + three + four + five <= HAND_SIZE
)
"""Every hand by values. The first is empty."""

INDEX: Final[dict[Counts, int]] = {counts: index for index, counts in enumerate(HANDS)}
SIZES: Final[tuple[int, ...]] = tuple(sum(counts) for counts in HANDS)
HELD: Final[tuple[tuple[int, ...], ...]] = tuple((0, *counts, *(0,) * (SPACES - 1 - len(counts))) for counts in HANDS)
"""``HELD[hand][distance]``: how many cards equal to the distance a hand holds; none where no card is as large."""


def _changed(counts: Counts, place: int, by: int) -> int:
    changed = list(counts)
    changed[place] += by
    return INDEX.get((changed[0], changed[1], changed[2], changed[3], changed[4]), -1)


DRAWN: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(_changed(counts, place, +1) for place in range(5)) for counts in HANDS
)
"""``DRAWN[hand][value - 1]``: the hand with one card more; -1 for a hand that is full."""


def packed(counts: Sequence[int]) -> int:
    """Counts of each value, at most seven, as one number: three bits each, so that such numbers add up and subtract."""
    return sum(count << 3 * place for place, count in enumerate(counts))


PACKED: Final[tuple[int, ...]] = tuple(packed(counts) for counts in HANDS)
"""Every hand as one number that can be taken away from what is not played."""

BY_PACKED: Final[dict[int, int]] = {whole: index for index, whole in enumerate(PACKED)}
"""The number of the hand that such a number says."""


def hand_index(hand: Sequence[Card]) -> int:
    """The number of the hand these cards are."""
    return INDEX[counts_of(hand)]


def hand_of(places: Sequence[int]) -> int:
    """The number of the hand that cards of these values less one are; five at most."""
    hand = 0
    for place in places:
        hand = DRAWN[hand][place]
    return hand
