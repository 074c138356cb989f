"""The panel: words and pictures beside the game, above the fencers. A lesson, help, or a round told again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import pygame

from display.draw.canvas import CENTRE, LEFT, RIGHT, Canvas, fit, line_height, text_width
from display.draw.leaves import draw_dots, foot_px
from display.draw.theme import Colour, Theme
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.distance import is_true
from display.screens.remedy import draw_remedy
from display.screens.signs import sign
from display.screens.slots import SLOTS_SHAPE, draw_slots
from display.view import AttackView, Mark, PanelLine, PanelView, Tone, ViewModel

MARK_SIGNS: Final = {Mark.NOW: "play", Mark.GOOD: "tick", Mark.BAD: "cross"}
"""What a marked line begins with; a plain one has a dot."""
GAME_SHARE: Final = 0.15
"""How much of the width the distance and an attack take, at the right of the words."""
LARGEST_UNITS: Final = 23
PAGE_UNITS: Final = 17
"""Which page this is, beside the title, which has the room that is left."""
LEAST_UNITS: Final = 17
LEAST_PX: Final = 9
"""Lines are written as large as they fit, between these: units of the screen, and never smaller than so many pixels."""
LEAST_UNITS_LARGE: Final = 19
"""In large print, where a unit is larger too: no line is ever smaller than the largest in usual print."""
MOST_ROWS: Final = 6
"""No line of the panel is longer than so many rows."""
COLUMN_SIZES: Final = 14
"""Lines stand in two columns only where a column is at least so many times as wide as its letters are high."""
AIR: Final = 0.1
"""Lines closer than so much of their size stand close."""
MANY: Final = 4
"""Fewer lines are never in two columns for that."""
PICTURED: Final = 0.62
"""The most of the width that pictures take from the lines."""
PICTURE_SHAPE: Final = 1.2
"""How wide a picture is for its height."""
PICTURES_UNITS: Final = 92
"""How high pictures are at most."""
TASK_UNITS: Final = 24
"""How tall the distance is at most where the band says a task."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of the panel as it is going to be drawn."""

    line: PanelLine
    rows: int
    height_px: int


_Columns = Sequence[Sequence[_Row]]


def draw_beside(canvas: Canvas, box: pygame.Rect, panel: PanelView, unit: float) -> None:
    """Draws the words, and the pictures under them, on a card no higher than they need: beside a table that shows all
    else."""
    pad = round(5 * unit)
    words = box.inflate(-2 * pad, -2 * pad)
    inner, title_px = _inner(words, unit)
    least, most = _sizes(canvas.theme, unit)
    body = pygame.Rect(inner.left, 0, inner.width, inner.height - title_px)
    lines, pictured = _split(body, panel, unit, below=True)
    leaves = _fitted(panel.lines, lines, most, least)
    if len(leaves) <= 1:
        rows_px = max((_height(rows) + len(rows) * most for _, columns in leaves for rows in columns), default=0)
        if pictured.width:
            rows_px += pictured.height + (body.bottom - pictured.height - lines.bottom if panel.lines else 0)
        words.height = min(words.height, title_px + rows_px + words.height - inner.height)
    _words(canvas, words, panel, unit, below=True)


def draw_panel(
    canvas: Canvas, box: pygame.Rect, view: ViewModel, panel: PanelView, colour: Colour, unit: float
) -> None:
    """Draws the words at the left of the box, the distance and an attack at its right, in ``colour``."""
    pad = round(5 * unit)
    beside = canvas.theme.large_print and view.attack is not None and not view.distance_pending
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
    return is_true(view) and not _is_alone(view, panel)


def _is_alone(view: ViewModel, panel: PanelView) -> bool:
    """Whether the words take the whole width: where there is no match, no distance matters."""
    return panel.asks or view.phase is None


