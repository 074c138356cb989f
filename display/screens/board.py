"""A position to play on by tapping: names and score, open hands, piste, cards to tap, and the turns they may be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from display.draw.canvas import (
    BODY,
    CENTRE,
    LEAD,
    LEFT,
    NOTE,
    RIGHT,
    TITLE,
    Canvas,
    cut_bottom,
    cut_left,
    cut_right,
    cut_top,
    text_width,
)
from display.draw.leaves import draw_leaves, sentences
from display.draw.pictures import sign
from display.draw.theme import Colour, Theme, mix
from display.menu.model import Act, Board, Item, Menu, Page, is_card, is_way, kind_of
from display.screens.areas import track
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.distance import draw_distance, is_true
from display.screens.duel import COLUMN, NEAR, PITCHES_HIGH, WIDE_COLUMN, draw_beside, framed, is_low
from display.screens.piste import draw_fencers, draw_piste, mark_space
from display.view import Mark, Tone
from display.words.sentences import score_text
from engine.rules.track import Side
from engine.table.possible_turns import Values

Touched = tuple[pygame.Rect, int]
"""Where a line of the page was drawn, and which it is."""
STAGE: Final = (0.45, 0.4)
STAGE_HANDS: Final = (0.38, 0.295)
STAGE_ALONE: Final = (0.55, 0.5)
"""How much of what is above the buttons has the piste, and in large print; beside hands that are shown; without cards
to tap."""
FENCERS: Final = (0.58, 0.38)
FENCERS_HANDS: Final = (0.5, 0.3)
"""The share of the stage above the piste for a fencer, likewise: the distance above has the rest."""
FENCERS_ALONE: Final = 0.72
"""And without a distance above."""
FOOT: Final = (58, 50)
"""How many units the buttons have along the foot, likewise: two lines in large print, or one."""
STRIP: Final = (54, 48)
"""And the open hands over the stage."""
ASKED: Final = 37
ASKED_HANDS: Final = (50, 42)
"""And what is asked under the piste: two lines where hands are shown."""
OWED: Final = (34, 27)
BARE: Final = (6, 3)
"""And the parry that is owed, under the cards; and nothing, under them."""
CARDS: Final = 0.51
"""How much of the width the cards have beside the turns."""
WAYS_ASIDE: Final = (14, 7)
"""How many units are free at both sides of the turns: large print needs the room for their words."""
BETWEEN: Final = (8, 5)
"""How many units between them: in large print they are no smaller for the larger margins."""
FENCERS_NEAR: Final = 0.96
"""And where they are seen from near, the distance beside them."""
_WAYS_A_COLUMN: Final = 3


def draw_board(
    canvas: Canvas, body: pygame.Rect, page: Page, board: Board, menu: Menu, unit_px: float, turned: int = 0
) -> list[Touched]:
    """Draws the page into ``body``, all of it, and gives where its lines are. ``turned``: leaves of a long solution."""
    if board.plain:
        return _draw_plain(canvas, body, page, board, menu, unit_px)
    large = canvas.theme.large_print
    foot, above = cut_bottom(body, round(FOOT[large] * unit_px))
    strip, rest = cut_top(above, round(STRIP[large] * unit_px) if board.hands else 0)
    cards = [number for number, item in enumerate(page.items) if is_card(item.key)]
    share = (STAGE_HANDS if board.hands else STAGE)[large] if cards else STAGE_ALONE[large] - strip.height / body.height
    fencers = (FENCERS_HANDS if board.hands else FENCERS)[large] if board.piste.distance_text else FENCERS_ALONE
    stage, rest = cut_top(rest, round(above.height * share))
    pad = round(14 * unit_px)
    asked_px = LEAD * unit_px
    long = large and bool(cards) and text_width(board.ask, round(asked_px), heavy=True) > body.width - 2 * pad
    asked = ASKED_HANDS[large] if board.hands or long else ASKED
    said, hands = cut_top(rest, round(asked * unit_px))
    _draw_stage(canvas, stage, board, fencers, unit_px)
    inner = said.inflate(-2 * pad, -2 * round(4 * unit_px) if board.hands else 0)  # clear of the piste and the cards
    lines = 2 if (board.hands or long) and cards else 1
    canvas.text(board.ask, inner, asked_px, canvas.theme.ink, lines=lines, shorten=True, heavy=True)
    if board.hands:
        draw_strip(canvas, strip, board, unit_px)
    keys = [item.key for item in page.items]
    ways = [n for n, key in enumerate(keys) if is_way(key) and isinstance(key, Act) and isinstance(key.which, int)]
    buttons = [number for number in range(len(page.items)) if number not in (*cards, *ways)]
    if not cards:
        told, sizes = hands.inflate(-2 * pad, -pad), (NOTE * unit_px, BODY * unit_px)
        colour = _told_colour(canvas.theme, board)
        draw_leaves(canvas, told, sentences(board.told), sizes, colour, turned, apart=False, valign=0.3)
        return _draw_buttons(canvas, foot, page, buttons, menu, unit_px)
    left, right = cut_left(cut_left(hands, pad)[1], round(hands.width * CARDS) - pad)
    right = right.inflate(-2 * round(WAYS_ASIDE[large] * unit_px), 0)
    touched = _draw_cards(canvas, left, page, cards, board, menu, unit_px)
    touched += _draw_ways(canvas, right, page, ways, board, menu, unit_px)
    return touched + _draw_buttons(canvas, foot, page, buttons, menu, unit_px)


def _draw_stage(canvas: Canvas, stage: pygame.Rect, board: Board, share: float, unit_px: float) -> None:
    """The piste with fencers who have this share of the stage above it, and the distance over them."""
    piste = track(stage, unit_px, canvas.theme.print_scale)
    stands = board.piste.fencers.white.space, board.piste.fencers.black.space
    first, last = min(*stands, *board.spaces), max(*stands, *board.spaces)
    near = bool(board.piste.distance_text) and stands[0] < stands[1] and last - first <= NEAR and is_true(board.piste)
    if near:
        share = FENCERS_NEAR
        piste = framed(piste, (first, last), WIDE_COLUMN if is_low(piste, unit_px) else COLUMN)
    height_px = round(min((piste.stand_y - stage.top) * share, piste.pitch_px * PITCHES_HIGH))
    draw_piste(canvas, piste, board.piste)
    for space in board.spaces:
        mark_space(canvas, piste, space, canvas.theme.bands[Tone.PREVIEW].mark)
    upper, _ = cut_top(stage, piste.stand_y - height_px - stage.top - round(2 * unit_px))
    theme = canvas.theme
    colour = theme.bands[Tone.PREVIEW].mark if board.piste.distance_pending else theme.ink
    if board.piste.attack is not None:
        colour = theme.attack
    if near:
        draw_beside(canvas, stage, piste, board.piste, colour, unit_px)
    elif board.piste.distance_text:
        draw_distance(canvas, upper, piste, board.piste, colour, unit_px)
    draw_fencers(canvas, piste, board.piste, height_px, 1.0)


def _draw_cards(
    canvas: Canvas, box: pygame.Rect, page: Page, cards: Sequence[int], board: Board, menu: Menu, unit_px: float
) -> list[Touched]:
    """The cards to tap, and under them what was tapped and what the attack demands."""
    row_px = round((OWED[canvas.theme.large_print] if board.owed_text else BARE[canvas.theme.large_print]) * unit_px)
    gap = round(BETWEEN[canvas.theme.large_print] * unit_px)
    card_px = min((box.width - gap * (len(cards) - 1)) // len(cards), round((box.height - row_px - gap) / CARD_SHAPE))
    touched: list[Touched] = []
    left = box.left
    counted: dict[int, int] = {}
    for number in cards:
        key = page.items[number].key
        assert isinstance(key, Act)
        value = int(key.which) if isinstance(key.which, int) else 0
        counted[value] = counted.get(value, 0) + 1
        single = bool(board.hands)
        count = board.named.count(value) + (board.owed.count(value) if single else 0)
        laid = count >= counted[value] if single else bool(count)
        place = pygame.Rect(left, box.top + (round(3 * unit_px)), card_px, round(card_px * CARD_SHAPE))
        usable = value in board.usable or laid
        _draw_card(canvas, place, value, laid=laid, usable=usable, chosen=menu.here.at == number, unit_px=unit_px)
        if count > 1 and not single:
            _badge(canvas, place, f"\u00d7{count}", unit_px)
        touched.append((place, number))
        left += card_px + gap
    below, _ = cut_bottom(box, row_px)
    _draw_laid(canvas, cut_bottom(below, round(3 * unit_px))[1], board, unit_px)
    return touched


def _draw_card(
    canvas: Canvas, place: pygame.Rect, value: int, *, laid: bool, usable: bool, chosen: bool, unit_px: float
) -> None:
    theme = canvas.theme
    if chosen or laid:
        ring = place.inflate(round(7 * unit_px), round(7 * unit_px))
        colour = theme.bands[Tone.PREVIEW].mark if laid else theme.gold
        edge = (theme.gold, max(2, round(3 * unit_px))) if chosen and laid else None
        canvas.panel(ring, colour, 9 * unit_px, edge)
    draw_value_card(canvas, value, place.topleft, place.width)
    if not usable:
        veil = pygame.Surface(place.size, pygame.SRCALPHA)
        pygame.draw.rect(veil, (*theme.paper, 185), veil.get_rect(), border_radius=round(place.width * 0.12))
        canvas.surface.blit(veil, place)


def _badge(canvas: Canvas, place: pygame.Rect, text: str, unit_px: float) -> None:
    box = pygame.Rect(0, 0, round(30 * unit_px), round(24 * unit_px))
    box.midbottom = place.centerx, place.bottom + round(2 * unit_px)
    theme = canvas.theme
    canvas.panel(box, theme.bands[Tone.PREVIEW].mark, 8 * unit_px)
    canvas.text(text, box, BODY * unit_px, theme.card, align=CENTRE)


def _draw_laid(canvas: Canvas, box: pygame.Rect, board: Board, unit_px: float) -> None:
    """The parry that is owed, as small cards with a shield's word before them."""
    if not board.owed:
        return
    theme = canvas.theme
    card_px = round(box.height / CARD_SHAPE)
    drawn = canvas.text(board.owed_text, cut_left(box, round(box.width * 0.4))[0], BODY * unit_px, theme.attack)
    left = drawn.right + round(8 * unit_px)
    for number, value in enumerate(board.owed):
        draw_value_card(canvas, value, (left + number * round(card_px * 1.15), box.top), card_px)


