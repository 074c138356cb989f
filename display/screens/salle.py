"""The ground of every page that fills the screen, two fencers on a strip of piste, and the still that is shown first.

The still needs little of the project, so that it is there while the rest is loaded.
"""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, TITLE, Canvas, cut_bottom, cut_top
from display.screens.fencer import fencer_sprite
from display.view import Pose
from engine.rules.track import Side

SPACES: Final = 23
MIN_UNITS: Final = 60
"""Fencers lower than that look lost: nobody stands there then."""


def draw_still(canvas: Canvas, title: str, told: str) -> None:
    """Draws two fencers under this title over the whole surface, and what is ``told`` at its foot."""
    surface, theme = canvas.surface, canvas.theme
    head = draw_head(canvas)
    foot = draw_foot(canvas)
    print_px = canvas.unit_px * theme.print_scale
    canvas.text(title, head, TITLE * print_px, theme.on_header, align=CENTRE, heavy=True)
    canvas.text(told, foot, BODY * print_px, theme.on_header, align=CENTRE)
    pad = round(14 * canvas.unit_px)
    body = pygame.Rect(pad, head.bottom + pad // 2, surface.get_width() - 2 * pad, foot.top - head.bottom - pad)
    draw_salle(canvas, body, body.top)


def draw_head(canvas: Canvas) -> pygame.Rect:
    """Draws the paper and, over it, the row of the title, which is given."""
    surface, theme, unit_px = canvas.surface, canvas.theme, canvas.unit_px
    surface.fill(theme.paper)
    head, _ = cut_top(surface.get_rect(), round(54 * unit_px * theme.print_scale))
    surface.fill(theme.header, head)
    surface.fill(theme.gold, cut_bottom(head, round(3 * unit_px))[0])
    return head


def draw_foot(canvas: Canvas) -> pygame.Rect:
    """Draws the row at the bottom, and gives it."""
    foot, _ = cut_bottom(canvas.surface.get_rect(), round(62 * canvas.unit_px * canvas.theme.print_scale))
    canvas.surface.fill(canvas.theme.header, foot)
    return foot


def draw_salle(canvas: Canvas, body: pygame.Rect, used_px: int) -> None:
    """Draws two fencers on a strip of piste below ``used_px``; nobody where there is no room for them."""
    unit_px = canvas.unit_px
    room_px = body.bottom - used_px - round(10 * unit_px)
    height_px = min(round(room_px * 0.78), round(body.width * 0.2))
    if height_px < MIN_UNITS * unit_px:
        return
    theme = canvas.theme
    strip, _ = cut_bottom(body, max(4, round(room_px * 0.13)))
    for number in range(SPACES):
        left = strip.left + round(number * strip.width / SPACES)
        right = strip.left + round((number + 1) * strip.width / SPACES)
        middle = number == SPACES // 2
        colour = theme.space_middle if middle else (theme.space_light, theme.space_dark)[number % 2]
        canvas.surface.fill(colour, pygame.Rect(left, strip.top, right - left, strip.height))
    for side, pose, share in ((Side.WHITE, Pose.LUNGE, -0.56), (Side.BLACK, Pose.PARRY, 0.5)):
        x, y = strip.centerx + round(share * height_px), strip.top + strip.height // 3
        fencer_sprite(side, pose, height_px, theme).stand(canvas.surface, x, y)
