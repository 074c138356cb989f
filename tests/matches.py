"""Whole matches of bots, judged event by event: one builder for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from engine.players.players import Bot, GreedyBot, RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide

RANDOM: Final[BySide[Bot]] = BySide(RandomBot(), RandomBot())
GREEDY: Final[BySide[Bot]] = BySide(GreedyBot(), GreedyBot())


class Judged(NamedTuple):
    """An event with its ruling, the state after it, and the table with its hands before and after (None: a match)."""

    event: Event
    ruling: Ruling
    state: PublicState
    before: FullState | None = None
    after: FullState | None = None


def match_of(opening: MatchEvent, rng: Random, bots: BySide[Bot] = RANDOM) -> Iterator[Judged]:
    """Every event of a match of these two; before a round begins there are no hands."""
    state, ruling = judge(None, opening)
    assert state is not None
    yield Judged(opening, ruling, state)
    while state.phase is not Phase.MATCH_OVER:
        full = start_round(state, rng)
        yield Judged(RoundEvent(), judge(state, RoundEvent())[1], full.public, None, full)
        while full.public.result is None:
            before, side = full, full.public.to_act
            chosen = None if side is None else bots[side].choose(full.view(side), rng)
            event = reveal(full) if chosen is None else choice_event(full.public, chosen)
            full, ruling = play(full, event)
            assert ruling.ok, (event, ruling)
            yield Judged(event, ruling, full.public, before, full)
        state = full.public


def tables_of(rules: str, rng: Random, rounds: int = 1, bots: BySide[Bot] = RANDOM) -> Iterator[FullState]:
    """Every table of so many rounds with somebody to act."""
    for each in match_of(MatchEvent(rules, points=10**6), rng, bots):
        if each.state.round > rounds:
            return
        if each.before is not None and each.before.public.to_act is not None:
            yield each.before
