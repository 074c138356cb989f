"""The phases of a competition: pools and leagues, direct elimination, Swiss rounds.

Source: FIE Rules for Competitions, Book 2, "General rules for the round of pools" and "… for direct elimination".
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from engine.competition.bouts import Bout, CompetitionError, Fenced, StandingLine, lines_of, placed

# In which order the bouts of a pool are fenced. Source: FIE Rules, Book 2, "Order of bouts".

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
        """All bouts, matchday by matchday. Bouts fenced with a fencer who left stand; the rest are not fenced."""
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


# Direct elimination: who loses is out.


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


# Swiss rounds, for many and little time: everybody fences in every round, against somebody who did as well so far.

# The greatest number of pairs: Edmonds' algorithm. Source: J. Edmonds, "Paths, Trees, and Flowers", 1965.
#
# Own code, for engine has no libraries: networkx would be imported at every table for it, and knows no order of wishes.

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


Pairing = tuple[str, str | None]
"""Two who fence each other, or one who rests."""
Times = Mapping[frozenset[str | None], int]
"""How often two have met."""


@dataclass(frozen=True, slots=True)
class Swiss:
    """``rounds`` are those that were paired so far."""

    number: int
    fencers: tuple[str, ...]
    rounds: tuple[tuple[Pairing, ...], ...] = ()
    best_of: int = 1

    def bouts(self, fenced: Fenced) -> tuple[Bout, ...]:
        """All bouts of the rounds so far. Who rests wins without a touch; so does whose opponent has left."""
        found = []
        for round_number, pairs in enumerate(self.rounds, 1):
            for at, (first, second) in enumerate(pairs, 1):
                bout = fenced.bout(f"{self.number}S{round_number}-{at}", first, second, self.best_of)
                found.append(_without_a_fight(bout, fenced))
        return tuple(found)

    def joined(self, fencer: str) -> Swiss:
        """The same with one more, from the next round on."""
        return replace(self, fencers=(*self.fencers, fencer))

    def lines(self, fenced: Fenced) -> tuple[StandingLine, ...]:
        """Everybody's line; ``more`` is the sum of the opponents' victories."""
        bouts = self.bouts(fenced)
        byes = {bout.first: 1 for bout in bouts if bout.second is None}
        lines = [
            replace(
                line, victories=line.victories + byes.get(line.fencer, 0), bouts=line.bouts + byes.get(line.fencer, 0)
            )
            for line in lines_of(self.fencers, bouts)
        ]
        won = {line.fencer: line.victories for line in lines}
        return tuple(replace(line, more=sum(won[other] for other in _met(line.fencer, bouts))) for line in lines)

    def next_round(self, fenced: Fenced, lots: Mapping[str, int]) -> tuple[Pairing, ...]:
        """The pairs of the next round, the best so far among themselves; of an odd number one rests.

        Who rests has rested least often, and not in the round before where another can. Then rematches are the fewest
        there can be; then the last in the order rests; then each from the first on meets the least met opponent, the
        nearest in the order.
        """
        bouts = self.bouts(fenced)
        order = [each.line.fencer for each in placed(self.lines(fenced), lots, victories=True)]
        order = [fencer for fencer in order if fencer not in fenced.gone]
        times = Counter(frozenset((bout.first, bout.second)) for bout in bouts)
        resting = [self._resting(order, times)] if len(order) % 2 else []
        order = [fencer for fencer in order if fencer not in resting]
        if not self.rounds:  # nothing is known of anybody but the order they came in: upper against lower half
            half = len(order) // 2
            pairs: Sequence[Pairing] = list(zip(order[:half], order[half:], strict=True))
        else:
            pairs = _paired(order, times)
        return (*pairs, *((fencer, None) for fencer in resting))

    def _resting(self, order: Sequence[str], times: Times) -> str:
        rested = [first for pairs in self.rounds for first, second in pairs if second is None]
        least = min(rested.count(fencer) for fencer in order)
        may = [fencer for fencer in reversed(order) if rested.count(fencer) == least]
        may = [fencer for fencer in may if fencer not in rested[-1:]] or may
        new = _new_to_each_other(order, times)

        def pairs(fencer: str) -> int:
            return number_of_pairs(matching(new, out=[order.index(fencer)]))

        return next((each for each in may if pairs(each) == len(order) // 2), None) or max(may, key=pairs)


def _without_a_fight(bout: Bout, fenced: Fenced) -> Bout:
    if bout.second is None:
        return replace(bout, forfeit=bout.first)
    if bout.winner is None and {bout.first, bout.second} & fenced.gone:
        return replace(bout, forfeit=bout.second if bout.first in fenced.gone else bout.first)
    return bout


def _met(fencer: str, bouts: Sequence[Bout]) -> Iterator[str]:
    for bout in bouts:
        if fencer in (bout.first, bout.second) and (other := bout.against(fencer)) is not None:
            yield other


def _new_to_each_other(order: Sequence[str], times: Times) -> list[list[int]]:
    """By place in the order: the places of all whom that one has not met."""
    places = range(len(order))
    return [[b for b in places if b != a and not times.get(frozenset((order[a], order[b])))] for a in places]


def _paired(order: Sequence[str], times: Times) -> list[Pairing]:
    new = _new_to_each_other(order, times)
    mates = matching(new)
    pairs: list[Pairing] = []
    out: set[int] = set()
    for first in range(len(order)):
        if first in out:
            continue
        others = [other for other in range(first + 1, len(order)) if other not in out]
        met = {other: times.get(frozenset((order[first], order[other])), 0) for other in others}
        for other in sorted(others, key=met.__getitem__):
            rest = matching(new, mates, {*out, first, other})
            as_few_rematches = number_of_pairs(rest) + (not met[other]) == number_of_pairs(mates)
            if as_few_rematches:
                break
        mates, out = rest, {*out, first, other}
        pairs.append((order[first], order[other]))
    return pairs
