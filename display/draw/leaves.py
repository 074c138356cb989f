"""Words that are more than their room holds: on as few leaves as the least size takes, one of them shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import pygame

from display.draw.canvas import LEFT, SENTENCE_END, Canvas, fit, line_height
from display.draw.theme import Colour

MAX_ROWS: Final = 12
"""No leaf is ever written in so many rows."""
NARROWER: Final = 6
"""A text that does not even fit on leaves is written no smaller than so many pixels."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """What stands on a leaf, and how large."""

    size_px: int
    texts: tuple[str, ...]


def sentences(text: str) -> tuple[str, ...]:
    """The text cut after each sentence."""
    return tuple(SENTENCE_END.split(text))


def draw_leaves(
    canvas: Canvas,
    box: pygame.Rect,
    texts: Sequence[str],
    sizes: tuple[float, float],
    colour: Colour,
    turned: int,
    *,
    apart: bool,
    align: float = LEFT,
    valign: float = 0.5,
    after: Sequence[str] = (),
) -> None:
    """Draws the leaf that was turned to, each text as a paragraph of its own where they are to be kept ``apart``.

    ``sizes``: the least and the largest, in pixels. Where a finger turns them is told to the canvas. ``after``: texts
    on leaves of their own, after the others.
    """
    least, most = (max(canvas.note_px, round(size)) for size in sizes)
    foot = foot_px(least)
    height = box.height - (foot if after else 0)
    groups = (tuple(texts), tuple(after))
    leaves = [
        each for told in groups for each in fitted(told, (box.width, height), (least, max(least, most)), foot, apart)
    ]
    if not leaves:
        return
    leaf = leaves[turned % len(leaves)]
    room = pygame.Rect(box.left, box.top, box.width, box.height - (foot if len(leaves) > 1 else 0))
    heights = [_height(part, room.width, leaf.size_px) for part in _paragraphs(leaf.texts, apart)]
    free = room.height - sum(heights)
    gap = min(free / (len(heights) + 1), leaf.size_px * 0.5) if len(heights) > 1 else 0.0
    top = room.top + (free - gap * (len(heights) - 1)) * valign
    for part, height in zip(_paragraphs(leaf.texts, apart), heights, strict=True):
        row = pygame.Rect(room.left, round(top), room.width, height)
        canvas.text(part, row, leaf.size_px, colour, align=align, lines=MAX_ROWS, least_px=NARROWER)
        top += height + gap
    if len(leaves) > 1:
        draw_dots(canvas, pygame.Rect(box.left, box.bottom - foot, box.width, foot), len(leaves), turned)
        canvas.turns.append(box)


@lru_cache(maxsize=64)
def fitted(
    texts: tuple[str, ...], room_px: tuple[int, int], sizes: tuple[int, int], foot: int, apart: bool
) -> tuple[Leaf, ...]:
    """All on one leaf as large as it fits; else as few as the least size takes, at the largest that takes no more.

    ``room_px``: width and height, of which several leaves leave ``foot`` to their dots. A text that is too much for a
    leaf of its own is as small as it has to be.
    """
    width, height = room_px
    least, most = sizes
    for size in range(most, least - 1, -1):
        if texts and _fits(texts, width, height, size, apart):
            return (Leaf(size, texts),)
    leaves = _leaves(texts, width, height - foot, least, apart)
    for size in range(most, least, -1):
        larger = _leaves(texts, width, height - foot, size, apart)
        if len(larger) == len(leaves) and all(leaf.size_px == size for leaf in larger):
            return larger
    return leaves


def _leaves(texts: tuple[str, ...], width: int, height: int, size: int, apart: bool) -> tuple[Leaf, ...]:
    """Leaf after leaf of this size, as many texts on each as it holds; a text alone may be smaller."""
    leaves: list[Leaf] = []
    rest = texts
    while rest:
        count = next((many for many in range(len(rest), 0, -1) if _fits(rest[:many], width, height, size, apart)), 1)
        used = next(
            (each for each in range(size, NARROWER, -1) if _fits(rest[:count], width, height, each, apart)), NARROWER
        )
        leaves.append(Leaf(used, rest[:count]))
        rest = rest[count:]
    return tuple(leaves)


def _paragraphs(texts: tuple[str, ...], apart: bool) -> tuple[str, ...]:
    return texts if apart else (" ".join(texts),)


def _fits(texts: tuple[str, ...], width: int, height: int, size: int, apart: bool) -> bool:
    heights = [_height(part, width, size) for part in _paragraphs(texts, apart)]
    return 0 not in heights and sum(heights) <= height


def _height(text: str, width: int, size: int) -> int:
    """How high this is in rows of this size; 0 where a word is too wide."""
    lines = fit(text, width, size * 100, size, size, MAX_ROWS)
    return 0 if lines is None else len(lines[1]) * line_height(size)


def foot_px(size: int) -> int:
    """The height of the dots and arrows below lines of this size."""
    return max(5, round(size * 0.5))


def draw_dots(canvas: Canvas, box: pygame.Rect, count: int, turned: int) -> None:
    """A dot for each leaf at the right, that of the one shown full, between two arrows: a finger turns them."""
    radius, ink = max(2, box.height // 3), canvas.theme.ink
    right = box.right - 4 * radius
    for number in range(count):
        centre = (right - radius - (count - 1 - number) * 4 * radius, box.centery)
        width = 0 if number == turned % count else max(1, radius // 3)
        pygame.draw.circle(canvas.surface, ink, centre, radius, width)
    high, middle = box.height / 2, box.centery
    left = right - (4 * count - 0.5) * radius
    for tip, foot in ((box.right, right + 1.5 * radius), (left - 2.5 * radius, left)):
        pygame.draw.polygon(canvas.surface, ink, [(tip, middle), (foot, middle - high), (foot, middle + high)])
