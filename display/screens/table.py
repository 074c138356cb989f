"""The table screen: the story of the fight on one picture, at any size. Reads the view model and nothing else."""

from __future__ import annotations

import pygame

from display.canvas import Canvas, DrawnText
from display.screens.areas import areas
from display.screens.band import draw_band
from display.screens.header import draw_header
from display.screens.stage import draw_stage
from display.screens.status import draw_status
from display.theme import DEFAULT, Theme
from display.view import ViewModel


def draw_table(
    surface: pygame.Surface,
    view: ViewModel,
    progress: float = 1.0,
    *,
    box: pygame.Rect | None = None,
    theme: Theme = DEFAULT,
) -> list[DrawnText]:
    """Draws the screen into ``box`` (the whole surface without one) and gives every text with where it landed.

    ``progress`` 0 to 1 moves the fencers from where they stood before the last turn to where they stand now.
    """
    canvas = Canvas(surface, theme)
    places = areas(surface.get_rect() if box is None else box)
    draw_stage(canvas, places, view, progress)
    draw_header(canvas, places, view)
    draw_status(canvas, places, view)
    draw_band(canvas, places, view)
    return canvas.texts
