"""Swiss rounds, for many and little time: everybody fences in every round, against somebody who did as well so far."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.competition.bouts import Bout, Fenced
from engine.competition.standing import StandingLine, lines_of, placed

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
