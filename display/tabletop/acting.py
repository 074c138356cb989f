"""The one golden button beside the hand, and how hands are used, at the bottom edge of the played table."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, Canvas
from display.draw.theme import mix
from display.screens.signs import sign
from display.tabletop.model import TopView
from display.tabletop.places import Places

HINT_INK: Final = (240, 230, 210)


def draw_act(canvas: Canvas, places: Places, top: TopView) -> None:
    """The button: golden where a press is what comes next, else no more than an outline."""
    text, ready = top.offer or top.act, top.ready or bool(top.offer)
    if not text:
        return
    theme, box, unit = canvas.theme, places.act, places.unit_px
    ink = theme.header if ready else theme.on_header
    canvas.panel(box.move(0, round(3 * unit)), theme.header, 12 * unit)
    canvas.panel(box, theme.gold if ready else mix(theme.header, theme.header_active, 0.8), 12 * unit)
    if not ready:
        pygame.draw.rect(canvas.surface, theme.on_header_soft, box, max(2, round(1.4 * unit)), round(12 * unit))
    words = box.inflate(-round(18 * unit), -round(6 * unit))
    if ready and not theme.large_print:  # there the words have all of the room
        mark_px = round(26 * unit)
        image = sign("tick", mark_px, ink)
        canvas.surface.blit(image, (words.left, words.centery - mark_px // 2))
        words.width, words.left = words.width - mark_px - round(4 * unit), words.left + mark_px + round(4 * unit)
    canvas.text(text, words, BODY * places.print_px, ink, align=CENTRE, lines=4, heavy=ready)


def draw_hint(canvas: Canvas, places: Places, top: TopView) -> None:
    """How hands are used, at the left of the cards; while something is asked for, the bar says that instead."""
    if top.hint and not top.ask:
        box = pygame.Rect(0, 0, round(168 * places.unit_px), round(140 * places.unit_px))
        box.bottomleft = (
            places.picture.left + round(10 * places.unit_px),
            places.fan.bottom - round(10 * places.unit_px),
        )
        canvas.text(top.hint, box, NOTE * places.print_px, HINT_INK, valign=1.0, lines=7)
