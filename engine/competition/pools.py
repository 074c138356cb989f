"""Pools and leagues: everybody meets everybody. Source: FIE Rules, Book 2, "General rules for the round of pools"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from engine.competition.bouts import Bout, CompetitionError, Fenced

# In which order the bouts of a pool are fenced. Source: FIE Rules for Competitions, Book 2, "Order of bouts".

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

    All sit in a ring; one stays while the others move on.
    """
    ring = [*range(1, size + 1), *([0] if size % 2 else [])]
    rounds = []
    for number in range(len(ring) - 1):
        opposite = list(zip(ring, ring[::-1], strict=True))[: len(ring) // 2]
        pairs = [pair if number % 2 == 0 else pair[::-1] for pair in opposite]
        rounds.append(tuple((first, second) for first, second in pairs if first and second))
        ring = [ring[0], ring[-1], *ring[1:-1]]
    return tuple(rounds)


SMALLEST = 3


@dataclass(frozen=True, slots=True)
class Pools:
    """``groups`` are the fencers of each pool in the order of their numbers there."""

    number: int
    groups: tuple[tuple[str, ...], ...]
    best_of: int = 1

    @property
    def fencers(self) -> tuple[str, ...]:
        return tuple(fencer for group in self.groups for fencer in group)

    def bouts(self, fenced: Fenced) -> tuple[Bout, ...]:
        """All bouts, each pool's in the order of the rule. Those of a fencer who has left count for nobody."""
        return tuple(bout for number in range(len(self.groups)) for bout in self.pool(number, fenced))

    def pool(self, number: int, fenced: Fenced) -> tuple[Bout, ...]:
        """One pool's bouts; ``number`` from 0."""
        group = self.groups[number]
        found = []
        for first, second in order_of_bouts(len(group)):
            # Named after the places, whatever their order in the pair: one who comes late changes only the order.
            low, high = sorted((first, second))
            names = f"{self.number}P{number + 1}-{low}x{high}", group[low - 1], group[high - 1]
            bout = fenced.bout(*names, self.best_of)
            found.append(replace(bout, annulled=bool({bout.first, bout.second} & fenced.gone)))
        return tuple(found)

    def joined(self, fencer: str) -> Pools:
        """The same with one who comes late, in the smallest pool."""
        smallest = min(range(len(self.groups)), key=lambda number: len(self.groups[number]))
        groups = list(self.groups)
        groups[smallest] = (*groups[smallest], fencer)
        return replace(self, groups=tuple(groups))


def composed(ranked: Sequence[str], count: int) -> tuple[tuple[str, ...], ...]:
    """So many pools of those in the order of their ranking, dealt to and fro so that all are as strong.

    Raises CompetitionError.
    """
    if count < 1 or len(ranked) < SMALLEST * count:
        raise CompetitionError(
            f"{count} pools need at least {SMALLEST} fencers each, there are {len(ranked)}: ask for fewer pools"
        )
    pools: list[list[str]] = [[] for _ in range(count)]
    for place, fencer in enumerate(ranked):
        turn, at = divmod(place, count)
        pools[at if turn % 2 == 0 else count - 1 - at].append(fencer)
    return tuple(tuple(pool) for pool in pools)


# A league goes on over months: two fence whenever they come together.


@dataclass(frozen=True, slots=True)
class League:
    """``legs``: how often each two meet. Who joins later meets everybody as well."""

    number: int
    fencers: tuple[str, ...]
    legs: int = 1
    best_of: int = 1

    def bouts(self, fenced: Fenced) -> tuple[Bout, ...]:
        """All bouts, matchday by matchday. What was fenced with one who has left stands; the rest is not fenced."""
        found = []
        for leg in range(1, self.legs + 1):
            for first, second in (pair for pairs in rounds_of(len(self.fencers)) for pair in pairs):
                low, high = sorted((first, second))
                name = f"{self.number}L{leg}-{low}x{high}"
                bout = fenced.bout(name, self.fencers[low - 1], self.fencers[high - 1], self.best_of)
                left = bool({bout.first, bout.second} & fenced.gone)
                found.append(replace(bout, annulled=left and bout.winner is None))
        return tuple(found)

    def joined(self, fencer: str) -> League:
        """The same with one more."""
        return replace(self, fencers=(*self.fencers, fencer))
