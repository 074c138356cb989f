"""Counting from memory in the window: after a round that was played there, and alone, with a row and the time taken."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame
import pytest

from display.menu.model import Act, Goto, Open
from engine.rules.track import Side
from firmware.cli.main import main
from firmware.ui.lessons.progress import FILE, Counted, Progress
from firmware.ui.menu.pages.learning import ALONE, ROUND

Opens = Callable[..., Any]
COUNTING = "counting"
THINKING_S = 0.2


def asked_for(text: str) -> int:
    """The value whose cards are asked for: the one digit of the question, "How many 4s are left?"."""
    [value] = [int(letter) for letter in text if letter.isdigit()]
    return value


@pytest.mark.slow
def test_cards_are_counted_after_a_round_and_alone(at_window: Opens, tmp_path: Path) -> None:
    """Right twice, which makes a row of two; wrong once, which ends it; the fastest time is kept."""

    def answered(me: Any, played: list[int], *, right: bool) -> Any:
        [question] = me.window.page.lines
        time.sleep(THINKING_S)
        left = 5 - played.count(asked_for(question))
        yield from me.choose(Act("option", left if right else (left + 1) % 6))
        yield from me.wait(3)

    def person(me: Any) -> Any:
        yield from me.until(lambda view: view.phase is not None and me.window.hands is not None)
        while me.state.result is None:
            yield from me.play_one(Side.WHITE)
        played = [card.value for card in me.state.played]
        me.key(pygame.K_m)
        yield from me.wait(3)
        for line in (Goto.MORE, Goto.LEARN, Open(COUNTING)):
            yield from me.choose(line)
        yield from me.choose(Open(COUNTING, f"{ROUND} white"))
        yield from answered(me, played, right=True)
        yield from me.choose(Act("next"))
        for right in (True, False):
            if right:
                yield from me.choose(Open(COUNTING, f"{ALONE} white"))
            shown = list(me.window.page.cards)
            lengths.append(len(shown))
            yield from me.choose(Act("cover"))
            assert not me.window.page.cards
            yield from answered(me, shown, right=right)
            counted.append(Progress(tmp_path / FILE).of("Ana").counting)
            yield from me.choose(Act("next"))

    counted: list[Counted] = []
    lengths: list[int] = []
    at_window(person)
    words = ["play", "--camera", "synthetic", "--against", "novice", "--white", "Ana", "--starter", "white"]
    assert main([*words, "--points", "3", "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    assert [each.row for each in counted] == [2, 0]
    assert [each.longest for each in counted] == [2, 2]
    assert THINKING_S <= counted[0].fastest_s == counted[1].fastest_s < 9
    assert lengths == [7, 8], "each right answer brings one more card"
