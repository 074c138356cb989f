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
from engine.table.desk import Settings
from firmware.extras.simulation.actors import Shown
from firmware.extras.simulation.camera import TICK_S, backs_by_lot
from firmware.extras.simulation.with_companion import WithCompanion
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.recording.replay import NoJournal
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


class Watcher:
    def __init__(self, table: SceneTable) -> None:
        self.table = table
        self.moments: list[Moment] = []

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.table.shown = Shown.of(moment.desk, moment.view)


PlayMatch = Callable[..., Played]

FIXED = {**STRENGTHS, "club": GreedyBot}
"""The club's place is taken by one who never learns anew, so that a seed stays the same match."""


@pytest.fixture(scope="session")
def play_match() -> PlayMatch:
    """``play_match(seed, side)``: a match against the companion to its end, or so many ``moments`` of it."""

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
        moments: int | None = None,
    ) -> Played:
        backs = backs_by_lot(seed)
        known = DeckBacks("A", backs) if deck is None else deck
        match = MatchEvent(rules, starter, points)
        rng = random.Random(seed)
        director = WithCompanion(TABLE, match, GreedyBot(), side, backs, rng, tick_s=TICK_S, mistakes=mistakes)
        table = SceneTable(TABLE, director)
        watcher = Watcher(table)
        people = People(NO_NAMES.put(side, name_of(strength)), language)
        settings = Settings(settle_s=1.0)
        companion = TableCompanion(lambda _: known, strengths, TABLE, people, meanwhile=False)
        given: Any = (table, table, table, NoJournal(), [watcher], settings, people, [companion])
        loop = Loop(*given, mode="demo")
        loop.open(match)
        played = Played(loop, director, companion, table, watcher.moments, known)
        if change is not None:
            change(played)
        while loop.advance() is not None and (moments is None or len(watcher.moments) < moments):
            pass
        return played

    return play
