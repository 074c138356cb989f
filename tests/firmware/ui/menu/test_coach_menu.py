"""The coach in the menu: proposed, ended, a round told again, and a first game with open hands."""

from __future__ import annotations

from typing import Any

import pytest

from display.menu.lines import Do, Goto, Line
from engine.rules.state import Phase
from engine.rules.track import BySide
from engine.table.presses import Button
from firmware.table.loop.requests import RETELLING
from firmware.ui.coach.agreement import Mode
from firmware.ui.coach.coach import Coach
from vision.printed.table import PlayArea

W, B, MENU, UNDO = Button.WHITE, Button.BLACK, Button.MENU, Button.UNDO


@pytest.fixture
def coach(at: Any) -> Coach:
    """A coach who hears what the menu leaves."""
    coach = Coach(PlayArea(68.0, 548.0, -260.0, -60.0), at.loop.people)
    at.loop.helpers = (*at.loop.helpers, coach)
    at.choices.now.coach = coach
    at.wait(0.3)
    return coach


def keys(at: Any) -> list[Line]:
    return [item.key for item in at.menu.page.items]


def test_hints_is_proposed_agreed_to_and_ended(at: Any, coach: Coach) -> None:
    at.go_to(Do.HINTS)
    assert at.menu.menu is None
    assert not at.loop.held
    assert not coach.is_on(Mode.HINTS)
    at.press(W, B)
    assert coach.is_on(Mode.HINTS)
    assert at.state.phase is Phase.TURN
    at.go_to(Goto.MORE)
    assert Do.END_HINTS in keys(at)
    assert Do.HINTS not in keys(at)
    at.go_to(Do.END_HINTS)
    assert not coach.is_on(Mode.HINTS)


def test_a_first_game_asks_both(at: Any, coach: Coach) -> None:
    at.go_to(Goto.START, Do.BEGIN_OPEN)
    assert at.menu.menu is None
    at.wait(0.5)
    at.press(W, B)
    assert coach.is_on(Mode.OPEN)
    at.go_to(Goto.START, Do.BEGIN)
    at.wait(0.5)
    assert not coach.is_on(Mode.OPEN)


def test_a_round_is_told_again_and_a_pause_ends_with_it(at: Any, coach: Coach) -> None:
    at.press(MENU)
    assert Do.RETELL not in keys(at)
    at.press(UNDO)
    at.put(6, 23, "5a")
    at.wait(0.5)
    at.press(W)
    at.wait(0.5)
    at.press(B)
    at.wait(0.5)
    at.press(B)
    at.wait(0.5)
    assert at.state.phase is Phase.ROUND_OVER
    at.go_to(Do.PAUSE)
    assert at.loop.held
    at.go_to(Do.RETELL)
    at.wait(0.2)
    assert RETELLING in at.loop.held
    at.put(1, 23, "")
    at.wait(2.0)
    assert at.state.phase is Phase.ROUND_OVER
    at.press(B, B, B)
    at.wait(2.0)
    assert not at.loop.held
    assert at.state.round == 2
    assert at.state.spaces == BySide(1, 23)


def test_the_key_tells_the_round_again_too(at: Any, coach: Coach) -> None:
    at.choices.now.retell()  # no round is over yet
    at.wait(0.2)
    assert not at.loop.held
    at.put(6, 23, "5a")
    for button in (W, B, B):
        at.wait(0.5)
        at.press(button)
    at.wait(0.5)
    assert at.state.phase is Phase.ROUND_OVER
    at.choices.now.pause(on=True)
    at.choices.now.retell()
    at.wait(0.2)
    assert at.loop.held == {RETELLING}
    assert not at.choices.now.paused
