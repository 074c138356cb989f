"""The head of the table screen: both players and scores, and between them the round, the pile and the top discard."""

from __future__ import annotations

import pygame

from display.draw.canvas import BODY, CENTRE, LEAD, LEFT, NOTE, RIGHT, Canvas, cut_bottom, cut_left, cut_right, cut_top
from display.draw.pictures import portrait, sign
from display.draw.theme import mix
from display.screens.areas import Areas
from display.screens.cards import CARD_SHAPE, draw_card
from display.view import ViewModel
from engine.rules.track import Side

ROWS = (0.383, 0.367)
LOW_ROWS = (0.43, 0.36)
"""How much of the height has a player's name, and what is said under it; the pips have the rest."""
RULE, LOW_MARGINS = 4, (2, 5)
"""How many units the rule under who is to act is high, and how many are free over and under all in a low header."""
LOW_ROUND = (0.4, 0.35)
"""How much of a low header's middle the round has."""
BACKS = 2.5
BESIDE_BACKS = 11
"""How many units the backs of the pile lie apart, and how many are for them beside the first."""
TITLE_ROW = (0.34, 0.3)
CARD_SHARE = (0.82, 0.9)
"""How much of a middle that is not low the round has, and of what is under it a card, and in large print."""
LOW_UNITS = 60
"""In a lower header the pile and the top card stand beside the round."""
MAX_PIPS = 7
"""Above this many points the number stands alone."""


