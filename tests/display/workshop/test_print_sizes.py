"""Large print on every screen: nothing smaller than in usual print, and nothing left out, in any language.

And nothing only as large, unless its letters are as tall as good eyes need where the players sit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pygame
import pytest

from display.draw.leaves import sentences
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES
from display.menu.model import is_card
from display.screens.ending import TIMES
from display.view import ViewModel
from display.words.present import present
from engine.rules.track import SPACES
from tests.display import print_sizes
from tests.display.covering import LANGUAGE_SIZES
from tests.display.drawn import draw_menu
from tests.display.menu_showcase import ShownPage, shown_pages
from tests.display.print_sizes import (
    MAX_LEAVES,
    SIZE,
    Leaves,
    capital_mm,
    every_situation,
    leaves,
    main,
    sizes,
    unpainted,
)

FROM_MM = 1500.0
"""How far away the players sit."""
ARC_MINUTES = 5.0
"""A letter that good eyes read spans so much: the line of a reading chart by which they are called good."""
SEEN_MM = FROM_MM * math.tan(math.radians(ARC_MINUTES / 60))
FIGURE_PX = 23
"""A figure as tall as words in large print, on a screen of 480 lines, may leave an eighth to the words beside it."""
FIELD_PX = 100
"""A figure so tall fills a field, and may make more room for them."""
SPACES_SEEN = {str(space) for space in range(1, SPACES + 1)}
NEAR = 12
"""So many lines further in a list everything is in sight that was."""


def grown(text: str, before_px: int, now_px: int, size: tuple[int, int]) -> bool:
    """Whether a text is larger, or as large as it was and tall enough: on a screen of so many pixels, no larger."""
    if text.isdigit():  # the number of a space fills its space, whatever the print
        unit = size[1] / SIZE[1]
        tall = now_px >= FIGURE_PX * unit and now_px >= before_px * 7 / 8
        return now_px >= before_px or tall or now_px >= FIELD_PX * unit
    return now_px > before_px or (now_px == before_px and capital_mm(now_px, size[1]) >= SEEN_MM)


def test_letters_that_are_seen_are_as_tall_as_reckoned() -> None:
    assert pytest.approx(2.18, abs=0.01) == SEEN_MM


def extremes_of(
    each: ShownPage, at: int, language: str, theme: Theme, size: tuple[int, int], check_texts: Callable[..., None]
) -> dict[str, tuple[int, int]]:
    """How large each text of a page is on all its leaves, the line ``at`` chosen: the smallest of those alike, and the
    largest. Only pages with a board or a past round have leaves."""
    menu = replace(each.menu, path=(*each.menu.path[:-1], replace(each.menu.here, at=at)))
    found: dict[str, tuple[int, int]] = {}
    before: set[str] = set()
    for turned in range(MAX_LEAVES if has_leaves(each) else 1):
        surface = unpainted(*size)
        texts = draw_menu(surface, each.page, menu, language, theme, turned=turned).texts
        if {text.text for text in texts} == before:
            break
        check_texts(texts, surface.get_rect(), (each.name, language))
        before = before or {text.text for text in texts}
        for text in texts:
            smallest, largest = found.get(text.text, (text.size_px, text.size_px))
            found[text.text] = min(text.size_px, smallest), max(text.size_px, largest)
    return found


def has_leaves(each: ShownPage) -> bool:
    return each.page.board is not None or each.page.past is not None


def parts_of(text: str, found: dict[str, list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """The sizes of a text, or of each of its sentences on whichever leaf; nothing where one of them is missing."""
    if text in found:
        return found[text]
    sizes_px: list[tuple[int, int]] = []
    for sentence in sentences(text):
        there = [size_px for drawn, all_px in found.items() if sentence in drawn for size_px in all_px]
        if not there:
            return []
        sizes_px += there
    return sizes_px


@pytest.mark.slow
@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_all_the_menu_grows_in_large_print(
    language: str, size: tuple[int, int], check_texts: Callable[..., None]
) -> None:
    """Each page, its lists turned as far as it takes: the review of a round, players, puzzles and turns by hand too."""
    pages = list(shown_pages(language))
    assert any(each.page.past is not None for each in pages)
    for each in pages:
        here = each.menu.here.at
        places = range(max(0, here - NEAR), min(len(each.page.items), here + NEAR + 1)) or range(1)
        large: dict[str, list[tuple[int, int]]] = {}
        for at in places:
            for text, both_px in extremes_of(each, at, language, LARGE, size, check_texts).items():
                large.setdefault(text, []).append(both_px)
        for text, before_px in extremes_of(each, here, language, PARCHMENT, size, check_texts).items():
            now = parts_of(text, large)
            assert now, (each.name, language, "left out", text)
            # Alike figures may be a distance and a space that only one of the prints shows: either of them counts.
            ends = (0, 1) if text.isdigit() else (0,)
            ok = any(all(grown(text, before_px[end], now_px[end], size) for now_px in now) for end in ends)
            assert ok, (each.name, text, before_px, now)


situations_of = cache(every_situation)


@cache
def view_of(language: str, name: str) -> ViewModel:
    return present(situations_of(language)[name])


@cache
def leaves_of(language: str, name: str, theme: Theme, size: tuple[int, int]) -> Leaves:
    """The leaves of a situation, drawn once for all tests."""
    return leaves(view_of(language, name), theme, size)


@pytest.mark.slow
@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_in_large_print_nothing_is_smaller_and_nothing_is_left_out(
    language: str, size: tuple[int, int], check_texts: Callable[..., None]
) -> None:
    for name in situations_of(language):
        usual, large = leaves_of(language, name, PARCHMENT, size), leaves_of(language, name, LARGE, size)
        for leaf in (*usual, *large):
            check_texts(leaf, pygame.Rect(0, 0, *size), (name, language))
        stand = {str(fencer.space) for _, fencer in present(situations_of(language)[name]).piste.fencers.items()}
        # Fewer spaces are seen from nearer, and words that take the room say an attack beside its cards.
        for text in {drawn.text for leaf in usual for drawn in leaf}:
            before, now = sizes(usual, text), sizes(large, text)
            if not now and ((text in SPACES_SEEN and text not in stand) or TIMES in text):
                continue
            assert now, (name, language, "left out", text)
            # Alike figures may be a distance and a space: either of them counts.
            assert text.isdigit() or grown(text, before[0], now[0], size), (name, language, text, before, now)
            assert grown(text, before[-1], now[-1], size), (name, language, text, before, now)


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_long_texts_stand_on_leaves_as_large_as_others(language: str) -> None:
    """The coach's six turns, how a round ended with all its working, and solutions: they were small for their room."""
    for name in situations_of(language):
        view = view_of(language, name)
        for theme, least in ((PARCHMENT, 18), (LARGE, 23)):
            texts = leaves_of(language, name, theme, SIZE)
            told = [line.text for line in view.panel.lines] if view.panel is not None else []
            if view.ending is not None and view.panel is None:
                told = [line for line in (*view.ending.working, view.ending.decided_by) if line]
            for line in told:
                assert sizes(texts, line)[:1] >= [least], (name, language, theme.name, line)
    assert len(leaves_of(language, "coach_open_attack_direct", PARCHMENT, SIZE)) == 2
    for each in shown_pages(language):
        board = each.page.board
        if board is None or not each.name.startswith("puzzle-") or any(is_card(item.key) for item in each.page.items):
            continue
        for theme, least in ((PARCHMENT, 18), (LARGE, 23)):
            whole: list[str] = []
            for turned in range(MAX_LEAVES):
                drawn = draw_menu(unpainted(*SIZE), each.page, each.menu, language, theme, turned=turned)
                leaf = next(text for text in drawn.texts if text.text.endswith(".") and text.text in board.told)
                assert leaf.size_px >= least, (each.name, language, theme.name)
                if leaf.text in whole:
                    break
                whole.append(leaf.text)
            assert " ".join(whole) == board.told


def test_a_capital_letter_is_half_as_tall_as_its_line() -> None:
    assert capital_mm(40) == pytest.approx(40 / 480 * 86 / 2, rel=0.05), "a capital is half as tall as its line"


@pytest.mark.slow
def test_the_sizes_are_told_in_millimetres(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    some = {name: situations_of("en")[name] for name in ("must_answer", "attack_direct", "lesson_do")}
    monkeypatch.setattr(print_sizes, "LANGUAGES", ("en",))
    monkeypatch.setattr(print_sizes, "every_situation", lambda _: some)
    main()
    told = capsys.readouterr().out.splitlines()
    assert "154 x 86 mm" in told[0]
    assert {"headline", "panel's line", "picture's caption"} <= {line[:20].strip() for line in told[1:]}
