"""The line between piste and verdict: what the camera sees, and unseen cards where they may be shown."""

from __future__ import annotations

import pygame

from display.draw.canvas import BODY, NOTE, RIGHT, Canvas
from display.draw.theme import Colour
from display.screens.areas import Areas
from display.screens.cards import draw_value_card
from display.screens.signs import sign
from display.view import Tone, ViewModel
from engine.table.observation import Sight

_SIGNS = {Sight.STEADY: "eye", Sight.CHECKING: "eye", Sight.BLIND: "blind"}


def draw_status(canvas: Canvas, places: Areas, view: ViewModel) -> None:
    """Draws the line."""
    theme, box, unit_px = canvas.theme, places.status, places.unit_px
    blind = view.eyes.sight is Sight.BLIND
    canvas.surface.fill(theme.bands[Tone.UNSEEN].mark if blind else theme.paper, box)
    pad = round(12 * unit_px)
    inner = box.inflate(-2 * pad, -round(4 * unit_px))
    share = 1.0 if blind else 0.46 if view.unseen else 0.72
    eyes = pygame.Rect(inner.left, inner.top, round(inner.width * share), inner.height)
    calm = view.eyes.quiet or view.eyes.sight is Sight.STEADY
    colour: Colour = theme.card if blind else theme.ink_soft if calm else theme.attack
    words = eyes.copy()
    if view.eyes.used:
        mark_px = inner.height
        canvas.surface.blit(sign(_SIGNS[view.eyes.sight], mark_px, colour), eyes.topleft)
        words.left += mark_px + round(7 * unit_px)
        words.width = eyes.right - words.left
    text = " · ".join(part for part in (view.eyes.text, view.eyes.foreign) if part)
    canvas.text(text, words, (BODY if blind else NOTE) * unit_px, colour)
    rest = pygame.Rect(eyes.right, inner.top, inner.right - eyes.right, inner.height)
    if blind:
        return
    if view.unseen:
        _unseen(canvas, rest, view, unit_px)
    else:
        canvas.text(view.preset_text, rest, NOTE * unit_px, theme.ink_soft, align=RIGHT)


def _unseen(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """How many cards of each value are unseen: a small card and a number for each."""
    cell_px = round(min(box.width * 0.13, 54 * unit_px))
    card_px = round(box.height / 1.5)
    left = box.right - cell_px * len(view.unseen)
    label = pygame.Rect(box.left, box.top, left - box.left - round(8 * unit_px), box.height)
    canvas.text(view.unseen_text, label, NOTE * unit_px, canvas.theme.ink_soft, align=RIGHT)
    for number, (value, count) in enumerate(view.unseen):
        card = draw_value_card(canvas, value, (left + number * cell_px, box.top), card_px)
        words = pygame.Rect(
            card.right + round(2 * unit_px), box.top, cell_px - card.width - round(4 * unit_px), box.height
        )
        canvas.text(f"\u00d7{count}", words, BODY * unit_px, canvas.theme.ink)
