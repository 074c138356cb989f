"""Direct elimination: who loses is out. Source: FIE Rules, Book 2, "General rules for direct elimination"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from engine.competition.bouts import Bout, Fenced


@dataclass(frozen=True, slots=True)
class Tableau:
    """``seeds`` from the first on; where they are no power of two the first of them have a bye. ``third``: the two who
    lose the semi-finals fence for the third place, else both are third."""

    number: int
    seeds: tuple[str, ...]
    best_of: int = 1
    third: bool = False

    @property
    def fencers(self) -> tuple[str, ...]:
        return self.seeds

    @property
    def size(self) -> int:
        """Places in the first round."""
        return 1 << max(1, (len(self.seeds) - 1).bit_length())

    def bouts(self, fenced: Fenced) -> tuple[Bout, ...]:
        """All bouts from the first round on, known or not; the one for the third place before the final."""
        rounds = self.rounds(fenced)
        third = self._third(rounds, fenced)
        flat = [bout for each in rounds[:-1] for bout in each]
        return (*flat, *(() if third is None else (third,)), *rounds[-1])

    def rounds(self, fenced: Fenced) -> tuple[tuple[Bout, ...], ...]:
        """The bouts of each round, the final's alone in the last."""
        places: list[str | None] = [
            self.seeds[seed - 1] if seed <= len(self.seeds) else None for seed in seats(self.size)
        ]
        found: list[tuple[Bout, ...]] = []
        open_ends = False
        while len(places) > 1:
            size = len(places)
            pairs = zip(places[::2], places[1::2], strict=True)
            bouts = [
                self._bout(f"{self.number}T{size}-{at}", first, second, fenced, byes=not open_ends)
                for at, (first, second) in enumerate(pairs, 1)
            ]
            found.append(tuple(bouts))
            places, open_ends = [bout.winner for bout in bouts], True
        return tuple(found)

    def _third(self, rounds: Sequence[tuple[Bout, ...]], fenced: Fenced) -> Bout | None:
        if not self.third or len(rounds) < 2:
            return None
        first, second = rounds[-2]
        return self._bout(f"{self.number}T3-1", first.loser, second.loser, fenced, byes=False)

    def _bout(self, name: str, first: str | None, second: str | None, fenced: Fenced, *, byes: bool) -> Bout:
        bout = fenced.bout(name, first, second, self.best_of)
        if byes and (first is None) != (second is None):
            return replace(bout, forfeit=first or second)
        if bout.winner is None and bout.known:
            here = [fencer for fencer in (first, second) if fencer not in fenced.gone]
            if len(here) < 2:  # where both have left, the better seed goes on in name
                best = min((first, second), key=lambda one: self.seeds.index(one or ""))
                return replace(bout, forfeit=here[0] if here else best)
        return bout

    def ranking(self, fenced: Fenced) -> tuple[tuple[int, str], ...]:
        """Everybody with their place as far as it is decided; the losers of a round stand in seeding order.

        The two who lost a semi-final share the third place, unless they fence for it.
        """
        rounds = self.rounds(fenced)
        third = self._third(rounds, fenced)
        places: list[tuple[int, str]] = []
        for number, bouts in enumerate(rounds):
            losers = sorted((bout.loser for bout in bouts if bout.loser is not None), key=self.seeds.index)
            from_place = len(bouts) + 1
            semi = number == len(rounds) - 2
            if semi and third is not None:
                if third.winner is not None and third.loser is not None:
                    places += [(3, third.winner), (4, third.loser)]
                continue
            places += [(from_place if semi else from_place + at, loser) for at, loser in enumerate(losers)]
        final = rounds[-1][0]
        if final.winner is not None:
            places.append((1, final.winner))
        return tuple(sorted(places, key=lambda each: (each[0], self.seeds.index(each[1]))))


@cache
def seats(size: int) -> tuple[int, ...]:
    """The seeds in the order of the sheet: 1 and 2 meet only in the final. Of eight: 1-8, 5-4, 3-6, 7-2."""
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        most = 2 * len(order) + 1
        pairs = [(seed, most - seed) if at % 2 == 0 else (most - seed, seed) for at, seed in enumerate(order)]
        order = tuple(seed for pair in pairs for seed in pair)
    return order
