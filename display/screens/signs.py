"""Small signs, so that colour is never the only one: tick, cross, eye, question, hand, arrows, swords, crown.

Each is drawn in a square, 0 to 1 both ways, y down.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import pygame

from display.draw.canvas import Point, blank, shrunk, taper, thick_line
from display.draw.theme import Colour
from display.view import Tone

_Draw = Callable[[pygame.Surface, Colour, float], None]


@lru_cache(maxsize=128)
def sign(name: str, side_px: int, colour: Colour) -> pygame.Surface:
    """The sign of this name as a square picture. Raises KeyError for a name there is none of."""
    image = blank(side_px, side_px)
    _SIGNS[name](image, colour, float(image.get_width()))
    return shrunk(image)


TONE_SIGNS: Final[dict[Tone, str]] = {
    Tone.READY: "swords",
    Tone.LEGAL: "tick",
    Tone.PREVIEW: "eye",
    Tone.REFUSED: "cross",
    Tone.UNSEEN: "blind",
    Tone.QUESTION: "question",
    Tone.WON: "crown",
    Tone.PAUSED: "pause",
}


def _stroke(image: pygame.Surface, colour: Colour, unit: float, points: list[Point], width: float = 0.11) -> None:
    thick_line(image, colour, [(x * unit, y * unit) for x, y in points], width * unit)


def _tick(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _stroke(image, colour, unit, [(0.18, 0.54), (0.41, 0.77), (0.84, 0.25)], 0.14)


def _cross(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _stroke(image, colour, unit, [(0.22, 0.22), (0.78, 0.78)], 0.14)
    _stroke(image, colour, unit, [(0.78, 0.22), (0.22, 0.78)], 0.14)


def _question(image: pygame.Surface, colour: Colour, unit: float) -> None:
    arc = [
        (0.5 + 0.23 * math.cos(angle), 0.34 + 0.21 * math.sin(angle))
        for angle in (math.radians(180 + step * 15) for step in range(19))
    ]
    _stroke(image, colour, unit, [*arc, (0.5, 0.66)], 0.11)
    pygame.draw.circle(image, colour, (0.5 * unit, 0.86 * unit), 0.075 * unit)


def _eye_outline(image: pygame.Surface, colour: Colour, unit: float) -> None:
    upper = [(0.06 + 0.88 * step / 16, 0.5 - 0.29 * math.sin(math.pi * step / 16)) for step in range(17)]
    lower = [(x, 1.0 - y) for x, y in upper]
    _stroke(image, colour, unit, upper, 0.075)
    _stroke(image, colour, unit, lower, 0.075)


def _eye(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _eye_outline(image, colour, unit)
    pygame.draw.circle(image, colour, (0.5 * unit, 0.5 * unit), 0.145 * unit)


def _blind(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _eye(image, colour, unit)
    _stroke(image, colour, unit, [(0.16, 0.88), (0.84, 0.12)], 0.1)


def _sword(image: pygame.Surface, colour: Colour, unit: float, pommel: Point, tip: Point) -> None:
    (px, py), (tx, ty) = pommel, tip
    taper(image, colour, (px * unit, py * unit), 0.05 * unit, (tx * unit, ty * unit), 0.02 * unit)
    dx, dy = tx - px, ty - py
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    gx, gy = px + ux * 0.2, py + uy * 0.2
    _stroke(image, colour, unit, [(gx - uy * 0.14, gy + ux * 0.14), (gx + uy * 0.14, gy - ux * 0.14)], 0.075)


def _swords(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _sword(image, colour, unit, (0.12, 0.88), (0.88, 0.12))
    _sword(image, colour, unit, (0.88, 0.88), (0.12, 0.12))


def _sword_right(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _sword(image, colour, unit, (0.06, 0.5), (0.95, 0.5))


def _sword_left(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _sword(image, colour, unit, (0.94, 0.5), (0.05, 0.5))


def _crown(image: pygame.Surface, colour: Colour, unit: float) -> None:
    """A laurel: two bows of leaves."""
    for side in (-1, 1):
        for step in range(6):
            angle = math.radians(90 + side * (22 + step * 25))
            x, y = 0.5 - 0.34 * math.cos(angle) * 1.0, 0.5 + 0.34 * math.sin(angle)
            turn = angle + side * math.radians(62)
            end = (x - 0.15 * math.cos(turn), y + 0.15 * math.sin(turn))
            taper(image, colour, (x * unit, y * unit), 0.068 * unit, (end[0] * unit, end[1] * unit), 0.012 * unit)


def _arrow(image: pygame.Surface, colour: Colour, unit: float, flip: bool) -> None:
    points = [(0.08, 0.5), (0.86, 0.5)], [(0.6, 0.24), (0.88, 0.5), (0.6, 0.76)]
    for line in points:
        _stroke(image, colour, unit, [(1 - x, y) if flip else (x, y) for x, y in line], 0.12)


def _arrow_right(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _arrow(image, colour, unit, False)


def _arrow_left(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _arrow(image, colour, unit, True)


def _arrow_up(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _stroke(image, colour, unit, [(0.5, 0.9), (0.5, 0.14)], 0.12)
    _stroke(image, colour, unit, [(0.24, 0.4), (0.5, 0.12), (0.76, 0.4)], 0.12)


def _arrow_down(image: pygame.Surface, colour: Colour, unit: float) -> None:
    _stroke(image, colour, unit, [(0.5, 0.1), (0.5, 0.86)], 0.12)
    _stroke(image, colour, unit, [(0.24, 0.6), (0.5, 0.88), (0.76, 0.6)], 0.12)


def _play(image: pygame.Surface, colour: Colour, unit: float) -> None:
    corners = [(0.2, 0.12), (0.88, 0.5), (0.2, 0.88)]
    pygame.draw.polygon(image, colour, [(x * unit, y * unit) for x, y in corners])


def _back(image: pygame.Surface, colour: Colour, unit: float) -> None:
    corners = [(0.8, 0.12), (0.12, 0.5), (0.8, 0.88)]
    pygame.draw.polygon(image, colour, [(x * unit, y * unit) for x, y in corners])


def _burst(image: pygame.Surface, colour: Colour, unit: float) -> None:
    """A star of eight rays with an empty middle."""
    for step in range(8):
        angle = math.radians(22.5 + step * 45)
        dx, dy = math.cos(angle), math.sin(angle)
        far = 0.47 if step % 2 else 0.36
        start = ((0.5 + 0.16 * dx) * unit, (0.5 + 0.16 * dy) * unit)
        taper(image, colour, start, 0.06 * unit, ((0.5 + far * dx) * unit, (0.5 + far * dy) * unit), 0.015 * unit)


def _speech(image: pygame.Surface, colour: Colour, unit: float) -> None:
    """A speech bubble."""
    box = pygame.Rect(round(0.06 * unit), round(0.14 * unit), round(0.88 * unit), round(0.56 * unit))
    pygame.draw.rect(image, colour, box, border_radius=round(0.2 * unit))
    pygame.draw.polygon(image, colour, [(x * unit, y * unit) for x, y in [(0.24, 0.6), (0.26, 0.94), (0.56, 0.66)]])


def _menu(image: pygame.Surface, colour: Colour, unit: float) -> None:
    """Three bars."""
    for y in (0.26, 0.5, 0.74):
        _stroke(image, colour, unit, [(0.2, y), (0.8, y)], 0.12)


def _pause(image: pygame.Surface, colour: Colour, unit: float) -> None:
    for x in (0.36, 0.64):
        _stroke(image, colour, unit, [(x, 0.24), (x, 0.76)], 0.14)


def _star(image: pygame.Surface, colour: Colour, unit: float) -> None:
    turns = (math.radians(36 * step - 90) for step in range(10))
    reach = (0.42, 0.18) * 5
    points = [(0.5 + far * math.cos(turn), 0.52 + far * math.sin(turn)) for turn, far in zip(turns, reach, strict=True)]
    pygame.draw.polygon(image, colour, [(x * unit, y * unit) for x, y in points])


_SIGNS: Final[dict[str, _Draw]] = {
    "tick": _tick,
    "cross": _cross,
    "question": _question,
    "eye": _eye,
    "blind": _blind,
    "swords": _swords,
    "sword_right": _sword_right,
    "sword_left": _sword_left,
    "crown": _crown,
    "arrow_right": _arrow_right,
    "arrow_left": _arrow_left,
    "arrow_up": _arrow_up,
    "arrow_down": _arrow_down,
    "burst": _burst,
    "speech": _speech,
    "menu": _menu,
    "pause": _pause,
    "star": _star,
    "play": _play,
    "play_left": _back,
}
