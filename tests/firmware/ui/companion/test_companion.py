"""The companion at the table, part by part: names, slots, presses, what it says when it cannot play."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from display.view import NO_NAMES
from engine.companion.backs import DeckBacks
from engine.companion.companion import LEVELS, NAMES, Strange, name_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import GreedyBot
from engine.rules.actions import GiveUp
from engine.rules.cards import DECK
from engine.rules.state import PlayerView
from engine.rules.track import BySide, Side
from engine.table.observation import BackReading, CardReading
from engine.table.presses import Button, Press
from firmware.core.errors import EngardeError
from firmware.core.names import clean_name
from firmware.extras.simulation.showing import backs_by_lot
from firmware.table.loop.moment import Helper, People
from firmware.table.loop.requests import Stop
from firmware.ui.companion.companion import TableCompanion, Thinker, slots_of
from firmware.ui.companion.opponents import companion_in, strength_of
from tests.tables import TABLE
from tests.waiting import HANG_S, until
from vision.reading.backs import slot_areas

BACKS = backs_by_lot(1)
FULL = DeckBacks("A", BACKS)

PlayMatch = Callable[..., Any]


def back(token: str, x_mm: float, y_mm: float, since_s: float = 0.0) -> BackReading:
    return BackReading(token, x_mm, y_mm, since_s)


def test_a_strength_is_a_name_and_a_name_a_strength() -> None:
    assert [NAMES[name_of(level)] for level in LEVELS] == list(LEVELS)
    assert strength_of("companion  (MASTER)") == "master"
    assert strength_of("Ana") is None
    assert all(clean_name(name) == name for name in NAMES)
    assert companion_in(NO_NAMES) is None
    assert companion_in(BySide("Ana", name_of("novice"))) == (Side.BLACK, "novice")
    assert companion_in(BySide(name_of("maestro"), "Ben")) == (Side.WHITE, "maestro")
    assert companion_in(BySide(name_of("maestro"), name_of("novice"))) == (Side.BLACK, "novice")


def test_backs_are_cards_only_in_their_slots() -> None:
    (x, y), (x3, y3) = TABLE.slots_mm[0], TABLE.slots_mm[2]
    one, three, other = (BACKS[card] for card in (DECK[3], DECK[7], DECK[9]))
    lying = [
        back(one, x + 8.0, y - 9.0),
        back(three, x3 - 20.0, y3),
        back(other, 308.0, -116.0),
        back(other, x3 + 39.0, y3),
    ]
    assert slots_of(lying, FULL, TABLE) == (DECK[3], None, DECK[7], None, None)
    assert slots_of([back("QQQQQQ", x, y)], FULL, TABLE)[0] is Strange.UNKNOWN
    assert slots_of([back(one, x, y), back(three, x, y + 20.0)], FULL, TABLE)[0] is Strange.TWO
    assert slots_of([], FULL, TABLE) == (None,) * 5
    face_up = [CardReading(DECK[9], x + 8.0, y, 0.0), CardReading(DECK[11], 308.0, -116.0, 0.0)]
    assert slots_of(lying, FULL, TABLE, face_up) == (Strange.FACE_UP, None, DECK[7], None, None)


def test_slots_lie_apart_and_where_the_eyes_look() -> None:
    areas = slot_areas(TABLE)
    for number, area in enumerate(areas):
        assert area.y0 > TABLE.play_area.y0 - 22.0
        assert TABLE.play_area.x0 < area.x0
        assert area.x1 < TABLE.play_area.x1
        if number:
            assert area.x0 > areas[number - 1].x1 - 2.0


def test_thinking_holds_nothing_up() -> None:
    class Slow(GreedyBot):
        def choose(self, view: PlayerView, rng: Random) -> Any:
            go_on.wait(HANG_S)
            return GiveUp()

    go_on = threading.Event()
    view = PlayerView(None, Side.BLACK, ())  # type: ignore[arg-type]
    thinker = Thinker(Slow(), meanwhile=True)
    assert thinker(view, Random(1)) is None
    go_on.set()
    assert until(lambda: thinker(view, Random(1)) == GiveUp())
    thinker.close()
    assert Thinker(Slow(), meanwhile=False)(view, Random(1)) == GiveUp()


def test_without_a_registered_deck_it_says_the_cure_and_the_game_goes_on(play_match: PlayMatch) -> None:
    def stop(played: Any) -> None:
        played.loop.audience = (*played.loop.audience, _Stop(played, 40))

    known = FULL.without(DECK[5:])
    played = play_match(1, Side.BLACK, deck=known, change=stop)
    told = "I can’t play: I know only 5 of the 25 backs."
    bands = [moment.view.verdict for moment in played.moments]
    assert any(band.headline == told and "show me every card" in band.hint for band in bands)
    assert any(band.headline == "White advances 4" for band in bands), "the referee's verdicts are shown all the same"
    assert played.moments[-1].view.panel.lines[0].text == told
    assert played.companion.asked is None


def test_a_spoiled_deck_file_stops_nobody(play_match: PlayMatch) -> None:
    def broken(_: str) -> DeckBacks:
        raise EngardeError("the file is spoiled")

    def spoil(played: Any) -> None:
        played.companion._deck_of = broken
        played.loop.audience = (*played.loop.audience, _Stop(played, 20))

    played = play_match(1, Side.BLACK, change=spoil)
    assert played.moments[-1].view.verdict.headline == "I can’t play: I know only 0 of the 25 backs."


class _Stop:
    def __init__(self, played: Any, after: int) -> None:
        self.played, self.after = played, after

    def attend(self, moment: Any) -> None:
        if len(self.played.moments) > self.after:
            self.played.loop.ask(Stop())


def test_two_people_never_notice_it(play_match: PlayMatch) -> None:
    def leave(played: Any) -> None:
        played.loop.people.names = NO_NAMES
        played.loop.audience = (*played.loop.audience, _Stop(played, 30))

    played = play_match(1, Side.BLACK, change=leave)
    assert played.eyes.back_areas == ()
    assert played.eyes.asked_of == set()
    assert all(moment.view.panel is None for moment in played.moments)


def test_one_person_ends_its_turns_with_either_button() -> None:
    companion = TableCompanion(lambda _: FULL, STRENGTHS, TABLE, People(NO_NAMES, "en"), meanwhile=False)

    def heard(button: Button) -> Button:
        (press,) = companion.hear((Press(3.0, button),), 3.0)
        return press.button

    assert heard(Button.WHITE) is Button.WHITE
    companion._plays, companion._begun = (Side.BLACK, "fencer"), True
    assert heard(Button.WHITE) is Button.ACT
    assert heard(Button.BLACK) is Button.BLACK
    assert heard(Button.UNDO) is Button.UNDO
    companion._begun = False
    assert heard(Button.WHITE) is Button.WHITE, "nothing was done yet: that was a mistake"


def test_it_advises_beside_somebody_else(play_match: PlayMatch) -> None:
    asked: list[str] = []

    class Other(Helper):
        def sift(self, seen: Any, desk: Any) -> Any:
            asked.append("sift")
            return seen

        def advise(self, situation: Any, look: Any, desk: Any) -> Any:
            asked.append("advise")
            return replace(situation, helped=replace(situation.helped, spoken="hm"))

    def beside(played: Any) -> None:
        played.loop.helpers = (Other(), *played.loop.helpers)
        played.loop.audience = (*played.loop.audience, _Stop(played, 10))

    played = play_match(1, Side.BLACK, change=beside)
    assert asked[:2] == ["sift", "advise"]
    assert played.moments[-1].view.panel is not None
