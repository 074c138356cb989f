"""Matches of a tournament: which there are, and one played at the simulated table, refereed as a real one."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from multiprocessing.pool import Pool
from random import Random
from types import MappingProxyType
from typing import Final

from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot, RandomBot
from engine.players.simulation import play_round
from engine.rules.actions import GiveUp, Turn
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, PlayerView
from engine.rules.track import BySide, Side
from firmware.errors import EngardeError

ENTRANTS: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot, **STRENGTHS}
)
"""Every bot that may enter. ``greedy`` weighs and counts as the fencer does, who forgets what was played."""


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match to play: everything that makes it what it is. ``pair``: who meets, in the order of the entrants."""

    pair: tuple[str, str]
    number: int
    seed: int
    rules: str
    points: int

    @property
    def players(self) -> BySide[str]:
        """Colours change with every match."""
        one, other = self.pair
        return BySide(one, other) if self.number % 2 == 0 else BySide(other, one)

    @property
    def starter(self) -> Side:
        """Who begins changes with every second match, so that in four each has begun twice with each colour."""
        return Side.WHITE if self.number // 2 % 2 == 0 else Side.BLACK

    @property
    def rng_seed(self) -> str:
        """The match's own: what others play, and in which order, changes nothing in it."""
        return f"{self.seed}:{self.pair[0]}:{self.pair[1]}:{self.number}"


@dataclass(frozen=True, slots=True)
class Thinking:
    """How long a player's answers took, in seconds of processor time."""

    answers: int = 0
    total_s: float = 0.0
    longest_s: float = 0.0

    def __add__(self, other: Thinking) -> Thinking:
        return Thinking(
            self.answers + other.answers, self.total_s + other.total_s, max(self.longest_s, other.longest_s)
        )

    @property
    def mean_s(self) -> float:
        return self.total_s / self.answers if self.answers else 0.0


@dataclass(frozen=True, slots=True)
class FixtureResult:
    """How a match ended. ``first_won``: whether the first of the pair won it; ``rounds``: won by the first, by the
    other, and by nobody."""

    fixture: Fixture
    first_won: bool
    rounds: tuple[int, int, int]
    thinking: tuple[Thinking, Thinking]


class TimedBot:
    """A bot, and the seconds of processor time that each of its answers took."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.took_s: list[float] = []

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        begun_s = time.thread_time()
        choice = self._bot.choose(view, rng)
        self.took_s.append(time.thread_time() - begun_s)
        return choice

    @property
    def thinking(self) -> Thinking:
        """All of it."""
        return Thinking(len(self.took_s), sum(self.took_s), max(self.took_s, default=0.0))


def fixtures(bots: Sequence[str], matches: int, seed: int, rules: str, points: int) -> Iterator[Fixture]:
    """Every match of a tournament in which each plays ``matches`` against each other, a match of every pair in turn."""
    for number in range(matches):
        for pair in combinations(bots, 2):
            yield Fixture(pair, number, seed, rules, points)


def play_fixture(fixture: Fixture) -> FixtureResult:
    """Plays a match to its end. Raises EngardeError, naming the bot, where the referee refuses what one chose."""
    rng = Random(fixture.rng_seed)
    names = fixture.players
    timed = names.map(lambda name: TimedBot(ENTRANTS[name]()))
    bots: BySide[Bot] = BySide(timed.white, timed.black)
    state, _ = judge(None, MatchEvent(fixture.rules, fixture.starter, fixture.points))
    won: dict[Side | None, int] = {Side.WHITE: 0, Side.BLACK: 0, None: 0}
    assert state is not None
    while state.phase is not Phase.MATCH_OVER:
        try:
            state = play_round(state, bots, rng)
        except ValueError as refused:
            raise EngardeError(f"{names.white} (White) against {names.black} (Black): {refused}.") from refused
        won[None if state.result is None else state.result.winner] += 1
    first = Side.WHITE if names.white == fixture.pair[0] else Side.BLACK
    return FixtureResult(
        fixture,
        state.score[first] > state.score[first.other],
        (won[first], won[first.other], won[None]),
        (timed[first].thinking, timed[first.other].thinking),
    )


# Plays the matches of a tournament, in several processes where there are several cores.

CHUNK: Final = 2
"""Matches handed to a process at a time: a tournament that is stopped loses no more than these of each."""


def cores() -> int:
    """How many processes can work at once on this machine."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_all(fixtures: Sequence[Fixture], jobs: int) -> Generator[FixtureResult, None, None]:
    """The matches as they end, in any order. What each brings is the same whatever ``jobs`` is.

    Closing the iterator ends the processes. Raises what ``play_fixture`` raises.
    """
    jobs = min(jobs, len(fixtures))
    if jobs <= 1:
        yield from map(play_fixture, fixtures)
        return
    # Started anew rather than forked: a copy of a process with threads, as pygame's has, may hang.
    with closing(_started(jobs)) as pool:
        try:
            yield from pool.imap_unordered(play_fixture, fixtures, CHUNK)
        finally:
            pool.terminate()


def _started(jobs: int) -> Pool:
    """Processes to which Ctrl-C means nothing from their first moment: they inherit it, and the parent ends them."""
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return multiprocessing.get_context("spawn").Pool(jobs)
    finally:
        signal.signal(signal.SIGINT, ours)


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
