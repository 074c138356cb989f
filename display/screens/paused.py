"""A paused match: dark, with the sign of a pause over it, so that nobody across the room thinks it goes on."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import Canvas
from display.screens.signs import sign

DIMMED: Final = (92, 92, 104)
"""What is left of each colour, of 255: the fencers are still made out."""
SIGN: Final = 0.6
LOW: Final = 0.62
"""How much of the height the sign has, and where its middle is: under the distance."""


def draw_paused(canvas: Canvas, box: pygame.Rect) -> None:
    """Dims what is drawn there, and draws the sign."""
    canvas.surface.fill(DIMMED, box, pygame.BLEND_RGB_MULT)
    image = sign("pause", round(min(box.size) * SIGN), canvas.theme.card)
    canvas.surface.blit(image, image.get_rect(center=(box.centerx, box.top + round(box.height * LOW))))
