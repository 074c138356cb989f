"""A table seen without pictures: whole matches in a second, for everything that is not about seeing."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from display.view import NO_NAMES
from engine.companion.backs import DeckBacks
from engine.companion.companion import name_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import GreedyBot
from engine.rules.events import MatchEvent
from engine.rules.track import Side
from firmware.extras.simulation.camera import TICK_S, backs_by_lot
from firmware.extras.simulation.with_companion import WithCompanion
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.ui.companion.companion import TableCompanion
from tests.firmware.ui.scene_table import SceneTable
from tests.tables import TABLE


@dataclass
class Played:
    """A match that was played: everything to hold against each other."""

    loop: Loop
    director: WithCompanion
    companion: TableCompanion
    eyes: SceneTable
    moments: list[Moment]
    deck: DeckBacks


class Moments:
    """All that happened."""

    def __init__(self) -> None:
        self.all: list[Moment] = []

    def attend(self, moment: Moment) -> None:
        self.all.append(moment)


PlayMatch = Callable[..., Played]

FIXED = {**STRENGTHS, "club": GreedyBot}
"""The club's place is taken by one who never learns anew, so that a seed stays the same match."""


@pytest.fixture(scope="session")
def play_match() -> PlayMatch:
    """``play_match(seed, side)``: a match against the companion to its end, or ``until`` so many moments."""

    def play(
        seed: int,
        side: Side,
        *,
        strength: str = "club",
        rules: str = "ferti-advanced",
        points: int = 1,
        mistakes: float = 0.0,
        deck: DeckBacks | None = None,
        change: Callable[[Any], None] | None = None,
        strengths: Mapping[str, Any] = FIXED,
        starter: Side = Side.WHITE,
        language: str = "en",
        until: int | None = None,
    ) -> Played:
        backs = backs_by_lot(seed)
        known = DeckBacks("A", backs) if deck is None else deck
        match = MatchEvent(rules, starter, points)
        rng = random.Random(seed)
        director = WithCompanion(TABLE, match, GreedyBot(), side, backs, rng, tick_s=TICK_S, mistakes=mistakes)
        table = SceneTable(TABLE, director)
        moments = Moments()
        people = People(NO_NAMES.put(side, name_of(strength)), language)
        companion = TableCompanion(lambda _: known, strengths, TABLE, people, meanwhile=False)
        loop = table.refereed(people, [companion], [moments, table], settle_s=1.0)
        loop.open(match)
        played = Played(loop, director, companion, table, moments.all, known)
        if change is not None:
            change(played)
        while loop.advance() is not None and (until is None or len(moments.all) < until):
            pass
        return played

    return play
