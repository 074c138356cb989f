"""Endings on the stage: both hands with the cards that count, the sum, and the ruling that decided."""

from __future__ import annotations

import pygame

from display.draw.boxes import cut_right, cut_top
from display.draw.canvas import BODY, CENTRE, NOTE, RIGHT, TITLE, Canvas, text_width
from display.draw.leaves import draw_leaves
from display.draw.theme import Colour
from display.screens.cards import CARD_SHAPE, draw_card
from display.screens.signs import sign
from display.view import EndingView, RevealView, ViewModel
from display.words.sentences import score_text
from engine.rules.cards import Card
from engine.rules.track import Side

TIMES = "\u00d7"
"""The multiplication sign."""
WINNER = (0.56, 0.3)
FEW = 2
"""How much of the height the winner's name has over a line, and over so many or more."""
WIDE = 400
"""On less than so many units of width, as beside fencers seen from near, the laurels are small."""


def draw_reveal(canvas: Canvas, box: pygame.Rect, view: ViewModel, reveal: RevealView, unit_px: float) -> None:
    """Hands still to be shown: their backs, and what will be counted."""
    middle = _hands(canvas, box, view, reveal, unit_px)
    canvas.text(reveal.text, middle, BODY * unit_px, canvas.theme.ink, align=CENTRE, lines=4)


def draw_ending(canvas: Canvas, box: pygame.Rect, view: ViewModel, ending: EndingView, unit_px: float) -> None:
    """The winner with a laurel, the working, and what decided; both hands where they were shown.

    Which ruling of which rule text that is stands on the match's page, for those who want to look it up.
    """
    middle = box.inflate(-round(40 * unit_px), 0)
    if view.reveal is not None and view.reveal.hands is not None:
        middle = _hands(canvas, box, view, view.reveal, unit_px)
    middle = middle.inflate(0, -2 * round(5 * unit_px))
    winner, below = cut_top(middle, round(middle.height * WINNER[len(ending.steps) >= FEW]))
    _winner(canvas, winner, view, ending, unit_px)
    sizes = NOTE * unit_px, BODY * unit_px
    draw_leaves(canvas, below, ending.steps, sizes, canvas.theme.ink, ending.turned, apart=True, align=CENTRE)


def _winner(canvas: Canvas, box: pygame.Rect, view: ViewModel, ending: EndingView, unit_px: float) -> None:
    """The winner's name between laurels; the score of a match; two swords for a draw."""
    theme = canvas.theme
    score = view.match.score
    if ending.winner is None:
        text, mark = score_text(score.white, score.black), "swords"
    elif ending.match_over:
        won = score_text(score[ending.winner], score[ending.winner.other])
        text, mark = f"{view.match.names[ending.winner]}  {won}", "crown"
    else:
        text, mark = view.match.names[ending.winner], "crown"
    colour: Colour = theme.bands[view.verdict.tone].mark
    narrow = box.width <= WIDE * unit_px
    mark_px = round(min(box.height * 0.95, (40 if narrow else 62) * unit_px))
    words = box.inflate(-2 * (mark_px + round(12 * unit_px)), 0)
    size = TITLE * unit_px
    alone = narrow and text_width(text, round(size), heavy=True) > words.width
    place, lines = (box, 2) if alone else (words, 1)
    drawn = canvas.text(text, place, size, theme.ink, align=CENTRE, lines=lines, shorten=True, heavy=True)
    if alone:  # a long name has the room of the laurels, too
        return
    image = sign(mark, mark_px, colour)
    gap = round(10 * unit_px)
    for x in (drawn.left - gap - mark_px, drawn.right + gap):
        canvas.surface.blit(image, (x, drawn.centery - mark_px // 2))


def _hands(canvas: Canvas, box: pygame.Rect, view: ViewModel, reveal: RevealView, unit_px: float) -> pygame.Rect:
    """Both hands at the outsides with their counts; gives the room left between them."""
    hand_px = round(box.width * 0.275)
    pad = round((7 if canvas.theme.large_print else 14) * unit_px)
    for side in Side:
        left = box.left + pad if side is Side.WHITE else box.right - pad - hand_px
        hand = pygame.Rect(left, box.top + pad // 2, hand_px, box.height - pad)
        _hand(canvas, hand, side, view, reveal, unit_px)
    return box.inflate(-2 * (hand_px + 2 * pad), 0)


def _hand(canvas: Canvas, box: pygame.Rect, side: Side, view: ViewModel, reveal: RevealView, unit_px: float) -> None:
    """One hand: the cards equal to the distance stand out, ringed and raised, and are counted beside the name."""
    theme = canvas.theme
    title, _ = cut_top(box, round(26 * unit_px))
    name = title
    if reveal.counts is not None:
        counted = f"{reveal.counts[side]} {TIMES} {reveal.value}"
        right, name = cut_right(title, round(64 * unit_px))
        canvas.text(counted, right, BODY * unit_px, theme.attack, align=RIGHT)
    canvas.text(view.match.names[side], name, BODY * unit_px, theme.ink, shorten=True, heavy=True)
    cards: list[Card | None] = [None] * reveal.sizes[side]
    if reveal.hands is not None:
        cards = [*reveal.hands[side]]
    if not cards:
        return
    below = box.bottom - title.bottom
    card_px = round(min(box.width / (1 + 0.92 * 4), below * 0.84 / CARD_SHAPE))
    step = min(card_px * 1.06, (box.width - card_px) / max(1, len(cards) - 1))
    left = box.centerx - (card_px + step * (len(cards) - 1)) / 2
    top = title.bottom + below * 0.12
    for number, card in enumerate(cards):
        counts = card is not None and card.value == reveal.value
        lift = below * 0.08 if counts else 0.0
        draw_card(canvas, card, (left + number * step, top - lift), card_px, theme.attack if counts else None)
