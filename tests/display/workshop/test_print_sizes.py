"""Large print on the smallest screen: nothing smaller than in usual print, and nothing left out, in any language.

And nothing only as large, unless its letters are as tall as good eyes need where the players sit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pygame
import pytest

from display.draw.picture import new_surface
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES
from display.screens.menu import draw_menu
from display.words.present import present
from display.workshop import print_sizes
from display.workshop.menu_showcase import ShownPage, shown_pages
from display.workshop.print_sizes import SIZE, capital_mm, every_situation, leaves, main, sizes

FROM_MM = 1500.0
"""How far away the players sit."""
ARC_MINUTES = 5.0
"""A letter that good eyes read spans so much: the line of a reading chart by which they are called good."""
SEEN_MM = FROM_MM * math.tan(math.radians(ARC_MINUTES / 60))
FIELD_PX = 100
"""A figure so tall fills a field, and may make room for the words beside it."""
NEAR = 12
"""So many lines further in a list everything is in sight that was."""


def grown(text: str, before_px: int, now_px: int) -> bool:
    """Whether a text is larger, or as large as it was and tall enough."""
    if text.isdigit():  # the number of a space fills its space, whatever the print
        return now_px >= before_px or before_px >= FIELD_PX
    return now_px > before_px or (now_px == before_px and capital_mm(now_px) >= SEEN_MM)


def test_letters_that_are_seen_are_as_tall_as_reckoned() -> None:
    assert pytest.approx(2.18, abs=0.01) == SEEN_MM


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_the_menu_grows_in_large_print(language: str, check_texts: Callable[..., None]) -> None:
    """Each page, its lists turned as far as it takes: the review of a round, players, puzzles and turns by hand too."""
    pages = shown_pages(language)
    assert any(each.page.past is not None for each in pages)
    for each in pages:

        def drawn(at: int, theme: Theme, each: ShownPage = each) -> dict[str, int]:
            menu = replace(each.menu, path=(*each.menu.path[:-1], replace(each.menu.here, at=at)))
            surface = new_surface(*SIZE)
            texts = draw_menu(surface, each.page, menu, language, theme).texts
            check_texts(texts, surface.get_rect(), (each.name, language))
            smallest: dict[str, int] = {}
            for text in texts:
                smallest[text.text] = min(text.size_px, smallest.get(text.text, text.size_px))
            return smallest

        here = each.menu.here.at
        places = range(max(0, here - NEAR), min(len(each.page.items), here + NEAR + 1)) or range(1)
        large: dict[str, list[int]] = {}
        for at in places:
            for text, size_px in drawn(at, LARGE).items():
                large.setdefault(text, []).append(size_px)
        for text, before_px in drawn(here, PARCHMENT).items():
            assert text in large, (each.name, language, "left out", text)
            assert all(grown(text, before_px, now_px) for now_px in large[text]), (
                each.name,
                text,
                before_px,
                large[text],
            )


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
            assert grown(text, before[0], now[0]), (name, language, text, before, now)
            assert grown(text, before[-1], now[-1]), (name, language, text, before, now)


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