def draw_header(canvas: Canvas, places: Areas, view: ViewModel) -> None:
    """Draws the whole head."""
    theme = canvas.theme
    canvas.surface.fill(theme.header, places.header)
    narrow = round(NOTE * places.unit_px) < canvas.note_px  # as beside the lamps
    low = places.header.height < LOW_UNITS * places.unit_px
    middle_px = round(places.header.width * ((0.4 if theme.large_print else 0.36) if low else 0.33 if narrow else 0.27))
    left, middle = cut_left(places.header, (places.header.width - middle_px) // 2)
    right, middle = cut_right(middle, left.width)
    _player(canvas, left, view, Side.WHITE, places.unit_px)
    _player(canvas, right, view, Side.BLACK, places.unit_px)
    draw_middle = _low_middle if low else _middle
    draw_middle(canvas, middle.inflate(-8 * places.unit_px, -(2 if low else 6) * places.unit_px), view, places.unit_px)


def _player(canvas: Canvas, box: pygame.Rect, view: ViewModel, side: Side, unit_px: float) -> None:
    """One player: score at the outside, name, colour, and whether they begin or are to act."""
    theme = canvas.theme
    acts = view.piste.to_act is side
    if acts:
        canvas.surface.fill(theme.header_active, box)
        canvas.surface.fill(theme.gold, cut_bottom(box, round(RULE * unit_px))[0])
    outward = LEFT if side is Side.WHITE else RIGHT
    low = box.height < LOW_UNITS * unit_px
    # Long names have little room in large print.
    pad_units, score_units = (7, 38 if low else 52) if theme.large_print else (12, 66)
    pad = round(pad_units * unit_px)
    above, below = LOW_MARGINS if low else (7, 7)
    inner = cut_bottom(cut_top(box, round(above * unit_px))[1], round(below * unit_px))[1].inflate(-2 * pad, 0)
    cut = cut_left if side is Side.WHITE else cut_right
    score, rest = cut(inner, round(score_units * unit_px))
    _, rest = cut(rest, pad)
    _score(canvas, score, view.match.score[side], side, full=low)
    if view.match.portraits[side] and not theme.large_print:  # in large print the words have that room
        face_px = round(min(rest.height * 0.66, rest.width * 0.3))
        face, rest = cut(rest, face_px)
        canvas.surface.blit(portrait(view.match.portraits[side], face_px), face)
        _, rest = cut(rest, round(6 * unit_px))
    parts = LOW_ROWS if low else ROWS
    name, pips = cut_top(rest, round(rest.height * parts[0]))
    under, pips = cut_top(pips, round(rest.height * parts[1]))
    canvas.text(view.match.names[side], name, LEAD * unit_px, theme.on_header, align=outward, shorten=True, heavy=True)
    _role(canvas, under, view, side, outward, unit_px)
    _pips(canvas, pips, view, side, unit_px)


def _score(canvas: Canvas, box: pygame.Rect, points: int, side: Side, *, full: bool) -> None:
    figure = canvas.theme.figures[side]
    canvas.panel(box, figure.cloth, box.width * 0.14, (figure.accent, max(2, round(box.width * 0.06))))
    colour = canvas.theme.ink if side is Side.WHITE else canvas.theme.on_header
    across, down = (0.2, 0.24 if full else 0.18) if full or canvas.theme.large_print else (0.3, 0.34)
    canvas.number(points, box.inflate(-round(box.width * across), -round(box.height * down)), colour)


def _role(canvas: Canvas, box: pygame.Rect, view: ViewModel, side: Side, outward: float, unit_px: float) -> None:
    """``White to act`` with a pointer for the player to act, ``White begins`` for the starter, else the colour."""
    theme = canvas.theme
    if view.piste.to_act is side:
        text, colour = view.turn_text, theme.gold
    elif view.match.starter is side and view.match.round_text:
        text, colour = view.match.starter_text, theme.on_header_soft
    else:
        known = view.match.names[side] == view.match.side_names[side]
        text, colour = "" if known else view.match.side_names[side], theme.on_header_soft
    if view.piste.to_act is not side:
        canvas.text(text, box, NOTE * unit_px, colour, align=outward)
        return
    mark_px = round(min(box.height, 12 * unit_px))
    _, words = (cut_left if side is Side.WHITE else cut_right)(box, mark_px + round(3 * unit_px))
    canvas.text(text, words, NOTE * unit_px, colour, align=outward)
    x = box.left if side is Side.WHITE else box.right - mark_px
    canvas.blit(sign("play" if side is Side.WHITE else "play_left", mark_px, theme.gold), midleft=(x, box.centery))


def _pips(canvas: Canvas, box: pygame.Rect, view: ViewModel, side: Side, unit_px: float) -> None:
    """One pip for each point of the match: full when won, a ring when still to win."""
    if not 0 < view.match.points <= MAX_PIPS:
        return
    theme = canvas.theme
    radius = max(round(min(7 * unit_px, box.height * 0.44)), 5)
    gap = radius * 2.9
    for number in range(view.match.points):
        offset = radius + 1 + number * gap
        x = box.left + offset if side is Side.WHITE else box.right - offset
        centre = (round(x), box.centery)
        if number < view.match.score[side]:
            pygame.draw.circle(canvas.surface, theme.gold, centre, radius)
        else:
            ring = mix(theme.on_header_soft, theme.header, 0.35)
            pygame.draw.circle(canvas.surface, ring, centre, radius, width=max(1, round(1.6 * unit_px)))


def _middle(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """The round, the pile and the top card of the discards, and how the rounds went so far."""
    theme = canvas.theme
    large = theme.large_print
    title, below = cut_top(box, round(box.height * TITLE_ROW[large]))
    canvas.text(view.match.round_text, title, BODY * unit_px, theme.on_header, align=CENTRE)
    history, below = cut_bottom(below, round(box.height * 0.17))
    if view.phase is None:
        return
    if view.match.history:
        _history(canvas, history, view, unit_px)
    else:
        points = history.inflate(0, round(6 * unit_px))
        if not view.piles.pile_text:  # at the played table all the height is free
            points.height, points.top = points.bottom - title.bottom, title.bottom
        canvas.text(view.match.points_text, points, NOTE * unit_px, theme.on_header_soft, align=CENTRE)
    gap = round(3 * unit_px)
    _, below = cut_bottom(below, gap)
    card_px = round(below.height / CARD_SHAPE * CARD_SHARE[large])
    pile, _ = cut_left(below, below.width // 2 - gap)
    discard = pile.move(pile.width + 2 * gap, 0)
    if view.piles.pile_text:
        _pile(canvas, below if large and view.piles.top_discard is None else pile, view, card_px, unit_px)
    if view.piles.top_discard is not None:
        card = draw_card(canvas, view.piles.top_discard, discard.topleft, card_px)
        words, _ = cut_right(discard, discard.right - card.right - (2 * gap if large else gap))
        if not large:
            words.top, words.height = words.top - gap, words.height + gap  # two lines, close under the round
        canvas.text(view.piles.discard_text, words, NOTE * unit_px, theme.on_header_soft, lines=2)


def _low_middle(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """The same in two rows: the round and how the rounds went, and beside it the pile and the top card."""
    theme = canvas.theme
    if view.phase is None or (not view.piles.pile_text and view.piles.top_discard is None):
        left, right = cut_left(box, box.width)
    else:
        left, right = cut_left(box, round(box.width * LOW_ROUND[theme.large_print]))
    title, below = cut_top(left, round(left.height * (1.0 if view.phase is None else 0.62)))
    canvas.text(view.match.round_text, title, BODY * unit_px, theme.on_header, align=CENTRE, lines=2)
    if view.phase is None:
        return
    if view.match.history:
        _history(canvas, below.inflate(0, -round(4 * unit_px)), view, unit_px)
    else:
        canvas.text(view.match.points_text, below, NOTE * unit_px, theme.on_header_soft, align=CENTRE)
    pile, discard = cut_left(right, round(right.width * (0.42 if theme.large_print else 0.44)))
    if view.piles.pile_text:
        inner = cut_bottom(cut_top(pile, round(6 * unit_px))[1], round(4 * unit_px))[1]
        _count(canvas, inner, view, unit_px, CENTRE)
    if view.piles.top_discard is not None:
        gap = round(4 * unit_px)
        card = draw_card(canvas, view.piles.top_discard, discard.move(gap, 0).topleft, discard.height / CARD_SHAPE)
        words, _ = cut_right(discard, discard.right - card.right - gap)
        canvas.text(view.piles.discard_text, words, NOTE * unit_px, theme.on_header_soft, lines=2)


def _pile(canvas: Canvas, box: pygame.Rect, view: ViewModel, card_px: int, unit_px: float) -> None:
    if canvas.theme.large_print:
        _count(canvas, box, view, unit_px, CENTRE)
        return
    backs = -(-view.piles.pile // 5)
    for layer in range(backs):
        draw_card(canvas, None, (box.right - card_px - (backs - 1 - layer) * BACKS * unit_px, box.top), card_px)
    _, words = cut_right(box, card_px + round(BESIDE_BACKS * unit_px))
    _count(canvas, words, view, unit_px, RIGHT)


def _count(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float, align: float) -> None:
    label, number = cut_bottom(box, round(box.height * 0.5))
    _, number = cut_bottom(number, round(2 * unit_px))
    canvas.number(view.piles.pile, number, canvas.theme.on_header, align=align)
    canvas.text(view.piles.pile_text, label, NOTE * unit_px, canvas.theme.on_header_soft, align=align)


def _history(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """One mark a round, oldest first: a full disc for White, a ring for Black, a dash for a draw."""
    theme = canvas.theme
    step = min(15 * unit_px, box.width / len(view.match.history))
    left = box.centerx - step * (len(view.match.history) - 1) / 2
    radius = max(2.0, min(box.height * 0.46, step * 0.4))
    for number, winner in enumerate(view.match.history):
        centre = (round(left + number * step), box.centery)
        if winner is None:
            dash = pygame.Rect(0, 0, round(radius * 2), max(2, round(radius * 0.5)))
            dash.center = centre
            canvas.surface.fill(theme.on_header_soft, dash)
            continue
        width = 0 if winner is Side.WHITE else max(1, round(radius * 0.4))
        pygame.draw.circle(canvas.surface, theme.on_header, centre, radius, width=width)
