"""What stands on the screen, made of the desk and of one look, case by case."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pytest

from display.view import TroubleSpot
from engine.record.corrections import Correction, Replace
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.rulings import RemedyKind
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.by_hand_offer import Unseen
from engine.table.comparison import Comparing
from engine.table.desk import Desk, correct, enter, open_match
from engine.table.observation import CardReading, Doubt, DoubtReason, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Button, Note, NoteKind, Press
from firmware.table.loop.moment import People
from firmware.table.loop.situation import SET_UP_S, TOLD_AFTER_S, LoopFacts, situation_of, trouble_told
from tests.tables import TABLE
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.why.trouble import Trouble

NOW_S = 100.0
MENU = "menu"
TURN = TurnEvent((Card.parse("3a"),), 4, 23)
THEN = TurnEvent((Card.parse("2a"),), 4, 21)
STEP_ON = TurnEvent((Card.parse("2a"),), 3, 23)
PEOPLE = People(BySide("Ana", "Ben"), "nl", picture_of=lambda name: f"{name}.png")
HANDS: BySide[tuple[Card, ...]] = BySide((Card.parse("1a"),), (Card.parse("5e"),))


@dataclass(frozen=True, slots=True, eq=False)
class TroubledLook(Look):
    """A look with these troubles, whatever the eyes saw."""

    troubles: tuple[Trouble, ...] = ()

    @property
    def trouble(self) -> tuple[Trouble, ...]:
        return self.troubles


def desk_after(*events: Event) -> Desk:
    desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    for event in events:
        desk, _ = enter(desk, event, 90.0)
    return desk


PLAYING = desk_after(RoundEvent())
REFUSED = desk_after(RoundEvent(), TurnEvent((Card.parse("3a"),), 5, 23))
GIVES_UP = replace(PLAYING, give_up_s=99.0)


def seen(white: int, black: int, cards: str = "", why: Why | None = None) -> Look:
    laid = tuple(CardReading(Card.parse(name), 300.0, -100.0, 95.0) for name in cards.split())
    sight = Sight.STEADY if why is None else Sight.CHECKING
    table = TableObservation(NOW_S, 95.0, BySide(FigureReading(white), FigureReading(black)), laid, sight, why, None)
    return Look(Seen(), table, Drawn(), None, TABLE)


def shown(desk: Desk, look: Look, *held: str, news: Note | None = None) -> dict[str, Any]:
    frame = Frame(0, NOW_S, np.zeros((90, 160), np.uint8))
    facts = LoopFacts("demo", frozenset(held), news, HANDS, 308.0)
    situation = situation_of(desk, look, frame, PEOPLE, facts)
    parts = (situation, situation.table, situation.helped, situation.devices)
    told = {each.name: getattr(part, each.name) for part in parts for each in fields(part)}
    return {name: value for name, value in told.items() if value not in parts}


FALLEN, _ = correct(desk_after(RoundEvent(), TURN, THEN), Correction((Replace(1, STEP_ON),)), 95.0)
NOTE, NEWS = Note(NoteKind.CANNOT_SEE, 99.0), Note(NoteKind.BOOK_SALVAGED, 99.0, hold_s=20.0)


def test_what_is_still_wrong_is_to_be_put_right() -> None:
    assert [remedy.kind for remedy in shown(REFUSED, seen(5, 23, "3a"))["remedies"]] == [
        RemedyKind.MOVE_FIGURE,
        RemedyKind.TAKE_BACK_CARD,
    ]


OUTLINE = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 45.0)])


@pytest.fixture
def playing() -> Desk:
    desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    return enter(desk, RoundEvent(), 1.0)[0]


def spots(
    desk: Desk, why: Why | None, *troubles: Trouble, doubts: tuple[Doubt, ...] = ()
) -> tuple[TroubleSpot, ...] | None:
    """What is told at ``NOW_S`` of these troubles, to eyes that do not see for this reason."""
    sight = Sight.STEADY if why is None else Sight.CHECKING
    seen = TableObservation(NOW_S, 0.0, BySide(FigureReading(1), FigureReading(23)), (), sight, why, doubts=doubts)
    look = TroubledLook(Seen(), seen, Drawn(), None, TABLE, troubles=troubles)
    return trouble_told(desk, look, Frame(0, NOW_S, np.zeros((90, 160), np.uint8)))


def told(
    desk: Desk, why: Why | None, since_s: float = 0.0, *troubles: Trouble, doubts: tuple[Doubt, ...] = ()
) -> list[Why | None] | None:
    """The same of trouble that began so many seconds before, in short."""
    if why is not None:
        desk = replace(desk, unseen=Unseen(NOW_S - since_s))
    found = spots(desk, why, *(troubles or (Trouble(why, OUTLINE),)), doubts=doubts)
    return None if found is None else [spot.why for spot in found]


def test_after_a_while_in_somebodys_turn(playing: Desk) -> None:
    assert told(playing, Why.HAND, TOLD_AFTER_S - 0.1) is None
    assert told(playing, Why.HAND, TOLD_AFTER_S) == [Why.HAND]


def test_at_once_where_a_press_waits_or_found_no_answer(playing: Desk) -> None:
    assert told(replace(playing, waiting=Press(NOW_S, Button.WHITE)), Why.HAND) == [Why.HAND]
    assert told(replace(playing, note=Note(NoteKind.CANNOT_SEE, NOW_S)), Why.HAND) == [Why.HAND]
    assert told(replace(playing, note=Note(NoteKind.NOT_YOUR_TURN, NOW_S)), Why.HAND) is None


@pytest.mark.parametrize("why", list(Why))
def test_hands_that_set_up_are_let_be(why: Why) -> None:
    desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    patient = why in (Why.HAND, Why.TAG_HIDDEN)
    assert (told(desk, why, TOLD_AFTER_S) is None) == patient
    assert told(desk, why, SET_UP_S) == [why]
    assert told(replace(desk, comparing=Comparing()), why, TOLD_AFTER_S) == [why]


def test_after_the_match_nobody_needs_it() -> None:
    over, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 1))
    for event in (RoundEvent(), YieldEvent()):
        over, _ = enter(over, event, 1.0)
    assert over.state is not None
    assert over.state.phase is Phase.MATCH_OVER
    assert told(over, Why.DARK, 60.0) is None


def test_where_light_may_hide_a_card_is_shown_to_who_is_asked_about_it_alone(playing: Desk) -> None:
    light, spot = Doubt(300.0, -100.0, NOW_S - TOLD_AFTER_S, DoubtReason.LIGHT), Trouble(Why.GLARE, OUTLINE)
    asked = replace(playing, note=Note(NoteKind.CARD_HIDDEN, NOW_S, why=Why.GLARE))
    assert told(playing, None, 0.0, spot, doubts=(light,)) is None
    assert told(asked, None, 0.0, spot, doubts=(light,)) == [Why.GLARE]
    assert told(replace(asked, opened_s=NOW_S - 2.0), None, 0.0, spot, doubts=(light,)) is None