def _words(canvas: Canvas, words: pygame.Rect, panel: PanelView, unit: float, *, below: bool = False) -> None:
    """The card with the title, the lines, and the pictures at their right or below them."""
    canvas.panel(words, canvas.theme.card, 7 * unit)
    inner, title_px = _inner(words, unit)
    _title(canvas, pygame.Rect(inner.left, inner.top, inner.width, title_px), panel, unit)
    body = pygame.Rect(inner.left, inner.top + title_px, inner.width, inner.height - title_px)
    lines, pictured = _split(body, panel, unit, below=below)
    _lines(canvas, lines, panel, unit)
    if panel.slots:
        draw_slots(canvas, pictured, panel.slots, unit)
    mark = mark_colour(canvas.theme, Mark.NOW)
    for number, picture in enumerate(panel.pictures):
        each = pictured.width // len(panel.pictures)
        tile = pygame.Rect(pictured.left + number * each, pictured.top, each, pictured.height)
        draw_remedy(canvas, tile.inflate(-round(6 * unit), 0), picture, mark, unit)


def _split(body: pygame.Rect, panel: PanelView, unit: float, *, below: bool = False) -> tuple[pygame.Rect, pygame.Rect]:
    """Where the lines are and where the pictures: these have all the room where nothing is said."""
    shape = SLOTS_SHAPE if panel.slots else len(panel.pictures) * PICTURE_SHAPE
    gap = round(6 * unit)
    if below and shape:
        high_px = min(round(body.width / shape), round(PICTURES_UNITS * unit))
        pictured = pygame.Rect(body.left, body.bottom - high_px, body.width, high_px)
        return pygame.Rect(body.left, body.top, body.width, pictured.top - gap - body.top), pictured
    high_px = min(body.height, round(PICTURES_UNITS * unit))
    width = min(round(high_px * shape), round(body.width * (PICTURED if panel.lines else 1.0)))
    pictured = pygame.Rect(body.right - width, body.top, width, high_px)
    if not width or not panel.lines:
        pictured.center = body.center
        return body, pictured
    return pygame.Rect(body.left, body.top, pictured.left - body.left - gap, body.height), pictured


def _inner(words: pygame.Rect, unit: float) -> tuple[pygame.Rect, int]:
    """What of the card is written on, and how high its title is."""
    return words.inflate(-2 * round(8 * unit), -2 * round(3 * unit)), round(22 * unit)


def _sizes(theme: Theme, unit: float) -> tuple[int, int]:
    """The least and the largest size of the lines."""
    least = max(LEAST_PX, round((LEAST_UNITS_LARGE if theme.large_print else LEAST_UNITS) * unit))
    return least, max(least, round(LARGEST_UNITS * unit))


