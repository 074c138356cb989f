"""Whole screens drawn or laid out, at which sizes in which language, and what is wrong with their texts.

What fits is decided where words have the least room, at the smallest size and at the narrowest: every language is drawn
there. At each other size one language, another each time, tells whether the layout grows with the screen. A look of the
same print scale differs in colours alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Final

import pygame

from display.draw.canvas import TEXT_SCALE, Canvas, DrawnText, font
from display.draw.parts import draw_parts
from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT, LARGE, Theme
from display.i18n import LANGUAGES
from display.menu.model import Menu, Page
from display.screens.camera import CameraPicture
from display.screens.menu import DrawnMenu, menu_on
from display.screens.table import table_parts
from display.screens.watch import watch_parts
from display.view import Situation, ViewModel, WatchView
from tests.display.coach_showcase import coach_situations
from tests.display.lesson_showcase import lesson_situations
from tests.display.showcase import situations
from tests.display.trouble_showcase import trouble_situations

SMALLEST: Final = (800, 480)
LANGUAGE_SIZES: Final = [
    *((language, SMALLEST) for language in LANGUAGES),
    ("nl", (1024, 600)),
    ("de", (1280, 720)),
    ("fr", (1920, 1080)),
]
WINDOW_SIZES: Final = [*((language, (640, 480)) for language in LANGUAGES), ("en", (819, 666))]
"""Windows that are no screen's."""
PRINTS: Final = {theme.name: theme for theme in (DEFAULT, LARGE)}


MIN_PX: Final = 9
"""Less than this nobody reads on a small screen."""
TOUCHING_PX: Final = 1
"""Two texts may share so much: the outermost pixels of a text's rectangle have no ink."""


def text_faults(texts: Sequence[DrawnText], box: pygame.Rect) -> Iterator[str]:
    """One line for each text that is cut off, not wholly inside ``box``, too small, or on another text."""
    for text in texts:
        if text.cut:
            yield f"{text.text!r} does not fit"
        if not box.contains(text.rect):
            yield f"{text.text!r} is outside: {text.rect} in {box}"
        if text.size_px < MIN_PX:
            yield f"{text.text!r} is {text.size_px} px high, less than {MIN_PX}"
    for one, other in combinations(texts, 2):
        shared = one.rect.clip(other.rect)
        if shared.width > TOUCHING_PX and shared.height > TOUCHING_PX:
            yield f"{one.text!r} and {other.text!r} are on each other: {one.rect}, {other.rect}"


def draw_table(
    surface: pygame.Surface,
    view: ViewModel,
    progress: float = 1.0,
    *,
    box: pygame.Rect | None = None,
    theme: Theme = DEFAULT,
    camera: CameraPicture | None = None,
) -> list[DrawnText]:
    """Draws the screen into ``box`` (the whole surface without one) and gives every text with where it landed.

    ``progress`` 0 to 1 moves the fencers from where they stood before the last turn to where they stand now.
    ``camera`` is what trouble is shown on.
    """
    whole = surface.get_rect() if box is None else box
    return draw_parts(surface, table_parts(view, progress, whole, theme, camera, view.trouble), theme)


def draw_menu(
    surface: pygame.Surface,
    page: Page,
    menu: Menu,
    language: str,
    theme: Theme = DEFAULT,
    *,
    panel: bool = False,
    camera: CameraPicture | None = None,
    turned: int = 0,
) -> DrawnMenu:
    """Draws a page over the whole surface, as ``menu_on`` does on a canvas of it."""
    return menu_on(Canvas(surface, theme), page, menu, language, panel=panel, camera=camera, turned=turned)


def draw_watch(
    surface: pygame.Surface, view: WatchView, camera: CameraPicture | None, theme: Theme = DEFAULT
) -> list[DrawnText]:
    """Draws onto the whole surface and gives every text with where it landed.

    Without a camera picture its area stays dark.
    """
    return draw_parts(surface, watch_parts(surface.get_rect(), view, camera, theme), theme)


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
