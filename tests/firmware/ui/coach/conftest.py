"""Two people at a table with a coach, without a camera or a panel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from display.view import ViewModel
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Settings
from engine.table.observation import CardReading
from engine.table.presses import Button
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.ui.coach.coach import Coach, Mode
from tests.firmware.ui.scene_table import SetTable
from vision.printed.table import PlayArea

AREA = PlayArea(68.0, 548.0, -260.0, -60.0)
PLAYED_AT, WHITE_AT, BLACK_AT = (308.0, -116.0), (120.0, -208.0), (400.0, -208.0)
W, B, UNDO = Button.WHITE, Button.BLACK, Button.UNDO


class Sitting(SetTable):
    """Two people, a coach, a loop. ``lying`` is where each card lies; the table stands still from the last change."""

    def __init__(self, end_turn: EndTurn = EndTurn.BUTTON) -> None:
        super().__init__()
        self.kept: list[object] = []
        self.shown: list[ViewModel] = []
        self.matches: list[ViewModel] = []
        self.seen_cards: tuple[CardReading, ...] = ()
        settings = Settings(end_turn=end_turn, settle_s=0.5, quiet_s=0.2, middle_x_mm=308.0)
        people = People(BySide("Ana", "Bo"), "en")
        self.coach = Coach(AREA, people)
        given: Any = (self, self, self, self, [self], settings, people, [self.coach])
        self.loop = Loop(*given, mode="play")
        self.loop.open(MatchEvent("ferti-advanced", Side.WHITE, 2))
        self.wait(1.0)

    def append(self, *entry: object) -> None:
        self.kept.append(entry[0])

    def attend(self, moment: Moment) -> None:
        self.shown.append(moment.view)
        self.seen_cards = moment.look.table.cards
        self.matches.append(moment.match)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.pressed.append(button)
            self.wait()

    def lay(self, names: str, at: tuple[float, float]) -> None:
        for number, name in enumerate(names.split()):
            card = Card.parse(name)
            self.lying.pop(card, None)
            self.lying[card] = (at[0] + 30.0 * number, at[1])
        self.since_s = self.t_s

    def play(self, names: str, white: int, black: int, button: Button) -> None:
        self.lay(names, PLAYED_AT)
        self.spaces, self.since_s = BySide(white, black), self.t_s
        self.wait()
        self.press(button)

    def agree(self, mode: Mode) -> None:
        self.coach.propose(mode)
        self.press(W, B)
        assert self.coach.is_on(mode)

    @property
    def view(self) -> ViewModel:
        return self.shown[-1]

    @property
    def panel(self) -> Any:
        return self.view.panel

    @property
    def said(self) -> str:
        return "" if self.panel is None else " ".join(line.text for line in self.panel.lines)


@pytest.fixture
def at() -> Sitting:
    sitting = Sitting()
    assert sitting.state.phase is Phase.TURN
    return sitting


@pytest.fixture
def sit() -> Callable[..., Sitting]:
    """Sits two people down; ``end_turn`` is how their turns end."""
    return Sitting
