"""A press that could be answered only when the next player had laid and moved: it is for the turn that lay there."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.rulings import RulingCode
from engine.table.desk import Entry
from engine.table.notes import NoteKind
from engine.table.observation import Doubt, Sight, Why
from engine.table.pressed_for import LONG_AFTER_S, SOON_AFTER_S
from engine.table.presses import Button
from tests.engine.table.conftest import AtTheTable

ADVANCE = TurnEvent((Card(3, "a"),), 4, 23)
ANSWER = TurnEvent((Card(2, "a"),), 4, 21)


def laid_and_stood(table: AtTheTable, *, hand_s: float = 0.5) -> None:
    """White laid and moved, the table stood, and then a hand came for so long."""
    table.lay("3a")
    table.stand(4, 23)
    table.wait(1.0)
    table.sight, table.why = Sight.CHECKING, Why.HAND
    table.wait(hand_s)


def overtaken(
    table: AtTheTable, name: str = "2a", *, after_s: float = SOON_AFTER_S + 0.2, black: int | None = 21
) -> list[Entry]:
    """White presses in a hand's shadow; Black lays so long after and moves before anything can be seen."""
    assert table.look(Button.WHITE) == ()
    assert table.wait(after_s) == []
    table.lay(name)
    table.stand(table.spaces.white, black)
    table.sight, table.why = Sight.STEADY, None
    return table.wait(0.7)


def test_the_turn_that_was_pressed_for_is_judged_and_what_came_later_is_the_next_one(table: AtTheTable) -> None:
    laid_and_stood(table)
    (entry,) = overtaken(table)
    assert entry.event == ADVANCE
    assert entry.ruling.ok
    assert entry.t_s == pytest.approx(table.t_s, abs=0.2)
    assert table.press(Button.BLACK).event == ANSWER


def test_what_cannot_be_read_since_then_is_the_next_turns(table: AtTheTable) -> None:
    laid_and_stood(table)
    since_s = table.t_s
    overtaken(table)
    table.unread = (Doubt(240.0, -90.0, since_s),)
    assert table.look(Button.BLACK) == ()
    assert table.wait(0.7) == []
    assert table.desk.note is not None
    assert table.desk.note.kind is NoteKind.CARD_HIDDEN


def test_cards_that_may_still_have_been_laid_with_the_press_are_judged_with_it(table: AtTheTable) -> None:
    laid_and_stood(table)
    (entry,) = overtaken(table, after_s=SOON_AFTER_S - 0.2)
    assert entry.ruling.code is RulingCode.OPPONENT_MOVED


@pytest.mark.parametrize(("name", "legal"), [("3c", True), ("2a", False)])
def test_where_only_cards_came_soon_it_is_asked_whose_they_are(table: AtTheTable, name: str, legal: bool) -> None:
    """An advance after which the other fencer is in reach: one card more is an attack, by whoever laid it."""
    table.played(
        TurnEvent((Card(5, "d"),), 6, 23),
        TurnEvent((Card(5, "e"),), 6, 18),
        TurnEvent((Card(5, "a"),), 11, 18),
        TurnEvent((Card(1, "a"),), 11, 17),
    )
    table.wait(1.0)
    table.lay("3b")
    table.stand(14, 17)
    table.wait(1.0)
    table.sight, table.why = Sight.CHECKING, Why.HAND
    table.wait(0.5)
    assert overtaken(table, name, black=17) == []
    assert table.desk.note is not None
    assert table.desk.note.kind is NoteKind.CAME_LATER
    assert table.press(Button.WHITE).ruling.ok is legal


def test_where_only_cards_came_much_later_it_is_the_turn_that_lay_there(table: AtTheTable) -> None:
    laid_and_stood(table)
    (entry,) = overtaken(table, black=23, after_s=LONG_AFTER_S + 0.2)
    assert entry.event == ADVANCE


def _moved_since(table: AtTheTable) -> None:
    table.stand(5, 23)


def _taken_since(table: AtTheTable) -> None:
    table.take("3a")


@pytest.mark.parametrize("change", [_moved_since, _taken_since])
def test_a_turn_that_is_another_since_is_not_taken_for_it(
    table: AtTheTable, change: Callable[[AtTheTable], None]
) -> None:
    laid_and_stood(table)
    change(table)
    assert overtaken(table) == []
    assert table.desk.note is not None
    assert table.desk.note.kind is NoteKind.CAME_LATER


def test_nor_is_one_that_lay_there_long_before(table: AtTheTable) -> None:
    laid_and_stood(table, hand_s=LONG_AFTER_S + 0.2)
    assert overtaken(table) == []


def test_nor_one_that_was_not_legal(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(5, 23)
    table.wait(1.0)
    table.sight, table.why = Sight.CHECKING, Why.HAND
    table.wait(0.5)
    assert overtaken(table) == []


def test_a_legal_turn_of_cards_that_came_with_no_other_before_them_is_judged(table: AtTheTable) -> None:
    laid_and_stood(table)
    _taken_since(table)
    assert table.look(Button.WHITE) == ()
    assert table.wait(LONG_AFTER_S + 0.2) == []
    table.lay("3a")
    table.sight, table.why = Sight.STEADY, None
    (entry,) = table.wait(0.7)
    assert entry.event == ADVANCE


def test_nor_one_of_which_the_eyes_were_not_sure(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s),)
    table.wait(1.0)
    table.unread = ()
    table.sight, table.why = Sight.CHECKING, Why.HAND
    table.wait(0.5)
    assert overtaken(table) == []
