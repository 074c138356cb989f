"""Bouts, their terms and scores, and standings.

Source: FIE Rules for Competitions, Book 1, "Duration of the bout"; Book 2, "Composition of pools".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Annotated, Final, TypeAlias

from engine.strict.values import LINE, Length, Range

_Text: TypeAlias = Annotated[str, Length(0, 200), LINE]
_Number: TypeAlias = Annotated[int, Range(0, 10**6 - 1)]


class CompetitionError(ValueError):
    """An event that has no place in this competition. Its text says what was expected, what was found and the cure."""


class Tie(Enum):
    """How a match is decided that is level when its time is up."""

    EXTRA = "extra"  # a lot is drawn before; one more touch within a minute, else the lot
    TOUCH = "touch"  # one more touch, however long it takes
    LOT = "lot"  # the lot that was drawn before


MAX_POINTS: Final = 100
"""Touches of a match."""
EXTRA_S: Final = 60
"""How long one more touch is tried for before the lot counts."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a bout: ``points`` touches, ``best_of`` so many matches, perhaps within ``time_s`` seconds.

    ``tie`` decides where those are over and the score is level.
    """

    points: _Number = 5
    best_of: _Number = 1
    time_s: _Number | None = None
    tie: Tie = Tie.EXTRA


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who takes part. ``seed`` is the place in the ranking before, None for nobody knows.

    ``handicap``: touches to begin every match with.
    """

    id: _Text
    name: _Text
    club: _Text = ""
    seed: _Number | None = None
    handicap: _Number = 0


@dataclass(frozen=True, slots=True)
class Score:
    """One match of a bout: the touches of both, and whether the first won. Level touches are decided by priority."""

    first: int
    second: int
    first_won: bool


@dataclass(frozen=True, slots=True)
class Bout:
    """Two who fence each other. Either is None while nobody knows who it will be, or where nobody stands (a bye).

    ``scores`` are its matches so far. ``forfeit`` is who won without fencing; ``annulled``: it does not count, because
    one of the two has left the pool.
    """

    id: str
    first: str | None
    second: str | None
    best_of: int = 1
    scores: tuple[Score, ...] = ()
    forfeit: str | None = None
    annulled: bool = False

    @property
    def known(self) -> bool:
        """Whether both are known."""
        return self.first is not None and self.second is not None

    @property
    def winner(self) -> str | None:
        """The winner of the bout; None while there is none."""
        if self.forfeit is not None:
            return self.forfeit
        need = self.best_of // 2 + 1
        won = sum(score.first_won for score in self.scores)
        if won >= need:
            return self.first
        return self.second if len(self.scores) - won >= need else None

    @property
    def loser(self) -> str | None:
        """The loser of the bout; None while there is none, and where nobody stood against the winner."""
        return None if self.winner is None else self.against(self.winner)

    def against(self, fencer: str) -> str | None:
        """The opponent of this one of the two."""
        return self.second if self.first == fencer else self.first

    @property
    def due(self) -> bool:
        """Whether it is to be fenced now."""
        return self.known and self.winner is None and not self.annulled

    @property
    def touches(self) -> tuple[int, int]:
        """All touches of the two, over its matches."""
        return sum(score.first for score in self.scores), sum(score.second for score in self.scores)


Scores = Mapping[str, tuple[Score, ...]]
"""The scores so far, by the name of the bout."""


@dataclass(frozen=True, slots=True)
class Fenced:
    """Input of all phases: the scores of every bout, and the fencers who have left."""

    scores: Scores = field(default_factory=dict)
    gone: frozenset[str] = field(default_factory=frozenset)

    def bout(self, name: str, first: str | None, second: str | None, best_of: int) -> Bout:
        """The bout of this name as it stands."""
        return Bout(name, first, second, best_of, self.scores.get(name, ()))


def expect_score(score: Score, terms: Terms, handicaps: tuple[int, int], bout: str) -> None:
    """Make sure that a match can have ended like this. Raises CompetitionError."""
    most = terms.points
    for touches, handicap in zip((score.first, score.second), handicaps, strict=True):
        if not handicap <= touches <= most:
            raise CompetitionError(f"bout {bout}: touches are from {handicap} to {most}, not {touches}")
    if score.first != score.second and score.first_won != (score.first > score.second):
        raise CompetitionError(f"bout {bout}: {score.first} to {score.second} is won by the one with more touches")
    if max(score.first, score.second) < most and terms.time_s is None:
        raise CompetitionError(
            f"bout {bout}: a match ends at {most} touches, not at {score.first} to {score.second}; "
            "where time can end it, the terms say how much there is"
        )
    if score.first == score.second == most:
        raise CompetitionError(f"bout {bout}: nobody can reach {most} touches after the other has")


# A standing goes by victories over bouts, the indicator, touches given. Those who are level in all three are level:
# lots are drawn where an order is needed.


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
