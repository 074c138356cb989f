"""Cards that nobody read are asked about, and nothing is ruled without a card that certainly lies there."""

from __future__ import annotations

from dataclasses import replace

from engine.rules.cards import Card
from engine.rules.events import TurnEvent, YieldEvent
from engine.rules.rulings import RulingCode
from engine.table.by_hand_offer import Waits
from engine.table.desk import Entry
from engine.table.notes import NoteKind
from engine.table.observation import Doubt, DoubtReason, Sight, Why
from engine.table.pressed_for import LONG_AFTER_S
from engine.table.presses import Button
from tests.engine.table.conftest import AUTO, BUTTON, AtTheTable


def test_a_glimpsed_card_is_asked_about_once_and_never_guessed(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    table.glimpsed = (Card(5, "b"),)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.cards) == (NoteKind.CARD_UNSURE, (Card(5, "b"),))
    entry = table.press(Button.WHITE)
    assert entry.ruling.ok
    assert table.desk.asked_about == frozenset()


def test_a_label_half_hidden_this_turn_is_asked_about_once(table: AtTheTable) -> None:
    table.unread = (Doubt(200.0, -90.0, -5.0),)
    table.lay("3a")
    table.stand(4, 23)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.ok  # it lay there before the turn: no card of it
    table.lay("2a")
    table.stand(4, 21)
    table.unread = (Doubt(240.0, -90.0, table.t_s),)
    table.wait(1.0)
    assert table.look(Button.BLACK) == ()
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.why) == (NoteKind.CARD_HIDDEN, None)
    assert table.press(Button.BLACK).ruling.ok


def test_a_label_that_light_burns_out_is_asked_about_as_such_and_once(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    burnt = Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT)
    table.unread = (burnt,)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.why) == (NoteKind.CARD_HIDDEN, Why.GLARE)
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
    assert table.desk.offer is not None
    assert table.desk.offer.event == TurnEvent((Card(3, "a"),), 4, 23)
    (entry,) = table.look(Button.WHITE)
    assert (entry.event, entry.confirmed) == (TurnEvent((Card(3, "a"),), 4, 23), True)
    assert entry.ruling.ok


def test_a_legal_turn_beside_a_shining_card_is_asked_about_too(table: AtTheTable) -> None:
    """The card that is read may be half of what was laid."""
    table.lay("3a")
    table.stand(4, 23)
    table.unread = (Doubt(240.0, -90.0, table.t_s, DoubtReason.BURNT),)
    table.wait(1.0)
    table.look(Button.WHITE)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.desk.offer is not None
    assert table.desk.offer.event == TurnEvent((Card(3, "a"),), 4, 23)
    table.wait(1.0)
    assert table.look(Button.BLACK) == ()  # no: it was more
    unseen = table.desk.unseen
    assert unseen is not None
    assert unseen.declined
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()  # with a screen it opens the page where he taps the turn
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.why) == (NoteKind.CARD_HIDDEN, Why.GLARE)


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
    assert (entry.event, entry.by_hand) == (TurnEvent((Card(3, "a"),), 4, 23), False)


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
    assert at.desk.offer is not None
    assert at.desk.offer.event == TurnEvent((Card(3, "a"),), 4, 23)


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
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.why) == (NoteKind.CARD_HIDDEN, Why.GLARE)
    table.outshone = in_the_light(table, table.t_s)  # he reached there once more
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS


def test_what_light_may_hide_is_asked_about_in_the_next_turn_again(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    table.outshone = in_the_light(table, table.t_s)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.ok  # legal as it was read: light tells of no card
    table.stand(4, 20)
    table.wait(1.0)
    assert table.press(Button.BLACK).ruling.code is RulingCode.NO_CARDS  # no hand was there in this turn
    table.outshone = in_the_light(table, table.t_s)
    assert table.look(Button.BLACK) == ()
    assert table.desk.note is not None
    assert table.desk.note.kind is NoteKind.CARD_HIDDEN


def test_where_no_card_in_the_light_could_make_it_legal_it_is_refused_at_once(table: AtTheTable) -> None:
    table.stand(7, 23)
    table.outshone = in_the_light(table, table.t_s)
    table.wait(1.0)
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS


def test_auto_waits_for_a_glimpsed_card() -> None:
    at = AtTheTable(AUTO)
    at.wait(1.5)
    at.lay("3a")
    at.stand(4, 23)
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
    assert at.desk.note is not None
    assert (at.desk.note.kind, at.desk.note.cards) == (NoteKind.CARD_UNSURE, (Card(5, "b"),))
    at.desk = replace(at.desk, note=None)
    assert at.wait(5.0) == []
    assert at.desk.note is None
    assert at.press(Button.WHITE).event == TurnEvent((Card(3, "a"),), 4, 23)


def test_what_came_long_after_a_press_is_not_judged_with_its_turn_before_that_was_said(table: AtTheTable) -> None:
    """The camera wobbled from the press on, and Black laid his cards and moved before anything could be seen."""
    table.lay("3a")
    table.stand(4, 23)
    table.sight, table.why = Sight.CHECKING, Why.MOVED
    assert table.look(Button.WHITE) == ()
    assert table.wait(LONG_AFTER_S + 0.2) == []
    table.lay("2a")
    table.stand(4, 21)
    table.sight, table.why = Sight.STEADY, None
    assert table.wait(0.7) == []
    assert table.desk.note is not None
    assert table.desk.note.kind is NoteKind.CAME_LATER
    table.take("2a")
    table.stand(4, 23)
    table.wait(0.7)
    assert table.press(Button.WHITE).ruling.ok
    table.lay("2a")
    table.stand(4, 21)
    table.wait(0.7)
    assert table.press(Button.BLACK).ruling.ok


def test_a_turn_that_is_wrong_as_it_was_pressed_for_is_refused(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(5, 23)
    table.sight, table.why = Sight.CHECKING, Why.MOVED
    assert table.look(Button.WHITE) == ()
    assert table.wait(LONG_AFTER_S + 0.2) == []
    table.sight, table.why = Sight.STEADY, None
    (entry,) = table.wait(0.7)
    assert entry.ruling.code is RulingCode.WRONG_DISTANCE


def test_cards_that_came_late_are_judged_when_pressed_for_again_and_at_once_when_legal(table: AtTheTable) -> None:
    def late() -> list[Entry]:
        table.sight, table.why = Sight.CHECKING, Why.HAND
        assert table.look(Button.WHITE) == ()
        assert table.wait(LONG_AFTER_S + 0.2) == []
        table.lay("3a")
        table.sight, table.why = Sight.STEADY, None
        return table.wait(0.7)

    table.stand(5, 23)
    assert late() == []
    assert table.press(Button.WHITE).ruling.code is RulingCode.WRONG_DISTANCE
    table.take("3a")
    table.stand(4, 23)
    (entry,) = late()
    assert entry.ruling.ok
