"""Matches for all tests: cards and turns by their names, courses of events, and whole matches of bots."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final, NamedTuple

from engine.players.players import Bot, GreedyBot, RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.record.course import Course, JournalEntry, follow
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide

RANDOM: Final[BySide[Bot]] = BySide(RandomBot(), RandomBot())
GREEDY: Final[BySide[Bot]] = BySide(GreedyBot(), GreedyBot())


def cards(names: str) -> tuple[Card, ...]:
    """The cards of these names, such as ``3a 2b``."""
    return tuple(Card.parse(name) for name in names.split())


def turn(names: str, white: int, black: int) -> TurnEvent:
    """The turn that lays these cards, after which the fencers stand there."""
    return TurnEvent(cards(names), white, black)


def course_of(*entries: JournalEntry) -> Course:
    """The course of these entries, all of them accepted."""
    course = None
    for entry in entries:
        course, ruling = follow(course, entry)
        assert ruling.ok, (entry, ruling)
    assert course is not None
    return course


def after(*turns: TurnEvent) -> PublicState:
    """The first round of a match after these turns."""
    return course_of(MatchEvent("ferti-advanced"), RoundEvent(), *turns).state


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
