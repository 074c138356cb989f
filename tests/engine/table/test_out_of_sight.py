"""A card that others hide wholly may have been taken back: asked about before a turn is refused for it."""

from __future__ import annotations

import pytest

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.rulings import RulingCode
from engine.table.notes import NoteKind
from engine.table.presses import Button
from engine.table.shown import open_turn
from tests.engine.table.conftest import AUTO, AtTheTable

ADVANCE = TurnEvent((Card(3, "a"),), 4, 23)


def refused_for_a_four(table: AtTheTable) -> None:
    table.lay("4b")
    table.stand(4, 23)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.code is RulingCode.WRONG_DISTANCE


def laid_over_it(table: AtTheTable) -> None:
    table.cover("4b")
    table.lay("3a")
    table.wait(1.0)


def asked(table: AtTheTable) -> None:
    assert table.look(Button.WHITE) == ()
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.cards) == (NoteKind.CARD_COVERED, (Card(4, "b"),))


def test_a_card_taken_back_under_the_next_one_is_asked_about_and_then_left_out(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked(table)
    entry = table.press(Button.WHITE)
    assert (entry.event, entry.ruling.ok) == (ADVANCE, True)


def test_nor_is_it_a_card_of_the_next_turn(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked(table)
    table.press(Button.WHITE)
    table.lay("2a")
    table.stand(4, 21)
    table.wait(1.0)
    shown = open_turn(table.desk, table.seen(), 308.0)
    assert shown is not None
    assert shown.cards == (Card(2, "a"),)
    assert table.press(Button.BLACK).event == TurnEvent((Card(2, "a"),), 4, 21)


def test_who_shows_it_is_refused_for_it(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked(table)
    table.lay("4b")
    table.wait(1.0)
    entry = table.press(Button.WHITE)
    assert isinstance(entry.event, TurnEvent)
    assert not entry.ruling.ok
    assert Card(4, "b") in entry.event.cards


def test_one_that_comes_in_sight_later_counts_again(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked(table)
    table.press(Button.WHITE)
    assert table.desk.taken == {Card(4, "b")}
    table.lay("4b")
    table.look()
    assert table.desk.taken == frozenset()
    assert table.press(Button.BLACK).ruling.code is not RulingCode.NO_CARDS


@pytest.mark.parametrize(("white", "cards"), [(4, ("3a",)), (8, ("4b", "3a"))])
def test_a_turn_that_is_legal_with_it_or_not_without_it_either_is_judged(
    table: AtTheTable, white: int, cards: tuple[str, ...]
) -> None:
    table.lay(*cards)
    table.cover(*cards[:-1])
    table.stand(white, 23)
    table.wait(1.0)
    entry = table.press(Button.WHITE)
    assert isinstance(entry.event, TurnEvent)
    assert {str(card) for card in entry.event.cards} == {*cards}


def test_played_without_presses_it_is_asked_about_too() -> None:
    table = AtTheTable(AUTO)
    table.wait(1.5)
    table.lay("4b")
    table.stand(4, 23)
    table.cover("4b")
    table.lay("3a")
    assert table.wait(1.8) == []
    assert table.desk.note is None
    assert table.wait(0.4) == []
    assert table.desk.note is not None
    assert table.desk.note.kind is NoteKind.CARD_COVERED
    assert table.press(Button.WHITE).event == ADVANCE


def test_of_two_of_which_either_would_do_the_last_one_is_asked_about(table: AtTheTable) -> None:
    table.lay("3b", "3c")
    table.cover("3b", "3c")
    table.stand(4, 23)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.desk.note is not None
    assert table.desk.note.cards == (Card(3, "c"),)


def test_an_attack_is_judged_with_all_its_cards_although_fewer_would_be_legal(table: AtTheTable) -> None:
    table.played(
        TurnEvent((Card(5, "d"),), 6, 23),
        TurnEvent((Card(5, "e"),), 6, 18),
        TurnEvent((Card(5, "a"),), 11, 18),
        TurnEvent((Card(2, "a"),), 11, 16),
    )
    table.wait(1.0)
    table.lay("5b", "5c")
    table.cover("5b")
    table.wait(1.0)
    assert table.press(Button.WHITE).event == TurnEvent((Card(5, "b"), Card(5, "c")), 11, 16)