def _draw_ways(
    canvas: Canvas, box: pygame.Rect, page: Page, ways: Sequence[int], board: Board, menu: Menu, unit_px: float
) -> list[Touched]:
    """The turns to choose from; without any, what there is to know."""
    if not ways:
        _tell(canvas, box, board, unit_px)
        return []
    columns = 1 if len(ways) <= _WAYS_A_COLUMN else 2
    rows = -(-len(ways) // columns)
    told_px = 0
    if board.told and board.mark is Mark.BAD:
        told_px = round(box.height * 0.26)
        _tell(canvas, cut_bottom(box, told_px)[0], board, unit_px)
    row_px = min(round(47 * unit_px), (box.height - told_px) // rows)
    cell_px = box.width // columns
    touched: list[Touched] = []
    for place, number in enumerate(ways):
        row, column = divmod(place, columns)
        cell = pygame.Rect(box.left + column * cell_px, box.top + row * row_px, cell_px, row_px)
        cell = cell.inflate(-round(6 * unit_px), -round((2 if canvas.theme.large_print else 5) * unit_px))
        _draw_choice(canvas, cell, page.items[number], menu.here.at == number, unit_px)
        touched.append((cell, number))
    return touched


def _draw_choice(canvas: Canvas, box: pygame.Rect, item: Item, at: bool, unit_px: float) -> None:
    """A turn to choose: the chosen one filled and ticked, so that colour is not all that tells."""
    theme = canvas.theme
    chosen = bool(item.value)
    ground = theme.bands[Tone.PREVIEW].mark if chosen else theme.card
    ink = theme.card if chosen else theme.ink
    _plate(canvas, box, ground, at, unit_px)
    edge = round((3 if theme.large_print else 4.5) * unit_px)
    text = box.inflate(-2 * edge, 0)
    if chosen:
        mark_px = round(box.height * (0.2 if theme.large_print else 0.28))
        canvas.blit(sign("tick", mark_px, ink), midleft=(text.right - mark_px, box.centery))
        text.width -= mark_px + edge
    canvas.text(item.text, text, BODY * unit_px, ink, lines=2, shorten=True)


def _plate(canvas: Canvas, box: pygame.Rect, ground: Colour, at: bool, unit_px: float) -> None:
    theme = canvas.theme
    edge = (theme.gold, max(2, round(3 * unit_px))) if at else (mix(ground, theme.ink, 0.22), 1)
    canvas.panel(box, ground, 8 * unit_px, edge)


def _tell(canvas: Canvas, box: pygame.Rect, board: Board, unit_px: float) -> None:
    colour = _told_colour(canvas.theme, board)
    canvas.text(board.told, box, BODY * unit_px, colour, lines=5, valign=0.3, shorten=True)


def _told_colour(theme: Theme, board: Board) -> Colour:
    return {Mark.BAD: theme.attack, Mark.GOOD: theme.bands[Tone.LEGAL].mark}.get(board.mark, theme.ink_soft)


def _draw_buttons(
    canvas: Canvas, foot: pygame.Rect, page: Page, buttons: Sequence[int], menu: Menu, unit_px: float
) -> list[Touched]:
    """The buttons along the foot; the one that goes on is the largest, and stands at the right."""
    theme = canvas.theme
    canvas.surface.fill(theme.header, foot)
    touched: list[Touched] = []
    ending = [number for number in buttons if kind_of(page.items[number].key) in _ENDING]
    others = [number for number in buttons if number not in ending]
    pad = round(5 * unit_px)
    last, _ = cut_right(foot, round(foot.width * 0.4))
    width = (foot.width - last.width) / max(1, len(others))
    if not ending and not any(is_card(item.key) for item in page.items):
        width = foot.width / max(1, len(others))
    for place, number in enumerate(others):
        box = pygame.Rect(foot.left + round(place * width), foot.top, round(width), foot.height).inflate(-pad, -2 * pad)
        item = page.items[number]
        ground = theme.bands[Tone.PREVIEW].mark if item.value else theme.header_active
        _plate(canvas, box, ground, menu.here.at == number, unit_px)
        text = box.inflate(-round(12 * unit_px), 0)
        canvas.text(item.text, text, BODY * unit_px, theme.on_header, align=CENTRE, lines=2, shorten=True)
        touched.append((box, number))
    for number in ending:
        box = last.inflate(-pad, -2 * pad)
        _plate(canvas, box, theme.bands[Tone.LEGAL].mark, menu.here.at == number, unit_px)
        mark_px = round(box.height * 0.5)
        image = sign("tick", mark_px, theme.card)
        text = pygame.Rect(box.left + 2 * mark_px, box.top, box.width - round(2.6 * mark_px), box.height)
        drawn = canvas.text(page.items[number].text, text, LEAD * unit_px, theme.card, align=CENTRE, heavy=True)
        canvas.surface.blit(image, (drawn.left - round(mark_px * 1.4), box.centery - mark_px // 2))
        touched.append((box, number))
    return touched


_ENDING: Final = (Act("turn"), Act("reveal"), Act("round"), Act("answer"), Act("next_puzzle"))
"""What a page is for: its largest button."""


def _draw_plain(
    canvas: Canvas, body: pygame.Rect, page: Page, board: Board, menu: Menu, unit_px: float
) -> list[Touched]:
    """Two large fields to tap, one for each player, with the points in them."""
    theme = canvas.theme
    foot, above = cut_bottom(body, round(58 * unit_px))
    pad = round(12 * unit_px)
    ask, fields = cut_top(above.inflate(-2 * pad, 0), round(48 * unit_px))
    canvas.text(board.ask, ask, LEAD * unit_px, theme.ink, align=CENTRE, shorten=True, heavy=True)
    _, fields = cut_bottom(fields, pad)
    touched: list[Touched] = []
    points = [number for number, item in enumerate(page.items) if kind_of(item.key) == Act("point")]
    for side in Side:
        box, _ = (cut_left if side is Side.WHITE else cut_right)(fields, (fields.width - pad) // 2)
        number = next((each for each in points if page.items[each].key == Act("point", side)), None)
        _draw_points(canvas, box, board, side, page.items[number].text if number is not None else "", unit_px)
        if number is not None:
            if menu.here.at == number:
                pygame.draw.rect(canvas.surface, theme.gold, box, max(3, round(4 * unit_px)), round(14 * unit_px))
            touched.append((box, number))
    others = [number for number in range(len(page.items)) if number not in points]
    return touched + _draw_buttons(canvas, foot, page, others, menu, unit_px)


def _draw_points(canvas: Canvas, box: pygame.Rect, board: Board, side: Side, text: str, unit_px: float) -> None:
    theme = canvas.theme
    figure = theme.figures[side]
    ink = theme.ink if side is Side.WHITE else theme.card
    canvas.panel(box, figure.cloth, 14 * unit_px, (figure.accent, max(2, round(3 * unit_px))))
    name, rest = cut_top(cut_top(box, round(10 * unit_px))[1], round(36 * unit_px))
    aside_px = -round(24 * unit_px)
    canvas.text(
        board.names[side], name.inflate(aside_px, 0), LEAD * unit_px, ink, align=CENTRE, shorten=True, heavy=True
    )
    below, rest = cut_bottom(rest, round(46 * unit_px))
    below.height = round(38 * unit_px)
    canvas.text(text, below.inflate(aside_px, 0), BODY * unit_px, ink, align=CENTRE, lines=2, shorten=True)
    digits = rest.inflate(-round(box.width * 0.2), 0)
    digits.top, digits.height = rest.top + round(8 * unit_px), rest.height - round(16 * unit_px)
    canvas.number(board.score[side], digits, ink)


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
