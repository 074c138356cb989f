"""The played table in a window: its parts of the picture, and the events that are its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pygame

from display.draw.canvas import Canvas
from display.draw.parts import Part
from display.draw.theme import Theme
from display.screens.areas import Areas
from display.screens.band import draw_band
from display.screens.header import draw_header
from display.screens.joy import draw_joy
from display.screens.panel import draw_beside
from display.tabletop.drawing import Pointed, Sprites, draw_top
from display.tabletop.model import PointerDeed, TopView
from display.tabletop.pictures import TablePictures
from display.tabletop.places import Places, places
from display.tabletop.pointing import Pointing
from display.view import ViewModel


class Hands:
    """What people do at the table that is shown. ``view`` is what lies there now, ``shown`` whether it is on screen.

    ``does`` is told of every deed at once.
    """

    def __init__(self, pictures: TablePictures, does: Callable[[PointerDeed], None]) -> None:
        self._sprites = Sprites(pictures)
        self._pointing = Pointing(does)
        self.shown = True

    @property
    def view(self) -> TopView:
        """What lies on the table and in the hands."""
        return self._pointing.view

    @view.setter
    def view(self, view: TopView) -> None:
        self._pointing.view = view

    @property
    def places(self) -> Places | None:
        """Where everything is now; None before anything was drawn."""
        return self._pointing.places

    def take(self, event: pygame.event.Event, size: tuple[int, int]) -> bool:
        """Whether this event was the table's own; it has been done then."""
        return self.shown and self._pointing.take(event, size)

    def leave(self) -> None:
        """Something else is on the screen: what was held is where it was."""
        self._pointing.drop()

    def parts(self, size: tuple[int, int], foot_px: int, view: ViewModel, theme: Theme) -> tuple[Part, ...]:
        """The whole picture but for the buttons, in parts with all that each depends on."""
        with_panel = view.panel is not None
        at = places(size, foot_px, self._sprites.pictures, with_panel=with_panel, print_scale=theme.print_scale)
        self._pointing.places = at
        asked = view.panel is not None and view.panel.asks
        top, pointed = replace(self.view, distance=0 if asked else view.distance), self._pointing.pointed
        on_table = top, pointed, view.joy_s
        screen = pygame.Rect(0, 0, size[0], size[1] - foot_px)
        band = Areas(screen, at.header, at.picture, at.picture, at.band, at.print_px * 0.78, at.print_px * 0.78)
        head = replace(band, unit_px=at.print_px * 0.72)
        headed = (
            *(
                view.names,
                view.portraits,
                view.side_names,
                view.score,
                view.points,
                view.points_text,
                view.to_act,
                view.turn_text,
            ),
            *(view.starter, view.starter_text, view.round_text, view.phase, view.history),
            *(view.pile, view.pile_text, view.top_discard, view.discard_text),
        )
        parts = [
            Part("header", at.header, headed, lambda canvas: draw_header(canvas, head, view)),
            Part("band", at.band, (view.verdict, view.remedies), lambda canvas: draw_band(canvas, band, view)),
            Part("top", at.picture, on_table, lambda canvas: self._top(canvas, at, view, top, pointed)),
        ]
        if view.panel is not None:
            parts.append(Part("panel", at.panel, (view.panel,), lambda canvas: _panel(canvas, at, view)))
        return tuple(parts)

    def _top(self, canvas: Canvas, at: Places, view: ViewModel, top: TopView, pointed: Pointed) -> None:
        """The table, and over it the end of a round or match celebrated, as over the fencers of a real one."""
        draw_top(canvas, self._sprites, at, top, pointed)
        if view.joy_s is None or view.ending is None or view.ending.winner is None:
            return
        whole = view.ending.match_over
        draw_joy(canvas, at.picture, view.ending.winner, view.joy_s, at.unit_px, whole=whole)


def _panel(canvas: Canvas, at: Places, view: ViewModel) -> None:
    """The words of a lesson, the coach or the companion, beside the table."""
    canvas.surface.fill(canvas.theme.paper, at.panel)
    if view.panel is not None:
        draw_beside(canvas, at.panel, view.panel, at.print_px * 0.95)
