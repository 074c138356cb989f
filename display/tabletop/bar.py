"""The one line over the played table: what was said last, and what comes next, on a ground that tells its kind."""

from __future__ import annotations

import pygame

from display.draw.canvas import BODY, Canvas, fit
from display.draw.theme import Colour, Theme, mix
from display.screens.signs import TONE_SIGNS, sign
from display.view import Tone, ViewModel


def bar_colours(theme: Theme, view: ViewModel) -> tuple[Colour, Colour]:
    """The ground and the ink: a full colour for what has to be seen from across the room, a pale one for the rest."""
    if view.attack is not None and view.verdict.tone in (Tone.LEGAL, Tone.READY):
        return theme.attack, theme.card
    band = theme.bands[view.verdict.tone]
    if view.verdict.tone in (Tone.LEGAL, Tone.REFUSED, Tone.QUESTION, Tone.WON):
        return band.mark, theme.card
    return band.ground, theme.ink


def draw_bar(canvas: Canvas, box: pygame.Rect, view: ViewModel, print_px: float) -> None:
    """A sign, the sentence, and after it what to do; more lines only where one would be smaller."""
    theme, verdict = canvas.theme, view.verdict
    ground, ink = bar_colours(theme, view)
    canvas.surface.fill(ground, box)
    stripe = pygame.Rect(box.left, box.top, round(box.height * 1.15), box.height)
    canvas.surface.fill(mix(ground, theme.ink, 0.25) if ink == theme.card else theme.bands[verdict.tone].mark, stripe)
    attacked = ground == theme.attack
    mark_px = round(box.height * 0.66)
    image = sign("swords" if attacked else TONE_SIGNS[verdict.tone], mark_px, theme.card)
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
