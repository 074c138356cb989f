"""Swiss rounds, for many and little time: everybody fences in every round, against somebody who did as well so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.competition.bouts import Bout, Fenced
from engine.competition.standing import StandingLine, lines_of, placed

MOST_TRIES: Final = 20_000
"""Pairings tried before two may meet a second time: with few fencers and many rounds there is no other way."""

Pairing = tuple[str, str | None]
"""Two who fence each other, or one who rests."""


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

    def lines(self, fenced: Fenced) -> tuple[StandingLine, ...]:
        """Everybody's line; ``more`` is the sum of the victories of those he met."""
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
        """Who meets whom next: the best so far among themselves, nobody twice as long as that can be had."""
        bouts = self.bouts(fenced)
        order = [each.line.fencer for each in placed(self.lines(fenced), lots, victories=True)]
        order = [fencer for fencer in order if fencer not in fenced.gone]
        resting: str | None = None
        if len(order) % 2:
            rested = {bout.first for bout in bouts if bout.second is None}
            resting = next((fencer for fencer in reversed(order) if fencer not in rested), order[-1])
            order.remove(resting)
        if not self.rounds:  # nothing is known of anybody but the order they came in: upper against lower half
            half = len(order) // 2
            pairs: Sequence[Pairing] = list(zip(order[:half], order[half:], strict=True))
        else:
            met = {frozenset((bout.first, bout.second)) for bout in bouts}
            pairs = _paired(order, met) or list(zip(order[::2], order[1::2], strict=True))
        return (*pairs, *(() if resting is None else ((resting, None),)))


def _without_a_fight(bout: Bout, fenced: Fenced) -> Bout:
    if bout.second is None:
        return replace(bout, forfeit=bout.first)
    if bout.winner is None and {bout.first, bout.second} & fenced.gone:
        return replace(bout, forfeit=bout.second if bout.first in fenced.gone else bout.first)
    return bout


def _met(fencer: str, bouts: Sequence[Bout]) -> Iterator[str]:
    for bout in bouts:
        if bout.first is not None and bout.second is not None and fencer in (bout.first, bout.second):
            yield bout.second if bout.first == fencer else bout.first


def _paired(order: Sequence[str], met: set[frozenset[str | None]]) -> list[Pairing] | None:
    """Pairs in which nobody meets an old opponent, each as near in the order as can be; None where none was found."""
    tries = iter(range(MOST_TRIES))

    def pair(left: tuple[str, ...]) -> list[Pairing] | None:
        if not left:
            return []
        first, *others = left
        for other in others:
            if next(tries, None) is None:
                return None
            if frozenset((first, other)) in met:
                continue
            rest = pair(tuple(each for each in others if each != other))
            if rest is not None:
                return [(first, other), *rest]
        return None

    return pair(tuple(order))
