"""In which order the bouts of a pool are fenced. Source: FIE Rules for Competitions, Book 2, "Order of bouts"."""

from __future__ import annotations

from functools import cache
from typing import Final

Pair = tuple[int, int]

_BY_RULE: Final = {
    4: "1-4 2-3 1-3 2-4 3-4 1-2",
    5: "1-2 3-4 5-1 2-3 5-4 1-3 2-5 4-1 3-5 4-2",
    6: "1-2 4-5 2-3 5-6 3-1 6-4 2-5 1-4 5-3 1-6 4-2 3-6 5-1 3-4 6-2",
    7: "1-4 2-5 3-6 7-1 5-4 2-3 6-7 5-1 4-3 6-2 5-7 3-1 4-6 7-2 3-5 1-6 2-4 7-3 6-5 1-2 4-7",
    8: "2-3 1-5 7-4 6-8 1-2 3-4 5-6 8-7 4-1 5-2 8-3 6-7 4-2 8-1 7-5 3-6 2-8 5-4 6-1 3-7 4-8 2-6 3-5 1-7 4-6 8-5 7-2 "
    "1-3",
    9: "1-9 2-8 3-7 4-6 1-5 2-9 8-3 7-4 6-5 1-2 9-3 8-4 7-5 6-1 3-2 9-4 5-8 7-6 3-1 2-4 5-9 8-6 7-1 4-3 5-2 6-9 8-7 "
    "4-1 5-3 6-2 9-7 1-8 4-5 3-6 2-7 9-8",
    10: "1-4 6-9 2-5 7-10 3-1 8-6 4-5 9-10 2-3 7-8 5-1 10-6 4-2 9-7 5-3 10-8 1-2 6-7 3-4 8-9 5-10 1-6 2-7 3-8 4-9 6-5 "
    "10-2 8-1 7-4 9-3 2-6 5-8 4-10 1-9 3-7 8-2 6-4 9-5 10-3 7-1 4-8 2-9 3-6 5-7 1-10",
}


@cache
def order_of_bouts(size: int) -> tuple[Pair, ...]:
    """Every two of a pool of this size, numbered from 1: in the rule's order where it has one, else in ours."""
    if size in _BY_RULE:
        pairs = (each.split("-") for each in _BY_RULE[size].split())
        return tuple((int(first), int(second)) for first, second in pairs)
    return tuple(pair for pairs in rounds_of(size) for pair in pairs)


@cache
def rounds_of(size: int) -> tuple[tuple[Pair, ...], ...]:
    """Rounds in which everybody meets everybody once and nobody twice in one round; one rests where the size is odd.

    All sit in a ring of which one keeps his place while the others move on.
    """
    ring = [*range(1, size + 1), *([0] if size % 2 else [])]
    rounds = []
    for number in range(len(ring) - 1):
        opposite = list(zip(ring, ring[::-1], strict=True))[: len(ring) // 2]
        pairs = [pair if number % 2 == 0 else pair[::-1] for pair in opposite]
        rounds.append(tuple((first, second) for first, second in pairs if first and second))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return tuple(rounds)
