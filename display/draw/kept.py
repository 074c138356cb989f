"""What does not move, kept as it was drawn last: a move is many pictures, and this is the same in all of them."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from display.draw.canvas import Canvas, DrawnText


class Kept:
    """A part of the picture that is drawn anew only when it shows something else."""

    def __init__(self) -> None:
        self._key: object = None
        self._ground: pygame.Surface | None = None
        self._texts: tuple[DrawnText, ...] = ()

    def draw(
        self, canvas: Canvas, box: pygame.Rect, key: object, draw: Callable[[Canvas], None], *, keep: bool
    ) -> None:
        """Draws the part, or copies it where ``key``, all that it depends on, is as before.

        ``keep`` it for the next picture: whatever was drawn in the box before comes with it.
        """
        if key == self._key and self._ground is not None:
            canvas.surface.blit(self._ground, box)
            canvas.texts += self._texts
            return
        before = len(canvas.texts)
        draw(canvas)
        if keep:
            self._key, self._texts = key, tuple(canvas.texts[before:])
            self._ground = canvas.surface.subsurface(box).copy()
