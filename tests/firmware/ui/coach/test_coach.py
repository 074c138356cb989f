"""The coach at the table: agreement, hints without hidden cards, hands laid open, a round told again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from display.menu.lines import Act
from engine.chances.odds import public_hints
from engine.companion.companion import name_of
from engine.record.retelling import finished_round
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn
from engine.table.observation import Doubt, Sight
from engine.table.presses import Button, Press
from firmware.table.loop.requests import MENU, Begin, Hold, Release
from firmware.ui.coach.coach import Mode
from firmware.web.public import public

W, B, UNDO = Button.WHITE, Button.BLACK, Button.UNDO
PLAYED_AT, WHITE_AT, BLACK_AT = (308.0, -116.0), (120.0, -208.0), (400.0, -208.0)
"""Millimetres in the board frame: among the played cards, and in each player's own part."""


# -- open hands --------------------------------------------------------------------------------------------------------

WHITE, BLACK = "1a 2a 3a 4a 5a", "1b 2b 3b 4b 5b"


def test_a_hand_that_lies_open_is_no_turn(at: Any) -> None:
    at.agree(Mode.OPEN)
    assert "Ana: lay your 5 cards face up" in at.said
    at.lay(WHITE, WHITE_AT)
    at.lay(BLACK, BLACK_AT)
    at.wait()
    assert at.panel.title == "What Ana can do"
    assert len(at.panel.lines) == 5  # at his end White cannot retreat
    assert at.seen_cards == ()
    assert at.view.verdict.tone.value != "preview"
    at.play("4a", 5, 23, W)
    assert at.state.to_act is Side.BLACK
    assert at.state.played == (Card(4, "a"),)
    assert at.panel.title == "What Bo can do"


def test_the_turn_is_read_from_the_upper_part_with_automatic_ends_too(sit: Callable[..., Any]) -> None:
    at = sit(EndTurn.AUTO)
    at.agree(Mode.OPEN)
    at.lay(WHITE, WHITE_AT)
    at.wait(3.0)
    assert at.state.to_act is Side.WHITE
    at.lay("3a", PLAYED_AT)
    at.spaces = BySide(4, 23)
    at.wait(3.0)
    assert at.state.played == (Card(3, "a"),)
    after = at.state
    assert after.to_act is Side.BLACK


def test_nothing_unsure_in_a_hand_holds_a_turn_up(at: Any) -> None:
    at.agree(Mode.OPEN)
    at.lay(WHITE, WHITE_AT)
    at.glimpsed = (Card(5, "e"),)
    at.wait()
    at.unread = (Doubt(200.0, -210.0, at.t_s),)
    at.play("3a", 4, 23, W)
    assert at.state.to_act is Side.BLACK
    at.unread = (Doubt(300.0, -110.0, at.t_s),)  # among the played cards it does
    at.play("3b", 4, 20, B)
    assert at.state.to_act is Side.BLACK
    assert "hidden" in at.view.verdict.headline or at.view.verdict.tone.value == "unseen"


def test_a_card_glimpsed_among_the_played_ones_is_asked_about_with_open_hands_too(at: Any) -> None:
    at.agree(Mode.OPEN)
    at.lay(WHITE, WHITE_AT)
    at.wait()
    at.glimpsed = (Card(5, "e"),)
    at.play("3a", 4, 23, W)
    assert at.state.to_act is Side.WHITE
    assert at.view.verdict.headline == "I only caught a glimpse of the 5."
    at.press(W)
    after = at.state
    assert after.to_act is Side.BLACK


@pytest.mark.parametrize(
    ("white", "expected"),
    [
        ("1a 2a 3a", "Ana: 3 of 5 cards are visible."),
        ("1a 2a 3a 4a 5a 5b", "Ana: 6 cards lie in the lower part, 5 belong there."),
        ("", "Ana: lay your 5 cards face up in the lower part of your half."),
    ],
)
def test_what_is_wrong_with_a_hand_is_said(at: Any, white: str, expected: str) -> None:
    at.agree(Mode.OPEN)
    at.lay(white, WHITE_AT)
    at.wait()
    assert expected in at.said


def test_a_played_card_among_the_hand_is_named(at: Any) -> None:
    at.agree(Mode.OPEN)
    at.lay(WHITE, WHITE_AT)
    at.play("3a", 4, 23, W)
    at.play("3b", 4, 20, B)
    at.lay("3b 4c", WHITE_AT)
    at.wait()
    assert "3b has already been played" in at.said
    assert at.state.to_act is Side.WHITE


def test_a_hand_kept_to_oneself_is_helped_with_what_both_may_know(at: Any) -> None:
    at.agree(Mode.HINTS)
    at.agree(Mode.OPEN)
    at.wait()
    assert at.panel.title == "What the played cards tell you"
    at.lay(WHITE, WHITE_AT)
    at.wait()
    assert at.panel.title == "What Ana can do"


