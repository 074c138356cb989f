"""What is done on a stick that is slow, hangs, or is pulled out: the menu and the game go on."""

from __future__ import annotations

import threading

import pytest

from firmware.menu import errand
from firmware.menu.errand import Errand


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
