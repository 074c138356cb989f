"""The foot of the table screen: the verdict with its sign and reason, what to do, and pictures of how to do it."""

from __future__ import annotations

import pygame

from display.draw.canvas import CENTRE, Canvas
from display.screens.areas import Areas
from display.screens.remedy import draw_remedy
from display.screens.signs import TONE_SIGNS, sign
from display.view import ViewModel

MOST_REMEDIES = 4


def draw_band(canvas: Canvas, places: Areas, view: ViewModel) -> None:
    """Draws the verdict band."""
    theme, box, unit_px = canvas.theme, places.band, places.unit_px
    tone = theme.bands[view.verdict.tone]
    canvas.surface.fill(tone.ground, box)
    remedies = view.remedies[:MOST_REMEDIES]
    stripe_units, most_share = 104, 0.46
    if theme.large_print:  # the words come before the sign and the pictures
        stripe_units, most_share = (66, 0.43) if remedies else (86, 0.46)
    stripe = pygame.Rect(box.left, box.top, round(stripe_units * unit_px), box.height)
    canvas.surface.fill(tone.mark, stripe)
    _stripe(canvas, stripe, view, unit_px)
    pad = round(14 * unit_px)
    words = pygame.Rect(stripe.right + pad, box.top, box.right - stripe.right - 2 * pad, box.height)
    if remedies:
        widest_px = 118 * unit_px * max(1.0, box.width / box.height / 6)
        tile_px = round(min(widest_px, box.width * most_share / len(remedies)))
        room = pygame.Rect(0, box.top, tile_px * len(remedies), box.height)
        room.right = box.right - round(6 * unit_px)
        words.width = room.left - pad - words.left
        for number, remedy in enumerate(remedies):
            tile = pygame.Rect(room.left + number * tile_px, box.top, tile_px, box.height)
            draw_remedy(canvas, tile.inflate(-round(6 * unit_px), -round(12 * unit_px)), remedy, tone.mark, unit_px)
    _words(canvas, words.inflate(0, -round(14 * unit_px)), view, unit_px)


def _stripe(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    mark_px = round(min(box.height * 0.42, 60 * unit_px))
    image = sign(TONE_SIGNS[view.verdict.tone], mark_px, canvas.theme.card)
    tag = pygame.Rect(box.left, 0, box.width, round(40 * unit_px)).inflate(-round(10 * unit_px), 0)
    gap = round(8 * unit_px)
    top = box.centery - (mark_px + gap + tag.height) // 2
    canvas.surface.blit(image, (box.centerx - mark_px // 2, top + round(4 * unit_px)))
    tag.top = top + mark_px + gap
    canvas.text(view.verdict.tag, tag, 19 * unit_px, canvas.theme.card, align=CENTRE, lines=2, least_px=9 * unit_px)


def _words(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """Headline, detail, hint: as many as there are share the height."""
    theme, verdict = canvas.theme, view.verdict
    rows = [row for row in (verdict.detail, verdict.hint) if row]
    head = pygame.Rect(box.left, box.top, box.width, round(box.height * (1.0, 0.62, 0.46)[len(rows)]))
    canvas.text(verdict.headline, head, 40 * unit_px, theme.ink, lines=3, least_px=14 * unit_px)
    top = head.bottom
    for row in rows:
        line = pygame.Rect(box.left, top, box.width, (box.bottom - head.bottom) // len(rows))
        is_hint = row is verdict.hint
        if is_hint:
            mark_px = round(15 * unit_px)
            image = sign("play", mark_px, theme.bands[verdict.tone].mark)
            canvas.surface.blit(image, (line.left, line.centery - mark_px // 2))
            line = pygame.Rect(line.left + mark_px + 7, line.top, line.width - mark_px - 7, line.height)
        colour = theme.ink if is_hint else theme.ink_soft
        canvas.text(row, line, 25 * unit_px, colour, lines=3, least_px=11 * unit_px)
        top = line.bottom
