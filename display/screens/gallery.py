"""Pictures to choose from: portraits in rows, each with its name under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from display.draw.canvas import CENTRE, Canvas
from display.draw.portraits import portrait
from display.draw.theme import mix
from display.menu.model import Item

_WORDS: Final = 0.27
"""How much of a cell's height its name has."""
_ROWS: Final = 2
"""At least so many rows there is room for, so that a few pictures are not much larger than many."""


def gallery(
    canvas: Canvas, body: pygame.Rect, items: Sequence[Item], columns: int, chosen: int, unit_px: float
) -> list[tuple[pygame.Rect, int]]:
    """Draws the items, and gives the place of each with its number. One without a portrait has a plus."""
    rows = -(-len(items) // columns)
    row_px, cell_px = body.height // max(rows, _ROWS), body.width // columns
    places = []
    for number, item in enumerate(items):
        row, column = divmod(number, columns)
        cell = pygame.Rect(body.left + column * cell_px, body.top + row * row_px, cell_px, row_px)
        box = cell.inflate(-round(6 * unit_px), -round(5 * unit_px))
        _cell(canvas, box, item, number == chosen, unit_px)
        places.append((box, number))
    return places


def _cell(canvas: Canvas, box: pygame.Rect, item: Item, chosen: bool, unit_px: float) -> None:
    theme, radius = canvas.theme, 8 * unit_px
    canvas.panel(box, theme.header_active if chosen else theme.card, radius)
    colour, width = (theme.gold, max(2, round(3 * unit_px))) if chosen else (mix(theme.paper, theme.ink, 0.18), 1)
    pygame.draw.rect(canvas.surface, colour, box, width, round(radius))
    ink = theme.on_header if chosen else theme.ink
    words = pygame.Rect(box.left, 0, box.width, round(box.height * _WORDS)).inflate(-round(10 * unit_px), 0)
    words.bottom = box.bottom - round(2 * unit_px)
    face_px = round(min(words.top - box.top - 5 * unit_px, box.width * 0.8))
    face = pygame.Rect(box.centerx - face_px // 2, words.top - face_px, face_px, face_px)
    if item.portrait:
        canvas.surface.blit(portrait(item.portrait, face_px), face)
    else:
        _blank(canvas, face, ink)
    canvas.text(item.text, words, 24 * unit_px, ink, align=CENTRE, least_px=10 * unit_px, shorten=True)


def _blank(canvas: Canvas, box: pygame.Rect, ink: tuple[int, int, int]) -> None:
    """A ring with a head and shoulders in it, for whoever has no picture yet."""
    line = max(2, box.width // 26)
    pygame.draw.circle(canvas.surface, ink, box.center, box.width // 2, line)
    head = box.width * 0.17
    pygame.draw.circle(canvas.surface, ink, (box.centerx, box.top + box.height * 0.38), head, line)
    arms = pygame.Rect(0, 0, round(box.width * 0.56), round(box.height * 0.5))
    arms.midtop = (box.centerx, round(box.top + box.height * 0.6))
    pygame.draw.arc(canvas.surface, ink, arms, 0.35, 2.79, line)
