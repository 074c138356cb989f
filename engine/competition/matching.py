"""The greatest number of pairs: Edmonds' algorithm. Source: J. Edmonds, "Paths, Trees, and Flowers", 1965.

Own code, for engine has no libraries: networkx would be imported at every table for it, and knows no order of wishes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import Final

NOBODY: Final = -1


def matching(may_meet: Sequence[Sequence[int]], begun: Sequence[int] = (), out: Collection[int] = ()) -> list[int]:
    """Each one's mate so that there are as many pairs as there can be, ``NOBODY`` for who has none.

    Each two of a pair stand in ``may_meet`` of the other. Goes on from ``begun``, an earlier answer, where there is
    one. Those who are ``out`` are nobody's mate, and stand as their own.
    """
    mates = list(begun) or [NOBODY] * len(may_meet)
    for one in out:
        if mates[one] not in (NOBODY, one):
            mates[mates[one]] = NOBODY
        mates[one] = one
    for one, others in enumerate(may_meet):
        if mates[one] == NOBODY:
            free = next((other for other in others if mates[other] == NOBODY), NOBODY)
            if free != NOBODY:  # most are found at the first try
                mates[one], mates[free] = free, one
    for one in range(len(may_meet)):
        if mates[one] == NOBODY:
            _augment(may_meet, mates, one)
    return mates


def number_of_pairs(mates: Sequence[int]) -> int:
    """How many pairs there are in such an answer."""
    return sum(mate not in (NOBODY, one) for one, mate in enumerate(mates)) // 2


def _augment(may_meet: Sequence[Sequence[int]], mates: list[int], root: int) -> None:
    """Give ``root`` a mate by changing others', if that can be done. Odd cycles are shrunk to their ``base``."""
    before = [NOBODY] * len(mates)
    base = list(range(len(mates)))
    reached = [at == root for at in range(len(mates))]
    waiting = deque([root])

    def common(one: int, other: int) -> int:
        seen = set()
        at = base[one]
        while True:
            seen.add(at)
            if mates[at] == NOBODY:
                break
            at = base[before[mates[at]]]
        at = base[other]
        while at not in seen:
            at = base[before[mates[at]]]
        return at

    def mark(one: int, child: int, top: int, cycle: set[int]) -> None:
        while base[one] != top:
            cycle |= {base[one], base[mates[one]]}
            before[one], child = child, mates[one]
            one = before[mates[one]]

    while waiting:
        one = waiting.popleft()
        for other in may_meet[one]:
            if base[one] == base[other] or other in (mates[one], mates[other]):
                continue
            if other == root or (mates[other] != NOBODY and before[mates[other]] != NOBODY):
                top, cycle = common(one, other), set[int]()
                mark(one, other, top, cycle)
                mark(other, one, top, cycle)
                for at in range(len(mates)):
                    if base[at] in cycle:
                        base[at] = top
                        if not reached[at]:
                            reached[at] = True
                            waiting.append(at)
            elif before[other] == NOBODY:
                before[other] = one
                if mates[other] == NOBODY:
                    while other != NOBODY:
                        one = before[other]
                        mates[other], mates[one], other = one, other, mates[one]
                    return
                reached[mates[other]] = True
                waiting.append(mates[other])
