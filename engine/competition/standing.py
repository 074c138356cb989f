"""Standings: victories over bouts, the indicator, touches given.

Those who are level in all three are level; lots are drawn where an order is needed. Source: FIE Rules,
Book 2, "Composition of pools".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.competition.bouts import Bout


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One fencer's line: bouts that counted, those won, touches given and received. ``more`` breaks ties last."""

    fencer: str
    bouts: int
    victories: int
    given: int
    received: int
    more: int = 0

    @property
    def indicator(self) -> int:
        """Touches given less those received."""
        return self.given - self.received

    @property
    def ratio(self) -> Fraction:
        """Victories for each bout; none are as good as all lost."""
        return Fraction(self.victories, self.bouts) if self.bouts else Fraction(0)


@dataclass(frozen=True, slots=True)
class Placed:
    """A line with its place; those who are level share one."""

    place: int
    line: StandingLine


def lines_of(fencers: Iterable[str], bouts: Iterable[Bout]) -> tuple[StandingLine, ...]:
    """A line for each of these, from the bouts that are over and count."""
    tally = {fencer: [0, 0, 0, 0] for fencer in fencers}
    for bout in bouts:
        if bout.winner is None or bout.annulled or not bout.known:
            continue
        given = dict(zip((bout.first, bout.second), bout.touches, strict=True))
        for fencer, other in ((bout.first, bout.second), (bout.second, bout.first)):
            if fencer in tally:
                row = tally[fencer]
                row[0] += 1
                row[1] += bout.winner == fencer
                row[2] += given[fencer]
                row[3] += given[other]
    return tuple(StandingLine(fencer, *row) for fencer, row in tally.items())


def placed(lines: Sequence[StandingLine], lots: Mapping[str, int], *, victories: bool = False) -> tuple[Placed, ...]:
    """The lines from the best on. ``lots`` are numbers drawn, the smallest first: they part those who are level.

    ``victories``: who fenced more and won more stands higher, as in Swiss rounds and leagues; else shares count.
    """

    def key(line: StandingLine) -> tuple[object, ...]:
        won = (line.victories, line.more) if victories else (line.ratio,)
        return *won, line.indicator, line.given, -lots.get(line.fencer, 0)

    ordered = sorted(lines, key=key, reverse=True)
    found: list[Placed] = []
    for number, line in enumerate(ordered, 1):
        level = bool(found) and key(found[-1].line) == key(line)
        found.append(Placed(found[-1].place if level else number, line))
    return tuple(found)


def level(standing: Iterable[Placed]) -> tuple[tuple[str, ...], ...]:
    """Those who share a place, each group by itself."""
    groups: dict[int, list[str]] = {}
    for each in standing:
        groups.setdefault(each.place, []).append(each.line.fencer)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)
