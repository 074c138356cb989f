"""What stands on the screen, made of the desk and of one look, case by case."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.rulings import RemedyKind
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.by_hand_offer import Unseen
from engine.table.comparison import Comparing
from engine.table.desk import Desk, enter, open_match
from engine.table.observation import CardReading, Doubt, DoubtReason, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Button, Note, NoteKind, Press
from firmware.table.loop.moment import People
from firmware.table.loop.situation import SET_UP_S, TOLD_AFTER_S, LoopFacts, situation_of, trouble_told
from tests.tables import TABLE
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.why.trouble import Trouble

NOW_S = 100.0
FRAME = Frame(0, NOW_S, np.zeros((90, 160), np.uint8))
OUTLINE = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 45.0)])


@dataclass(frozen=True, slots=True, eq=False)
class TroubledLook(Look):
    """A look with these troubles, whatever the eyes saw."""

    troubles: tuple[Trouble, ...] = ()

    @property
    def trouble(self) -> tuple[Trouble, ...]:
        return self.troubles


def desk_after(*events: Event, points: int = 5) -> Desk:
    desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, points))
    for event in events:
        desk, _ = enter(desk, event, 1.0)
    return desk


PLAYING = desk_after(RoundEvent())


def look_at(white: int, black: int, cards: str = "", why: Why | None = None, *doubts: Doubt) -> Look:
    laid = tuple(CardReading(Card.parse(name), 300.0, -100.0, 95.0) for name in cards.split())
    sight = Sight.STEADY if why is None else Sight.CHECKING
    figures = BySide(FigureReading(white), FigureReading(black))
    return Look(Seen(), TableObservation(NOW_S, 0.0, figures, laid, sight, why, doubts=doubts), Drawn(), None, TABLE)


def test_what_is_still_wrong_is_to_be_put_right() -> None:
    refused = desk_after(RoundEvent(), TurnEvent((Card.parse("3a"),), 5, 23))
    facts = LoopFacts("demo", frozenset(), None, None, 308.0)
    people = People(BySide("Ana", "Ben"), "nl", picture_of=lambda name: f"{name}.png")
    situation = situation_of(refused, look_at(5, 23, "3a"), FRAME, people, facts)
    kinds = [remedy.kind for remedy in situation.table.remedies]
    assert kinds == [RemedyKind.MOVE_FIGURE, RemedyKind.TAKE_BACK_CARD]
    assert situation.portraits == BySide("Ana.png", "Ben.png")


def told(
    desk: Desk, why: Why | None, since_s: float = 0.0, *troubles: Trouble, doubts: tuple[Doubt, ...] = ()
) -> list[Why | None] | None:
    """What is told at ``NOW_S`` of these troubles, to eyes that do not see for this reason since so many seconds."""
    if why is not None:
        desk = replace(desk, unseen=Unseen(NOW_S - since_s))
    seen = look_at(1, 23, "", why, *doubts).table
    look = TroubledLook(Seen(), seen, Drawn(), None, TABLE, troubles=troubles or (Trouble(why, OUTLINE),))
    found = trouble_told(desk, look, FRAME)
    return None if found is None else [spot.why for spot in found]


def test_after_a_while_in_somebodys_turn() -> None:
    assert told(PLAYING, Why.HAND, TOLD_AFTER_S - 0.1) is None
    assert told(PLAYING, Why.HAND, TOLD_AFTER_S) == [Why.HAND]


def test_at_once_where_a_press_waits_or_found_no_answer() -> None:
    assert told(replace(PLAYING, waiting=Press(NOW_S, Button.WHITE)), Why.HAND) == [Why.HAND]
    assert told(replace(PLAYING, note=Note(NoteKind.CANNOT_SEE, NOW_S)), Why.HAND) == [Why.HAND]
    assert told(replace(PLAYING, note=Note(NoteKind.NOT_YOUR_TURN, NOW_S)), Why.HAND) is None


@pytest.mark.parametrize("why", list(Why))
def test_hands_that_set_up_are_let_be(why: Why) -> None:
    desk = desk_after()
    patient = why in (Why.HAND, Why.TAG_HIDDEN)
    assert (told(desk, why, TOLD_AFTER_S) is None) == patient
    assert told(desk, why, SET_UP_S) == [why]
    assert told(replace(desk, comparing=Comparing()), why, TOLD_AFTER_S) == [why]


def test_after_the_match_nobody_needs_it() -> None:
    over = desk_after(RoundEvent(), YieldEvent(), points=1)
    assert over.state is not None
    assert over.state.phase is Phase.MATCH_OVER
    assert told(over, Why.DARK, 60.0) is None


def test_where_light_may_hide_a_card_is_shown_to_who_is_asked_about_it_alone() -> None:
    light, spot = Doubt(300.0, -100.0, NOW_S - TOLD_AFTER_S, DoubtReason.LIGHT), Trouble(Why.GLARE, OUTLINE)
    asked = replace(PLAYING, note=Note(NoteKind.CARD_HIDDEN, NOW_S, why=Why.GLARE))
    assert told(PLAYING, None, 0.0, spot, doubts=(light,)) is None
    assert told(asked, None, 0.0, spot, doubts=(light,)) == [Why.GLARE]
    assert told(replace(asked, opened_s=NOW_S - 2.0), None, 0.0, spot, doubts=(light,)) is None
