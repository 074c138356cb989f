"""Cards that nobody read are asked about, and nothing is ruled without a card that certainly lies there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.rules.cards import Card
from engine.rules.events import TurnEvent, YieldEvent
from engine.rules.rulings import RulingCode
from engine.table.asking import LONG_AFTER_S, SOON_AFTER_S
from engine.table.by_hand_offer import Waits
from engine.table.desk import Entry
from engine.table.notes import NoteKind
from engine.table.observation import Doubt, DoubtReason, Why
from engine.table.presses import Button
from engine.table.shown import open_turn
from tests.engine.table.conftest import AUTO, BUTTON, AtTheTable
from tests.matches import turn


def test_a_glimpsed_card_is_asked_about_once_and_never_guessed(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    table.glimpsed = (Card(5, "b"),)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert (table.said.kind, table.said.cards) == (NoteKind.CARD_UNSURE, (Card(5, "b"),))
    entry = table.press(Button.WHITE)
    assert entry.ruling.ok
    assert table.desk.asked_about == frozenset()


def test_a_label_half_hidden_this_turn_is_asked_about_once(table: AtTheTable) -> None:
    table.unread = (Doubt(200.0, -90.0, -5.0),)
    table.turn("3a", 4, 23)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.ok  # it lay there before the turn: no card of it
    table.turn("2a", 4, 21)
    table.unread = (Doubt(240.0, -90.0, table.t_s),)
    table.wait(1.0)
    assert table.look(Button.BLACK) == ()
    assert (table.said.kind, table.said.why) == (NoteKind.CARD_HIDDEN, None)
    assert table.press(Button.BLACK).ruling.ok


def test_a_label_that_light_burns_out_is_asked_about_as_such_and_once(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    burnt = Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT)
    table.unread = (burnt,)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert (table.said.kind, table.said.why) == (NoteKind.CARD_HIDDEN, Why.GLARE)
    table.unread = (replace(burnt, why=DoubtReason.HALF_HIDDEN),)  # the same one in other light
    assert table.press(Button.WHITE).ruling.ok


def test_a_turn_with_a_shining_card_is_never_ruled_without_it(table: AtTheTable) -> None:
    """White laid a three that shines: asked about it, he says with two presses more what he laid."""
    table.stand(4, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT),)
    table.wait(1.0)
    for _ in range(2):
        assert table.look(Button.WHITE) == ()
        assert table.wait(1.0) == []
    assert table.proposed == turn("3a", 4, 23)
    (entry,) = table.look(Button.WHITE)
    assert (entry.event, entry.confirmed) == (turn("3a", 4, 23), True)
    assert entry.ruling.ok


def test_a_legal_turn_beside_a_shining_card_is_asked_about_too(table: AtTheTable) -> None:
    """The card that is read may be half of what was laid."""
    table.turn("3a", 4, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT),)
    table.wait(1.0)
    table.look(Button.WHITE)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.proposed == turn("3a", 4, 23)
    table.wait(1.0)
    assert table.look(Button.BLACK) == ()  # no: it was more
    unseen = table.desk.unseen
    assert unseen is not None
    assert unseen.declined
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()  # with a screen it opens the page where he taps the turn
    assert (table.said.kind, table.said.why) == (NoteKind.CARD_HIDDEN, Why.GLARE)


def test_what_shone_and_is_read_in_time_is_judged_for_the_press_that_asked(table: AtTheTable) -> None:
    table.stand(4, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT),)
    table.wait(1.0)
    table.look(Button.WHITE)
    table.wait(1.0)
    table.look(Button.WHITE)
    assert table.desk.offer is not None
    table.unread = ()
    table.lay("3a")
    (entry,) = table.wait(1.0)
    assert (entry.event, entry.by_hand) == (turn("3a", 4, 23), False)


def test_after_its_patience_a_press_that_asked_is_not_judged_for_what_shone(table: AtTheTable) -> None:
    table.stand(4, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT),)
    table.wait(1.0)
    table.look(Button.WHITE)
    table.wait(1.0)
    table.look(Button.WHITE)
    assert table.wait(25.0) == []
    assert (table.desk.offer, table.desk.waiting) == (None, None)
    assert table.look(Button.WHITE) == ()
    assert table.desk.offer is not None


def test_what_shines_for_long_is_proposed_at_the_first_press() -> None:
    at = AtTheTable(replace(BUTTON, waits=Waits(stuck_s=3.0)))
    at.wait(1.5)
    at.stand(4, 23)
    at.unread = (Doubt(240.0, -90.0, at.t_s, DoubtReason.BURNT),)
    at.wait(3.5)
    assert at.look(Button.WHITE) == ()
    assert at.proposed == turn("3a", 4, 23)


def test_where_nothing_that_shines_could_make_it_legal_the_turn_is_refused(table: AtTheTable) -> None:
    table.stand(7, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT),)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert not table.press(Button.WHITE).ruling.ok
    table.stand(4, 23)  # and what it could is not
    for _ in range(2):
        table.wait(1.0)
        assert table.look(Button.WHITE) == ()
    assert table.desk.offer is not None


def test_whoever_gives_up_beside_something_that_shines_may(table: AtTheTable) -> None:
    table.unread = (Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT),)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS
    assert table.press(Button.WHITE).event == YieldEvent(())


def in_the_light(at: AtTheTable, since_s: float) -> tuple[Doubt, ...]:
    return (Doubt(240.0, -90.0, since_s, DoubtReason.LIGHT),)


def test_no_turn_is_refused_where_light_may_hide_its_card_before_he_was_asked(table: AtTheTable) -> None:
    """White moved by three; his three may lie on the pile that shines. Asked once, he is refused then."""
    table.stand(4, 23)
    table.outshone = in_the_light(table, table.t_s)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert (table.said.kind, table.said.why) == (NoteKind.CARD_HIDDEN, Why.GLARE)
    table.outshone = in_the_light(table, table.t_s)  # he reached there once more
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS


def test_what_light_may_hide_is_asked_about_in_the_next_turn_again(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    table.outshone = in_the_light(table, table.t_s)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.ok  # legal as it was read: light tells of no card
    table.stand(4, 20)
    table.wait(1.0)
    assert table.press(Button.BLACK).ruling.code is RulingCode.NO_CARDS  # no hand was there in this turn
    table.outshone = in_the_light(table, table.t_s)
    assert table.look(Button.BLACK) == ()
    assert table.said.kind is NoteKind.CARD_HIDDEN


def test_where_no_card_in_the_light_could_make_it_legal_it_is_refused_at_once(table: AtTheTable) -> None:
    table.stand(7, 23)
    table.outshone = in_the_light(table, table.t_s)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS


def test_auto_waits_for_a_glimpsed_card() -> None:
    at = AtTheTable(AUTO)
    at.wait(1.5)
    at.turn("3a", 4, 23)
    at.glimpsed = (Card(5, "b"),)
    assert at.wait(5.0) == []
    at.glimpsed, at.unread = (), (Doubt(240.0, -90.0, at.t_s),)
    assert at.wait(5.0) == []
    at.unread = ()
    assert len(at.wait(0.2)) == 1


def test_played_without_presses_it_asks_once_when_the_turn_looks_ended() -> None:
    at = AtTheTable(AUTO)
    at.wait(1.5)
    at.lay("3a")
    at.glimpsed = (Card(5, "b"),)
    assert at.wait(5.0) == []
    assert at.desk.note is None  # the fencer has not moved yet
    at.stand(4, 23)
    assert at.wait(1.8) == []
    assert at.desk.note is None
    assert at.wait(0.4) == []
    assert (at.said.kind, at.said.cards) == (NoteKind.CARD_UNSURE, (Card(5, "b"),))
    at.desk = replace(at.desk, note=None)
    assert at.wait(5.0) == []
    assert at.desk.note is None
    assert at.press(Button.WHITE).event == turn("3a", 4, 23)


def test_what_came_long_after_a_press_is_not_judged_with_its_turn_before_that_was_said(table: AtTheTable) -> None:
    """The camera wobbled from the press on, and Black laid his cards and moved before anything could be seen."""
    table.turn("3a", 4, 23)
    table.see(Why.MOVED)
    assert table.look(Button.WHITE) == ()
    assert table.wait(LONG_AFTER_S + 0.2) == []
    table.turn("2a", 4, 21)
    table.see()
    assert table.wait(0.7) == []
    assert table.said.kind is NoteKind.CAME_LATER
    table.take("2a")
    table.stand(4, 23)
    table.wait(0.7)
    assert table.press(Button.WHITE).ruling.ok
    table.turn("2a", 4, 21)
    table.wait(0.7)
    assert table.press(Button.BLACK).ruling.ok


def test_a_turn_that_is_wrong_as_it_was_pressed_for_is_refused(table: AtTheTable) -> None:
    table.turn("3a", 5, 23)
    table.see(Why.MOVED)
    assert table.look(Button.WHITE) == ()
    assert table.wait(LONG_AFTER_S + 0.2) == []
    table.see()
    (entry,) = table.wait(0.7)
    assert entry.ruling.code is RulingCode.WRONG_DISTANCE


def test_cards_that_came_late_are_judged_when_pressed_for_again_and_at_once_when_legal(table: AtTheTable) -> None:
    def late() -> list[Entry]:
        table.see(Why.HAND)
        assert table.look(Button.WHITE) == ()
        assert table.wait(LONG_AFTER_S + 0.2) == []
        table.lay("3a")
        table.see()
        return table.wait(0.7)

    table.stand(5, 23)
    assert late() == []
    assert table.press(Button.WHITE).ruling.code is RulingCode.WRONG_DISTANCE
    table.take("3a")
    table.stand(4, 23)
    (entry,) = late()
    assert entry.ruling.ok


ADVANCE = turn("3a", 4, 23)


def refused_for_a_four(table: AtTheTable) -> None:
    table.turn("4b", 4, 23)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.code is RulingCode.WRONG_DISTANCE


def laid_over_it(table: AtTheTable) -> None:
    table.cover("4b")
    table.lay("3a")
    table.wait(1.0)


def asked_about(table: AtTheTable) -> None:
    assert table.look(Button.WHITE) == ()
    assert (table.said.kind, table.said.cards) == (NoteKind.CARD_COVERED, (Card(4, "b"),))


def test_a_card_taken_back_under_the_next_one_is_asked_about_and_then_left_out(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked_about(table)
    entry = table.press(Button.WHITE)
    assert (entry.event, entry.ruling.ok) == (ADVANCE, True)


def test_nor_is_it_a_card_of_the_next_turn(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked_about(table)
    table.press(Button.WHITE)
    table.turn("2a", 4, 21)
    table.wait(1.0)
    shown = open_turn(table.desk, table.seen(), 308.0)
    assert shown is not None
    assert shown.cards == (Card(2, "a"),)
    assert table.press(Button.BLACK).event == turn("2a", 4, 21)


def test_who_shows_it_is_refused_for_it(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked_about(table)
    table.lay("4b")
    table.wait(1.0)
    entry = table.press(Button.WHITE)
    assert isinstance(entry.event, TurnEvent)
    assert not entry.ruling.ok
    assert Card(4, "b") in entry.event.cards


def test_one_that_comes_in_sight_later_counts_again(table: AtTheTable) -> None:
    refused_for_a_four(table)
    laid_over_it(table)
    asked_about(table)
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
    table.turn("4b", 4, 23)
    table.cover("4b")
    table.lay("3a")
    assert table.wait(1.8) == []
    assert table.desk.note is None
    assert table.wait(0.4) == []
    assert table.said.kind is NoteKind.CARD_COVERED
    assert table.press(Button.WHITE).event == ADVANCE


def test_of_two_of_which_either_would_do_the_last_one_is_asked_about(table: AtTheTable) -> None:
    table.lay("3b", "3c")
    table.cover("3b", "3c")
    table.stand(4, 23)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.said.cards == (Card(3, "c"),)


def test_an_attack_is_judged_with_all_its_cards_although_fewer_would_be_legal(table: AtTheTable) -> None:
    table.played(
        turn("5d", 6, 23),
        turn("5e", 6, 18),
        turn("5a", 11, 18),
        turn("2a", 11, 16),
    )
    table.wait(1.0)
    table.lay("5b", "5c")
    table.cover("5b")
    table.wait(1.0)
    assert table.press(Button.WHITE).event == TurnEvent((Card(5, "b"), Card(5, "c")), 11, 16)


ANSWER = turn("2a", 4, 21)


def laid_and_stood(table: AtTheTable, *, hand_s: float = 0.5) -> None:
    """White laid and moved, the table stood, and then a hand came for so long."""
    table.turn("3a", 4, 23)
    table.wait(1.0)
    table.see(Why.HAND)
    table.wait(hand_s)


def overtaken(
    table: AtTheTable, name: str = "2a", *, after_s: float = SOON_AFTER_S + 0.2, black: int | None = 21
) -> list[Entry]:
    """White presses in a hand's shadow; Black lays so long after and moves before anything can be seen."""
    assert table.look(Button.WHITE) == ()
    assert table.wait(after_s) == []
    table.lay(name)
    table.stand(table.spaces.white, black)
    table.see()
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
    assert table.said.kind is NoteKind.CARD_HIDDEN


