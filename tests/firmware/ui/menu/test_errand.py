"""What is done on a stick that is slow, hangs, or is pulled out: the menu and the game go on."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from display.i18n import words
from display.menu.lines import Do, Goto
from engine.table.presses import Button
from firmware.table.readers.progress import Limits
from firmware.ui.menu import errand
from firmware.ui.menu.errand import Errand
from firmware.ui.menu.sticks import Stick, StickWork


def test_what_comes_soon_is_told_at_once() -> None:
    done = Errand()
    assert done.do(lambda: "copied", lambda: "not copied") == "copied"
    assert done.told("en") == ""
    assert done.do(lambda: str(1 // 0), lambda: "not copied") == "not copied"


def test_a_stick_that_hangs_is_not_waited_for_and_nothing_is_begun_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errand, "SOON_S", 0.01)
    lets_go, began = threading.Event(), list[str]()

    def hangs() -> str:
        began.append("once")
        lets_go.wait()
        return "copied"

    done = Errand()
    assert done.do(hangs, str) == ""
    assert done.told("en")
    assert done.do(hangs, str) == ""
    assert began == ["once"]
    done.leave()
    assert done.told("en"), "it is still at work"
    lets_go.set()
    while done.told("en") != "copied":
        pass
    done.leave()
    assert done.told("en") == ""


@pytest.mark.slow
def test_a_stick_that_answers_no_look_takes_neither_menu_nor_game(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a dead network mount does: stat never comes back, and no signal breaks it off."""
    lets_go, machine = threading.Event(), at.machine
    monkeypatch.setattr(machine, "on_stick", StickWork(Limits(cpu_s=10.0, asleep_s=0.1, wait_s=0.0)))

    def never() -> list[Stick]:
        lets_go.wait()
        return []

    at.sticks = never
    assert not machine.has_stick(), "the watch that asks for it goes on, too"
    at.go_to(Goto.CARE)
    told = machine.no_stick("en")
    assert told != words("en").say("menu.no_stick")
    assert at.menu.page.lines[-1] == told
    at.go_to(Do.BACK_UP)
    assert at.menu.page.lines[-1] == told
    before = len(at.loop.desk.course.steps)
    while at.menu.menu is not None:
        at.press(Button.UNDO)
    at.put(4, 23, "3a")
    at.wait(1.0)
    at.press(Button.WHITE)
    assert len(at.loop.desk.course.steps) == before + 1
    lets_go.set()
    while machine.on_stick.hangs:
        pass
    assert machine.no_stick("en") == words("en").say("menu.no_stick")
