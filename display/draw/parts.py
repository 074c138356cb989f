"""Pictures made of parts, each known by what it shows, so that only what changed is drawn again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import pygame

from display.draw.canvas import Canvas, DrawnText, Kept
from display.draw.theme import Colour, Theme

CASE: Final[Colour] = (27, 24, 31)
"""What is seen where nothing is drawn: the dark around the lamps and the camera's picture."""


@dataclass(frozen=True, slots=True)
class Part:
    """A rectangle of the picture. ``shows`` is everything ``draw`` depends on besides box and theme.

    Two parts of the same name, box, theme and ``shows`` look the same. Nothing is drawn outside the box; ``fills``: all
    of it is drawn over.
    """

    name: str
    box: pygame.Rect
    shows: tuple[object, ...]
    draw: Callable[[Canvas], None]
    fills: bool = False


def draw_parts(surface: pygame.Surface, parts: Sequence[Part], theme: Theme) -> list[DrawnText]:
    """Draws all parts, in their order, and gives every text with where it landed."""
    canvas = Canvas(surface, theme)
    for part in parts:
        _draw(canvas, part)
    return canvas.texts


def _draw(canvas: Canvas, part: Part) -> None:
    surface = canvas.surface
    before = surface.get_clip()
    surface.set_clip(part.box.clip(before))
    try:
        if not part.fills:
            surface.fill(CASE, part.box)
        part.draw(canvas)
    finally:
        surface.set_clip(before)


class Painter:
    """Keeps a surface up to date. It must not be drawn on by anybody else meanwhile, or ``forget`` be called."""

    def __init__(self) -> None:
        self._shown: dict[str, Part] = {}
        self._turns: dict[str, list[pygame.Rect]] = {}
        self._kept = Kept()
        self._theme: Theme | None = None
        self._size = (0, 0)

    def forget(self) -> None:
        """Draw everything anew the next time: the surface was lost, resized or covered."""
        self._shown = {}

    def paint(self, surface: pygame.Surface, parts: Sequence[Part], theme: Theme) -> tuple[Part, ...]:
        """Draws the parts that changed since the last call, and gives them: none when nothing did.

        Everything is drawn when the surface's size, the theme, or the place of any part is another one.
        """
        places = {part.name: part.box for part in parts}
        as_before = {name: part.box for name, part in self._shown.items()} == places
        anew = not as_before or theme is not self._theme or surface.get_size() != self._size
        if anew:
            self._shown, self._turns, self._theme, self._size = {}, {}, theme, surface.get_size()
        changed = tuple(part for part in parts if not self._is_shown(part))
        canvas = Canvas(surface, theme, self._kept)
        for part in changed:
            canvas.turns = self._turns[part.name] = []
            _draw(canvas, part)
            self._shown[part.name] = part
        return changed

    @property
    def turns(self) -> tuple[pygame.Rect, ...]:
        """Where a finger turns a leaf, as it is drawn now."""
        return tuple(place for places in self._turns.values() for place in places)

    def _is_shown(self, part: Part) -> bool:
        before = self._shown.get(part.name)
        return before is not None and before.shows == part.shows
