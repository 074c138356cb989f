"""When the players are shown where the trouble is, and the places as shares of the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules.events import MatchEvent, RoundEvent, YieldEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.by_hand_offer import Unseen
from engine.table.comparison import Comparing
from engine.table.desk import Desk, enter, open_match
from engine.table.notes import Note, NoteKind
from engine.table.observation import Doubt, DoubtReason, FigureReading, Sight, TableObservation, Why
from engine.table.presses import Button, Press
from firmware.table.loop.situation import SET_UP_S, TOLD_AFTER_S, trouble_told
from tests.tables import TABLE
from vision.frame import Frame
from vision.look import Drawn, Look, Seen
from vision.why.trouble import Trouble

OUTLINE = np.array([(0.0, 0.0), (80.0, 0.0), (80.0, 45.0)])
NOW_S = 100.0


@pytest.fixture
def playing() -> Desk:
    desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    return enter(desk, RoundEvent(), 1.0)[0]


def told(
    desk: Desk,
    why: Why | None,
    since_s: float = 0.0,
    *troubles: Trouble,
    doubts: tuple[Doubt, ...] = (),
) -> list[Why | None] | None:
    """What is told at ``NOW_S`` of trouble that began so many seconds before."""
    sight = Sight.STEADY if why is None else Sight.CHECKING
    seen = TableObservation(NOW_S, 0.0, BySide(FigureReading(1), FigureReading(23)), (), sight, why, doubts=doubts)
    look = Look(Seen(), seen, Drawn(trouble=troubles or (Trouble(why, OUTLINE),)), None, TABLE)
    if why is not None:
        desk = replace(desk, unseen=Unseen(NOW_S - since_s))
    spots = trouble_told(desk, look, Frame(0, NOW_S, np.zeros((90, 160), np.uint8)))
    return None if spots is None else [spot.why for spot in spots]


def test_after_a_while_in_somebodys_turn(playing: Desk) -> None:
    assert told(playing, Why.HAND, TOLD_AFTER_S - 0.1) is None
    assert told(playing, Why.HAND, TOLD_AFTER_S) == [Why.HAND]


def test_labels_that_are_too_small_are_told_as_such(playing: Desk) -> None:
    seen = TableObservation(NOW_S, 0.0, BySide(FigureReading(1), FigureReading(23)), (), Sight.CHECKING, Why.BLUR)
    desk = replace(playing, unseen=Unseen(NOW_S - TOLD_AFTER_S))
    for too_small in (False, True):
        drawn = Drawn(trouble=(Trouble(Why.BLUR, OUTLINE, too_small=too_small),))
        spots = trouble_told(
            desk, Look(Seen(), seen, drawn, None, TABLE), Frame(0, NOW_S, np.zeros((90, 160), np.uint8))
        )
        assert spots is not None
        assert [spot.too_small for spot in spots] == [too_small]


def test_a_mirrored_picture_is_told_as_such(playing: Desk) -> None:
    seen = TableObservation(NOW_S, 0.0, BySide(FigureReading(1), FigureReading(23)), (), Sight.BLIND, Why.BOARD_LOST)
    desk = replace(playing, unseen=Unseen(NOW_S - TOLD_AFTER_S))
    drawn = Drawn(trouble=(Trouble(Why.BOARD_LOST, OUTLINE, mirrored=True),))
    look = Look(Seen(), seen, drawn, None, TABLE, mirrored=True)
    spots = trouble_told(desk, look, Frame(0, NOW_S, np.zeros((90, 160), np.uint8)))
    assert spots is not None
    assert [spot.mirrored for spot in spots] == [True]


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


def test_a_card_half_hidden_is_told_although_the_eyes_are_steady(playing: Desk) -> None:
    label = Doubt(300.0, -100.0, NOW_S - TOLD_AFTER_S)
    assert told(playing, None) is None
    assert told(playing, None, doubts=(label,)) == [None]
    new = replace(label, since_s=NOW_S - 1.0)
    assert told(playing, None, doubts=(new,)) is None
    asked = replace(playing, note=Note(NoteKind.CARD_HIDDEN, NOW_S))
    assert told(asked, None, doubts=(new,)) == [None]
    assert told(replace(playing, opened_s=NOW_S - 2.0), None, doubts=(label,)) is None  # of a turn before


def test_where_light_may_hide_a_card_is_shown_to_who_is_asked_about_it_alone(playing: Desk) -> None:
    light, spot = Doubt(300.0, -100.0, NOW_S - TOLD_AFTER_S, DoubtReason.LIGHT), Trouble(Why.GLARE, OUTLINE)
    asked = replace(playing, note=Note(NoteKind.CARD_HIDDEN, NOW_S, why=Why.GLARE))
    assert told(playing, None, 0.0, spot, doubts=(light,)) is None
    assert told(asked, None, 0.0, spot, doubts=(light,)) == [Why.GLARE]
    assert told(replace(asked, opened_s=NOW_S - 2.0), None, 0.0, spot, doubts=(light,)) is None


def test_the_places_are_shares_of_the_picture_and_other_troubles_are_left_out(playing: Desk) -> None:
    others = (Trouble(Why.HAND, OUTLINE), Trouble(Why.GLARE, OUTLINE, Side.BLACK), Trouble(None, OUTLINE))
    assert told(playing, Why.GLARE, 9.0, *others) == [Why.GLARE, None]
    seen = TableObservation(NOW_S, 0.0, BySide(FigureReading(1), FigureReading(23)), (), Sight.BLIND, Why.DARK)
    look = Look(Seen(), seen, Drawn(trouble=(Trouble(Why.DARK, OUTLINE, Side.WHITE),)), None, TABLE)
    frame = Frame(0, NOW_S, np.zeros((90, 160), np.uint8))
    spots = trouble_told(replace(playing, unseen=Unseen(0.0)), look, frame)
    assert spots is not None
    assert [(spot.outline, spot.side) for spot in spots] == [(((0.0, 0.0), (0.5, 0.0), (0.5, 0.5)), Side.WHITE)]
