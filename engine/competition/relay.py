"""Teams of three in a relay of nine legs. Source: FIE Rules, Book 2, "Team competitions".

Each leg goes on from the touches of the one before, up to a leg's touches more than the last one could reach: who is
behind may win back more than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.competition.bouts import CompetitionError, Score, Terms

ORDER: Final = ((3, 6), (1, 5), (2, 4), (1, 6), (3, 4), (2, 5), (1, 4), (2, 6), (3, 5))
"""Who fences whom in each leg: 1 to 3 are the first team's, 4 to 6 the second's."""


@dataclass(frozen=True, slots=True)
class Leg:
    """The touches of both teams when this leg ended, counted from the beginning."""

    first: int
    second: int


def members_of(leg: int) -> tuple[int, int]:
    """Who fences leg ``leg`` (from 1): the number of each in his own team, from 1."""
    first, second = ORDER[leg - 1]
    return first, second - 3


def expect_leg(legs: Sequence[Leg], leg: Leg, terms: Terms, bout: str) -> None:
    """Make sure that this leg can come after those. Raises CompetitionError."""
    number = len(legs) + 1
    if number > len(ORDER):
        raise CompetitionError(f"bout {bout}: a relay has {len(ORDER)} legs, all of them are fenced")
    before = legs[-1] if legs else Leg(0, 0)
    most = number * terms.points
    if leg.first < before.first or leg.second < before.second:
        raise CompetitionError(
            f"bout {bout}, leg {number}: touches go on from {before.first} to {before.second}, not back to "
            f"{leg.first} to {leg.second}"
        )
    if max(leg.first, leg.second) > most or leg.first == leg.second == most:
        raise CompetitionError(
            f"bout {bout}, leg {number}: it ends when the first team has {most}, not at {leg.first} to {leg.second}"
        )
    if max(leg.first, leg.second) < most and terms.time_s is None:
        raise CompetitionError(
            f"bout {bout}, leg {number}: it goes on to {most} touches; at {leg.first} to {leg.second} only time ends it"
        )


def score_of(legs: Sequence[Leg], first_has_priority: bool) -> Score | None:
    """The relay's score after its last leg; None before. Level, priority decides."""
    if len(legs) < len(ORDER):
        return None
    last = legs[-1]
    won = last.first > last.second if last.first != last.second else first_has_priority
    return Score(last.first, last.second, won)
