"""Whole screens on surfaces of their own, as a window draws them part by part."""

from __future__ import annotations

import pygame

from display.draw.canvas import Canvas, DrawnText
from display.draw.parts import draw_parts
from display.draw.theme import DEFAULT, Theme
from display.menu.model import Menu, Page
from display.screens.camera import CameraPicture
from display.screens.menu import DrawnMenu, menu_on
from display.screens.table import table_parts
from display.screens.watch import watch_parts
from display.view import ViewModel, WatchView


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
