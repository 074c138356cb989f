"""The one line over the played table: what was said last, and what comes next, on a ground that tells its kind."""

from __future__ import annotations

import pygame

from display.draw.canvas import BODY, Canvas, fit
from display.screens.band import band_of, is_attack
from display.screens.signs import TONE_SIGNS, sign
from display.view import Tone, ViewModel


def draw_bar(canvas: Canvas, box: pygame.Rect, view: ViewModel, print_px: float) -> None:
    """A sign, the sentence, and after it what to do; more lines only where one would be smaller."""
    theme, verdict = canvas.theme, view.verdict
    band, ink = band_of(theme, view)
    canvas.surface.fill(band.ground, box)
    stripe = pygame.Rect(box.left, box.top, round(box.height * 1.15), box.height)
    canvas.surface.fill(band.mark, stripe)
    mark_px = round(box.height * 0.66)
    image = sign("swords" if is_attack(view) else TONE_SIGNS[verdict.tone], mark_px, theme.card)
    canvas.surface.blit(image, image.get_rect(center=stripe.center))
    words = pygame.Rect(stripe.right, box.top, box.right - stripe.right, box.height).inflate(-round(24 * print_px), 0)
    cure = ", ".join(remedy.text for remedy in view.remedies) if verdict.tone is Tone.REFUSED else ""
    hint = cure or verdict.hint or verdict.detail
    wished, least = round(BODY * print_px), canvas.note_px
    gap = round(14 * print_px)
    joined = f"{verdict.headline} \u2014 {hint}" if hint else verdict.headline
    lines = 3 if theme.large_print else 2
    fitted = fit(joined, words.width - gap, words.height, wished, least, lines)
    if not hint or fitted is None or len(fitted[1]) > 1:
        canvas.text(joined, words, wished, ink, lines=lines, shorten=True)
        return
    size = fitted[0]
    drawn = canvas.text(verdict.headline, words, size, ink, least_px=size)
    left = drawn.right + gap
    mark_px = round(size * 0.55)
    canvas.surface.blit(sign("play", mark_px, ink), (left - mark_px // 2, box.centery - mark_px // 2))
    rest = pygame.Rect(left + mark_px, words.top, words.right - left - mark_px, words.height)
    canvas.text(hint, rest, size, ink)
