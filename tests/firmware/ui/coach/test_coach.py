"""Evenings with a coach, as text: agreement, hints without hidden cards, hands laid open, a round told again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from display.view import ViewModel
from engine.companion.companion import name_of
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Settings
from engine.table.observation import CardReading
from engine.table.presses import Button, Press
from firmware.table.loop.loop import Loop
from firmware.table.loop.moment import Moment, People
from firmware.table.loop.requests import MENU, Begin, EndTurns, Hold, Release
from firmware.ui.coach.coach import Coach, Mode
from tests.firmware.scenes import SetEvening
from tests.firmware.ui.scene_table import SetTable
from tests.scenes import played, scenes
from vision.printed.table import PlayArea

AREA = PlayArea(68.0, 548.0, -260.0, -60.0)
PLAYED_AT, WHITE_AT, BLACK_AT = (308.0, -116.0), (120.0, -208.0), (400.0, -208.0)
"""Millimetres in the board frame: among the played cards, and in each player's own part."""


class Sitting(SetTable):
    """Two people, a coach, a loop. ``lying`` is where each card lies; the table stands still from the last change."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[object] = []
        self.shown: list[ViewModel] = []
        self.seen_cards: tuple[CardReading, ...] = ()
        settings = Settings(settle_s=0.5, quiet_s=0.2, middle_x_mm=308.0)
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
        self.press(Button.WHITE, Button.BLACK)
        assert self.coach.is_on(mode)

    @property
    def view(self) -> ViewModel:
        return self.shown[-1]


SCENES = Path(__file__).with_name("evenings.txt")
PLACES: Final = {"white": WHITE_AT, "black": BLACK_AT, "among": PLAYED_AT}
MODES: Final = {"hints": Mode.HINTS, "open": Mode.OPEN}


class CoachEvening(SetEvening, Sitting):
    def facts(self) -> Iterator[tuple[str, object]]:
        coach = self.coach
        yield "on", [name for name, mode in MODES.items() if coach.is_on(mode)]
        yield "offers", " ".join(each.deed for each in coach.offers)
        yield "can be told again", [*["here"] * coach.can_retell, *["by a key"] * self.view.can_retell]
        yield "cards", " ".join(str(reading.card) for reading in self.seen_cards)
        yield "fencers", self.view.piste.fencers.map(lambda fencer: fencer.space)
        yield "kept", len(self.kept)
        yield "refused", (self.loop.desk.ruling and not self.loop.desk.ruling.ok) or None

    def do_propose(self, mode: str, when: str = "now") -> None:
        (self.coach.propose if when == "now" else self.coach.propose_next)(MODES[mode])
        self.wait()

    def do_agree(self, mode: str) -> None:
        self.agree(MODES[mode])

    def do_end(self, mode: str) -> None:
        self.coach.end(MODES[mode])
        self.wait()

    def do_lay(self, where: str, *cards: str) -> None:
        self.lay(" ".join(cards), PLACES[where])

    def do_place(self, card: str, x_mm: str, y_mm: str) -> None:
        self.lying[Card.parse(card)] = (float(x_mm), float(y_mm))
        self.wait()

    def do_reveal(self) -> None:
        """The round is at its end, where both show their hands."""
        desk = self.loop.desk
        step = desk.course.steps[-1]
        shown = step._replace(state=step.state._replace(phase=Phase.REVEAL, to_act=None))
        self.loop.desk = replace(desk, course=replace(desk.course, steps=(*desk.course.steps[:-1], shown)))
        self.loop.ask(Hold(MENU))
        self.wait()

    def do_take(self, *cards: str) -> None:
        for card in map(Card.parse, cards):
            del self.lying[card]

    def do_stand(self, white: str, black: str) -> None:
        self.spaces, self.since_s = BySide(int(white), int(black)), self.t_s

    def do_play(self, button: str, white: str, black: str, *cards: str) -> None:
        self.play(" ".join(cards), int(white), int(black), Button(button))

    def do_menu(self, how: str) -> None:
        self.loop.ask(Hold(MENU) if how == "open" else Release(MENU))
        self.wait()

    def do_match(self) -> None:
        self.loop.ask(Begin(MatchEvent("ferti-classic")))
        self.wait()

    def do_ends(self, way: str) -> None:
        self.loop.ask(EndTurns(EndTurn(way)))

    def do_against(self, white: str, black: str) -> None:
        """A level of the companion plays that side."""
        self.loop.people.names = BySide(white, black).map(lambda name: name if name[0].isupper() else name_of(name))
        self.wait()

    def do_anew(self) -> None:
        """The table is set up for the next round."""
        self.lying, self.spaces = {}, BySide(1, 23)

    def do_retell(self) -> None:
        self.coach.retell()
        self.wait()

    def do_at_hand(self) -> None:
        """There are a menu and a key."""
        self.coach._at_hand = True
        self.wait()


@pytest.mark.parametrize("scene", scenes(SCENES))
def test_the_evening_goes_as_written(scene: str, request: pytest.FixtureRequest) -> None:
    assert played(SCENES, scene, CoachEvening(), request) == scene


def test_the_menus_button_is_not_the_questions() -> None:
    at = Sitting()
    at.coach.propose(Mode.HINTS)
    menu = Press(at.t_s, Button.MENU)
    assert at.coach.hear((menu,), at.t_s) == (menu,)
