"""How a round ends on the stage: the touch, the score, ribbons, both hands, the sum, and the ruling that decided."""

from __future__ import annotations

from math import cos, sin, tau
from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, LEFT, NOTE, RIGHT, TITLE, Canvas, cut_left, cut_right, cut_top, text_width
from display.draw.leaves import draw_leaves
from display.draw.pictures import sign
from display.draw.poses import POSES
from display.draw.theme import Colour, mix
from display.screens.cards import CARD_SHAPE, draw_card
from display.screens.fencer import fencer_sprite
from display.view import EndingView, Pose, RevealView, ViewModel
from display.words.sentences import score_text
from engine.rules.cards import Card
from engine.rules.state import Phase, Reason
from engine.rules.track import Side

CLOSE_UP_S: Final = 0.5
SCORE_S: Final = 1.9
"""When the close-up ends, and when the score does, after the round was decided."""
STEP_S: Final = 1.3
"""So much later each step is told of how a round without a touch was decided."""


def covers_all(view: ViewModel) -> bool:
    """Whether the touch or the score takes the place of what else there is to be seen."""
    return view.ending is not None and view.piste.joy_s is not None and view.piste.joy_s < SCORE_S


def told_steps(view: ViewModel, ending: EndingView) -> int:
    """How many of the steps are told by now: all of them, one after the other."""
    if not view.piste.moments:
        return len(ending.steps)
    since_s = view.verdict_age_s - (SCORE_S if ending.winner is not None else 0.0)
    return min(len(ending.steps), max(1, 1 + int(since_s / STEP_S)))


def draw_moment(canvas: Canvas, box: pygame.Rect, view: ViewModel) -> None:
    """The close-up of a touch, or the score: nothing else is seen for as long."""
    ending = view.ending
    if ending is None or view.piste.joy_s is None or ending.winner is None:
        return
    if view.piste.joy_s < CLOSE_UP_S and ending.reason is Reason.HIT:
        _close_up(canvas, box, ending.winner)
    else:
        _score(canvas, box, view, ending.winner)


def _close_up(canvas: Canvas, box: pygame.Rect, winner: Side) -> None:
    """Both fencers as large as there is room for, the point where it lands."""
    theme = canvas.theme
    canvas.surface.fill(mix(theme.attack, theme.header, 0.35), box)
    height_px = round(box.height * 0.82)
    foot_y = box.bottom - round(box.height * 0.06)
    apart_px = height_px * 0.62
    before = canvas.surface.get_clip()
    canvas.surface.set_clip(box.clip(before))
    for side, pose in ((winner.other, Pose.HIT), (winner, Pose.LUNGE)):
        x = box.centerx - side.forward * apart_px / 2 - (winner.forward * height_px * 0.08)
        fencer_sprite(side, POSES[pose], height_px, theme).stand(canvas.surface, round(x), foot_y)
    burst_px = round(height_px * 0.3)
    at = box.centerx + winner.forward * apart_px * 0.3, foot_y - height_px * 0.64
    canvas.blit(sign("burst", burst_px, theme.gold), center=(round(at[0]), round(at[1])))
    canvas.surface.set_clip(before)


def _score(canvas: Canvas, box: pygame.Rect, view: ViewModel, winner: Side) -> None:
    theme = canvas.theme
    canvas.surface.fill(theme.header, box)
    name_px = round(box.height * 0.15)
    for side in Side:
        half, _ = cut_left(box, box.width // 2)
        half.left = box.left if side is Side.WHITE else box.centerx
        half = half.inflate(-round(box.width * 0.06), -round(box.height * 0.08))
        colour = theme.gold if side is winner else theme.on_header_soft
        align = LEFT if side is Side.WHITE else RIGHT
        place, number = cut_top(half, name_px)
        name = view.match.names[side]
        canvas.text(name, place, TITLE * canvas.print_px, colour, align=align, shorten=True, heavy=True)
        canvas.number(view.match.score[side], number.inflate(0, -round(number.height * 0.12)), colour, align=align)
    for by in (-1, 1):
        centre = box.centerx, box.centery + name_px // 2 + by * round(box.height * 0.12)
        pygame.draw.circle(canvas.surface, theme.on_header, centre, round(box.height * 0.045))


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
