"""The coach at a table: hands laid open, hints that use no hidden card, and his place beside the companion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from display.menu.lines import Do
from engine.chances.odds import public_hints
from engine.companion.companion import name_of
from engine.rules.cards import Card
from engine.rules.events import MatchEvent
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn
from engine.table.observation import Doubt
from engine.table.presses import Button
from firmware.table.loop.requests import MENU, Begin, Hold
from firmware.ui.coach.agreement import Mode

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
    assert at.coach.offers == (Do.HINTS, Do.BEGIN_OPEN)
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
    assert Do.END_HINTS in at.coach.offers


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
