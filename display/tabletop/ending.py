"""Why the round ended, over the played table: one line, both hands, and step by step what decided."""

from __future__ import annotations

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, Canvas
from display.draw.theme import mix
from display.screens.cards import CARD_SHAPE, draw_card
from display.screens.touch import told_steps
from display.tabletop.model import TopView
from display.tabletop.places import Places
from display.view import EndingView, ViewModel
from engine.rules.track import Side


def draw_why(canvas: Canvas, places: Places, top: TopView, view: ViewModel, ending: EndingView) -> None:
    """A sheet over the cloth: what decided, and the cards that both held, those that counted ringed."""
    theme, unit = canvas.theme, places.unit_px
    left, upper = places.px(-40.0, -50.0)
    right = places.px(656.0, 0.0)[0]
    box = pygame.Rect(round(left), round(upper), round(right - left), round(places.fan.top - upper + 20 * unit))
    canvas.panel(box.inflate(round(4 * unit), round(4 * unit)), theme.header, 12 * unit)
    canvas.panel(box, theme.paper, 10 * unit)
    inner = box.inflate(-round(24 * unit), -round(12 * unit))
    lines = [ending.because, *ending.steps[: told_steps(view, ending)]]
    hands_px = round(inner.height * 0.42) if top.ended is not None else 0
    row_px = (inner.height - hands_px) // max(3, len(lines))
    for number, line in enumerate(lines):
        row = pygame.Rect(inner.left, inner.top + number * row_px, inner.width, row_px)
        size = min((NOTE if number else BODY) * places.print_px, row_px * 0.9)
        ink = theme.ink if not number else mix(theme.ink, theme.ink_soft, 0.4)
        canvas.text(line, row, size, ink, align=CENTRE, lines=2)
    if top.ended is not None:
        below = pygame.Rect(inner.left, inner.bottom - hands_px, inner.width, hands_px)
        for side in Side:
            left_px = below.left if side is Side.WHITE else below.centerx
            half = pygame.Rect(left_px, below.top, below.width // 2, hands_px)
            _hand(canvas, half, side, top, view, unit)


def _hand(canvas: Canvas, box: pygame.Rect, side: Side, top: TopView, view: ViewModel, unit: float) -> None:
    """The name over the cards that this side held at the end."""
    theme = canvas.theme
    assert top.ended is not None
    title = pygame.Rect(box.left, box.top, box.width, round(box.height * 0.3))
    canvas.text(view.names[side], title, title.height * 0.95, theme.ink, align=CENTRE, shorten=True)
    cards = top.ended[side]
    if not cards:
        return
    tall = box.bottom - title.bottom - round(4 * unit)
    card_px = min(round(tall / CARD_SHAPE), box.width // (len(cards) + 1))
    left = box.centerx - card_px * 1.1 * len(cards) / 2
    for number, card in enumerate(cards):
        ring = theme.attack if card.value == view.distance else None
        draw_card(canvas, card, (left + number * card_px * 1.1, title.bottom + 2 * unit), card_px, ring)
