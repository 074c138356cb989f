"""A league over months: everybody meets everybody, whenever the two come together."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.competition.bouts import Bout, Fenced
from engine.competition.order import rounds_of


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