def test_no_hand_is_read_before_both_agree(at: Any) -> None:
    at.coach.propose(Mode.OPEN)
    at.press(W)
    at.lay(WHITE, WHITE_AT)
    at.wait()
    assert "What Ana can do" not in at.panel.title
    assert len(at.seen_cards) == 5  # still cards like any other


def test_hands_shown_at_the_end_are_the_referees(at: Any) -> None:
    at.agree(Mode.OPEN)
    at.lay(WHITE, WHITE_AT)
    at.wait()
    assert at.seen_cards == ()
    desk = at.loop.desk
    assert desk.course is not None
    step = desk.course.steps[-1]
    shown = step.state._replace(phase=Phase.REVEAL, to_act=None)
    course = type(desk.course)((*desk.course.steps[:-1], step._replace(state=shown)))
    at.loop.desk = type(desk)(course, verdicts=desk.verdicts)
    at.loop.ask(Hold(MENU))
    at.wait()
    assert len(at.seen_cards) == 5


@pytest.mark.parametrize("names", ["1b 2b 3b 4b 5b", "5b 5c 5d 5e 1e", "3a 3b 3c 3d 3e"])
def test_hints_uses_no_card_of_a_hand_that_may_not_be_seen(at: Any, names: str) -> None:
    """Only hints were agreed to: cards that somebody shows all the same change nothing of what is said."""
    at.agree(Mode.HINTS)
    at.play("5a", 6, 23, W)
    at.play("4a", 6, 19, B)
    before = at.said
    assert "White can attack" not in before
    at.lay(names, BLACK_AT)
    at.wait()
    assert at.said == before


