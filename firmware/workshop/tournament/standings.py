"""What the matches of a tournament say: shares with their limits, rounds, and how long the bots thought."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from firmware.workshop.tournament.matches import FixtureResult, Thinking

NORMAL_95: Final = 1.959963984540054
"""95 of 100 normally distributed values lie within so many standard deviations of their mean."""


def wilson(won: int, played: int) -> tuple[float, float]:
    """The 95 % confidence limits of a share of which ``won`` of ``played`` were seen; 0 and 1 where none were.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference (1927).
    """
    if played == 0:
        return 0.0, 1.0
    share, z2 = won / played, NORMAL_95**2
    middle = (share + z2 / (2 * played)) / (1 + z2 / played)
    half = NORMAL_95 * sqrt(share * (1 - share) / played + z2 / (4 * played**2)) / (1 + z2 / played)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True, slots=True)
class Meeting:
    """All matches of one pair. ``rounds``: won by the first, by the other, and by nobody."""

    pair: tuple[str, str]
    won: int
    played: int
    rounds: tuple[int, int, int]
    thinking: tuple[Thinking, Thinking]

    @property
    def share(self) -> float:
        return self.won / self.played

    @property
    def limits(self) -> tuple[float, float]:
        return wilson(self.won, self.played)

    def turned(self) -> Meeting:
        """The same as the other one sees it."""
        one, other, nobody = self.rounds
        pair = (self.pair[1], self.pair[0])
        thinking = (self.thinking[1], self.thinking[0])
        return Meeting(pair, self.played - self.won, self.played, (other, one, nobody), thinking)


def meetings(played: Iterable[FixtureResult], bots: Sequence[str]) -> list[Meeting]:
    """One for each pair that has met, the stronger of the two named first; in the order of the entrants."""
    found: dict[tuple[str, str], Meeting] = {}
    for match in played:
        pair = match.fixture.pair
        so_far = found.get(pair, Meeting(pair, 0, 0, (0, 0, 0), (Thinking(), Thinking())))
        one, other, nobody = (had + more for had, more in zip(so_far.rounds, match.rounds, strict=True))
        thinking = (so_far.thinking[0] + match.thinking[0], so_far.thinking[1] + match.thinking[1])
        found[pair] = Meeting(pair, so_far.won + match.first_won, so_far.played + 1, (one, other, nobody), thinking)
    order = {name: place for place, name in enumerate(bots)}
    ranked = sorted(found.values(), key=lambda each: (order[each.pair[0]], order[each.pair[1]]))
    return [each if 2 * each.won >= each.played else each.turned() for each in ranked]


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot against all others."""

    name: str
    won: int
    played: int
    thinking: Thinking


def standings(met: Iterable[Meeting]) -> list[Standing]:
    """Every bot that has played, the one with the largest share of its matches first."""
    found: dict[str, Standing] = {}
    for meeting in met:
        for view in (meeting, meeting.turned()):
            name = view.pair[0]
            so_far = found.get(name, Standing(name, 0, 0, Thinking()))
            thinking = so_far.thinking + view.thinking[0]
            found[name] = Standing(name, so_far.won + view.won, so_far.played + view.played, thinking)
    return sorted(found.values(), key=lambda each: (-each.won / each.played, each.name))
