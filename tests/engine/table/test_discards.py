"""Discards come to the table for many reasons; laid again in a turn is only what was taken up from it."""

from __future__ import annotations

from engine.rules.cards import Card
from engine.rules.events import RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.rulings import RulingCode
from engine.rules.state import Phase
from engine.rules.track import Side
from engine.table.desk import enter, take_up
from engine.table.presses import Button
from engine.table.shown import open_turn
from tests.engine.table.conftest import AtTheTable


def back_in_the_round_before(table: AtTheTable) -> None:
    """Three cards are played, Black gives up, a round begins: and both are taken back, with nothing on the table."""
    for button, card, spaces in (
        (Button.WHITE, "3a", (4, 23)),
        (Button.BLACK, "2a", (4, 21)),
        (Button.WHITE, "1a", (5, 21)),
    ):
        table.lay(card)
        table.stand(*spaces)
        assert table.press(button).ruling.ok
    table.press(Button.BLACK)
    assert isinstance(table.press(Button.BLACK).event, YieldEvent)
    table.take("3a", "2a", "1a")
    table.stand(1, 23)
    (entry,) = table.wait(3.0)
    assert isinstance(entry.event, RoundEvent)
    assert [type(table.press(Button.UNDO).event) for _ in range(2)] == [UndoEvent, UndoEvent]
    assert table.desk.state is not None
    assert (table.desk.state.to_act, len(table.desk.state.played)) == (Side.BLACK, 3)


def test_discards_that_an_undo_brings_back_are_laid_in_nobodys_turn(table: AtTheTable) -> None:
    back_in_the_round_before(table)
    table.lay("3a", "2a", "1a")
    table.stand(5, 21)
    entry = table.press(Button.BLACK)
    assert entry.event == TurnEvent((), 5, 21)
    assert entry.ruling.code is RulingCode.NO_CARDS
    assert isinstance(table.press(Button.BLACK).event, YieldEvent)


def test_nor_are_they_while_the_turn_is_open(table: AtTheTable) -> None:
    back_in_the_round_before(table)
    table.lay("3a", "2a", "1a")
    table.stand(5, 20)
    table.wait(1.0)
    now = open_turn(table.desk, table.seen(), 308.0)
    assert now is not None
    assert now.cards == ()


def test_one_that_lay_there_again_can_be_laid_again(table: AtTheTable) -> None:
    back_in_the_round_before(table)
    table.lay("3a", "2a", "1a")
    table.stand(5, 21)
    table.lay("4a")
    table.stand(5, 17)
    assert table.press(Button.BLACK).ruling.ok
    table.lay("3a", x_mm=400.0)
    table.stand(6, 17)
    assert table.press(Button.WHITE).ruling.code is RulingCode.CARD_ALREADY_PLAYED


def test_discards_put_out_after_a_restart_are_laid_in_nobodys_turn(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    assert table.press(Button.WHITE).ruling.ok
    assert table.desk.course is not None
    table.take("3a")
    table.desk = take_up(table.desk.course)
    table.wait(2.0)
    assert table.desk.comparing is None
    table.lay("3a")
    table.stand(4, 20)
    entry = table.press(Button.BLACK)
    assert entry.event == TurnEvent((), 4, 20)
    assert entry.ruling.code is RulingCode.NO_CARDS


def test_a_card_that_was_entered_by_hand_and_comes_in_sight_is_laid_in_nobodys_turn(table: AtTheTable) -> None:
    table.stand(4, 23)
    table.desk, (entry,) = enter(table.desk, TurnEvent((Card.parse("3a"),), 4, 23), table.t_s)
    assert entry.ruling.ok
    table.wait(1.0)
    table.lay("3a")
    table.stand(4, 19)
    assert table.press(Button.BLACK).event == TurnEvent((), 4, 19)


def test_what_lay_there_in_another_round_does_not_lie_there_in_this_one(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    assert table.press(Button.WHITE).ruling.ok
    table.wait(1.0)
    assert table.desk.discards == {Card.parse("3a")}
    table.press(Button.BLACK)
    table.press(Button.BLACK)
    assert table.desk.state is not None
    assert table.desk.state.phase is Phase.ROUND_OVER
    table.take("3a")
    table.stand(1, 23)
    table.wait(3.0)
    assert table.desk.discards == frozenset()
