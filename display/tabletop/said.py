"""What is said at the bottom edge of the played table: the button of what is offered, and how hands are used."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import CENTRE, Canvas, text_width
from display.screens.signs import sign
from display.tabletop.model import TopView
from display.tabletop.places import Places

PLAY_FROM_MM: Final = 30.0
HINT_INK: Final = (240, 230, 210)
OFFER_UNITS: Final = 6
"""How far what is offered is from the edge, and from what is said over it."""
ASKED_UNITS: Final = 22
"""How large it is said what is to be done, in units of print."""


def offer_box(places: Places, top: TopView) -> pygame.Rect:
    """Where what is offered can be tapped; empty where nothing is."""
    if not top.offer:
        return pygame.Rect(0, 0, 0, 0)
    box = pygame.Rect(0, 0, round(310 * places.unit_px), round(46 * places.unit_px))
    box.center = places.fan.center
    if top.ask:
        box.bottom = places.fan.bottom - round(OFFER_UNITS * places.unit_px)
    return box


def draw_said(canvas: Canvas, places: Places, top: TopView) -> None:
    """What is said at the bottom edge, and the button of what is offered; else a hint for the hands."""
    theme, unit = canvas.theme, places.unit_px
    if top.ask:
        words_px = text_width(top.ask, round(ASKED_UNITS * places.print_px)) + round(40 * unit)
        widest_px = min(words_px, round(places.fan.width * 0.66))
        box = pygame.Rect(0, 0, widest_px, round((32 if theme.large_print else 30) * unit))
        box.center = places.fan.center
        if top.offer:  # it may stand over the table's edge: nothing else is to be done there then
            box.bottom = offer_box(places, top).top - round(OFFER_UNITS * unit)
        canvas.panel(box, theme.header, 8 * unit)
        words, size = box.inflate(-round(16 * unit), 0), ASKED_UNITS * places.print_px
        canvas.text(top.ask, words, size, theme.on_header, align=CENTRE, least_px=9)
    if top.offer:
        box = offer_box(places, top)
        canvas.panel(box.move(0, round(3 * unit)), theme.header, 10 * unit)
        canvas.panel(box, theme.gold, 10 * unit)
        mark_px = round(22 * unit)
        canvas.surface.blit(
            sign("tick", mark_px, theme.header), (box.left + round(12 * unit), box.centery - mark_px // 2)
        )
        words = pygame.Rect(box.left + round(38 * unit), box.top, box.width - round(50 * unit), box.height)
        canvas.text(top.offer, words, 25 * places.print_px, theme.header, align=CENTRE, least_px=10)
    elif top.hint:
        _hint(canvas, places, top.hint)


def _hint(canvas: Canvas, places: Places, hint: str) -> None:
    """How hands are used, on the bare wood at the left of the play area; nothing where there is no room for it."""
    unit = places.print_px
    right = places.px(PLAY_FROM_MM, 0.0)[0]
    box = pygame.Rect(places.picture.left, 0, round(right - places.picture.left), round(150 * unit))
    box.bottom = places.fan.top + round(20 * unit)
    box = box.inflate(-round(20 * unit), 0)
    if box.width >= 90 * unit:
        canvas.text(hint, box, 15 * unit, HINT_INK, valign=1.0, lines=9, least_px=9)
