"""Rounds of bots with what nobody at the table saw, for the tests of chances, proofs and puzzles of mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.players.players import Bot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.record.course import CourseStep, follow
from engine.record.retelling import finished_rounds
from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.state import FullState, Phase
from engine.rules.track import BySide, Side


@dataclass
class Played:
    """A round with what nobody at the table saw: the hands and the pile before every entry."""

    steps: tuple[CourseStep, ...]
    hidden: list[FullState]


def rounds_of(seed: int, bots: BySide[Bot]) -> list[Played]:
    """A match of these two, with its hidden cards."""
    rng = Random(seed)
    events: list[Event] = [MatchEvent("ferti-advanced", Side.WHITE, 3)]
    public, _ = judge(None, events[0])
    assert public is not None
    hidden: list[list[FullState]] = []
    while public.phase is not Phase.MATCH_OVER:
        full = start_round(public, rng)
        events.append(RoundEvent())
        hidden.append([])
        while full.public.result is None:
            hidden[-1].append(full)
            side = full.public.to_act
            chosen = None if side is None else bots[side].choose(full.view(side), rng)
            events.append(reveal(full) if chosen is None else choice_event(full.public, chosen))
            full, _ = play(full, events[-1])
        public = full.public
    course = None
    for event in events:
        course, ruling = follow(course, event)
        assert ruling.ok
    return [Played(steps, cards) for steps, cards in zip(finished_rounds(course), hidden, strict=True)]
