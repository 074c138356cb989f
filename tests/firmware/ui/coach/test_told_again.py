"""A finished round told again at the table: page by page, offered once it is over, and the match undisturbed by it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.record.retelling import finished_round
from engine.rules.state import Phase
from engine.rules.track import BySide
from engine.table.presses import Button
from firmware.web.public import public

W, B, UNDO = Button.WHITE, Button.BLACK, Button.UNDO


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
