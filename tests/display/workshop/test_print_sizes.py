"""Large print on the smallest screen: nothing smaller than in usual print, and nothing left out, in any language."""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pytest

from display.draw.theme import LARGE, PARCHMENT
from display.i18n import LANGUAGES
from display.words.present import present
from display.workshop import print_sizes
from display.workshop.print_sizes import SIZE, capital_mm, every_situation, leaves, main, sizes


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_in_large_print_nothing_is_smaller_and_nothing_is_left_out(
    language: str, check_texts: Callable[..., None]
) -> None:
    for name, situation in every_situation(language).items():
        view = present(situation)
        usual, large = leaves(view, PARCHMENT), leaves(view, LARGE)
        for leaf in large:
            check_texts(leaf, pygame.Rect(0, 0, *SIZE), (name, language))
        for text in {drawn.text for leaf in usual for drawn in leaf}:
            before, now = sizes(usual, text), sizes(large, text)
            assert now, (name, language, "left out", text)
            assert now[0] >= before[0], (name, language, text)
            assert now[-1] >= before[-1], (name, language, text)


def test_a_capital_letter_is_half_as_tall_as_its_line() -> None:
    assert capital_mm(40) == pytest.approx(40 / 480 * 86 / 2, rel=0.05), "a capital is half as tall as its line"


@pytest.mark.slow
def test_the_sizes_are_told_in_millimetres(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    some = {name: every_situation("en")[name] for name in ("must_answer", "attack_direct", "panel_lesson")}
    monkeypatch.setattr(print_sizes, "LANGUAGES", ("en",))
    monkeypatch.setattr(print_sizes, "every_situation", lambda _: some)
    main()
    told = capsys.readouterr().out.splitlines()
    assert "154 x 86 mm" in told[0]
    assert {"headline", "panel's line", "picture's caption"} <= {line[:20].strip() for line in told[1:]}
