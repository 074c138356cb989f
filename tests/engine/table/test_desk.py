"""The desk: presses and observations in, events out, with nothing guessed and no press unanswered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rules.cards import DECK, Card
from engine.rules.events import RevealEvent, RoundEvent, TurnEvent, UndoEvent, YieldEvent
from engine.rules.rulings import RulingCode
from engine.rules.state import Phase, Reason
from engine.rules.track import BySide, Side
from engine.table.desk import TREMBLE_S, Desk
from engine.table.notes import Note, NoteKind
from engine.table.observation import FigureProblem, Sight, Why
from engine.table.presses import Button
from tests.engine.table.conftest import AUTO, AtTheTable


def test_a_round_begins_only_when_the_board_has_stood_set_up() -> None:
    at = AtTheTable()
    at.stand(1, 22)
    assert at.wait(3.0) == []
    at.stand(1, 23)
    at.lay("3a")
    assert at.wait(3.0) == []
    at.take("3a")
    assert [type(entry.event) for entry in at.wait(1.5)] == [RoundEvent]


def test_a_press_before_the_board_is_set_up_is_answered() -> None:
    at = AtTheTable()
    at.stand(2, 23)
    at.wait(1.0)
    at.look(Button.WHITE)
    assert at.desk.note is not None
    assert at.desk.note.kind is NoteKind.ROUND_NOT_SET_UP


def test_a_turn_ends_at_the_players_own_button(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    assert table.wait(3.0) == []
    table.look(Button.BLACK)
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.side) == (NoteKind.NOT_YOUR_TURN, Side.WHITE)
    entry = table.press(Button.WHITE)
    assert entry.ruling.ok
    assert entry.event == TurnEvent((Card(3, "a"),), 4, 23)


def test_the_menus_button_ends_no_turn(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    before = table.desk
    assert table.look(Button.MENU) == ()
    assert table.wait(3.0) == []
    assert table.desk == before


def test_a_note_stands_as_long_as_it_must_be_read_and_goes_when_the_table_changes(table: AtTheTable) -> None:
    note = Note(NoteKind.NOT_YOUR_TURN, table.t_s, side=Side.WHITE, hold_s=2.0)
    table.desk = replace(table.desk, note=note)
    table.wait(3.0)
    assert table.desk.note == note  # nothing changed
    table.desk = replace(table.desk, note=replace(note, t_s=table.t_s))
    table.look()
    table.lay("3a")
    table.wait(1.0)
    assert table.desk.note is not None
    table.wait(1.5)
    assert table.desk.note is None


@pytest.mark.parametrize(
    ("sight", "why", "begins"),
    [
        (Sight.CHECKING, Why.GLARE, True),
        (Sight.CHECKING, Why.HAND, False),
        (Sight.CHECKING, Why.TAG_HIDDEN, False),
        (Sight.BLIND, Why.DARK, False),
    ],
)
def test_a_round_begins_on_a_table_that_glares_but_waits_for_hands(sight: Sight, why: Why, begins: bool) -> None:
    at = AtTheTable()
    at.sight, at.why = sight, why
    assert [entry.event for entry in at.wait(2.0)] == [RoundEvent()] * begins


def test_in_glare_it_begins_on_a_board_that_has_stood_so_for_a_while() -> None:
    at = AtTheTable()
    at.sight, at.why = Sight.CHECKING, Why.GLARE
    at.stand(1, 22)
    assert at.wait(2.0) == []
    at.stand(1, 23)
    assert at.wait(0.4) == []
    assert len(at.wait(0.3)) == 1


def test_a_press_waits_until_the_table_has_been_quiet(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    table.sight, table.why = Sight.CHECKING, Why.HAND
    assert table.look(Button.WHITE) == ()
    assert table.wait(2.0) == []
    table.sight, table.why, table.since_s = Sight.STEADY, None, table.t_s
    assert table.wait(0.3) == []
    assert len(table.wait(0.5)) == 1


def test_a_press_is_for_the_table_as_it_stood_when_the_next_player_reaches_in_at_once(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    table.wait(1.0)
    table.sight, table.why = Sight.CHECKING, Why.HAND
    (entry,) = table.look(Button.WHITE)
    assert (entry.event, entry.t_s, entry.ruling.ok) == (TurnEvent((Card(3, "a"),), 4, 23), table.t_s, True)
    table.lay("2a")
    table.stand(4, 21)
    table.sight, table.why = Sight.STEADY, None
    assert table.press(Button.BLACK).event == TurnEvent((Card(2, "a"),), 4, 21)


@pytest.mark.parametrize(
    ("hand_s", "why", "stirs"),
    [(0.3, Why.HAND, False), (0.0, Why.DARK, False), (0.0, Why.HAND, True)],
    ids=["a hand that was there before", "another reason", "a table that is changing"],
)
def test_else_it_waits_for_the_table(table: AtTheTable, hand_s: float, why: Why, stirs: bool) -> None:
    table.lay("3a")
    table.wait(1.0)
    table.sight, table.why = Sight.CHECKING, why
    table.wait(hand_s)
    if stirs:
        table.lay("3b")
    assert table.look(Button.WHITE) == ()
    table.take("3b")
    table.stand(4, 23)
    table.sight, table.why = Sight.STEADY, None
    (entry,) = table.wait(1.0)
    assert entry.event == TurnEvent((Card(3, "a"),), 4, 23)


def test_a_press_the_eyes_cannot_answer_says_what_hides_the_table(table: AtTheTable) -> None:
    table.sight, table.why = Sight.BLIND, Why.DARK
    table.look(Button.WHITE)
    assert table.wait(5.0) == []
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.why) == (NoteKind.CANNOT_SEE, Why.DARK)
    assert table.desk.waiting is None


def test_a_fencer_between_spaces_is_never_judged(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(None, 23)
    table.wait(1.0)
    assert table.look(Button.WHITE) == ()
    assert table.desk.note is not None
    assert (table.desk.note.kind, table.desk.note.side) == (NoteKind.FIGURE_UNREADABLE, Side.WHITE)
    assert table.desk.note.problem is FigureProblem.BETWEEN_SPACES


def test_a_refused_turn_leaves_the_state_and_is_forgotten_once_put_right(table: AtTheTable) -> None:
    before = table.desk.state
    table.lay("3a")
    table.stand(5, 23)
    entry = table.press(Button.WHITE)
    assert entry.ruling.code is RulingCode.WRONG_DISTANCE
    assert table.desk.state is before
    table.stand(4, 23)
    table.wait(0.3)
    assert table.desk.ruling is None
    assert table.press(Button.WHITE).ruling.ok


def test_only_a_second_press_with_nothing_changed_gives_up(table: AtTheTable) -> None:
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS
    assert table.desk.give_up is not None
    table.lay("1a")
    table.wait(0.5)
    assert table.desk.give_up is None
    table.take("1a")
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS
    entry = table.press(Button.WHITE)
    assert entry.event == YieldEvent(())
    assert entry.state is not None
    assert entry.state.result is not None
    assert (entry.state.result.winner, entry.state.result.reason) == (Side.BLACK, Reason.NO_LEGAL_MOVE)


def test_a_hand_that_trembles_gives_no_round_away(table: AtTheTable) -> None:
    """The second press must be half a second after the question, however often the button bounces before."""
    assert table.press(Button.WHITE, wait_s=0.0).ruling.code is RulingCode.NO_CARDS
    for _ in range(4):
        assert table.look(Button.WHITE) == ()
    assert table.desk.give_up is not None
    assert [*table.wait(TREMBLE_S)] == []
    (entry,) = table.look(Button.WHITE)
    assert entry.event == YieldEvent(())


def test_a_forgotten_card_is_no_giving_up(table: AtTheTable) -> None:
    table.stand(4, 23)
    for _ in range(2):
        assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS
        assert table.desk.give_up is None


def test_the_offer_to_give_up_runs_out(table: AtTheTable) -> None:
    table.press(Button.WHITE)
    table.wait(10.0)
    assert table.desk.give_up is None
    assert table.desk.ruling is None, "a question that nobody answered refuses nothing"
    assert table.press(Button.WHITE).ruling.code is RulingCode.NO_CARDS


def test_a_discard_laid_again_is_named_only_when_the_turn_fails_without_it(table: AtTheTable) -> None:
    table.lay("3a")
    table.stand(4, 23)
    assert table.press(Button.WHITE).ruling.ok
    table.lay("3a", x_mm=400.0)
    table.stand(4, 20)
    entry = table.press(Button.BLACK)
    assert entry.ruling.code is RulingCode.CARD_ALREADY_PLAYED
    table.lay("3b")
    assert table.press(Button.BLACK).ruling.ok


def test_undo_takes_back_the_last_accepted_event(table: AtTheTable) -> None:
    before = table.desk.state
    table.lay("3a")
    table.stand(4, 23)
    table.press(Button.WHITE)
    (entry,) = table.look(Button.UNDO)
    assert isinstance(entry.event, UndoEvent)
    assert table.desk.state == before


def test_auto_ends_a_legal_turn_that_has_stood_and_never_an_illegal_one() -> None:
    at = AtTheTable(AUTO)
    at.wait(1.5)
    at.lay("3a")
    assert at.wait(3.0) == []
    at.stand(4, 23)
    assert at.wait(0.8) == []
    entries = at.wait(0.5)
    assert [entry.event for entry in entries] == [TurnEvent((Card(3, "a"),), 4, 23)]
    assert at.wait(5.0) == []


def test_what_could_not_be_written_down_waits_for_a_press() -> None:
    """A disk that is full is not asked again with every frame."""
    at = AtTheTable(AUTO)
    at.wait(1.5)
    at.lay("3a")
    at.stand(4, 23)
    at.wait(0.2)
    at.desk = replace(at.desk, note=Note(NoteKind.NOT_KEPT, at.t_s, hold_s=3.0))
    assert at.wait(5.0) == []
    (entry,) = at.look(Button.ACT)
    assert entry.event == TurnEvent((Card(3, "a"),), 4, 23)


def test_two_shown_hands_are_compared_without_a_press() -> None:
    at = AtTheTable()
    at.wait(1.5)
    _play_to_the_reveal(at)
    assert at.desk.state is not None
    assert at.desk.state.phase is Phase.REVEAL
    hands, left = at.desk.state.hands, _unplayed(at.desk)
    for name in left[: hands.white]:
        at.lay(name, x_mm=150.0)
    assert at.wait(3.0) == []
    for name in left[hands.white : hands.white + hands.black]:
        at.lay(name, x_mm=450.0)
    (entry,) = at.wait(1.5)
    assert isinstance(entry.event, RevealEvent)
    after = at.desk.state
    assert after is not None
    assert after.phase is Phase.ROUND_OVER


def _unplayed(desk: Desk) -> list[str]:
    assert desk.state is not None
    return [str(card) for card in DECK if card not in desk.state.played]


def _play_to_the_reveal(at: AtTheTable) -> None:
    """Fifteen quiet moves that end three apart with two 3s unseen."""
    spaces = BySide(1, 23)
    names = ["4a", "4b", "4c", "4d", "1a", "1b", "1c", "1d", "2a", "2b", "2c", "2d", "3a", "3b", "3c"]
    steps = [4, 4, 4, 4, 1, -1, -1, 1, -2, 2, 2, -2, -3, 3, 3]
    side = Side.WHITE
    for name, step_spaces in zip(names, steps, strict=True):
        spaces = spaces.put(side, spaces[side] + side.forward * step_spaces)
        at.lay(name)
        at.stand(spaces.white, spaces.black)
        entry = at.press(Button.ACT)
        assert entry.ruling.ok, (name, entry.ruling, spaces)
        side = side.other
