"""Hints and open hands are agreed to at the table, each with his own button, and the game goes on meanwhile."""

from __future__ import annotations

from typing import Any

from display.menu.lines import Do
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.observation import Sight
from engine.table.presses import Button
from firmware.table.loop.requests import MENU, Begin, Hold, Release
from firmware.ui.coach.agreement import Consent, ConsentAsked, Mode

W, B, UNDO = Button.WHITE, Button.BLACK, Button.UNDO
PLAYED_AT = (308.0, -116.0)
"""Millimetres in the board frame: among the played cards."""


def test_both_have_to_press_their_own_button() -> None:
    question = ConsentAsked(Mode.HINTS)
    half, answer = question.pressed(W)
    assert (half.agreed, answer) == (Side.WHITE, Consent.WAITS)
    for button in (W, Button.ACT, Button.MENU):
        assert half.pressed(button) == (half, Consent.WAITS)
    assert half.pressed(B)[1] is Consent.YES
    assert half.pressed(UNDO)[1] is question.pressed(UNDO)[1] is Consent.NO


def test_nothing_is_said_until_both_agree(at: Any) -> None:
    assert at.panel is None
    at.coach.propose(Mode.HINTS)
    at.wait()
    assert at.view.verdict.headline == "Show hints to both players in this match?"
    at.press(W, W, Button.ACT)
    assert not at.coach.is_on(Mode.HINTS)
    assert "out of reach" not in at.said
    assert "Ana agrees. Bo: press your button" in at.view.verdict.hint
    at.press(B)
    assert at.view.verdict.headline == "You both agreed: hints are on."
    assert "Distance 22 is out of reach" in at.said
    assert len(at.kept) == 2  # the match and the round: no press was a turn, a refusal or an undo
    assert at.state.phase is Phase.TURN
    at.wait(6.0)
    assert at.view.verdict.headline == "En garde! Round 1"


def test_no_leaves_the_game_alone(at: Any) -> None:
    at.coach.propose(Mode.HINTS)
    at.press(W, UNDO)
    assert at.view.verdict.headline == "No agreement: you play on without it."
    assert at.panel is None
    assert at.state.round == 1  # nothing was taken back
    at.press(B)
    assert not at.coach.is_on(Mode.HINTS)


def test_hints_follows_the_game_and_either_ends_it(at: Any) -> None:
    at.agree(Mode.HINTS)
    at.play("4a", 5, 23, W)
    assert at.state.to_act is Side.BLACK
    at.play("5a", 5, 18, B)
    at.play("5b", 10, 18, W)
    assert "At distance 8 only a step and an attack will reach: 3 + 5, 4 + 4 or 5 + 3." in at.said
    at.press(UNDO)
    assert at.coach.is_on(Mode.HINTS)
    assert "Distance 13" in at.said
    del at.lying[Card(5, "b")]
    at.spaces = BySide(5, 18)
    at.coach.end(Mode.HINTS)
    at.wait()
    assert at.panel is None
    assert at.view.verdict.headline == "Ended: you play on without it."


def test_a_new_match_begins_without_it(at: Any) -> None:
    at.agree(Mode.HINTS)
    at.loop.ask(Begin(MatchEvent("ferti-classic")))
    at.wait()
    assert not at.coach.is_on(Mode.HINTS)
    assert at.panel is None
    at.coach.propose_next(Mode.OPEN)
    at.loop.ask(Begin(MatchEvent("ferti-classic")))
    at.wait()
    assert at.view.verdict.headline == "Play this match with open cards?"


def test_whoever_agreed_ends_his_turn_while_the_other_has_not_answered(at: Any) -> None:
    at.coach.propose(Mode.HINTS)
    at.press(W)
    at.play("4a", 5, 23, W)
    assert at.state.to_act is Side.BLACK
    assert at.view.verdict.headline == "Show hints to both players in this match?", "it still waits"
    at.play("5a", 5, 18, W)
    assert at.loop.desk.note is None, "Black's turn is not White's to end, nor does he want it to be"
    at.press(B)
    assert at.coach.is_on(Mode.HINTS), "Black's first press is his answer, whatever lies there"
    assert at.state.to_act is Side.BLACK
    at.press(B)
    after = at.state
    assert after.to_act is Side.WHITE


def test_nobody_has_to_answer_for_the_space_bar_to_end_a_turn(at: Any) -> None:
    at.coach.propose(Mode.HINTS)
    at.play("4a", 5, 23, Button.ACT)
    assert at.state.to_act is Side.BLACK


def test_a_press_beside_the_question_ends_no_turn_that_is_not_surely_one(at: Any) -> None:
    at.play("4a", 5, 23, W)
    at.lay("4b", PLAYED_AT)  # Black has laid it before the question is put
    at.spaces = BySide(5, 19)
    at.wait()
    at.coach.propose(Mode.HINTS)
    at.press(Button.ACT, B, B, Button.ACT, W)
    assert at.coach.is_on(Mode.HINTS)
    at.coach.end(Mode.HINTS)
    at.wait()
    at.coach.propose(Mode.HINTS)
    at.press(B)
    at.lay("3b", PLAYED_AT)  # no legal turn any more
    at.press(B, Button.ACT)
    assert at.loop.desk.ruling.ok, "what is no legal turn is not judged"
    at.lying = {card: place for card, place in at.lying.items() if card == Card(4, "a")}
    at.lay("4c", PLAYED_AT)
    at.sight = Sight.CHECKING
    at.press(B)
    at.wait(7.0)  # longer than anything waits for the eyes
    at.sight = Sight.STEADY
    at.press(W)
    assert at.coach.is_on(Mode.HINTS)
    assert len(at.kept) == 3, "the match, the round and White's turn"
    assert at.state.to_act is Side.BLACK


def test_a_turn_ends_once_the_eyes_are_sure_of_it(at: Any) -> None:
    at.coach.propose(Mode.HINTS)
    at.press(W)
    at.sight = Sight.CHECKING
    at.press(W)  # his hand has hardly left the table
    at.lay("4a", PLAYED_AT)
    at.spaces = BySide(5, 23)
    at.wait()
    assert at.state.to_act is Side.WHITE
    at.sight = Sight.STEADY
    at.wait()
    after = at.state
    assert after.to_act is Side.BLACK
    assert not at.coach.is_on(Mode.HINTS)


def test_while_the_table_is_compared_the_buttons_choose(at: Any) -> None:
    at.coach.propose(Mode.HINTS)
    at.loop.ask(Hold(MENU))
    at.press(W, B)
    assert not at.coach.is_on(Mode.HINTS)
    assert at.view.verdict.tag != "Agreed?"
    at.loop.ask(Release(MENU))
    at.press(W, B)
    assert at.coach.is_on(Mode.HINTS)


def test_what_the_menu_offers(at: Any) -> None:
    assert at.coach.offers == (Do.HINTS, Do.OPEN_HANDS, Do.BEGIN_OPEN)
    at.agree(Mode.HINTS)
    assert at.coach.offers == (Do.END_HINTS, Do.OPEN_HANDS, Do.BEGIN_OPEN)
    at.press(W, W)
    at.wait()
    assert Do.RETELL in at.coach.offers
