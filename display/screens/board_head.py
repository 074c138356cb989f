"""Over a position to tap on: both names with the score, and hands that lie open."""

from __future__ import annotations

import pygame

from display.draw.boxes import cut_top
from display.draw.canvas import CENTRE, LEAD, LEFT, NOTE, RIGHT, TITLE, Canvas
from display.draw.theme import mix
from display.menu.board import Board
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.words.sentences import score_text
from engine.rules.track import Side
from engine.table.possible_turns import Values


def draw_score(canvas: Canvas, box: pygame.Rect, board: Board, title: str, unit_px: float) -> None:
    """The head of such a page: both names, the score between them, and under it the round."""
    theme = canvas.theme
    middle = pygame.Rect(0, box.top, round(120 * unit_px), box.height)
    middle.centerx = box.centerx
    score, _ = cut_top(middle, round(box.height * 0.66))
    canvas.text(score_text(board.score.white, board.score.black), score, TITLE * unit_px, theme.on_header, align=CENTRE)
    head = pygame.Rect(0, score.bottom - round(3 * unit_px), round(250 * unit_px), 0)
    head.height, head.centerx = box.bottom - head.top - round(4 * unit_px), box.centerx
    canvas.text(board.head or title, head, NOTE * unit_px, theme.on_header_soft, align=CENTRE)
    for side in Side:
        name = pygame.Rect(box.left, score.top, middle.left - box.left - round(8 * unit_px), score.height)
        if side is Side.BLACK:
            name.left, name.width = middle.right + round(8 * unit_px), box.right - middle.right - round(8 * unit_px)
        acts = board.piste.to_act is side
        colour = theme.gold if acts else theme.on_header
        align = RIGHT if side is Side.WHITE else LEFT
        drawn = canvas.text(board.names[side], name, LEAD * unit_px, colour, align=align, shorten=True, heavy=True)
        if acts:
            rule = pygame.Rect(drawn.left, drawn.bottom, drawn.width, max(2, round(3 * unit_px)))
            canvas.surface.fill(theme.gold, rule)


def draw_strip(canvas: Canvas, strip: pygame.Rect, board: Board, unit_px: float) -> None:
    """Open hands, each at its fencer's end, and at the other end the cards that were played, where they matter."""
    canvas.surface.fill(mix(canvas.theme.paper, canvas.theme.space_dark, 0.35), strip)
    for hand in board.hands:
        _draw_row(canvas, strip, hand.side, hand.title, hand.cards, 27, unit_px)
    if board.played_text and len(board.hands) == 1:
        played = tuple(card.value for card in board.played)
        _draw_row(canvas, strip, board.hands[0].side.other, board.played_text, played, 20, unit_px)


def _draw_row(
    canvas: Canvas, strip: pygame.Rect, side: Side, title: str, cards: Values, card_units: float, unit_px: float
) -> None:
    """A row of small cards under their title, at the left for White and at the right for Black."""
    pad, gap = round(12 * unit_px), round(2 * unit_px)
    head = pygame.Rect(0, strip.top + round(2 * unit_px), round(strip.width * 0.46), round(16 * unit_px))
    card_px = min(round(card_units * unit_px), round((strip.bottom - head.bottom - 2 * gap) / CARD_SHAPE))
    width = len(cards) * (card_px + gap) - gap
    left, align = strip.left + pad, LEFT
    head.left = left
    if side is Side.BLACK:
        left, align = strip.right - pad - width, RIGHT
        head.right = strip.right - pad
    canvas.text(title, head, NOTE * unit_px, canvas.theme.ink_soft, align=align)
    for number, value in enumerate(cards):
        draw_value_card(canvas, value, (left + number * (card_px + gap), head.bottom + gap), card_px)
