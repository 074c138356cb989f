"""A hand read in private at the simulated table, by the eyes of a real one, in the middle of a match by ear."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from display.menu.model import Goto, Open
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from engine.table.desk import Settings
from engine.table.presses import Button, Press
from firmware.book.scorebook.book import open_scorebook
from firmware.core.config import Config
from firmware.extras.simulation.camera import simulated_table
from firmware.extras.simulation.pupils import Pupils
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, NoJournal, People
from firmware.table.sound.voice import Reader
from firmware.ui.menu.state import MenuState
from firmware.ui.menu.table_menu import TableMenu
from tests.firmware.ui.scene_table import forever, machine_of
from vision.eyes import Eyes
from vision.printed.table import Table
from vision.synthetic.camera import TYPICAL

pytestmark = pytest.mark.slow

TICK_S = 0.2
HAND = ("1b", "2e", "3a", "3c", "5d")


class ByEar:
    """Ana and Ben at the simulated table, who hear the screen read and press the four buttons."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.people = Pupils(table, random.Random(1), TICK_S, mistakes=0.0)
        self.people._script = forever()
        self.camera: Any = simulated_table(table, self.people, TYPICAL, 1)
        self.moments: list[Moment] = []
        self.book = open_scorebook(folder / "book.sqlite")
        names = People(BySide("Ana", "Ben"), "en")
        self.menu = TableMenu(MenuState(names, machine_of(self.book), Config(voice="full")))
        settings = Settings(middle_x_mm=table.play_area.middle[0])
        devices: Any = (self.camera, Eyes(table), self.camera, NoJournal(), [self], settings, names, [self.menu])
        self.loop = Loop(*devices, mode="play")
        self.reader = Reader()
        self.heard = ""
        self.said: list[str] = []
        self.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 2))

    def attend(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.said.append(self.reader.news(moment.view.heard.aloud, moment.frame.t_s, moment.view.heard.aloud_page))

    def listen(self, button: Button | None = None, seconds: float = 2.0) -> str:
        """What is said within this time after this button."""
        if button is not None:
            self.camera._presses += (Press(self.moments[-1].frame.t_s, button),)
        self.said.clear()
        for _ in range(round(seconds / TICK_S)):
            self.loop.advance()
        return " ".join(filter(None, self.said))

    def goes_to(self, page: Open) -> str:
        """Down to this line of the menu and into it, by the buttons."""
        shown = self.menu.page
        assert shown is not None
        for _ in range([item.key for item in shown.items].index(page)):
            self.listen(Button.BLACK, TICK_S)
        return self.listen(Button.ACT)


def test_a_hand_is_read_before_the_table_and_nothing_of_it_is_left_there(table: Table, tmp_path: Path) -> None:
    room = ByEar(table, tmp_path)
    with room.book:
        assert "Round 1." in room.listen(seconds=4.0)
        room.listen(Button.MENU)
        room.goes_to(Goto.MORE)
        assert room.goes_to(Goto.HAND).startswith("Read my cards aloud.")
        stage = room.people.stage
        cards = [Card.parse(name) for name in HAND]
        for number, card in enumerate(cards):
            stage.show(Side.WHITE, card, number)
        assert "You hold 1, 2, 3, 3 and 5." in room.listen(seconds=3.0)
        verdict = room.moments[-1].view.verdict
        assert not {"1", "2", "3", "5"} & {*verdict.headline, *verdict.detail}
        stage.clear_cards()
        room.listen(seconds=2.0)
        for _ in range(2):  # up to the page of all else, and to the menu
            room.listen(Button.UNDO)
        back = room.listen(Button.UNDO, seconds=3.0)
        assert "Ana" in back
        assert "You hold" not in back
        # Ana plays the 5 she was read: the other four were never laid, and nobody is asked about them.
        stage.lay(cards[-1])
        stage.put_figure(Side.WHITE, 6)
        assert "Ana advances 5" in room.listen(seconds=3.0)
        said = room.listen(Button.WHITE, seconds=3.0)
        assert said.startswith("Allowed."), said
        state = room.loop.desk.state
        assert state is not None
        assert [card.value for card in state.played] == [5]
