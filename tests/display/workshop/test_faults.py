"""What is wrong with the texts of a screen, and that no screen has any of it."""

from __future__ import annotations

import pygame
import pytest

from display.draw.canvas import DrawnText
from display.draw.pictures import new_surface
from display.draw.theme import LARGE, PARCHMENT, Theme
from tests.display.contact_sheet import other_screens, table_screens
from tests.display.faults import text_faults

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "size", "theme"),
    [
        ("en", (800, 480), PARCHMENT),
        ("de", (800, 480), LARGE),
        ("fr", (1024, 600), LARGE),
        ("nl", (800, 480), PARCHMENT),
        ("fr", (1280, 720), PARCHMENT),
        ("de", (1920, 1080), PARCHMENT),
    ],
)
def test_no_text_of_a_window_has_a_fault(language: str, size: tuple[int, int], theme: Theme) -> None:
    """The table in every situation, the coach, lessons and the menu: ``test_print_sizes.py``."""
    screens = {**table_screens(language), **other_screens(language)}
    windows = {name: draw for name, draw in screens.items() if name.startswith(("window-", "review-", "watch-"))}
    assert len(windows) > 10
    trouble = {name: draw for name, draw in screens.items() if name.startswith("trouble_")}  # with a picture
    assert trouble
    wrong = []
    for name, draw in {**windows, **trouble}.items():
        surface = new_surface(*size)
        wrong += [f"{name}: {fault}" for fault in text_faults(draw(surface, theme), surface.get_rect())]
    assert wrong == []
