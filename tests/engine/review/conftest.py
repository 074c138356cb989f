"""Rounds of bots with what nobody at the table saw, for the tests of chances, proofs and puzzles of mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from engine.players.players import Bot
from engine.record.course import CourseStep, follow
from engine.record.retelling import finished_rounds
from engine.rules.events import MatchEvent, RoundEvent
from engine.rules.state import FullState
from engine.rules.track import BySide, Side
from tests.matches import match_of


@dataclass
class Played:
    """A round with what nobody at the table saw: the hands and the pile before every entry."""

    steps: tuple[CourseStep, ...]
    hidden: list[FullState]


def rounds_of(seed: int, bots: BySide[Bot]) -> list[Played]:
    """A match of these two, with its hidden cards."""
    hidden: list[list[FullState]] = []
    course = None
    for event, _, _, before, _ in match_of(MatchEvent("ferti-advanced", Side.WHITE, 3), Random(seed), bots):
        course, _ = follow(course, event)
        if isinstance(event, RoundEvent):
            hidden.append([])
        if before is not None:
            hidden[-1].append(before)
    return [Played(steps, cards) for steps, cards in zip(finished_rounds(course), hidden, strict=True)]
