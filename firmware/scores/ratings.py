"""How strong everybody was after every match, by Glicko-2.

A match is a rating period of its own and one game in it: who wins a match never falls, and nobody needs to know when
it was played, which a Pi without a clock could not say. For everybody else it is a period without a game, so that
one who has not fenced for long becomes less sure again, at the pace at which the others fence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from firmware.scores.glicko import Game, Rating, rated, rested

UNSURE_DEVIATION: Final = 110.0
"""Above this many points of deviation a rating says little yet: its 95 % range is wider than 430 points."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match to rate: its number in the book, and two different players' keys."""

    match_id: int
    winner: str
    loser: str


@dataclass(frozen=True, slots=True)
class RatingLine:
    """One player's rating now, and ``after`` each of his matches, by the match's number, in their order."""

    now: Rating
    after: tuple[tuple[int, Rating], ...]

    @property
    def unsure(self) -> bool:
        return self.now.deviation > UNSURE_DEVIATION


def rating_lines(outcomes: Iterable[RatedMatch]) -> Mapping[str, RatingLine]:
    """Everybody's rating from these matches in this order."""
    now: dict[str, Rating] = {}
    after: dict[str, list[tuple[int, Rating]]] = {}
    for outcome in outcomes:
        winner, loser = now.pop(outcome.winner, Rating()), now.pop(outcome.loser, Rating())
        for absent, rating in now.items():
            now[absent] = rested(rating)
        now[outcome.winner] = rated(winner, (Game(loser, 1.0),))
        now[outcome.loser] = rated(loser, (Game(winner, 0.0),))
        for key in (outcome.winner, outcome.loser):
            after.setdefault(key, []).append((outcome.match_id, now[key]))
    return {key: RatingLine(now[key], tuple(line)) for key, line in after.items()}
