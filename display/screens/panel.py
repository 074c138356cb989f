"""The panel: words and pictures beside the game, above the fencers. A lesson, help, or a round told again.

Lines stand in rows and columns, as large as they fit, and are cut into leaves where they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

import pygame

from display.draw.canvas import (
    BODY,
    CENTRE,
    LEFT,
    NOTE,
    RIGHT,
    Canvas,
    cut_bottom,
    cut_left,
    cut_right,
    cut_top,
    fit,
    line_height,
    text_width,
)
from display.draw.leaves import draw_dots, foot_px, sentences
from display.draw.pictures import sign
from display.draw.theme import Colour, Theme
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.distance import is_true
from display.screens.duel import TASK_UNITS
from display.screens.remedy import SLOTS_SHAPE, draw_remedy, draw_slots
from display.view import AttackView, Mark, PanelLine, PanelView, Tone, ViewModel

MARK_SIGNS: Final = {Mark.NOW: "play", Mark.GOOD: "tick", Mark.BAD: "cross"}
"""What a marked line begins with; a plain one has a dot."""
GAME_SHARE: Final = 0.15
"""How much of the width the distance and an attack take, at the right of the words."""
TITLE_ROW_UNITS: Final = 22
"""How high the first row of the title is."""
PICTURED: Final = 0.62
"""The most of the width that pictures take from the lines."""
PICTURE_SHAPE: Final = (1.2, 1.4)
"""How wide a picture is for its height, and in large print beside lines: what is said under it has little height."""
PICTURES_UNITS: Final = 104
LEAST_UNITS: Final = 52
"""How high pictures are at most, and at least, where under lines that would have no room else."""


def draw_beside(canvas: Canvas, box: pygame.Rect, panel: PanelView, unit: float, *, small_too: bool = True) -> bool:
    """Draws the words, and the pictures under them, on a card no higher than they need: beside what shows all else.

    Without ``small_too`` nothing is drawn, and False given, where they have to be small.
    """
    pad = round(5 * unit)
    words = box.inflate(-2 * pad, -2 * pad)
    inner = _inner(words, unit)
    title_px = _title_px(panel, inner.width, unit, below=True)
    least, most = _sizes(canvas, unit)
    _, body = cut_top(inner, title_px)
    lines, pictured = _split(canvas, body, panel, unit, below=True)
    leaves = fitted_rows(panel.lines, lines, most, least, cuts=True) if panel.lines else []
    if not small_too and any(size < least for size, _ in leaves):
        return False
    if len(leaves) <= 1:
        told_px = max((rows_px(rows) + len(rows) * most for _, columns in leaves for rows in columns), default=0)
        if pictured.width:
            told_px += pictured.height + (body.bottom - pictured.height - lines.bottom if panel.lines else 0)
        words.height = min(words.height, title_px + told_px + words.height - inner.height)
    _words(canvas, words, panel, unit, below=True)
    return True


def draw_panel(
    canvas: Canvas, box: pygame.Rect, view: ViewModel, panel: PanelView, colour: Colour, unit: float
) -> None:
    """Draws the words at the left of the box, the distance and an attack at its right, in ``colour``."""
    pad = round(5 * unit)
    beside = canvas.theme.large_print and view.piste.attack is not None and not view.piste.distance_pending
    share = 2 * GAME_SHARE if beside else GAME_SHARE
    game = pygame.Rect(0, box.top + pad, round(box.width * share), box.height - 2 * pad)
    game.right = box.right - pad
    alone = _is_alone(view, panel)
    right = game.right + pad if alone else game.left
    words = pygame.Rect(box.left + pad, box.top + pad, right - box.left - 2 * pad, box.height - pad)
    _words(canvas, words, panel, unit)
    if not alone:
        _game(canvas, game, view, panel, colour, unit)


def has_distance(view: ViewModel, panel: PanelView) -> bool:
    """Whether the panel says the distance, and the line between the fencers with it."""
    return is_true(view.piste) and not _is_alone(view, panel)


def _is_alone(view: ViewModel, panel: PanelView) -> bool:
    """Whether the words take the whole width: where there is no match, no distance matters."""
    return panel.asks or view.phase is None


def _words(canvas: Canvas, words: pygame.Rect, panel: PanelView, unit: float, *, below: bool = False) -> None:
    """The card with the title, the lines, and the pictures at their right or below them."""
    canvas.panel(words, canvas.theme.card, 7 * unit)
    inner = _inner(words, unit)
    title_px = _title_px(panel, inner.width, unit, below=below)
    title, body = cut_top(inner, title_px)
    _title(canvas, title, panel, unit, below=below)
    lines, pictured = _split(canvas, body, panel, unit, below=below)
    with_pictures = _lines(canvas, lines, panel, unit, body if below and pictured.width else None, below=below)
    if with_pictures is None:
        return
    if panel.lines and with_pictures == body:  # a leaf of their own
        pictured.center = body.center
    if panel.slots:
        draw_slots(canvas, pictured, panel.slots, unit)
    mark = mark_colour(canvas.theme, Mark.NOW)
    for number, picture in enumerate(panel.pictures):
        each = pictured.width // len(panel.pictures)
        tile = pygame.Rect(pictured.left + number * each, pictured.top, each, pictured.height)
        draw_remedy(canvas, tile.inflate(-round(6 * unit), 0), picture, mark, unit)


def _split(
    canvas: Canvas, body: pygame.Rect, panel: PanelView, unit: float, *, below: bool = False
) -> tuple[pygame.Rect, pygame.Rect]:
    """Where the lines are and where the pictures: these have all the room where nothing is said."""
    shape = SLOTS_SHAPE if panel.slots else len(panel.pictures) * PICTURE_SHAPE[canvas.theme.large_print and not below]
    gap = round(6 * unit)
    if below and shape:
        high_px = min(round(body.width / shape), round(PICTURES_UNITS * unit))
        if not panel.slots:
            rows = in_rows(panel.lines, body.width, _sizes(canvas, unit)[0])
            high_px = min(high_px, max(body.height - gap - rows_px(rows or ()), round(LEAST_UNITS * unit)))
        pictured, lines = cut_bottom(body, high_px)
        return cut_bottom(lines, gap)[1], pictured
    high_px = min(body.height, round(PICTURES_UNITS * unit))
    width = min(round(high_px * shape), round(body.width * (PICTURED if panel.lines else 1.0)))
    pictured, lines = cut_right(body, width)
    pictured.height = high_px
    if not width or not panel.lines:
        pictured.center = body.center
        return body, pictured
    return cut_right(lines, gap)[1], pictured


def _inner(words: pygame.Rect, unit: float) -> pygame.Rect:
    return words.inflate(-2 * round(8 * unit), -2 * round(3 * unit))


def _heading(panel: PanelView, width: int, unit: float, *, below: bool) -> tuple[int, bool]:
    """In how many rows the title stands, and whether the page has a row of its own under it.

    ``below``: beside a table, where there is little room across.
    """
    if not below:
        return 1, False
    size, page_px = round(BODY * unit), 0
    if panel.page:
        page_px = text_width(panel.page, round(NOTE * unit), heavy=True) + round(6 * unit)
    for rows, under in ((1, False), (2, False), (1, True)):
        if fit(panel.title, width - (0 if under else page_px), size * 100, size, size, rows, heavy=True) is not None:
            return rows, under and bool(panel.page)
    return 2, bool(panel.page)


def _title_px(panel: PanelView, width: int, unit: float, *, below: bool) -> int:
    rows, under = _heading(panel, width, unit, below=below)
    more = (rows - 1) * line_height(round(BODY * unit)) + under * line_height(round(NOTE * unit))
    return round(TITLE_ROW_UNITS * unit) + more


def _sizes(canvas: Canvas, unit: float) -> tuple[int, int]:
    """The least and the largest size of the lines: in large print the least is larger than the largest else."""
    least = max(canvas.note_px, round(NOTE * unit))
    return least, max(least, round(BODY * unit))


def _title(canvas: Canvas, box: pygame.Rect, panel: PanelView, unit: float, *, below: bool) -> None:
    """What this is, and at the right, or under it, which page of how many."""
    theme = canvas.theme
    rows, under = _heading(panel, box.width, unit, below=below)
    if panel.page:
        size = max(canvas.note_px, round(NOTE * unit))
        page, rest = cut_right(box, min(text_width(panel.page, size, heavy=True) + 2, box.width // 2))
        if under:
            page, _ = cut_bottom(page, line_height(size))
            _, box = cut_bottom(box, line_height(size))
        else:
            page.height, box = max(line_height(size), round(TITLE_ROW_UNITS * unit)), rest
        canvas.text(panel.page, page, size, theme.ink_soft, align=RIGHT, heavy=True)
    canvas.text(panel.title, box, BODY * unit, theme.attack, lines=rows, shorten=True, heavy=True)


def _lines(
    canvas: Canvas, box: pygame.Rect, panel: PanelView, unit: float, whole: pygame.Rect | None, *, below: bool
) -> pygame.Rect | None:
    """All lines as large as they fit; where they do not even so, on leaves, of which one is shown, with a dot each.

    ``below``: beside a table, where a line too much for a leaf is cut. ``whole``: with the room that is kept for
    pictures under the lines, which in large print have a leaf of their own where there are several. Gives the room of
    the leaf that is shown; None where pictures have no place on it.
    """
    if not panel.lines or box.width <= 0:
        return box
    least, most = _sizes(canvas, unit)
    leaves = fitted_rows(panel.lines, box, most, least, cuts=below)
    apart = whole is not None and canvas.theme.large_print and len(leaves) > 1
    if whole is not None and apart:
        leaves, box = fitted_rows(panel.lines, whole, most, least, cuts=True, more=True), whole
    shown = panel.turned % (len(leaves) + apart)
    dots_px = foot_px(least) if len(leaves) + apart > 1 else 0
    if dots_px:
        draw_dots(canvas, cut_bottom(box, dots_px)[0], len(leaves) + apart, panel.turned)
        canvas.turns.append(box)
    if shown == len(leaves):
        return box
    size, columns = leaves[shown]
    width = column_width(box, len(columns), size)
    for number, rows in enumerate(columns):
        left = box.right - width if number else box.left
        gap = min((box.height - dots_px - rows_px(rows)) / (len(rows) + 1), size * 0.6)
        top = box.top + max(0.0, gap / 2)
        for row in rows:
            _line(canvas, pygame.Rect(left, round(top), width, row.height_px), row, size)
            top += row.height_px + gap
    return None if apart else box


def _line(canvas: Canvas, box: pygame.Rect, row: PanelRow, size: int) -> None:
    """Sign, cards, words; all begin at the first row of a long line, or the words under the cards."""
    theme, line = canvas.theme, row.line
    colour = mark_colour(theme, line.mark)
    over_px = round(size * OVER) if row.under else 0
    middle = box.top + (over_px // 2 if row.under else (row.height_px - (row.rows - 1) * line_height(size)) // 2)
    mark_px = max(7, round(size * 0.8))
    name = MARK_SIGNS.get(line.mark)
    if name is not None:
        canvas.blit(sign(name, mark_px, colour), midleft=(box.left, middle))
    else:
        dot = max(2, round(size * 0.12))
        pygame.draw.circle(canvas.surface, theme.ink_soft, (box.left + mark_px // 2, middle), dot)
    card = pygame.Rect(box.left + sign_px(size), 0, card_px(size), round(size * 1.08))
    card.centery = middle
    for held in line.cards:
        _small_card(canvas, card, held.value, size)
        card = card.move(card.width + card_gap(size), 0)
    before = sign_px(size) if row.under else before_px(line, size)
    _, words = cut_left(cut_top(box, over_px)[1], before)
    least = size if theme.large_print else None  # in large print a move is rather torn in two than small
    canvas.text(line.text, words, size, colour, align=LEFT, valign=CENTRE, lines=row.rows, least_px=least)


def _small_card(canvas: Canvas, box: pygame.Rect, value: int, size: int) -> None:
    theme = canvas.theme
    canvas.panel(box, theme.ink, box.width * 0.2)
    inner = box.inflate(-2, -2)
    canvas.panel(inner, theme.card, inner.width * 0.18)
    canvas.text(str(value), inner, size * 0.9, theme.ink, align=CENTRE)


def mark_colour(theme: Theme, mark: Mark) -> Colour:
    """The colour of a line and its sign on the panel's ground; a sign says the same without colour."""
    if mark is Mark.NOW:
        return theme.bands[Tone.PREVIEW].mark
    if mark is Mark.GOOD:
        return theme.bands[Tone.LEGAL].mark
    if mark is Mark.BAD:
        return theme.attack
    return theme.ink


