"""How large texts are: every situation laid out, leaf by leaf, and letters in millimetres on a 7-inch screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

import pygame

from display.draw.canvas import TEXT_SCALE, DrawnText, font
from display.draw.pictures import new_surface
from display.draw.theme import Theme
from display.screens.camera import CameraPicture
from display.view import Situation, ViewModel
from tests.display.coach_showcase import coach_situations
from tests.display.drawn import draw_table
from tests.display.lesson_showcase import lesson_situations
from tests.display.showcase import situations
from tests.display.trouble_showcase import trouble_situations

SIZE: Final = (800, 480)
SCREEN_MM: Final = (154.0, 86.0)
"""The visible part of the usual 7-inch screen of so many pixels."""
CAMERA: Final = CameraPicture(bytes(64 * 36 * 3), 64, 36)

MAX_LEAVES: Final = 20
"""More leaves than anything has."""

Leaves = Sequence[Sequence[DrawnText]]


def unpainted(width_px: int, height_px: int) -> pygame.Surface:
    """A surface that texts are laid out on and nothing is painted on: no pixel of it may be changed."""
    surface = new_surface(width_px, height_px)
    surface.set_clip(pygame.Rect(0, 0, 0, 0))
    return surface


def every_situation(language: str) -> Mapping[str, Situation]:
    """All situations of the workshop in this language, by name."""
    told = {**situations(), **trouble_situations()}
    shown = {name: replace(situation, language=language) for name, situation in told.items()}
    coach = {f"coach_{name}": situation for name, situation in coach_situations(language).items()}
    return {**shown, **coach, **lesson_situations(language)}


def leaves(view: ViewModel, theme: Theme, size: tuple[int, int] = SIZE) -> Leaves:
    """Every text of the table screen, once for each leaf that its panel or the way its round ended has.

    What is told step by step is told at once.
    """
    drawn: list[Sequence[DrawnText]] = []
    for turned in range(MAX_LEAVES if view.panel is not None or view.ending is not None else 1):
        shown = replace(
            view,
            piste=replace(view.piste, moments=False),
            panel=view.panel and replace(view.panel, turned=turned),
            ending=view.ending and replace(view.ending, turned=turned),
        )
        texts = draw_table(unpainted(*size), shown, theme=theme, camera=CAMERA if view.trouble is not None else None)
        if texts in drawn:
            break
        drawn.append(texts)
    return drawn


def sizes(texts: Leaves, text: str) -> list[int]:
    """The sizes at which this text was drawn on any leaf."""
    return sorted(drawn.size_px for leaf in texts for drawn in leaf if drawn.text == text)


@lru_cache(maxsize=64)
def capital_mm(size_px: int, screen_px: int = SIZE[1]) -> float:
    """How tall a capital letter of this size is on the screen, which is so many pixels high."""
    ink = font(size_px * TEXT_SCALE).render("H", True, (0, 0, 0)).get_bounding_rect()
    return ink.height / TEXT_SCALE * SCREEN_MM[1] / screen_px
