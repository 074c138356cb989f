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
from display.draw.theme import DEFAULT, Colour, Theme, mix
from display.screens.signs import sign

SHINE: Final = (246, 246, 252)


def draw_lamps(surface: pygame.Surface, lamps: Mapping[str, bool], box: pygame.Rect, theme: Theme = DEFAULT) -> None:
    """Draws the whole lamp panel into ``box``. ``lamps`` has every name of ``display.lamps.LAMPS``."""
    canvas, glass = Canvas(surface, theme), theme.lamps
    canvas.panel(box, CASE, min(box.width, box.height) * 0.06)
    upper = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.6))
    large = min(upper.height * 0.34, box.width * 0.105)
    _lamp(canvas, (0.15, 0.52), upper, large, glass.touch.white, lamps["touch_left"], "burst")
    _lamp(canvas, (0.85, 0.52), upper, large, glass.touch.black, lamps["touch_right"], "burst")
    _lamp(canvas, (0.345, 0.52), upper, large * 0.62, glass.attack, lamps["attack_left"], "sword_right")
    _lamp(canvas, (0.655, 0.52), upper, large * 0.62, glass.attack, lamps["attack_right"], "sword_left")
    _lamp(canvas, (0.5, 0.52), upper, large * 0.62, glass.refused, lamps["refused"], "cross")
    lower = pygame.Rect(box.left, upper.bottom, box.width, box.bottom - upper.bottom)
    small = min(lower.height * 0.13, box.width * 0.019)
    for number in range(1, 6):
        spread = number - 3
        distance = (0.5 + spread * 0.072, 0.26)
        _lamp(canvas, distance, lower, small * 1.25, glass.plain, lamps[f"distance_{number}"], "", number)
        left, right = (0.015 + number * 0.056, 0.68), (0.985 - number * 0.056, 0.68)
        _lamp(canvas, left, lower, small, glass.touch.white, lamps[f"score_left_{number}"], "")
        _lamp(canvas, right, lower, small, glass.touch.black, lamps[f"score_right_{number}"], "")
    _lamp(canvas, (0.183, 0.26), lower, small * 1.4, glass.plain, lamps["turn_left"], "play")
    _lamp(canvas, (0.817, 0.26), lower, small * 1.4, glass.plain, lamps["turn_right"], "play_left")
    _lamp(canvas, (0.5, 0.7), lower, small * 0.7, glass.plain, lamps["alive"], "")


def _lamp(
    canvas: Canvas,
    place: tuple[float, float],
    box: pygame.Rect,
    radius_px: float,
    colour: Colour,
    shines: bool,
    name: str,
    number: int | None = None,
) -> None:
    """One lamp at a place given in shares of its box."""
    x, y = box.left + box.width * place[0], box.top + box.height * place[1]
    image = _lamp_sprite(max(3, round(radius_px)), colour, shines, name)
    canvas.surface.blit(image, image.get_rect(center=(round(x), round(y))))
    if number is not None:
        side = round(radius_px * 1.1)
        cell = pygame.Rect(0, 0, side, max(6, side))
        cell.center = round(x), round(y)
        canvas.number(number, cell, CASE if shines else mix(CASE, colour, 0.55))


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
