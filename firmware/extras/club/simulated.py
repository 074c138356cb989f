"""Tables without a camera, for demos and measurements: bots whose matches the referee judges, and nothing rendered.

They tell what a real table tells, through the same publisher, outbox and line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from display.view import Situation
from display.words.present import present
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import deal, play, reveal
from engine.record.corrections import Correction, Setting, set_outright
from engine.record.course import CORRECTED
from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide, Side
from firmware.extras.club.called import HANDICAP
from firmware.extras.club.shape import NO_HANDICAP
from firmware.extras.club.telling import told_state
from firmware.web.public import public


@dataclass(frozen=True, slots=True)
class SimulatedStep:
    """One event of a match that was judged, or the correction that gives a handicap."""

    event: Event | Correction
    ruling: Ruling
    state: PublicState


def judged_match(
    rng: Random, rules: str = "ferti-advanced", points: int = 5, ahead: BySide[int] = NO_HANDICAP
) -> Iterator[SimulatedStep]:
    """A whole match of two bots, step by step, reveals included.

    ``ahead``: touches they begin with, told as a real table tells them: the match begins at 0:0, and the score is put
    right as soon as there is a round.
    """
    opening = MatchEvent(rules, rng.choice(list(Side)), points)
    state, ruling = judge(None, opening)
    assert state is not None
    yield SimulatedStep(opening, ruling, state)
    bot = GreedyBot()
    while state.phase is not Phase.MATCH_OVER:
        started, ruling = judge(state._replace(previous=None), RoundEvent())
        assert started is not None
        full: FullState = deal(started, rng)
        yield SimulatedStep(RoundEvent(), ruling, started)
        if started.round == 1 and ahead != NO_HANDICAP:
            handicap = Setting(score=ahead)
            full = replace(full, public=set_outright(full.public, handicap))
            yield SimulatedStep(Correction((handicap,), HANDICAP), CORRECTED, full.public)
        while full.public.result is None:
            side = full.public.to_act
            event = reveal(full) if side is None else choice_event(full.public, bot.choose(full.view(side), rng))
            full, ruling = play(full, event)
            yield SimulatedStep(event, ruling, full.public)
        state = full.public


def told_step(step: SimulatedStep, names: BySide[str], bout: str = "", t_s: float = 0.0) -> dict[str, Any]:
    """A table's message about this step, at ``t_s`` of a clock that its match's steps have in common."""
    return told_state(step.ruling, step.state, names, t_s, bout)


def shown_step(step: SimulatedStep, names: BySide[str], verdicts: int) -> dict[str, Any]:
    """The scoreboard after this step."""
    situation = Situation(
        state=step.state, ruling=step.ruling, verdict_age_s=0.0, verdicts=verdicts, names=names, language="en"
    )
    return public(present(situation))
