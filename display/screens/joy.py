"""A victory celebrated: ribbons in the winner's colours fall behind the words, more of them for a match."""

from __future__ import annotations

from math import cos, sin, tau
from typing import Final

import pygame

from display.draw.canvas import Canvas
from display.draw.theme import mix
from display.view import ViewModel
from engine.rules.state import Phase

ROUND: Final = 36
MATCH: Final = 110
"""How many ribbons."""
FALL_S: Final = 2.4
"""How long one is on its way from top to bottom."""
_SPREAD: Final = (0.618034, 0.754878, 0.569840)
"""Shares by which one ribbon differs from the one before it: they fill the room evenly, and no two go together."""


def draw_joy(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """Ribbons as they have fallen by now, if any do. The same at the same time, wherever it is drawn."""
    since_s, winner = view.piste.joy_s, view.celebrated
    if since_s is None or winner is None:
        return
    theme, whole = canvas.theme, view.phase is Phase.MATCH_OVER
    figure = theme.figures[winner]
    colours = (theme.gold, figure.accent, mix(figure.cloth, theme.paper, 0.15), mix(theme.gold, theme.ink, 0.35))
    count = MATCH if whole else ROUND
    for number in range(count):
        place, pace, late = ((number * share) % 1.0 for share in _SPREAD)
        speed, begins_s = 0.75 + 0.5 * pace, (1.0 if whole else 0.3) * late * FALL_S
        fallen = (since_s - begins_s) * speed / FALL_S
        if fallen <= 0.0:
            continue
        if whole:
            fallen %= 1.25
        elif fallen > 1.1:
            continue
        turn = tau * (fallen * (1.5 + place) + place)
        x = box.left + box.width * place + 14 * unit_px * sin(turn * 0.7)
        y = box.top - 12 * unit_px + fallen * (box.height + 12 * unit_px)
        long_px, wide_px = 13 * unit_px, max(1.0, 3.2 * unit_px * abs(cos(turn)))
        dx, dy = cos(turn * 0.5) * long_px / 2, sin(turn * 0.5) * long_px / 2
        nx, ny = -dy / long_px * wide_px, dx / long_px * wide_px
        corners = [(x - dx - nx, y - dy - ny), (x + dx - nx, y + dy - ny)]
        corners += [(x + dx + nx, y + dy + ny), (x - dx + nx, y - dy + ny)]
        pygame.draw.polygon(canvas.surface, colours[number % len(colours)], corners)