def _game(canvas: Canvas, box: pygame.Rect, view: ViewModel, panel: PanelView, colour: Colour, unit: float) -> None:
    """The distance with its word, and below it, or in large print beside it, an attack that waits for its answer.

    It is no larger than a task of which the band speaks.
    """
    attack = None if view.piste.distance_pending else view.piste.attack
    share = 0.34 if attack is not None else 0.5
    beside = box
    if canvas.theme.large_print:
        share = 0.64
        if attack is not None:
            box, beside = cut_left(box, box.width // 2)
    high_px = round(min(box.height * share, TASK_UNITS * unit if panel.task else box.height))
    number, below = cut_top(cut_top(box, round(4 * unit))[1], high_px)
    label, below = cut_top(cut_top(below, round(2 * unit))[1], round(20 * unit))
    if has_distance(view, panel):
        canvas.number(view.piste.distance, number.inflate(-round(box.width * 0.16), 0), colour)
        canvas.text(view.piste.distance_text, label, NOTE * unit, canvas.theme.ink_soft, align=CENTRE)
    if attack is not None:
        _attack(canvas, below if beside is box else beside, attack, unit)


def _attack(canvas: Canvas, box: pygame.Rect, attack: AttackView, unit: float) -> None:
    card_px = min(box.height * 0.45 / CARD_SHAPE, box.width / (1.1 * attack.count), 30 * unit)
    left = box.centerx - attack.count * card_px * 1.1 / 2
    for number in range(attack.count):
        draw_value_card(canvas, attack.value, (left + number * card_px * 1.1, box.top + unit), card_px)
    _, words = cut_top(box, round(card_px * CARD_SHAPE + 2 * unit))
    canvas.text(attack.text, words, NOTE * unit, canvas.theme.attack, align=CENTRE, lines=3)


MIN_PX: Final = 9
"""No line is ever smaller than so many pixels."""
MAX_ROWS: Final = 8
"""No line of the panel is longer than so many rows."""
COLUMN_SIZES: Final = 14
"""Lines stand in two columns only where a column is at least so many times as wide as its letters are high."""
BESIDE_SIZES: Final = 7
"""Words stand beside cards only with at least so many times the height of their letters in width; else under them."""
OVER: Final = 1.35
"""How high a row of cards over their words is, in sizes of these."""
AIR: Final = 0.1
"""Lines closer than so much of their size stand close."""
MANY: Final = 4
"""Fewer lines are never in two columns for that."""


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A line of a panel as it is going to be drawn: in how many rows, and how high."""

    line: PanelLine
    rows: int
    height_px: int
    under: bool = False
    """The words stand under the cards."""


RowColumns: TypeAlias = Sequence[Sequence[PanelRow]]
_Leaf: TypeAlias = tuple[int, RowColumns]
"""How large it is written, and its columns."""


def fitted_rows(
    lines: Sequence[PanelLine], box: pygame.Rect, size: int, least: int, *, cuts: bool, more: bool = False
) -> Sequence[_Leaf]:
    """The largest size at which all lines fit, and the lines in columns; else as few leaves of them as the least size
    takes, at the largest size that takes no more and tears no two things to do that could stand on one leaf.

    A line that is too much for a leaf of its own is cut between its sentences, if ``cuts``; else as small as it has to
    be. ``more``: there is another leaf, so that these leave room for dots.
    """
    for tried in range(size, least - 1, -1):
        columns = _in_columns(lines, box, tried, box.height - (foot_px(least) if more else 0))
        if columns is not None:
            return [(tried, columns)]
    height_px = box.height - foot_px(least)
    leaves = _leaves(lines, box, least, height_px, cuts=cuts)
    for tried in range(size, least, -1):
        larger = _leaves(lines, box, tried, height_px, cuts=False)
        whole = len(larger) == len(leaves) and all(used == tried for used, _ in larger)
        if whole and _torn(larger) <= _torn(leaves):
            return larger
    return leaves


def _torn(leaves: Sequence[_Leaf]) -> int:
    """How often a leaf ends between two things to do, such as the two buttons of an answer."""
    ends = ((before[-1][-1].line.mark, after[0][0].line.mark) for (_, before), (_, after) in pairwise(leaves))
    return sum(marks == (Mark.NOW, Mark.NOW) for marks in ends)


def _leaves(lines: Sequence[PanelLine], box: pygame.Rect, size: int, height_px: int, *, cuts: bool) -> list[_Leaf]:
    """Leaf after leaf of this size, as many lines on each as it holds; a line alone is cut or, else, may be smaller."""
    leaves: list[_Leaf] = []
    rest = list(lines)
    while rest:
        if cuts and _in_columns(rest[:1], box, size, height_px) is None:
            rest[:1] = _cut(rest[0], box, size, height_px)
        tries = ((size, count) for count in range(len(rest), 0, -1))
        for tried, count in (*tries, *((smaller, 1) for smaller in range(size - 1, MIN_PX - 1, -1))):
            columns = _in_columns(rest[:count], box, tried, height_px)
            if columns is not None:
                break
        else:
            tried, count, columns = MIN_PX, 1, [[PanelRow(rest[0], MAX_ROWS, height_px)]]
        leaves.append((tried, columns))
        del rest[:count]
    return leaves


def _cut(line: PanelLine, box: pygame.Rect, size: int, height_px: int) -> list[PanelLine]:
    """A line too much for a leaf as two, the first with as many of its sentences as a leaf holds; else as it is."""
    told = sentences(line.text)
    for count in range(len(told) - 1, 0, -1):
        first = replace(line, text=" ".join(told[:count]))
        if _in_columns([first], box, size, height_px) is not None:
            return [first, replace(line, text=" ".join(told[count:]), cards=())]
    return [line]


def _in_columns(lines: Sequence[PanelLine], box: pygame.Rect, size: int, height_px: int) -> RowColumns | None:
    """The lines in one column or, where that is too high, in two, read down and then across; None if both are.

    In two also where one column stands close and each line is a row of a half.
    """
    one = in_rows(lines, box.width, size)
    if one is not None and rows_px(one) > height_px:
        one = None
    if one is not None and rows_px(one) + AIR * size * len(one) <= height_px:
        return [one]
    width = column_width(box, 2, size)
    rows = in_rows(lines, width, size) if width >= COLUMN_SIZES * size else None
    if rows is None or len(rows) < (MANY if one is not None else 2):
        return None if one is None else [one]
    if one is not None and any(row.rows > 1 for row in rows):
        return [one]
    split = min(range(len(rows) - 1, 0, -1), key=lambda at: max(rows_px(rows[:at]), rows_px(rows[at:])))
    both = [rows[:split], rows[split:]]
    return both if max(map(rows_px, both)) <= height_px else None


def column_width(box: pygame.Rect, columns: int, size: int) -> int:
    return box.width if columns == 1 else (box.width - 2 * size) // 2


def rows_px(rows: Sequence[PanelRow]) -> int:
    return sum(row.height_px for row in rows)


def in_rows(lines: Sequence[PanelLine], width_px: int, size: int) -> list[PanelRow] | None:
    """How high each line is at this size; None when a single word is too wide."""
    rows = []
    for line in lines:
        under = bool(line.cards) and width_px - before_px(line, size) < BESIDE_SIZES * size
        room = width_px - (sign_px(size) if under else before_px(line, size))
        fitted = fit(line.text, room, size * 100, size, size, MAX_ROWS) if room > 0 else None
        if fitted is None:
            return None
        count = len(fitted[1])
        air = size // 3 if line.cards and count == 1 else 0  # cards beside several rows have room below them
        height = count * line_height(size) + air + (round(size * OVER) if under else 0)
        rows.append(PanelRow(line, count, height, under))
    return rows


def card_px(size: int) -> int:
    """How wide a pictured card is beside text of this size."""
    return round(size * 0.86)


def before_px(line: PanelLine, size: int) -> int:
    """What stands before the words: the sign and the cards."""
    cards = len(line.cards) * (card_px(size) + card_gap(size)) + size // 3 if line.cards else 0
    return sign_px(size) + cards


def sign_px(size: int) -> int:
    """What the sign takes of the width."""
    return round(size * 1.1)


def card_gap(size: int) -> int:
    return max(1, size // 10)
