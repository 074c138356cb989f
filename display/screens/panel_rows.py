"""The lines of a panel in rows and columns, as large as they fit, and cut into leaves where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, TypeAlias

import pygame

from display.draw.canvas import fit, line_height
from display.draw.leaves import foot_px, sentences
from display.view import Mark, PanelLine

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
