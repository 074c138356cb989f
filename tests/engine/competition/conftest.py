"""What the tests of competitions share."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from engine.competition.bouts import Bout, Entrant, Terms
from engine.competition.events import CompetitionEvent, Entered, MatchFenced, Opened
from engine.competition.log import Log
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Phase


def fence(seed: str, points: int = 5) -> tuple[int, int]:
    """The touches of both at the end of a match of two bots by the real rules; the first plays White."""
    rng, bot = Random(seed), GreedyBot()
    state, _ = judge(None, MatchEvent("ferti-advanced", points=points))
    assert state is not None
    while state.phase is not Phase.MATCH_OVER:
        full = start_round(state._replace(previous=None), rng)
        while full.public.result is None:
            side = full.public.to_act
            event = reveal(full) if side is None else choice_event(full.public, bot.choose(full.view(side), rng))
            full, ruling = play(full, event)
            assert ruling.ok
        state = full.public
    return state.score.white, state.score.black


@pytest.fixture(scope="session", name="fence")
def fence_fixture() -> Callable[..., tuple[int, int]]:
    return fence


def begun(*events: CompetitionEvent, fencers: int = 6, terms: Terms | None = None) -> Log:
    """A competition of fencers ``1`` to ``N``, seeded in this order, and then these events."""
    log = Log().and_then(Opened("Evening", terms or Terms()))
    for number in range(1, fencers + 1):
        log = log.and_then(Entered(Entrant(str(number), f"Fencer {number}", seed=number)))
    for event in events:
        log = log.and_then(event)
    return log


@pytest.fixture(scope="session", name="begun")
def begun_fixture() -> Callable[..., Log]:
    return begun


def decided(bout: Bout, rng: Random, points: int = 5) -> MatchFenced:
    """The next match of this bout with a result that chance decides."""
    first_won = rng.random() < 0.5
    loser = rng.randrange(points)
    return MatchFenced(bout.id, *((points, loser) if first_won else (loser, points)), first_won)


@pytest.fixture(scope="session", name="decided")
def decided_fixture() -> Callable[..., MatchFenced]:
    return decided
