"""The companion's slots from above: what lies in them, where to deal, which cards to play, and what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, Canvas
from display.draw.theme import mix
from display.screens.cards import CARD_SHAPE, draw_card
from display.screens.signs import sign
from display.view import Mark, Tone
from engine.companion.companion import SlotMark

SLOTS_SHAPE: Final = 3.4
"""How many times wider than high the row of slots is."""
_SIGNS: Final = {SlotMark.DEAL: "arrow_down", SlotMark.PLAY: "arrow_up", SlotMark.WRONG: "cross"}
_CAPTION: Final = 0.24
"""A share of the height, for the numbers below the slots."""


def draw_slots(canvas: Canvas, box: pygame.Rect, slots: Sequence[SlotMark], unit: float) -> None:
    """The slots in a row with their numbers, as they lie before whoever sits with the companion.

    A card to be played stands out of the row, with an arrow up; where one is to be dealt an arrow points down.
    """
    theme = canvas.theme
    step = box.width / max(1, len(slots))
    number_px = round(box.height * _CAPTION)
    lift = round(box.height * 0.08)
    card_px = round(min((box.height - number_px - lift) / CARD_SHAPE, step * 0.78))
    colours = {Mark.NOW: theme.bands[Tone.PREVIEW].mark, Mark.BAD: theme.attack}
    for place, mark in enumerate(slots):
        rest = pygame.Rect(0, 0, card_px, round(card_px * CARD_SHAPE))
        rest.midbottom = (round(box.left + (place + 0.5) * step), box.bottom - number_px)
        meant = mark in _SIGNS
        colour = colours[Mark.BAD if mark is SlotMark.WRONG else Mark.NOW]
        edge, edge_px = (colour, 2.4 * unit) if meant else (mix(theme.card, theme.ink, 0.35), 1.2 * unit)
        pygame.draw.rect(canvas.surface, edge, rest, max(1, round(edge_px)), round(card_px * 0.14))
        if mark in (SlotMark.HELD, SlotMark.PLAY, SlotMark.WRONG):
            card = rest.move(0, -lift if mark is SlotMark.PLAY else 0).inflate(-round(4 * unit), -round(4 * unit))
            draw_card(canvas, None, card.topleft, card.width)
        if meant:
            side_px = round(card_px * 0.62)
            ground = pygame.Rect(0, 0, round(side_px * 1.3), round(side_px * 1.3))
            ground.center = rest.center
            canvas.panel(ground, theme.card, ground.width / 2)
            canvas.blit(sign(_SIGNS[mark], side_px, colour), center=rest.center)
        number = pygame.Rect(rest.left, rest.bottom, rest.width, number_px)
        ink = colour if meant else theme.ink_soft
        canvas.text(str(place + 1), number, BODY * unit, ink, align=CENTRE)
