"""A table seen without pictures: whole matches in a second, for everything that is not about seeing."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from display.view import NO_NAMES
from engine.companion.backs import DeckBacks
from engine.companion.companion import name_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import GreedyBot
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.observation import (
    BackReading,
    CardReading,
    FigureProblem,
    FigureReading,
    Sight,
    TableObservation,
    Why,
)
from engine.table.presses import Press
from firmware.extras.simulation.camera import TICK_S
from firmware.extras.simulation.director import Shown
from firmware.extras.simulation.showing import backs_by_lot
from firmware.extras.simulation.with_companion import WithCompanion
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.recording.replay import NoJournal
from firmware.ui.companion.companion import TableCompanion
from tests.tables import TABLE
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import PlayArea, Table
from vision.synthetic.scene import Scene, SceneCard


class SceneEyes:
    """Eyes that know what lies there, as far as real ones could: nothing under a hand, backs only where asked for."""

    def __init__(self, director: WithCompanion) -> None:
        self.table: Table = TABLE
        self.back_areas: tuple[PlayArea, ...] = ()
        self.asked_of: set[str] = set()
        self.scene = Scene()
        self._director = director
        self._laid: dict[tuple[Card, bool], tuple[SceneCard, float]] = {}
        self._known: object = None
        self._since_s = 0.0

    def watch_backs(self, areas: Sequence[PlayArea], tokens: Sequence[str] = ()) -> None:
        self.back_areas, self.back_tokens = tuple(areas), tuple(tokens)

    def look(self, frame: Frame) -> Look:
        now_s, scene = frame.t_s, self.scene
        laid = {(card.card, card.face_up): card for card in scene.cards}
        self._laid = {
            key: (card, self._laid[key][1] if key in self._laid and self._laid[key][0] == card else now_s)
            for key, card in laid.items()
        }
        cards = tuple(
            CardReading(card.card, card.x_mm, card.y_mm, since_s)
            for card, since_s in sorted(self._laid.values(), key=lambda pair: pair[1])
            if card.face_up
        )
        backs = tuple(
            BackReading(card.back or "", card.x_mm, card.y_mm, since_s)
            for card, since_s in self._laid.values()
            if not card.face_up and any(area.holds(card.x_mm, card.y_mm) for area in self.back_areas)
        )
        self.asked_of |= {back.token for back in backs}
        figures = BySide(*(self._figure(scene, side) for side in Side))
        known = (cards, figures)
        if known != self._known:
            self._known, self._since_s = known, now_s
        sight, why = (Sight.CHECKING, Why.HAND) if scene.hands else (Sight.STEADY, None)
        table = TableObservation(now_s, self._since_s, figures, cards, sight, why, backs=backs)
        return Look(Seen(), table, Drawn(), None, self.table)

    def _figure(self, scene: Scene, side: Side) -> FigureReading:
        figure = scene.white if side is Side.WHITE else scene.black
        if figure is None:
            return FigureReading(None, FigureProblem.HIDDEN)
        space = min(range(1, 24), key=lambda number: abs(TABLE.space_mm(number).x - figure.x_mm))
        return FigureReading(space, None, figure.x_mm)


@dataclass
class SceneTable:
    """The director's table as frames without a picture, and its presses."""

    director: WithCompanion
    eyes: SceneEyes
    shown: Shown | None = None
    index: int = 0
    pressed: tuple[Press, ...] = ()

    def read(self) -> Frame | None:
        t_s = round(self.index * TICK_S, 6)
        tick = self.director.tick(t_s, self.shown)
        if tick is None:
            return None
        self.index += 1
        self.pressed += tick.presses
        self.eyes.scene = tick.scene
        return Frame(self.index, t_s, np.zeros((1, 1), np.uint8))

    def due(self, now_s: float) -> tuple[Press, ...]:
        due, self.pressed = self.pressed, ()
        return due

    def close(self) -> None:
        pass


@dataclass
class Played:
    """A match that was played: everything to hold against each other."""

    loop: Loop
    director: WithCompanion
    companion: TableCompanion
    eyes: SceneEyes
    moments: list[Moment]
    deck: DeckBacks


class Watcher:
    def __init__(self, table: SceneTable) -> None:
        self.table = table
        self.moments: list[Moment] = []

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.table.shown = Shown.of(moment.desk, moment.view)


@pytest.fixture(scope="session")
def scene_table() -> Callable[[WithCompanion], SceneTable]:
    """A table as it stands, looked at with new eyes."""
    return lambda director: SceneTable(director, SceneEyes(director))


PlayMatch = Callable[..., Played]

FIXED = {**STRENGTHS, "club": GreedyBot}
"""The club's place is taken by one who never learns anew, so that a seed stays the same match."""


@pytest.fixture(scope="session")
def play_match() -> PlayMatch:
    """``play_match(seed, side)``: a match against the companion to its end, or to where it got stuck."""

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
    ) -> Played:
        backs = backs_by_lot(seed)
        known = DeckBacks("A", backs) if deck is None else deck
        match = MatchEvent(rules, starter, points)
        rng = random.Random(seed)
        director = WithCompanion(TABLE, match, GreedyBot(), side, backs, rng, tick_s=TICK_S, mistakes=mistakes)
        eyes = SceneEyes(director)
        table = SceneTable(director, eyes)
        watcher = Watcher(table)
        people = People(NO_NAMES.put(side, name_of(strength)), language)
        settings = Settings(settle_s=1.0)
        companion = TableCompanion(lambda _: known, strengths, TABLE, people, meanwhile=False)
        given: Any = (table, eyes, table, NoJournal(), [watcher], settings, people, [companion])
        loop = Loop(*given, mode="demo")
        loop.open(match)
        played = Played(loop, director, companion, eyes, watcher.moments, known)
        if change is not None:
            change(played)
        loop.run()
        return played

    return play
