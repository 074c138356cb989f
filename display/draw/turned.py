"""A screen that hangs turned: drawn on as a person sees it, shown as the panel is mounted.

SDL's kmsdrm driver knows nothing of the kernel's rotation, and a panel such as the Touch Display 2 is upright by
itself. So the picture is drawn on a surface of its own and turned on its way to the screen, part by part; where the
screen hangs straight it is drawn on directly, and nothing is copied. Degrees are clockwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pygame

WHOLE_ONLY: Final = pygame.OPENGL | pygame.SCALED
"""Surfaces that reach the screen only as a whole."""
_PLACES: Final = frozenset({pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION})
_TOUCHES: Final = frozenset({pygame.FINGERDOWN, pygame.FINGERUP, pygame.FINGERMOTION})


class TurnedScreen:
    """The open screen, whose picture is turned by ``degrees``: 0, 90, 180 or 270."""

    def __init__(self, surface: pygame.Surface, degrees: int = 0) -> None:
        """``surface`` is what is drawn on while no screen is open."""
        self.degrees = degrees
        self._before = surface
        self._canvas: pygame.Surface | None = None

    @property
    def surface(self) -> pygame.Surface:
        """What is drawn on now, upright: the screen itself where it hangs straight."""
        screen = self._screen
        if not self.degrees:
            return screen
        size = screen.get_size() if self.degrees == 180 else screen.get_size()[::-1]
        if self._canvas is None or self._canvas.get_size() != size:
            self._canvas = pygame.Surface(size, 0, screen)
        return self._canvas

    def show(self, boxes: Iterable[pygame.Rect] | None = None) -> None:
        """Put these parts of ``surface`` on the screen; None: all of it."""
        screen, drawn = self._screen, self.surface
        changed = [drawn.get_rect()] if boxes is None else [*boxes]
        if self.degrees:
            size = drawn.get_size()
            turned = ((pygame.transform.rotate(drawn.subsurface(box), -self.degrees), box) for box in changed)
            changed = [screen.blit(part, self._on_screen(box, size)) for part, box in turned]
        if boxes is None or screen.get_flags() & WHOLE_ONLY:
            pygame.display.flip()
        else:
            pygame.display.update(changed)

    def event(self, event: pygame.event.Event) -> pygame.event.Event:
        """This event with its place on ``surface``: where a person sees what was touched."""
        if not self.degrees or event.type not in _PLACES | _TOUCHES:
            return event
        told = dict(event.dict)
        if event.type in _TOUCHES:
            told["x"], told["y"] = self._upright(event.x, event.y, 1.0, 1.0)
            told["dx"], told["dy"] = self._moved(event.dx, event.dy)
        else:
            width, height = self._screen.get_size()
            x, y = event.pos
            told["pos"] = self._upright(x, y, width - 1, height - 1)
            if "rel" in told:
                told["rel"] = self._moved(*event.rel)
        return pygame.event.Event(event.type, told)

    @property
    def _screen(self) -> pygame.Surface:
        self._before = pygame.display.get_surface() or self._before
        return self._before

    def _on_screen(self, box: pygame.Rect, size: tuple[int, int]) -> tuple[int, int]:
        """The top left corner on the screen of a part of a picture of this size."""
        width, height = size
        match self.degrees:
            case 90:
                return height - box.bottom, box.left
            case 180:
                return width - box.right, height - box.bottom
            case _:
                return box.top, width - box.right

    def _upright(self, x: float, y: float, right: float, bottom: float) -> tuple[float, float]:
        """A place on the screen, whose last column and row are these, as one on ``surface``."""
        match self.degrees:
            case 90:
                return y, right - x
            case 180:
                return right - x, bottom - y
            case _:
                return bottom - y, x

    def _moved(self, x: float, y: float) -> tuple[float, float]:
        """A movement on the screen as one on ``surface``."""
        return self._upright(x, y, 0, 0)
