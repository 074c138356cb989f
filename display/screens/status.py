"""The line between piste and verdict: what the camera sees, and unseen cards where they may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from display.draw.boxes import cut_left
from display.draw.canvas import BODY, NOTE, RIGHT, Canvas
from display.draw.theme import Colour
from display.screens.areas import Areas
from display.screens.cards import draw_value_card
from display.screens.duel import draw_strip
from display.screens.signs import sign
from display.view import Tone, ViewModel
from engine.table.observation import Sight

NEAR_SHARE: Final = (0.29, 0.37)
"""How much of the width, and in large print, words about eyes and rules have each beside the piste as a strip."""
_SIGNS = {Sight.STEADY: "eye", Sight.CHECKING: "eye", Sight.BLIND: "blind"}


def draw_status(canvas: Canvas, places: Areas, view: ViewModel, unseen: Sequence[tuple[int, int]]) -> None:
    """Draws the line; ``unseen``: as in the view, where that is not shown elsewhere."""
    theme, box, unit_px = canvas.theme, places.status, places.unit_px
    near_share = NEAR_SHARE[theme.large_print]
    blind = view.eyes.sight is Sight.BLIND
    canvas.surface.fill(theme.bands[Tone.UNSEEN].mark if blind else theme.paper, box)
    pad = round(12 * unit_px)
    inner = box.inflate(-2 * pad, -round(4 * unit_px))
    share = near_share if places.near else 1.0 if blind else 0.46 if unseen else 0.72
    eyes, rest = cut_left(inner, round(inner.width * share))
    calm = view.eyes.quiet or view.eyes.sight is Sight.STEADY
    colour: Colour = theme.card if blind else theme.ink_soft if calm else theme.attack
    words = eyes
    if view.eyes.used:
        canvas.surface.blit(sign(_SIGNS[view.eyes.sight], inner.height, colour), eyes.topleft)
        _, words = cut_left(eyes, inner.height + round(7 * unit_px))
    text = " · ".join(part for part in (view.eyes.text, view.eyes.foreign) if part)
    canvas.text(text, words, (BODY if blind else NOTE) * unit_px, colour)
    if blind:
        return
    if places.near:
        draw_strip(canvas, places, view, 1.0 - 2.2 * near_share)
        rest.width, rest.left = eyes.width, inner.right - eyes.width
    if unseen:
        _unseen(canvas, rest, view, unit_px)
    else:
        canvas.text(view.match.preset_text, rest, NOTE * unit_px, theme.ink_soft, align=RIGHT)


def _unseen(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """How many cards of each value are unseen: a small card and a number for each."""
    cell_px = round(min(box.width * 0.13, 54 * unit_px))
    card_px = round(box.height / 1.5)
    left = box.right - cell_px * len(view.piles.unseen)
    label = pygame.Rect(box.left, box.top, left - box.left - round(8 * unit_px), box.height)
    canvas.text(view.piles.unseen_text, label, NOTE * unit_px, canvas.theme.ink_soft, align=RIGHT)
    for number, (value, count) in enumerate(view.piles.unseen):
        card = draw_value_card(canvas, value, (left + number * cell_px, box.top), card_px)
        words_px = cell_px - card.width - round(4 * unit_px)
        words = pygame.Rect(card.right + round(2 * unit_px), box.top, words_px, box.height)
        canvas.text(f"\u00d7{count}", words, BODY * unit_px, canvas.theme.ink)
