"""How strong everybody was after every match, by Glicko-2.

A match is a rating period of its own and one game in it: who wins a match never falls, and nobody needs to know when
it was played, which a Pi without a clock could not say. For everybody else it is a period without a game, so that
one who has not fenced for long becomes less sure again, at the pace at which the others fence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from engine.strict.values import Range

# Glicko-2: a rating, how unsure it is, and how steadily it is played up to.
#
# Written from Glickman's paper, whose worked example is in the tests. The one library of it on the package index
# installs a top-level package called ``tests`` and has no types, and the whole system is the fifty lines below.
#
# Source: Mark E. Glickman, "Example of the Glicko-2 system" (2013 revision); the step numbers are the paper's.

SCALE: Final = 173.7178
"""Points of the scale people know for one of the scale the sums are done in (steps 2 and 8)."""
START_RATING: Final = 1500.0
START_DEVIATION: Final = 350.0
START_VOLATILITY: Final = 0.06
TAU: Final = 0.5
"""How far a volatility may move. The paper advises 0.3 to 1.2; its example has 0.5."""
NORMAL_95: Final = 1.96
_ENOUGH: Final = 1e-6
MAX_POINTS: Final = 1e6
"""Beyond any that can be reached."""
MIN_SPREAD: Final = 1e-9
"""A deviation and a volatility are above nothing: the sums divide by them."""


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's strength. ``deviation`` is its standard deviation, both in points; ``volatility`` has no unit."""

    points: Annotated[float, Range(-MAX_POINTS, MAX_POINTS)] = START_RATING
    deviation: Annotated[float, Range(MIN_SPREAD, MAX_POINTS)] = START_DEVIATION
    volatility: Annotated[float, Range(MIN_SPREAD, MAX_POINTS)] = START_VOLATILITY

    @property
    def range_95(self) -> tuple[float, float]:
        """The points between which the true strength lies with a chance of 95 in 100."""
        reach = NORMAL_95 * self.deviation
        return self.points - reach, self.points + reach


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a rating period: the opponent's rating before it, and 1 for a win, 0.5 for a draw, 0 for a loss."""

    opponent: Rating
    score: float


def expected_score(player: Rating, opponent: Rating) -> float:
    """The share of the points the player may expect against this opponent, 0 to 1 (step 3, E)."""
    gap = (player.points - opponent.points) / SCALE
    return 1 / (1 + math.exp(-_weight(opponent.deviation / SCALE) * gap))


def rested(player: Rating) -> Rating:
    """The rating after a period without a game: as good, a little less sure, never less than a newcomer's (step 6)."""
    deviation = math.hypot(player.deviation / SCALE, player.volatility) * SCALE
    return Rating(player.points, min(deviation, START_DEVIATION), player.volatility)


def rated(player: Rating, games: Sequence[Game]) -> Rating:
    """The rating after a period with these games (steps 3 to 8); without any, as ``rested``."""
    if not games:
        return rested(player)
    precision, pull = 0.0, 0.0
    for game in games:
        weight = _weight(game.opponent.deviation / SCALE)
        expected = expected_score(player, game.opponent)
        precision += weight * weight * expected * (1 - expected)
        pull += weight * (game.score - expected)
    variance = 1 / precision
    spread = player.deviation / SCALE
    volatility = _volatility(player.volatility, spread, variance, variance * pull)
    before = math.hypot(spread, volatility)
    after = 1 / math.sqrt(1 / before**2 + precision)
    points = player.points + SCALE * after**2 * pull
    return Rating(points, min(after * SCALE, START_DEVIATION), volatility)


def _weight(spread: float) -> float:
    """How much a game counts against somebody this unsure (step 3, g)."""
    return 1 / math.sqrt(1 + 3 * spread**2 / math.pi**2)


def _volatility(old: float, spread: float, variance: float, improvement: float) -> float:
    """The new volatility: where the paper's f crosses zero, found by its Illinois search (step 5)."""
    start = math.log(old**2)

    def f(x: float) -> float:
        power = math.exp(x)
        total = spread**2 + variance + power
        return power * (improvement**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low = start
    if improvement**2 > spread**2 + variance:
        high = math.log(improvement**2 - spread**2 - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _ENOUGH:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


UNSURE_DEVIATION: Final = 110.0
"""Above this many points of deviation a rating says little yet: its 95 % range is wider than 430 points."""


@dataclass(frozen=True, slots=True)
class RatingLine:
    """One player's rating now, and ``after`` each match, by the match's number, in their order."""

    now: Rating
    after: tuple[tuple[int, Rating], ...]

    @property
    def unsure(self) -> bool:
        return self.now.deviation > UNSURE_DEVIATION


def rating_lines(outcomes: Iterable[tuple[int, str, str]]) -> Mapping[str, RatingLine]:
    """Everybody's rating from these matches in this order: the number of each, and the keys of winner and loser."""
    now: dict[str, Rating] = {}
    after: dict[str, list[tuple[int, Rating]]] = {}
    for match_id, won, lost in outcomes:
        winner, loser = now.pop(won, Rating()), now.pop(lost, Rating())
        for absent, rating in now.items():
            now[absent] = rested(rating)
        now[won] = rated(winner, (Game(loser, 1.0),))
        now[lost] = rated(loser, (Game(winner, 0.0),))
        for key in (won, lost):
            after.setdefault(key, []).append((match_id, now[key]))
    return {key: RatingLine(now[key], tuple(line)) for key, line in after.items()}
