"""Pools: everybody fences everybody else in his. Source: FIE Rules, Book 2, "General rules for the round of pools"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.competition.bouts import Bout, CompetitionError, Fenced
from engine.competition.order import order_of_bouts

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
