"""What is told at the played table: one line over it, why a round ended, the one button, and how hands are used."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, Canvas, cut_bottom, cut_left, cut_top, fit
from display.draw.pictures import TONE_SIGNS, sign
from display.draw.theme import mix
from display.screens.band import band_of, is_attack
from display.screens.cards import CARD_SHAPE, draw_card
from display.screens.ending import told_steps
from display.tabletop.model import TopView
from display.tabletop.places import Places, fan_boxes
from display.view import EndingView, Tone, ViewModel
from engine.rules.track import Side

ROW: Final = 0.22
LEAST_HANDS: Final = 0.42
"""How much of the sheet's height a line has, and the hands at least."""


def draw_bar(canvas: Canvas, box: pygame.Rect, view: ViewModel, print_px: float, ask: str = "") -> None:
    """A sign, the sentence, and after it what the table asks for, else what to do; more lines only where one would be
    smaller."""
    theme, verdict = canvas.theme, view.verdict
    band, ink = band_of(theme, view)
    canvas.surface.fill(band.ground, box)
    stripe, words = cut_left(box, round(box.height * 1.15))
    canvas.surface.fill(band.mark, stripe)
    name = "swords" if is_attack(view) else TONE_SIGNS[verdict.tone]
    canvas.blit(sign(name, round(box.height * 0.66), theme.card), center=stripe.center)
    words = words.inflate(-round(24 * print_px), 0)
    cure = " \u00b7 ".join(remedy.text for remedy in view.remedies) if verdict.tone is Tone.REFUSED else ""
    hint = ask or cure or verdict.hint or verdict.detail
    wished, least = round(BODY * print_px), canvas.note_px
    gap = round(14 * print_px)
    joined = f"{verdict.headline} \u2014 {hint}" if hint else verdict.headline
    lines = 3 if theme.large_print else 2
    fitted = fit(joined, words.width - gap, words.height, wished, least, lines, heavy=True)
    if not hint or fitted is None or len(fitted[1]) > 1:
        canvas.text(joined, words, wished, ink, lines=lines, shorten=True, heavy=True)
        return
    size = fitted[0]
    drawn = canvas.text(verdict.headline, words, size, ink, least_px=size, heavy=True)
    left = drawn.right + gap
    mark_px = round(size * 0.55)
    canvas.blit(sign("play", mark_px, ink), midleft=(left - mark_px // 2, box.centery))
    canvas.text(hint, cut_left(words, left + mark_px - words.left)[1], size, ink)


def draw_why(canvas: Canvas, places: Places, top: TopView, view: ViewModel, ending: EndingView) -> None:
    """A sheet over the cloth: what decided, but for what the bar says, and the cards that both held, those that counted
    ringed."""
    theme, unit = canvas.theme, places.unit_px
    told = (ending.because, *ending.steps)
    lines = [line for line in told if line not in (view.verdict.headline, view.verdict.detail)]
    if not lines and top.ended is None:
        return
    left, upper = places.px(-40.0, -50.0)
    right = places.px(656.0, 0.0)[0]
    box = pygame.Rect(round(left), round(upper), round(right - left), round(places.fan.top - upper + 20 * unit))
    canvas.panel(box.inflate(round(4 * unit), round(4 * unit)), theme.header, 12 * unit)
    canvas.panel(box, theme.paper, 10 * unit)
    inner = box.inflate(-round(24 * unit), -round(12 * unit))
    hands_px = round(inner.height * max(LEAST_HANDS, 1 - ROW * len(lines))) if top.ended is not None else 0
    row_px = (inner.height - hands_px) // max(1, len(lines))
    untold = ending.steps[told_steps(view, ending) :]
    below = inner
    for number, line in enumerate(line for line in lines if line not in untold):
        row, below = cut_top(below, row_px)
        size = (NOTE if number else BODY) * places.print_px
        ink = theme.ink if not number else mix(theme.ink, theme.ink_soft, 0.4)
        canvas.text(line, row, size, ink, align=CENTRE, lines=2)
    if top.ended is not None:
        white, black = cut_left(cut_bottom(inner, hands_px)[0], inner.width // 2)
        black.width = white.width
        _hand(canvas, white, Side.WHITE, top, view, unit)
        _hand(canvas, black, Side.BLACK, top, view, unit)


def _hand(canvas: Canvas, box: pygame.Rect, side: Side, top: TopView, view: ViewModel, unit: float) -> None:
    theme = canvas.theme
    assert top.ended is not None
    title, _ = cut_top(box, round(box.height * 0.3))
    name = view.match.names[side]
    canvas.text(name, title, BODY * canvas.print_px, theme.ink, align=CENTRE, shorten=True, heavy=True)
    cards = top.ended[side]
    if not cards:
        return
    tall = box.bottom - title.bottom - round(4 * unit)
    card_px = min(round(tall / CARD_SHAPE), box.width // (len(cards) + 1))
    left = box.centerx - card_px * 1.1 * len(cards) / 2
    for number, card in enumerate(cards):
        ring = theme.attack if card.value == view.piste.distance else None
        draw_card(canvas, card, (left + number * card_px * 1.1, title.bottom + 2 * unit), card_px, ring)


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
        canvas.blit(sign("tick", mark_px, ink), midleft=(words.left, words.centery))
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
