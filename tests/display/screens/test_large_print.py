"""Large print: words notably taller wherever there is room, and nothing cut off anywhere.

The table alone: ``tests/display/screens/test_screens.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import pygame
import pytest

from display.draw.canvas import line_height
from display.draw.pictures import new_surface
from display.draw.theme import LARGE, PARCHMENT
from display.i18n import LANGUAGES
from display.menu.model import is_card
from display.screens import board, distance
from display.screens.menu import MenuPart
from display.view import Mark, Situation, Tone
from display.words.present import present
from tests.display.drawn import LANGUAGE_SIZES, draw_menu, draw_table, unpainted
from tests.display.lesson_showcase import lesson_situations
from tests.display.menu_showcase import shown_pages

pytestmark = pytest.mark.slow

SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (819, 666), (640, 480))
READ_PX = 38
"""A card so wide has a number on it nearly as tall as the names of the players."""
OFF_PX = 3
"""Less than that from the edge of a screen 1024 wide a letter seems to be cut."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_of_an_attack_are_large_enough_to_be_read(
    language: str, shown: Mapping[str, Situation], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a long name of the attack too: what has to be parried is the number on them."""
    widths: list[float] = []
    monkeypatch.setattr(distance, "draw_value_card", lambda canvas, value, place, width_px: widths.append(width_px))
    for name in ("attack_direct", "attack_indirect", "attack_four", "last_attack", "must_parry", "parry_attack"):
        widths.clear()
        texts = draw_table(unpainted(800, 480), present(replace(shown[name], language=language)), theme=LARGE)
        assert widths, name
        on_blade = max((text.size_px for text in texts if " \u00d7 " in text.text), default=0)
        assert max(min(widths), on_blade) >= READ_PX, (name, widths, on_blade)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_on_the_stripe_keeps_off_its_edge(language: str, shown: Mapping[str, Situation]) -> None:
    for name, situation in shown.items():
        view = present(replace(situation, language=language))
        drawn = draw_table(unpainted(1024, 600), view, theme=LARGE)
        attacks = view.piste.attack is not None and view.verdict.tone is Tone.LEGAL
        word = view.piste.attack.text if attacks and view.piste.attack is not None else view.verdict.tag
        tag = min((text for text in drawn if text.text == word), key=lambda text: text.rect.left)
        assert tag.rect.left >= OFF_PX, (name, tag)


def test_cards_to_tap_are_no_smaller_in_large_print_and_clear_of_the_question() -> None:
    """What is asked stands apart from the piste over it and the cards under it; words keep their size (above)."""
    tapped = [each for each in shown_pages("en") if any(is_card(item.key) for item in each.page.items)]
    assert tapped
    for size, each in product(SIZES[:4], tapped):
        heights: list[int] = []
        for theme in (PARCHMENT, LARGE):
            drawn = draw_menu(unpainted(*size), each.page, each.menu, "en", theme)
            cards = [
                target.box
                for target in drawn.targets
                if target.part is MenuPart.ROW and is_card(each.page.items[target.number].key)
            ]
            assert each.page.board is not None
            asked = next(text for text in drawn.texts if text.text == each.page.board.ask)
            assert min(card.top for card in cards) - asked.rect.bottom >= size[1] / 160, (each.name, size, theme.name)
            heights.append(cards[0].height)
        assert heights[1] >= heights[0], (each.name, size)


def test_the_tick_of_a_chosen_turn_stands_clear_of_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tick is: what is other without it."""
    nothing = pygame.Surface((1, 1), pygame.SRCALPHA)
    for (language, size), theme in product(LANGUAGE_SIZES, (PARCHMENT, LARGE)):
        each = next(each for each in shown_pages(language) if each.name == "manual-attack_indirect")
        chosen = [item.text for item in each.page.items if item.value]
        assert len(chosen) == 1
        with_tick, without = new_surface(*size), new_surface(*size)
        draw_menu(with_tick, each.page, each.menu, language, theme)
        with monkeypatch.context() as patched:
            patched.setattr(board, "sign", lambda *_: nothing)
            texts = draw_menu(without, each.page, each.menu, language, theme).texts
        words = next(text.rect for text in texts if text.text == chosen[0])
        same = pygame.mask.from_threshold(with_tick, (0, 0, 0), (1, 1, 1, 255), without)
        same.invert()
        other = same.get_bounding_rects()
        ticks = [tick for tick in other if tick.top < words.bottom]
        assert ticks, (language, size, theme.name)
        assert all(tick.left > words.right for tick in ticks), (language, size, theme.name)


def test_both_buttons_of_an_answer_stand_on_one_leaf() -> None:
    for language, size in LANGUAGE_SIZES:
        view = present(lesson_situations(language)["lesson_ask_wrong"])
        assert view.panel is not None
        answers = [line.text for line in view.panel.lines if line.mark is Mark.NOW]
        assert len(answers) == 2
        drawn = {text.text for text in draw_table(unpainted(*size), view, theme=LARGE)}
        assert len(drawn.intersection(answers)) in (0, 2), (language, size)


@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_words_stay_clear_of_the_edges_of_what_is_tapped(language: str, size: tuple[int, int]) -> None:
    """Of turns and buttons in both sizes of print; and clear of the tick of the turn that was chosen."""
    boards = [each for each in shown_pages(language) if each.page.board is not None]
    for theme, each in product((PARCHMENT, LARGE), boards):
        drawn = draw_menu(unpainted(*size), each.page, each.menu, language, theme)
        margin = size[1] // 140
        for target in drawn.targets:
            if target.part is not MenuPart.ROW:
                continue
            item, box = each.page.items[target.number], target.box
            for text in drawn.texts:
                if text.text != item.text or not box.colliderect(text.rect):
                    continue
                told = (each.name, item.text, size, theme.name)
                assert box.inflate(-2 * margin, -2).contains(text.rect), told
                assert not item.value or text.rect.right + box.height * 0.28 + margin <= box.right, told


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_who_plays_again_stands_in_one_row_of_the_start_screen(language: str) -> None:
    """Two rows filled the line from edge to edge, and were hardly larger: but for German, whose word is longer."""
    (home,) = (each for each in shown_pages(language) if each.name == "home-again")
    for size in SIZES[:4]:
        texts = draw_menu(unpainted(*size), home.page, home.menu, language, LARGE).texts
        (again,) = (text for text in texts if text.text == home.page.items[0].text)
        assert again.rect.height == line_height(again.size_px), (size, again)
