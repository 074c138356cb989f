"""What is wrong with the texts of a screen, and that no screen has any of it."""

from __future__ import annotations

import pygame
import pytest

from display.draw.canvas import DrawnText
from display.draw.theme import Theme
from tests.display.contact_sheet import other_screens, table_screens
from tests.display.covering import LANGUAGE_SIZES, PRINTS, WINDOW_SIZES
from tests.display.faults import text_faults
from tests.display.menu_showcase import EVERY_PAGE
from tests.display.print_sizes import unpainted

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
"""Screens that are drawn at every size. The others are, on all their leaves, in ``test_print_sizes.py``."""


@pytest.mark.slow
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
@pytest.mark.parametrize(("language", "size"), [*WINDOW_SIZES, *LANGUAGE_SIZES])
def test_no_text_of_any_screen_has_a_fault(language: str, size: tuple[int, int], theme: Theme) -> None:
    """The window in play, the coach, lessons, the menu's pages, looking back, watching, and the first start."""
    screens = {**table_screens(language), **other_screens(language)}
    assert {f"menu-{page}" for page in EVERY_PAGE} <= set(screens)
    wrong = []
    for name, draw in screens.items():
        if (language, size) in WINDOW_SIZES or name.startswith(WINDOWS):
            surface = unpainted(*size)
            wrong += [f"{name}: {fault}" for fault in text_faults(draw(surface, theme), surface.get_rect())]
    assert wrong == []
