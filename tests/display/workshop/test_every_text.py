"""Every text of every screen: none is cut, outside or on another, none is small, and all are larger in large print.

In large print nothing is left out, in any language, and nothing is only as large as before, unless its letters are as
tall as good eyes need where the players sit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pygame
import pytest

from display.draw.canvas import NOTE, DrawnText
from display.draw.leaves import sentences
from display.draw.parts import draw_parts
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES
from display.menu.model import is_card
from display.screens.compose import Arrangement, compose
from display.screens.ending import TIMES
from display.screens.menu import MenuPart
from display.tabletop.hands import Hands
from display.tabletop.places import FOOT_SHARE
from display.view import ViewModel
from display.words.present import present
from display.words.sentences import hand_words
from engine.rules.track import SPACES
from tests.display.contact_sheet import other_screens, table_screens
from tests.display.drawn import (
    CAMERA,
    LANGUAGE_SIZES,
    MAX_LEAVES,
    PRINTS,
    SIZE,
    WINDOW_SIZES,
    Leaves,
    capital_mm,
    draw_menu,
    every_situation,
    leaves,
    sizes,
    text_faults,
    unpainted,
)
from tests.display.menu_showcase import EVERY_PAGE, ShownPage, shown_pages
from tests.display.tabletop.conftest import PICTURES, VIEW

BOX = pygame.Rect(0, 0, 200, 100)


def text(words: str, left: int, size_px: int = 12, cut: bool = False) -> DrawnText:
    return DrawnText(words, pygame.Rect(left, 10, 50, 20), size_px, cut)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ([text("one", 0), text("two", 49)], []),
        ([text("one", 0), text("two", 48)], ["'one' and 'two' are on each other"]),
        ([text("one", 150)], []),
        ([text("one", 151)], ["'one' is outside"]),
        ([text("one", 0, 9)], []),
        ([text("one", 0, 8)], ["'one' is 8 px high, less than 9"]),
        ([text("one", 0, cut=True)], ["'one' does not fit"]),
    ],
)
def test_each_fault_is_told(texts: list[DrawnText], told: list[str]) -> None:
    found = list(text_faults(texts, BOX))
    assert len(found) == len(told)
    assert all(line.startswith(start) for line, start in zip(found, told, strict=True)), found


WINDOWS = ("window-", "review-", "watch-", "trouble_")
"""Screens that are drawn at every size. The others are below, on all their leaves."""


@pytest.mark.slow
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
@pytest.mark.parametrize(("language", "size"), [*WINDOW_SIZES, *LANGUAGE_SIZES])
def test_no_text_of_any_screen_has_a_fault(language: str, size: tuple[int, int], theme: Theme) -> None:
    """The window in play, the coach, lessons, the menu's pages, looking back, watching, and the first start."""
    screens = {**table_screens(language), **other_screens(language)}
    assert {f"menu-{page}" for page in EVERY_PAGE} <= set(screens)
    wrong = []
    for name, draw in screens.items():
        if (
            name.startswith(WINDOWS) if (language, size) in LANGUAGE_SIZES else not name.startswith("watch-start")
        ):  # which fills a screen
            surface = unpainted(*size)
            wrong += [f"{name}: {fault}" for fault in text_faults(draw(surface, theme), surface.get_rect())]
    assert wrong == []


WIDE = (1280, 720)
MIN_PX = NOTE * WIDE[1] / 480
"""A usual note, for which the font is asked for 18 pixels.

Figures that fill their field, as those in lamps and on small cards, are pictures: their size is that of the ink.
"""


def screens(language: str, theme: Theme) -> Iterator[tuple[str, list[DrawnText]]]:
    """Every situation as the camera's screen and as the played table show it, with their buttons."""
    for name, situation in every_situation(language).items():
        view = present(situation)
        surface = unpainted(*WIDE)
        for arrangement in (Arrangement.TABLE, Arrangement.BOTH) if language == "de" else (Arrangement.BOTH,):
            yield (
                f"{name} {arrangement}",
                compose(surface, view, CAMERA, arrangement=arrangement, with_buttons=True, theme=theme),
            )
        hands = Hands(PICTURES, lambda deed: None)
        said = hand_words(language, hint="hint")
        hands.view = replace(VIEW, ask=said.ask, offer=said.offer, hint=said.hint, slots_mm=((152.0, -224.0),))
        foot_px = round(WIDE[1] * FOOT_SHARE[theme.large_print])
        yield f"{name} played", draw_parts(surface, hands.parts(WIDE, foot_px, view, theme), theme)


def pages(language: str, theme: Theme) -> Iterator[tuple[str, list[DrawnText]]]:
    for each in shown_pages(language):
        drawn = draw_menu(unpainted(*WIDE), each.page, each.menu, language, theme)
        yield each.name, list(drawn.texts)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "theme"), [*((language, PARCHMENT) for language in LANGUAGES), ("de", LARGE)]
)  # in large print nothing is smaller: below
def test_nothing_is_written_smaller_than_a_note(language: str, theme: Theme) -> None:
    small = {
        (name, text.text, text.size_px)
        for told in (screens, pages)
        for name, texts in told(language, theme)
        for text in texts
        if not text.text.isdigit() and text.size_px < MIN_PX
    }
    assert not small


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
        drawn = draw_menu(surface, each.page, menu, language, theme, turned=turned)
        texts = drawn.texts
        if {text.text for text in texts} == before:
            break
        rows = {target.number: target.box for target in drawn.targets if target.part is MenuPart.ROW}
        assert at in rows or each.page.past is not None or not each.page.items, (
            each.name,
            "the chosen line is in sight",
        )
        assert all(len(box.collidelistall([*rows.values()])) == 1 for box in rows.values()), each.name
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
