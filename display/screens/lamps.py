"""The lamps as they would shine: a touch for each side, attacks, refused, distance, score, turn, alive.

Colour is never the only sign: each lamp has its own place, and its sign is filled in while it shines.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import pygame

from display.draw.canvas import Canvas, blank, shrunk
from display.draw.parts import CASE
from display.draw.pictures import sign
from display.draw.theme import DEFAULT, Colour, Theme, mix
from display.lamps import LAMPS, Lamp, LampTone

SHINE: Final = (246, 246, 252)


def draw_lamps(surface: pygame.Surface, lamps: Mapping[str, bool], box: pygame.Rect, theme: Theme = DEFAULT) -> None:
    """Draws the whole lamp panel into ``box``. ``lamps`` has every name of ``display.lamps.LAMPS``."""
    canvas = Canvas(surface, theme)
    canvas.panel(box, CASE, min(box.width, box.height) * 0.06)
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.6))
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.bottom - upper.bottom)
    large, small = min(upper.height * 0.34, box.width * 0.105), min(lower.height * 0.13, box.width * 0.019)
    # The lamp that shines always shines over the others.
    for lamp in sorted(LAMPS.values(), key=lambda lamp: lamp.tone is LampTone.ALIVE):
        row, largest = (upper, large) if lamp.large else (lower, small)
        _draw(canvas, lamp, row, largest * lamp.size, glass_of(lamp, theme), shines=lamps[lamp.name])


def glass_of(lamp: Lamp, theme: Theme) -> Colour:
    """The colour of this lamp's glass."""
    glass = theme.lamps
    if lamp.side is not None and lamp.tone is LampTone.TOUCH:
        return glass.touch[lamp.side]
    return {LampTone.ATTACK: glass.attack, LampTone.REFUSED: glass.refused}.get(lamp.tone, glass.plain)


def _draw(canvas: Canvas, lamp: Lamp, row: pygame.Rect, radius_px: float, colour: Colour, *, shines: bool) -> None:
    x, y = row.left + row.width * lamp.place[0], row.top + row.height * lamp.place[1]
    image = _lamp_sprite(max(3, round(radius_px)), colour, shines, lamp.sign)
    canvas.blit(image, center=(round(x), round(y)))
    if lamp.number is not None:
        side = round(radius_px * 1.1)
        cell = pygame.Rect(0, 0, side, max(6, side))
        cell.center = round(x), round(y)
        canvas.number(lamp.number, cell, CASE if shines else mix(CASE, colour, 0.55))


@lru_cache(maxsize=128)
def _lamp_sprite(radius_px: int, colour: Colour, shines: bool, name: str) -> pygame.Surface:
    """A glass in its ring; lit, it glows beyond it."""
    room = radius_px * 4
    image = blank(room, room)
    middle = image.get_width() / 2
    unit = middle / 2
    if shines:
        for step in range(14, 0, -1):
            glow = pygame.Surface(image.get_size(), pygame.SRCALPHA, 32)
            pygame.draw.circle(glow, (*colour, 13), (middle, middle), unit * (1 + step * 0.062))
            image.blit(glow, (0, 0))
    pygame.draw.circle(image, mix(CASE, SHINE, 0.22), (middle, middle), unit)
    glass = colour if shines else mix(CASE, colour, 0.2)
    pygame.draw.circle(image, glass, (middle, middle), unit * 0.9)
    if shines:
        pygame.draw.circle(image, mix(colour, SHINE, 0.55), (middle - unit * 0.22, middle - unit * 0.25), unit * 0.34)
        pygame.draw.circle(
            image, mix(colour, SHINE, 0.25), (middle, middle), unit * 0.62, width=max(1, round(unit * 0.05))
        )
    small = shrunk(image)
    if name:
        side_px = max(6, round(radius_px * 1.1))
        mark = sign(name, side_px, CASE if shines else mix(CASE, colour, 0.5))
        small.blit(mark, mark.get_rect(center=(small.get_width() // 2, small.get_height() // 2)))
    return small
