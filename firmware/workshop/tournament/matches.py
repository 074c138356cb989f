"""Matches of a tournament: which there are, and one played at the simulated table, refereed as a real one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from types import MappingProxyType
from typing import Final

from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot, RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.events import Event, MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.errors import EngardeError

ENTRANTS: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {"random": RandomBot, "greedy": GreedyBot, **STRENGTHS}
)
"""Every bot that may enter, weakest first. ``greedy`` and ``club`` are the same player by two names."""


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
class Played:
    """How a match ended. ``first_won``: whether the first of the pair won it; ``rounds``: won by the first, by the
    other, and by nobody."""

    fixture: Fixture
    first_won: bool
    rounds: tuple[int, int, int]
    thinking: tuple[Thinking, Thinking]


def fixtures(bots: Sequence[str], matches: int, seed: int, rules: str, points: int) -> Iterator[Fixture]:
    """Every match of a tournament in which each plays ``matches`` against each other, a match of every pair in turn."""
    for number in range(matches):
        for pair in combinations(bots, 2):
            yield Fixture(pair, number, seed, rules, points)


def play_fixture(fixture: Fixture) -> Played:
    """Plays a match to its end. Raises EngardeError, naming the bot, where the referee refuses what one chose."""
    rng = Random(fixture.rng_seed)
    names = fixture.players
    bots: BySide[Bot] = names.map(lambda name: ENTRANTS[name]())
    state, _ = judge(None, MatchEvent(fixture.rules, fixture.starter, fixture.points))
    thinking = {Side.WHITE: Thinking(), Side.BLACK: Thinking()}
    won: dict[Side | None, int] = {Side.WHITE: 0, Side.BLACK: 0, None: 0}
    assert state is not None
    while state.phase is not Phase.MATCH_OVER:
        # Bots look back over this round alone, and without its past a match of any length costs the same.
        full = start_round(state._replace(previous=None), rng)
        while full.public.result is None:
            side = full.public.to_act
            event: Event
            if side is None:
                event = reveal(full)
            else:
                begun_s = time.process_time()
                choice = bots[side].choose(full.view(side), rng)
                took_s = time.process_time() - begun_s
                thinking[side] += Thinking(1, took_s, took_s)
                event = choice_event(full.public, choice)
            full, ruling = play(full, event)
            if not ruling.ok and side is not None:
                raise EngardeError(f"{names[side]} chose what is not allowed: {event}.")
        state = full.public
        won[None if state.result is None else state.result.winner] += 1
    first = Side.WHITE if names.white == fixture.pair[0] else Side.BLACK
    return Played(
        fixture,
        state.score[first] > state.score[first.other],
        (won[first], won[first.other], won[None]),
        (thinking[first], thinking[first.other]),
    )