def test_cards_that_may_still_have_been_laid_with_the_press_are_judged_with_it(table: AtTheTable) -> None:
    laid_and_stood(table)
    (entry,) = overtaken(table, after_s=SOON_AFTER_S - 0.2)
    assert entry.ruling.code is RulingCode.OPPONENT_MOVED


@pytest.mark.parametrize(("name", "legal"), [("3c", True), ("2a", False)])
def test_where_only_cards_came_soon_it_is_asked_whose_they_are(table: AtTheTable, name: str, legal: bool) -> None:
    """An advance after which the other fencer is in reach: one card more is an attack, by whoever laid it."""
    table.played(
        turn("5d", 6, 23),
        turn("5e", 6, 18),
        turn("5a", 11, 18),
        turn("1a", 11, 17),
    )
    table.wait(1.0)
    table.turn("3b", 14, 17)
    table.wait(1.0)
    table.see(Why.HAND)
    table.wait(0.5)
    assert overtaken(table, name, black=17) == []
    assert table.said.kind is NoteKind.CAME_LATER
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
    assert table.said.kind is NoteKind.CAME_LATER


def test_nor_is_one_that_lay_there_long_before(table: AtTheTable) -> None:
    laid_and_stood(table, hand_s=LONG_AFTER_S + 0.2)
    assert overtaken(table) == []


def test_nor_one_that_was_not_legal(table: AtTheTable) -> None:
    table.turn("3a", 5, 23)
    table.wait(1.0)
    table.see(Why.HAND)
    table.wait(0.5)
    assert overtaken(table) == []


def test_a_legal_turn_of_cards_that_came_with_no_other_before_them_is_judged(table: AtTheTable) -> None:
    laid_and_stood(table)
    _taken_since(table)
    assert table.look(Button.WHITE) == ()
    assert table.wait(LONG_AFTER_S + 0.2) == []
    table.lay("3a")
    table.see()
    (entry,) = table.wait(0.7)
    assert entry.event == ADVANCE


def test_nor_one_of_which_the_eyes_were_not_sure(table: AtTheTable) -> None:
    table.turn("3a", 4, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s),)
    table.wait(1.0)
    table.unread = ()
    table.see(Why.HAND)
    table.wait(0.5)
    assert overtaken(table) == []