def test_the_panel_is_worked_out_again_only_for_what_changed(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def counted(state: Any) -> Any:
        asked.append(state)
        return public_hints(state)

    monkeypatch.setattr("firmware.ui.coach.coach.public_hints", counted)

    def fresh() -> bool:
        """Whether this moment was worked out anew, and only once, however long it lasts."""
        asked.clear()
        at.wait()
        assert len(asked) <= 1
        return bool(asked)

    at.loop.people.agreed = (Mode.HINTS.value,)
    assert fresh()
    assert not fresh()
    at.loop.people.language = "de"
    assert fresh()
    assert at.panel.title == "Was die gespielten Karten verraten"
    at.loop.people.language = "en"
    at.loop.people.agreed = (Mode.HINTS.value, Mode.OPEN.value)
    assert fresh()
    at.lay(WHITE, WHITE_AT)
    assert fresh()
    at.lay("4a", PLAYED_AT)  # out of the hand, and laid: the same cards still
    assert fresh()
    at.lay(BLACK, BLACK_AT)
    assert fresh()
    at.play("4a", 5, 23, W)
    assert at.panel.title == "What Bo can do"
    assert not fresh()
    at.loop.people.names = BySide("Ana", name_of("novice"))
    assert fresh()
    at.press(UNDO)
    at.loop.people.names = BySide("Ana", "Bo")
    assert fresh()
    assert at.panel.title == "What Ana can do"


def test_the_others_hand_counts_only_where_all_of_it_lies_open(at: Any) -> None:
    at.agree(Mode.OPEN)
    at.lay("1a 2a 3a 4a 5c", WHITE_AT)
    at.play("5a", 6, 23, W)
    at.play("5b", 6, 18, B)
    at.lay("1b 1c 1d", BLACK_AT)
    at.wait()
    assert "%" in at.said  # he may hold anything beside these
    at.lay("1b 1c 1d 2b 2c", BLACK_AT)
    at.wait()
    assert "%" not in at.said
    assert "Bo cannot attack from there." in at.said


# -- beside the companion ----------------------------------------------------------------------------------------------


def test_the_companion_agrees_to_help_by_itself_and_needs_none(at: Any) -> None:
    at.loop.people.names = BySide("Ana", name_of("novice"))
    at.wait()
    assert [*at.coach.offers] == [Act("hints")]
    at.coach.propose(Mode.HINTS)
    at.wait()
    assert "Black agrees. Ana: press your button too" in at.view.verdict.hint
    at.press(B, Button.ACT)
    assert not at.coach.is_on(Mode.HINTS)
    at.press(W)
    assert at.coach.is_on(Mode.HINTS)
    assert "out of reach" in at.said
    at.play("4a", 5, 23, W)
    assert at.state.to_act is Side.BLACK
    assert at.panel is None, "the companion's own words stand there"
    assert Act("end_hints") in at.coach.offers


def test_open_hands_are_not_for_the_companion(at: Any) -> None:
    at.loop.people.names = BySide(name_of("maestro"), "Ben")
    for again in (at.coach.propose, at.coach.propose_next):
        again(Mode.OPEN)
        if again == at.coach.propose_next:
            at.loop.ask(Begin(MatchEvent("ferti-classic")))
        at.wait()
        headline = "Open cards are for two people: the companion keeps its cards to itself."
        assert headline in [view.verdict.headline for view in at.shown[-5:]]
        at.press(B)
        at.press(B)
        assert not at.coach.is_on(Mode.OPEN)
        at.shown.clear()


def test_nothing_is_said_until_both_agree(at: Any) -> None:
    assert at.panel is None
    at.coach.propose(Mode.HINTS)
    at.wait()
    assert at.view.verdict.headline == "Show hints to both players in this match?"
    menu = Press(at.t_s, Button.MENU)
    assert at.coach.hear((menu,), at.t_s) == (menu,), "the menu's button is not the question's"
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
    assert [*at.coach.offers] == [Act("hints"), Act("open_hands")]
    at.agree(Mode.HINTS)
    assert [*at.coach.offers] == [Act("end_hints"), Act("open_hands")]
    at.press(W, W)
    at.wait()
    assert at.coach.can_retell


def test_a_finished_round_is_told_page_by_page(at: Any) -> None:
    assert not at.coach.can_retell
    at.coach.retell()
    assert at.view.panel is None
    at.play("5a", 6, 23, W)
    at.play("5b", 6, 18, B)
    at.press(W, W)  # gives up
    assert at.state.phase is Phase.ROUND_OVER
    assert at.coach.can_retell
    at.coach.retell()
    serial = at.view.serial
    at.wait()
    assert at.panel.page == "1 / 3"
    assert at.view.piste.fencers.white.space == 6
    assert at.view.piste.fencers.black.space == 23
    at.press(B)
    assert at.panel.page == "2 / 3"
    assert at.view.piste.distance == 12
    at.press(W, W)
    assert at.panel.page == "1 / 3"
    assert at.view.verdict.hint == "White’s button: back. Black’s button: next. Undo: close."
    at.lying, at.spaces = {}, BySide(1, 23)  # set up anew meanwhile: the next round waits
    at.press(Button.ACT, B)
    assert at.panel.page == "3 / 3"
    assert at.state.phase is Phase.ROUND_OVER
    assert at.view.serial == serial
    at.press(B)
    assert at.panel is None
    at.wait(2.0)
    assert at.state.round == 2
    at.coach.retell()
    at.press(UNDO)
    assert at.panel is None
    assert at.state.round == 2


def test_whoever_has_just_ended_a_round_is_told_that_it_can_be_told_again(at: Any) -> None:
    at.play("5a", 6, 23, W)
    at.play("5b", 6, 18, B)
    assert not at.view.can_retell
    at.press(W, W)  # gives up
    assert not at.view.can_retell, "here there is neither a menu nor a key"
    at.coach._at_hand = True
    at.wait()
    assert at.view.can_retell
    assert at.view.verdict.hint == (
        "Next round: fencers on 1 and 23, no cards left in the play area. Menu or key E: replay the round."
    )
    at.coach.retell()
    at.wait()
    assert not at.view.can_retell
    at.press(UNDO)
    at.lying, at.spaces = {}, BySide(1, 23)
    at.wait(4.0)
    assert at.state.round == 2
    assert not at.view.can_retell
    at.play("5a", 1, 18, B)
    at.press(W)
    at.wait(1.0)  # the question stands long enough to be read
    at.press(W)
    assert at.state.phase is Phase.MATCH_OVER
    assert at.view.verdict.hint == "Press any button for a new match. Menu or key E: replay the round."


def test_a_finished_round_is_looked_for_once(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []

    def counted(course: Any) -> Any:
        looked.append(course)
        return finished_round(course)

    monkeypatch.setattr("firmware.ui.coach.coach.finished_round", counted)
    at.coach._at_hand = True
    at.play("5a", 6, 23, W)
    at.play("5b", 6, 18, B)
    at.press(W, W)  # gives up
    at.wait(1.0)
    assert at.view.can_retell
    assert len(looked) == 1
    at.coach.retell()
    at.wait()
    at.press(UNDO, UNDO)
    at.wait()
    assert at.state.phase is Phase.TURN
    assert not at.coach.can_retell
    assert len(looked) == 2


def test_lamps_and_scoreboard_keep_to_the_match_while_a_round_is_told_again(at: Any) -> None:
    at.play("5a", 6, 23, W)
    at.play("5b", 6, 18, B)
    assert at.matches[-1] is at.view
    at.press(W, W)  # gives up
    stood, lamps = public(at.matches[-1]), at.view.lamps
    assert stood["verdict"]["headline"] == "Ana gives up: Bo wins the round"
    at.coach.retell()
    at.wait()
    for _ in range(3):
        assert at.panel is not None
        assert at.view.verdict.tag == "Replay"
        assert public(at.matches[-1]) == stood
        assert at.view.lamps == at.matches[-1].lamps == lamps
        at.press(B)
    assert at.panel is None
    assert at.matches[-1] is at.view
