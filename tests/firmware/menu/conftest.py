"""A table with a menu, for the tests beside this: cards, figures and presses without a camera or a panel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from display.menu.lines import Line
from display.menu.settings import MenuSetting
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Button, Press
from firmware.config import DEFAULTS, load_config
from firmware.loop.loop import Loop
from firmware.loop.moment import Moment, People
from firmware.menu.choices import Choices
from firmware.menu.machine import Household
from firmware.menu.table_menu import TableMenu
from firmware.scorebook.book import open_scorebook
from vision.frame import Frame
from vision.look import Drawn


@dataclass
class Looked:
    table: TableObservation
    detections: Drawn = field(default_factory=Drawn)
    calibration: None = None


class AtTheTable:
    """A table with a menu; the test lays cards, moves figures and presses the four buttons."""

    def __init__(self, folder: Path) -> None:
        self.t_s, self.since_s = 0.0, 0.0
        self.spaces, self.cards = BySide(1, 23), ""
        self.pressed: list[Button] = []
        self.calibration = None
        self.sight = Sight.STEADY
        self.why: Why | None = None
        self.tested = 0
        self.moment: Moment | None = None
        self.applied: list[tuple[MenuSetting, str | int]] = []
        self.book = open_scorebook(folder / "book.sqlite")
        self.settings_file = folder / "menu.toml"
        myself: Any = self
        people = People(BySide("Ana", "Bo"), "en")
        journal = self.book.begin(people.names, mode="play")
        settings = Settings(settle_s=0.5, quiet_s=0.2)
        machine = Household(
            self.book,
            self.settings_file,
            apply=lambda name, value: self.applied.append((name, value)),
            test=lambda: setattr(self, "tested", self.tested + 1),
            lamps=True,
            sound=False,
            stick_folders=(folder / "media",),
            mounts=lambda media: sorted(media.iterdir()) if media.is_dir() else [],
            power_off=("false",),
        )
        config = replace(load_config(DEFAULTS), starter="lot", points=7)
        self.choices = Choices(people, machine, config)
        self.menu = TableMenu(self.choices)
        given: Any = (myself, myself, myself, journal, [], settings, people, [self.menu])
        self.loop = Loop(*given, mode="play", new_journal=lambda names: self.book.begin(names, mode="play"))

    def begin(self) -> AtTheTable:
        self.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 5))
        self.wait(1.0)
        assert self.loop.desk.state is not None
        assert self.loop.desk.state.phase is Phase.TURN
        return self

    # camera, eyes and buttons
    def read(self) -> Frame | None:
        self.t_s += 0.1
        return Frame(0, self.t_s, np.zeros((1, 1), np.uint8))

    def look(self, frame: Frame) -> Any:
        cards = tuple(CardReading(Card.parse(name), 300.0, -100.0, 0.0) for name in self.cards.split())
        figures = self.spaces.map(FigureReading)
        return Looked(TableObservation(frame.t_s, self.since_s, figures, cards, self.sight, self.why))

    def due(self, now_s: float) -> tuple[Press, ...]:
        pressed, self.pressed = self.pressed, []
        return tuple(Press(now_s, button) for button in pressed)

    # people
    def put(self, white: int, black: int, cards: str) -> None:
        self.spaces, self.cards, self.since_s = BySide(white, black), cards, self.t_s

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.loop.advance()

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.pressed.append(button)
            self.loop.advance()
            self.moment = self.loop.advance()  # what was asked for is done

    def go_to(self, *keys: Line) -> None:
        """Open the menu and choose these lines, one page after the other, with the four buttons."""
        if self.menu.menu is None:
            self.press(Button.MENU)
        for key in keys:
            self.to(key)
            self.press(Button.MENU)

    def to(self, key: Line) -> None:
        page = self.menu.page
        assert page is not None
        wanted = [item.key for item in page.items].index(key)
        assert self.menu.menu is not None
        while self.menu.menu.here.at != wanted:
            self.press(Button.BLACK)

    def set_to(self, key: Line, value: str) -> None:
        """Adjust a line until it shows this value."""
        self.to(key)
        self.press(Button.MENU)
        for _ in range(60):
            page = self.menu.page
            assert page is not None
            item = next(item for item in page.items if item.key == key)
            assert item.options
            if item.value == value:
                break
            self.press(Button.WHITE)
        else:
            raise AssertionError(f"{key} never showed {value}")
        self.press(Button.MENU)

    @property
    def state(self) -> Any:
        return self.loop.desk.state


@pytest.fixture
def no_match(tmp_path: Path) -> Iterator[AtTheTable]:
    """Where no match has begun."""
    table = AtTheTable(tmp_path)
    with table.book:
        yield table


@pytest.fixture
def at(no_match: AtTheTable) -> AtTheTable:
    """Where White is to act in the first round."""
    return no_match.begin()
