"""The played table in a window: its parts of the picture, and the events that are its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pygame

from display.draw.canvas import Canvas
from display.draw.parts import Part
from display.draw.theme import Theme
from display.screens.areas import Areas
from display.screens.ending import covers_all, draw_joy, draw_moment, told_steps
from display.screens.header import draw_header
from display.screens.panel import draw_beside
from display.screens.table import draw_paused
from display.tabletop.bar import draw_act, draw_bar, draw_why
from display.tabletop.drawing import Pointed, Sprites, draw_top
from display.tabletop.model import LyingCard, PointerDeed, TopView
from display.tabletop.places import FOOT_SHARE, SPACE_MM, Places, TablePictures, places
from display.tabletop.pointing import Pointing
from display.tabletop.signs import TableSigns, signs_of
from display.view import Tone, ViewModel

RETOLD_MM: Final = (170.0, 72.0, -150.0)
"""Where the cards of a turn that is told again lie: the first, so far apart, along and across."""
HEAD: Final = (0.72, 0.86)
"""So much smaller than elsewhere the head is drawn, and in large print, which has more height for it."""


class Hands:
    """What people do at the table that is shown. ``view`` is what lies there now, ``shown`` whether it is on screen.

    ``does`` is told of every deed at once.
    """

    def __init__(self, pictures: TablePictures, does: Callable[[PointerDeed], None]) -> None:
        self._sprites = Sprites(pictures)
        self._pointing = Pointing(does)
        self._said: ViewModel | None = None
        self.shown = True

    @property
    def view(self) -> TopView:
        """What lies on the table and in the hands."""
        return self._pointing.view

    @view.setter
    def view(self, view: TopView) -> None:
        self._pointing.view = view if self._said is None else with_act(view, self._said)

    @property
    def places(self) -> Places | None:
        """Where everything is now; None before anything was drawn."""
        return self._pointing.places

    def take(self, event: pygame.event.Event, size: tuple[int, int]) -> bool:
        """Whether this event was the table's own; it has been done then."""
        return self.shown and self._pointing.take(event, size)

    @staticmethod
    def foot_share(theme: Theme) -> float:
        """How much of the screen's height the buttons along the foot have."""
        return FOOT_SHARE[theme.large_print]

    def leave(self) -> None:
        """Something else is on the screen: what was held is where it was."""
        self._pointing.drop()

    def parts(self, size: tuple[int, int], foot_px: int, view: ViewModel, theme: Theme) -> tuple[Part, ...]:
        """The whole picture but for the buttons, in parts with all that each depends on."""
        with_panel = view.panel is not None
        hands, scale = len(self.view.fans), theme.print_scale
        at = places(size, foot_px, self._sprites.pictures, with_panel=with_panel, print_scale=scale, hands=hands)
        self._pointing.places = at
        asked = view.panel is not None and view.panel.asks
        self._said, self.view = view, self.view
        top, pointed, signs = self.view, self._pointing.pointed, signs_of(view)
        top = replace(told_again(top, view), distance=0 if asked else view.piste.distance)
        steps = 0 if view.ending is None else told_steps(view, view.ending)
        paused = view.verdict.tone is Tone.PAUSED
        match = view.celebrated, view.match.names, view.match.score
        on_table = top, pointed, signs, paused, view.piste.joy_s, view.ending, steps, match
        screen = pygame.Rect(0, 0, size[0], size[1] - foot_px)
        unit_px = at.print_px * HEAD[theme.large_print]
        head = Areas(screen, at.header, at.picture, at.picture, at.band, unit_px, unit_px)
        view = replace(view, piles=replace(view.piles, pile_text="", top_discard=None))  # both lie on the table
        if self.view.waits:  # nobody tells a bot what to do
            view = replace(view, verdict=replace(view.verdict, hint=""))
        headed = view.match, view.piles, view.piste.to_act, view.turn_text, view.phase
        parts = [
            Part("header", at.header, headed, lambda canvas: draw_header(canvas, head, view), fills=True),
            Part(
                "band",
                at.band,
                (view.verdict, view.piste.attack, top.ask),
                lambda canvas: draw_bar(canvas, at.band, view, at.print_px, top.ask),
                fills=True,
            ),
            Part(
                "top", at.picture, on_table, lambda canvas: self._top(canvas, at, view, top, pointed, signs), fills=True
            ),
        ]
        if view.panel is not None:
            parts.append(Part("panel", at.panel, (view.panel,), lambda canvas: _panel(canvas, at, view)))
        return tuple(parts)

    def _top(
        self, canvas: Canvas, at: Places, view: ViewModel, top: TopView, pointed: Pointed, signs: TableSigns
    ) -> None:
        """The table, and over it how a round ended: the touch, the score, then why, with ribbons for the winner."""
        if covers_all(view):
            draw_moment(canvas, at.picture, view)
            return
        draw_top(canvas, self._sprites, at, top, pointed, signs)
        if view.verdict.tone is Tone.PAUSED:
            draw_paused(canvas, at.picture)
            draw_act(canvas, at, top)
        if view.ending is not None and not view.retold:
            draw_why(canvas, at, top, view, view.ending)
            draw_joy(canvas, at.picture, view, at.unit_px)


def with_act(top: TopView, view: ViewModel) -> TopView:
    """The table with what its one button says now: nothing while a bot plays, and to whoever can do nothing, that."""
    if top.waits and not view.retold:
        return replace(top, act="", ready=False, steps=())
    if view.panel is not None and view.panel.asks:  # that would be the answer
        top = replace(top, leads={}, stuck=False)
    stuck = top.stuck and bool(view.act.give_up)
    return replace(
        top, act=view.act.give_up if stuck else view.act.text, ready=view.act.ready or stuck, steps=view.piste.lit
    )


def told_again(top: TopView, view: ViewModel) -> TopView:
    """The table as it was, while a round is told again: the fencers, and the cards of the turn."""
    if not view.retold:
        return top
    lines = () if view.panel is None else view.panel.lines[:1]
    cards = [card for line in lines for card in line.cards]
    laid = tuple(
        LyingCard(card, RETOLD_MM[0] + RETOLD_MM[1] * number, RETOLD_MM[2], 0.0) for number, card in enumerate(cards)
    )
    figures = view.piste.fencers.map(lambda fencer: (SPACE_MM[0] * (fencer.space - 1), 0.0))
    return replace(top, cards=laid, figures=figures, arms=(), fans=(), discards=(), offer="", ask="", hint="")


def _panel(canvas: Canvas, at: Places, view: ViewModel) -> None:
    canvas.surface.fill(canvas.theme.paper, at.panel)
    if view.panel is not None:
        draw_beside(canvas, at.panel, view.panel, at.print_px * 0.95)
