"""Where the eyes cannot see a turn and several fit: the player's own button opens a page with them."""

from __future__ import annotations

from typing import Any

import pytest

from display.menu.lines import Do
from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import Doubt, DoubtReason, Sight, Why
from engine.table.presses import Button


@pytest.fixture
def hidden(at: Any) -> Any:
    """White laid a three, and a hand has been over the table since."""
    at.put(1, 23, "3b")
    at.sight, at.why = Sight.CHECKING, Why.HAND
    at.wait(9.0)
    return at


def test_a_single_turn_that_supposes_least_is_proposed_without_a_page(hidden: Any) -> None:
    hidden.press(Button.WHITE)  # White stands on 1: the three can only have been an advance
    assert hidden.menu.menu is None
    hidden.wait(1.0)
    hidden.press(Button.WHITE)
    assert (hidden.state.spaces, hidden.state.played) == (BySide(4, 23), (Card(3, "b"),))


def test_once_it_was_rejected_the_page_is_opened_with_what_is_known_tapped(hidden: Any) -> None:
    hidden.press(Button.WHITE, Button.BLACK)
    hidden.press(Button.WHITE)
    page = hidden.menu.page
    assert page is not None
    assert page.board.named == (3,)
    assert "Advance 3" in [item.text for item in page.items]
    hidden.tap(Do.TURN)
    hidden.wait(0.2)
    assert hidden.menu.menu is None  # the eyes go on with the next turn
    assert (hidden.state.spaces, hidden.state.played) == (BySide(4, 23), (Card(3, "b"),))


def test_with_nothing_seen_the_second_press_chooses(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(9.0)
    at.press(Button.ACT)
    assert at.menu.page.board.named == ()
    at.press(Button.BLACK)  # to the next card
    assert at.state.played == ()
    at.press(Button.ACT, Button.ACT)  # it is tapped, and the only turn it can be counts
    at.wait(0.1)
    assert at.menu.menu is None
    assert (at.state.spaces, at.state.played) == (BySide(3, 23), (Card(2, "a"),))
    (match,) = at.book.matches()
    assert at.book.replay(match.id).state == at.state


def test_where_a_card_shines_the_turn_is_tapped_once_what_was_proposed_was_not_it(at: Any) -> None:
    at.put(4, 23, "")
    at.unread = (Doubt(240.0, -90.0, at.t_s, DoubtReason.BURNT),)
    at.wait(1.0)
    at.press(Button.WHITE)
    at.wait(1.0)
    assert at.loop.desk.note is not None
    at.press(Button.WHITE, Button.BLACK)
    assert at.menu.menu is None
    at.press(Button.WHITE)
    assert at.menu.page.board.named == ()
    assert at.state.played == ()


def test_the_other_player_opens_nothing(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(9.0)
    at.press(Button.BLACK)
    assert at.menu.menu is None


def test_before_it_is_due_a_press_waits_for_the_eyes(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(2.0)
    at.press(Button.WHITE)
    assert at.menu.menu is None
    assert at.loop.desk.waiting is not None


def test_the_screen_says_so(at: Any) -> None:
    at.sight, at.why = Sight.BLIND, Why.DARK
    at.wait(2.9)
    assert at.loop.advance().view.trouble is None
    at.wait(0.5)
    view = at.loop.advance().view
    assert view.trouble is not None
    assert view.trouble.cure == "Switch on a lamp, or open the curtains."
    assert view.verdict.hint != "White’s button: enter the turn by hand."
    at.wait(6.0)
    assert at.loop.advance().view.verdict.hint == "White’s button: enter the turn by hand."
    at.sight, at.why = Sight.STEADY, None
    assert at.loop.advance().view.trouble is None
