"""Bouts, their terms and scores. Source: FIE Rules for Competitions, Book 1, "Duration of the bout"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
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
