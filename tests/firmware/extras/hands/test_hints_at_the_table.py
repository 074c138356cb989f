"""Hints for both and open hands at the simulated table, by pointer alone: asked for, agreed to, and told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from display.menu.model import Act, Goto
from engine.rules.state import Phase
from engine.rules.track import Side
from firmware.cli.main import main
from firmware.extras.hands.seat import OPEN_HANDS
from firmware.ui.coach.coach import Mode

pytestmark = pytest.mark.slow

Opens = Callable[..., Any]


def test_the_table_means_by_open_hands_what_the_coach_does() -> None:
    assert Mode.OPEN.value == OPEN_HANDS


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--coach", "--open"])
def test_both_agree_and_are_told(at_window: Opens, tmp_path: Path, option: str) -> None:
    told: list[str] = []

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        for side in Side:
            yield from me.press(side)
            yield from me.wait(6)
        if option == "--open":
            for side in Side:
                if me.offered:
                    yield from me.accept()
                    yield from me.wait(2)
                yield from me.show_hand(side)
                yield from me.wait(8)
        yield from me.until(lambda view: view.panel is not None and len(view.panel.lines) > 1)
        told.extend(line.text for line in me.view.panel.lines)

    at_window(person)
    words = ["play", "--camera", "synthetic", "--white", "Ana", "--black", "Ben", "--starter", "white", option]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert told


def test_a_first_game_is_begun_in_the_menu_and_played_with_open_hands(at_window: Opens, tmp_path: Path) -> None:
    """By pointer alone: the button of the menu, a tile, two lines behind it, and both buttons."""

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is Phase.TURN)
        assert len(me.hands.view.fans) == 1
        yield from me.tap(me.window.places.buttons["menu"].center)
        yield from me.wait(3)
        yield from me.choose(Goto.MORE)
        yield from me.choose(Goto.START)
        yield from me.choose(Act("begin_open"))
        for side in Side:
            yield from me.wait(6)
            yield from me.press(side)
        yield from me.until(lambda view: view.phase is Phase.TURN)
        yield from me.until(lambda _: len(me.hands.view.fans) == 2)
        seen.extend(fan.hidden for fan in me.hands.view.fans)

    seen: list[bool] = []
    at_window(person)
    words = ["play", "--camera", "synthetic", "--white", "Ana", "--black", "Ben", "--starter", "white"]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert seen == [False, False]