def _title(canvas: Canvas, row: pygame.Rect, panel: PanelView, unit: float) -> None:
    """What this is, and at the right which page of how many."""
    theme = canvas.theme
    if panel.page:
        size = round(PAGE_UNITS * unit)
        page = pygame.Rect(0, row.top, min(text_width(panel.page, size) + 2, row.width // 2), row.height)
        page.right = row.right
        canvas.text(panel.page, page, size, theme.ink_soft, align=RIGHT, least_px=LEAST_PX)
        row = pygame.Rect(row.left, row.top, page.left - row.left, row.height)
    canvas.text(panel.title, row, 21 * unit, theme.attack, least_px=LEAST_PX, shorten=True)


def _lines(canvas: Canvas, box: pygame.Rect, panel: PanelView, unit: float) -> None:
    """All lines as large as they fit; where they do not even so, on leaves, of which one is shown, with a dot each."""
    if not panel.lines or box.width <= 0:
        return
    least, most = _sizes(canvas.theme, unit)
    leaves = _fitted(panel.lines, box, most, least)
    size, columns = leaves[panel.turned % len(leaves)]
    below = foot_px(least) if len(leaves) > 1 else 0
    width = _column_width(box, len(columns), size)
    for number, rows in enumerate(columns):
        left = box.right - width if number else box.left
        gap = min((box.height - below - _height(rows)) / (len(rows) + 1), size * 0.6)
        top = box.top + max(0.0, gap / 2)
        for row in rows:
            _line(canvas, pygame.Rect(left, round(top), width, row.height_px), row, size)
            top += row.height_px + gap
    if len(leaves) > 1:
        draw_dots(canvas, pygame.Rect(box.left, box.bottom - below, box.width, below), len(leaves), panel.turned)
        canvas.turns.append(box)


def _fitted(lines: Sequence[PanelLine], box: pygame.Rect, size: int, least: int) -> Sequence[tuple[int, _Columns]]:
    """The largest size at which all lines fit, and the lines in columns; else as few leaves of them as the least size
    takes, at the largest size that takes no more and tears no two things to do that could stand on one leaf.

    A line that is too much for a leaf of its own is as small as it has to be.
    """
    for tried in range(size, least - 1, -1):
        columns = _in_columns(lines, box, tried, box.height)
        if columns is not None:
            return [(tried, columns)]
    height_px = box.height - foot_px(least)
    leaves = _leaves(lines, box, least, height_px)
    for tried in range(size, least, -1):
        larger = _leaves(lines, box, tried, height_px)
        whole = len(larger) == len(leaves) and all(used == tried for used, _ in larger)
        if whole and _torn(larger) <= _torn(leaves):
            return larger
    return leaves


def _torn(leaves: Sequence[tuple[int, _Columns]]) -> int:
    """How often a leaf ends between two things to do, such as the two buttons of an answer."""
    ends = ((before[-1][-1].line.mark, after[0][0].line.mark) for (_, before), (_, after) in pairwise(leaves))
    return sum(marks == (Mark.NOW, Mark.NOW) for marks in ends)


def _leaves(lines: Sequence[PanelLine], box: pygame.Rect, size: int, height_px: int) -> list[tuple[int, _Columns]]:
    """Leaf after leaf of this size, as many lines on each as it holds; a line alone may be smaller."""
    leaves: list[tuple[int, _Columns]] = []
    rest = list(lines)
    while rest:
        tries = ((size, count) for count in range(len(rest), 0, -1))
        for tried, count in (*tries, *((smaller, 1) for smaller in range(size - 1, LEAST_PX - 1, -1))):
            columns = _in_columns(rest[:count], box, tried, height_px)
            if columns is not None:
                break
        else:
            tried, count, columns = LEAST_PX, 1, [[_Row(rest[0], MOST_ROWS, height_px)]]
        leaves.append((tried, columns))
        del rest[:count]
    return leaves


def _in_columns(lines: Sequence[PanelLine], box: pygame.Rect, size: int, height_px: int) -> _Columns | None:
    """The lines in one column or, where that is too high, in two, read down and then across; None if both are.

    In two also where one column stands close and each line is a row of a half.
    """
    one = _in_rows(lines, box.width, size)
    if one is not None and _height(one) > height_px:
        one = None
    if one is not None and _height(one) + AIR * size * len(one) <= height_px:
        return [one]
    width = _column_width(box, 2, size)
    rows = _in_rows(lines, width, size) if width >= COLUMN_SIZES * size else None
    if rows is None or len(rows) < (MANY if one is not None else 2):
        return None if one is None else [one]
    if one is not None and any(row.rows > 1 for row in rows):
        return [one]
    split = min(range(len(rows) - 1, 0, -1), key=lambda at: max(_height(rows[:at]), _height(rows[at:])))
    both = [rows[:split], rows[split:]]
    return both if max(map(_height, both)) <= height_px else None


def _column_width(box: pygame.Rect, columns: int, size: int) -> int:
    return box.width if columns == 1 else (box.width - 2 * size) // 2


def _height(rows: Sequence[_Row]) -> int:
    return sum(row.height_px for row in rows)


def _in_rows(lines: Sequence[PanelLine], width_px: int, size: int) -> list[_Row] | None:
    """How high each line is at this size; None when a single word is too wide."""
    rows = []
    for line in lines:
        room = width_px - _before_px(line, size)
        fitted = fit(line.text, room, size * 100, size, size, MOST_ROWS) if room > 0 else None
        if fitted is None:
            return None
        count = len(fitted[1])
        height = count * line_height(size) + (size // 3 if line.cards else 0)
        rows.append(_Row(line, count, height))
    return rows


def _card_px(size: int) -> int:
    """How wide a pictured card is beside text of this size."""
    return round(size * 0.86)


def _before_px(line: PanelLine, size: int) -> int:
    """What stands before the words: the sign and the cards."""
    cards = len(line.cards) * (_card_px(size) + _card_gap(size)) + size // 3 if line.cards else 0
    return round(size * 1.1) + cards


def _card_gap(size: int) -> int:
    return max(1, size // 10)


def _line(canvas: Canvas, box: pygame.Rect, row: _Row, size: int) -> None:
    """Sign, cards, words; all begin at the first row of a long line."""
    theme, line = canvas.theme, row.line
    colour = mark_colour(theme, line.mark)
    middle = box.top + (row.height_px - (row.rows - 1) * line_height(size)) // 2
    sign_px = max(7, round(size * 0.8))
    name = MARK_SIGNS.get(line.mark)
    if name is not None:
        canvas.surface.blit(sign(name, sign_px, colour), (box.left, middle - sign_px // 2))
    else:
        dot = max(2, round(size * 0.12))
        pygame.draw.circle(canvas.surface, theme.ink_soft, (box.left + sign_px // 2, middle), dot)
    card = pygame.Rect(box.left + round(size * 1.1), 0, _card_px(size), round(size * 1.08))
    card.centery = middle
    for held in line.cards:
        _small_card(canvas, card, held.value, size)
        card = card.move(card.width + _card_gap(size), 0)
    before = _before_px(line, size)
    words = pygame.Rect(box.left + before, box.top, box.width - before, box.height)
    canvas.text(line.text, words, size, colour, align=LEFT, valign=CENTRE, lines=row.rows, least_px=LEAST_PX)


def _small_card(canvas: Canvas, box: pygame.Rect, value: int, size: int) -> None:
    """A card too small for its dots: its number, as large as the words beside it."""
    theme = canvas.theme
    canvas.panel(box, theme.ink, box.width * 0.2)
    inner = box.inflate(-2, -2)
    canvas.panel(inner, theme.card, inner.width * 0.18)
    canvas.text(str(value), inner, size * 0.9, theme.ink, align=CENTRE, least_px=LEAST_PX)


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
    attack = None if view.distance_pending else view.attack
    share = 0.34 if attack is not None else 0.5
    beside = box
    if canvas.theme.large_print:
        share = 0.64
        if attack is not None:
            box = pygame.Rect(box.left, box.top, box.width // 2, box.height)
            beside = pygame.Rect(box.right, box.top, beside.right - box.right, box.height)
    high_px = round(min(box.height * share, TASK_UNITS * unit if panel.task else box.height))
    number = pygame.Rect(box.left, box.top + round(4 * unit), box.width, high_px)
    label_px = round(20 * unit)
    label = pygame.Rect(box.left, number.bottom + round(2 * unit), box.width, label_px)
    if has_distance(view, panel):
        canvas.number(view.distance, number.inflate(-round(box.width * 0.16), 0), colour)
        canvas.text(view.distance_text, label, 17 * unit, canvas.theme.ink_soft, align=CENTRE, least_px=LEAST_PX)
    if attack is not None:
        below = pygame.Rect(box.left, label.bottom, box.width, box.bottom - label.bottom)
        _attack(canvas, below if beside is box else beside, attack, unit)


def _attack(canvas: Canvas, box: pygame.Rect, attack: AttackView, unit: float) -> None:
    """The attack's cards in a row, and its words below them."""
    card_px = min(box.height * 0.45 / CARD_SHAPE, box.width / (1.1 * attack.count), 30 * unit)
    left = box.centerx - attack.count * card_px * 1.1 / 2
    for number in range(attack.count):
        draw_value_card(canvas, attack.value, (left + number * card_px * 1.1, box.top + unit), card_px)
    top = box.top + round(card_px * CARD_SHAPE + 2 * unit)
    words = pygame.Rect(box.left, top, box.width, box.bottom - top)
    canvas.text(attack.text, words, 16 * unit, canvas.theme.attack, align=CENTRE, lines=3, least_px=LEAST_PX)
