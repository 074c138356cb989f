"""Evenings with a coach, as text: agreement, hints without hidden cards, hands laid open, a round told again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from engine.companion.companion import name_of
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.track import BySide
from engine.table.desk import EndTurn
from engine.table.presses import Button, Press
from firmware.table.loop.requests import MENU, Begin, EndTurns, Hold, Release
from firmware.ui.coach.coach import Mode
from tests.firmware.scenes import SetEvening
from tests.firmware.ui.coach.conftest import BLACK_AT, PLAYED_AT, WHITE_AT, Sitting
from tests.scenes import played, scenes

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


def test_the_menus_button_is_not_the_questions(at: Sitting) -> None:
    at.coach.propose(Mode.HINTS)
    menu = Press(at.t_s, Button.MENU)
    assert at.coach.hear((menu,), at.t_s) == (menu,)
