"""Tables seen without pictures: whole matches and lessons in a second, for everything that is not about seeing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.desk import Settings
from engine.table.observation import (
    BackReading,
    CardReading,
    Doubt,
    DoubtReason,
    FigureProblem,
    FigureReading,
    Sight,
    TableObservation,
    Why,
)
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import Scorebook
from firmware.extras.simulation.actors import Shown
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, NoJournal, People
from firmware.ui.menu.machine import Household
from firmware.ui.menu.sticks import Stick
from tests.tables import TABLE
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.printed.table import PlayArea, Table
from vision.synthetic.scene import Scene, SceneCard, SceneFigure

TICK_S = 0.2
PICTURE = np.zeros((1, 1), np.uint8)


class SceneTable:
    """Camera, eyes and buttons in one: what lies in the scene is seen, backs only where asked for, nothing surely while
    a hand is over the table."""

    calibration = None

    def __init__(self, table: Table, players: Any, late_s: float = 0.0) -> None:
        """``players``: those who act there, with a ``tick``; a press is heard ``late_s`` after it."""
        self.table, self.players = table, players
        self.eyes = self
        self.back_areas: tuple[PlayArea, ...] = ()
        self.back_tokens: tuple[str, ...] = ()
        self.asked_of: set[str] = set()
        self.scene = Scene()
        self.shown: Shown | None = None
        self.index = 0
        self._late_s = late_s
        self._presses: tuple[Press, ...] = ()
        self._laid: dict[tuple[Card, bool], tuple[SceneCard, float]] = {}
        self._known: object = None
        self._since_s = 0.0

    def read(self) -> Frame | None:
        t_s = round(self.index * TICK_S, 6)
        tick = self.players.tick(t_s, self.shown)
        if tick is None:
            return None
        self.index += 1
        self._presses += tick.presses
        self.scene = tick.scene
        return Frame(self.index, t_s, PICTURE)

    def due(self, now_s: float) -> tuple[Press, ...]:
        due = tuple(press for press in self._presses if press.t_s + self._late_s <= now_s)
        self._presses = self._presses[len(due) :]
        return due

    def refereed(
        self, people: People, helpers: Sequence[Any], audience: Sequence[Any], source: Any = None, **more: Any
    ) -> Loop:
        """The loop at this table, with settings as given in ``more``."""
        settings = Settings(**{"middle_x_mm": self.table.play_area.middle[0], **more})
        devices: Any = (source or self, self, self, NoJournal(), audience, settings, people, helpers)
        return Loop(*devices, mode="play")

    def watch(self, shown: Shown) -> None:
        self.shown = shown

    def attend(self, moment: Moment) -> None:
        self.watch(Shown.of(moment.desk, moment.view))

    def watch_backs(self, areas: Sequence[PlayArea], tokens: Sequence[str] = ()) -> None:
        self.back_areas, self.back_tokens = tuple(areas), tuple(tokens)

    def close(self) -> None: ...

    def look(self, frame: Frame) -> Look:
        now_s, scene, before = frame.t_s, self.scene, self._laid
        laid = {(card.card, card.face_up): card for card in scene.cards}
        self._laid = {
            key: (card, before[key][1] if key in before and before[key][0] == card else now_s)
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
        figures = BySide(self._figure(scene.white), self._figure(scene.black))
        if (cards, figures) != self._known:
            self._known, self._since_s = (cards, figures), now_s
        sight, why = (Sight.CHECKING, Why.HAND) if scene.hands else (Sight.STEADY, None)
        seen = TableObservation(now_s, self._since_s, figures, cards, sight, why, backs=backs)
        return Look(Seen(), seen, Drawn(), None, self.table)

    def _figure(self, figure: SceneFigure | None) -> FigureReading:
        if figure is None:
            return FigureReading(None, FigureProblem.HIDDEN)
        space = min(range(1, 24), key=lambda number: abs(self.table.space_mm(number).x - figure.x_mm))
        return FigureReading(space, None, figure.x_mm)


class SetTable:
    """Camera, eyes and buttons in one: the test lays the cards, moves the fencers and presses the buttons."""

    table, run, calibration = TABLE, None, None
    back_areas = back_tokens = ()
    loop: Any

    def __init__(self) -> None:
        self.t_s, self.since_s = 0.0, 0.0
        self.spaces = BySide(1, 23)
        self.lying: dict[Card, tuple[float, float]] = {}
        self.unread: tuple[Doubt, ...] = ()
        self.glimpsed: tuple[Card, ...] = ()
        self.sight = Sight.STEADY
        self.why: Why | None = None
        self.pressed: list[Button] = []

    def read(self) -> Frame | None:
        self.t_s += 0.1
        return Frame(0, self.t_s, PICTURE)

    def look(self, frame: Frame) -> Look:
        cards = tuple(CardReading(card, x_mm, y_mm, 0.0) for card, (x_mm, y_mm) in self.lying.items())
        doubts = (*(Doubt(0.0, 0.0, 0.0, DoubtReason.COVERED, card) for card in self.glimpsed), *self.unread)
        figures = self.spaces.map(FigureReading)
        seen = TableObservation(frame.t_s, self.since_s, figures, cards, self.sight, self.why, doubts=doubts)
        return Look(Seen(), seen, Drawn(), None, TABLE)

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed, self.pressed = self.pressed, []
        return tuple(Press(now_s, button) for button in pressed)

    def wait(self, seconds: float = 0.5) -> None:
        for _ in range(round(seconds * 10)):
            self.loop.advance()

    @property
    def state(self) -> Any:
        return self.loop.desk.state


def forever() -> Any:
    """The script of people who sit on their hands: the test moves and presses."""
    while True:
        yield


def sticks_in(media: Path) -> list[Stick]:
    """Each folder of this one is a stick."""
    return [Stick(path, path.name) for path in sorted(media.iterdir())] if media.is_dir() else []


def machine_of(book: Scorebook, **more: Any) -> Household:
    """A machine with this scorebook and nothing else, and sticks in the folder ``media`` beside it."""
    folder = book.path.parent
    given: dict[str, Any] = {"apply": lambda *_: None, "test": lambda: None, "lamps": False, "sound": lambda: False}
    given["sticks"] = lambda: sticks_in(folder / "media")
    return Household(book, folder / "menu.toml", **{**given, **more})
