"""The one golden button beside the hand, and how hands are used, at the bottom edge of the played table."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, Canvas, fit
from display.draw.theme import mix
from display.screens.signs import sign
from display.tabletop.model import TopView
from display.tabletop.places import Places, fan_boxes

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
    mark_px, size_px = round(26 * unit), round(BODY * places.print_px)
    left_px = words.left + mark_px + round(4 * unit)
    beside = pygame.Rect(left_px, words.top, words.right - left_px, words.height)
    if ready and fit(text, beside.width, beside.height, size_px, size_px, 2, heavy=True) is not None:
        image = sign("tick", mark_px, ink)
        canvas.surface.blit(image, (words.left, words.centery - mark_px // 2))
        words = beside
    canvas.text(text, words, size_px, ink, align=CENTRE, lines=3, heavy=ready)


def draw_hint(canvas: Canvas, places: Places, top: TopView) -> None:
    """How hands are used, at the left of the cards where these leave room; what is asked for is said in the bar."""
    if not top.hint or top.ask:
        return
    gap_px = round(10 * places.unit_px)
    box = pygame.Rect(0, 0, round(168 * places.unit_px), round(140 * places.unit_px))
    box.bottomleft = places.picture.left + gap_px, places.fan.bottom - gap_px
    cards = [card for row in fan_boxes(places, tuple(len(fan.cards) for fan in top.fans)) for card in row]
    right_px = min([card.left for card in cards], default=box.right + gap_px) - gap_px
    box.width = min(box.width, right_px - box.left)
    size_px, least_px = round(NOTE * places.print_px), canvas.usual_note_px
    if fit(top.hint, box.width, box.height, size_px, least_px, 7) is not None:
        canvas.text(top.hint, box, size_px, HINT_INK, valign=1.0, lines=7)
