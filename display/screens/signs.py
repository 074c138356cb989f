"""Small signs, so that colour is never the only one: tick, cross, eye, question, hand, arrows, swords, crown.

Each is drawn of shapes in a square, 0 to 1 both ways, y down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import cos, hypot, pi, radians, sin
from typing import Final

import pygame

from display.draw.canvas import Point, blank, shrunk, taper, thick_line
from display.draw.theme import Colour
from display.view import Tone

_Shape = Callable[[pygame.Surface, Colour, float], object]
"""Draws itself in this colour on a square so many pixels wide."""


@lru_cache(maxsize=128)
def sign(name: str, side_px: int, colour: Colour) -> pygame.Surface:
    """The sign of this name as a square picture. Raises KeyError for a name there is none of."""
    image = blank(side_px, side_px)
    for shape in _SIGNS[name]:
        shape(image, colour, float(image.get_width()))
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


def _scaled(points: Iterable[Point], unit: float) -> list[Point]:
    return [(x * unit, y * unit) for x, y in points]


def _line(points: Sequence[Point], width: float) -> _Shape:
    return lambda image, colour, unit: thick_line(image, colour, _scaled(points, unit), width * unit)


def _filled(*points: Point) -> _Shape:
    return lambda image, colour, unit: pygame.draw.polygon(image, colour, _scaled(points, unit))


def _disc(at: Point, radius: float) -> _Shape:
    return lambda image, colour, unit: pygame.draw.circle(image, colour, _scaled([at], unit)[0], radius * unit)


def _narrowing(start: Point, wide: float, end: Point, narrow: float) -> _Shape:
    def draw(image: pygame.Surface, colour: Colour, unit: float) -> None:
        first, last = _scaled((start, end), unit)
        taper(image, colour, first, wide * unit, last, narrow * unit)

    return draw


def _bubble(image: pygame.Surface, colour: Colour, unit: float) -> None:
    box = pygame.Rect(round(0.06 * unit), round(0.14 * unit), round(0.88 * unit), round(0.56 * unit))
    pygame.draw.rect(image, colour, box, border_radius=round(0.2 * unit))


def _sword(pommel: Point, tip: Point) -> tuple[_Shape, ...]:
    dx, dy = tip[0] - pommel[0], tip[1] - pommel[1]
    length = hypot(dx, dy)
    ux, uy = dx / length, dy / length
    gx, gy = pommel[0] + ux * 0.2, pommel[1] + uy * 0.2
    guard = (gx - uy * 0.14, gy + ux * 0.14), (gx + uy * 0.14, gy - ux * 0.14)
    return _narrowing(pommel, 0.05, tip, 0.02), _line(guard, 0.075)


def _leaf(side: int, step: int) -> _Shape:
    """One of the leaves of a laurel's bow."""
    angle = radians(90 + side * (22 + step * 25))
    x, y = 0.5 - 0.34 * cos(angle), 0.5 + 0.34 * sin(angle)
    turn = angle + side * radians(62)
    return _narrowing((x, y), 0.068, (x - 0.15 * cos(turn), y + 0.15 * sin(turn)), 0.012)


def _ray(step: int) -> _Shape:
    """One of the eight rays of a star with an empty middle."""
    dx, dy = (function(radians(22.5 + step * 45)) for function in (cos, sin))
    far = 0.47 if step % 2 else 0.36
    return _narrowing((0.5 + 0.16 * dx, 0.5 + 0.16 * dy), 0.06, (0.5 + far * dx, 0.5 + far * dy), 0.015)


def _star_points() -> Iterable[Point]:
    for step in range(10):
        turn, far = radians(36 * step - 90), (0.42, 0.18)[step % 2]
        yield 0.5 + far * cos(turn), 0.52 + far * sin(turn)


_LID: Final = [(0.06 + 0.88 * step / 16, 0.5 - 0.29 * sin(pi * step / 16)) for step in range(17)]
_EYE: Final = _line(_LID, 0.075), _line([(x, 1.0 - y) for x, y in _LID], 0.075), _disc((0.5, 0.5), 0.145)
_HOOK: Final = [
    (0.5 + 0.23 * cos(radians(180 + 15 * step)), 0.34 + 0.21 * sin(radians(180 + 15 * step))) for step in range(19)
]
_SIGNS: Final[dict[str, Sequence[_Shape]]] = {
    "tick": [_line([(0.18, 0.54), (0.41, 0.77), (0.84, 0.25)], 0.14)],
    "cross": [_line([(0.22, 0.22), (0.78, 0.78)], 0.14), _line([(0.78, 0.22), (0.22, 0.78)], 0.14)],
    "question": [_line([*_HOOK, (0.5, 0.66)], 0.11), _disc((0.5, 0.86), 0.075)],
    "eye": _EYE,
    "blind": [*_EYE, _line([(0.16, 0.88), (0.84, 0.12)], 0.1)],
    "swords": [*_sword((0.12, 0.88), (0.88, 0.12)), *_sword((0.88, 0.88), (0.12, 0.12))],
    "sword_right": _sword((0.06, 0.5), (0.95, 0.5)),
    "sword_left": _sword((0.94, 0.5), (0.05, 0.5)),
    "crown": [_leaf(side, step) for side in (-1, 1) for step in range(6)],
    "arrow_right": [_line([(0.08, 0.5), (0.86, 0.5)], 0.12), _line([(0.6, 0.24), (0.88, 0.5), (0.6, 0.76)], 0.12)],
    "arrow_left": [_line([(0.92, 0.5), (0.14, 0.5)], 0.12), _line([(0.4, 0.24), (0.12, 0.5), (0.4, 0.76)], 0.12)],
    "arrow_up": [_line([(0.5, 0.9), (0.5, 0.14)], 0.12), _line([(0.24, 0.4), (0.5, 0.12), (0.76, 0.4)], 0.12)],
    "arrow_down": [_line([(0.5, 0.1), (0.5, 0.86)], 0.12), _line([(0.24, 0.6), (0.5, 0.88), (0.76, 0.6)], 0.12)],
    "burst": [_ray(step) for step in range(8)],
    "speech": [_bubble, _filled((0.24, 0.6), (0.26, 0.94), (0.56, 0.66))],
    "menu": [_line([(0.2, y), (0.8, y)], 0.12) for y in (0.26, 0.5, 0.74)],
    "pause": [_line([(x, 0.24), (x, 0.76)], 0.14) for x in (0.36, 0.64)],
    "star": [_filled(*_star_points())],
    "play": [_filled((0.2, 0.12), (0.88, 0.5), (0.2, 0.88))],
    "play_left": [_filled((0.8, 0.12), (0.12, 0.5), (0.8, 0.88))],
}
