"""Pictures to choose from: portraits in rows, each with its name under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pygame

from display.draw.boxes import cut_bottom, cut_left
from display.draw.canvas import BODY, CENTRE, NOTE, TITLE, Canvas, text_width
from display.draw.portraits import portrait
from display.draw.theme import mix
from display.menu.model import Item, Position
from display.screens.signs import sign
from engine.rules.track import SPACES

_WORDS: Final = (0.27, 0.44)
"""How much of a cell's height its name has in a line, and in two where a name needs them."""
STARS: Final = 3
_ROWS: Final = 2
"""At least so many rows there is room for, so that a few pictures are not much larger than many."""
_MIN_ROW_UNITS: Final = 66
"""A row is at least so high; where that leaves no room for all of them, those around the chosen picture are shown."""
_ARROW_UNITS: Final = 13
_PISTE: Final = (0.36, 0.24)
"""How far down the piste of a position lies, and in large print: the cards are written under it."""


def gallery(
    canvas: Canvas, body: pygame.Rect, items: Sequence[Item], columns: int, chosen: int, unit_px: float
) -> list[tuple[pygame.Rect, int]]:
    """Draws the items that there is room for, and gives the place of each with its number. One without a portrait has
    a plus."""
    rows = -(-len(items) // columns)
    body, shown = rows_shown(canvas, body, rows, chosen // columns, _MIN_ROW_UNITS, unit_px, _ROWS)
    row_px, cell_px = body.height // max(len(shown), _ROWS), body.width // columns
    numbers = range(shown.start * columns, min(shown.stop * columns, len(items)))
    if any(item.stars is not None for item in items):
        _path(canvas, body, len(numbers), columns, (cell_px, row_px), unit_px)
    margin_px = round(6 * unit_px)
    widest_px = max((text_width(item.text, round(NOTE * unit_px)) for item in items), default=0)
    lines = 2 if widest_px > cell_px - 3 * margin_px else 1
    places = []
    for place, number in enumerate(numbers):
        row, column = divmod(place, columns)
        cell = pygame.Rect(body.left + column * cell_px, body.top + row * row_px, cell_px, row_px)
        box = cell.inflate(-margin_px, -round(5 * unit_px))
        _cell(canvas, box, items[number], number == chosen, unit_px, lines)
        places.append((box, number))
    return places


def rows_shown(
    canvas: Canvas,
    body: pygame.Rect,
    rows: int,
    chosen_row: int,
    least_units: float,
    unit_px: float,
    least_rows: int = 1,
) -> tuple[pygame.Rect, range]:
    """Which of the rows are shown, and where: where there are more than fit, those around the chosen one, with arrows
    over and under them that say so. Each is at least ``least_units`` high, but for the ``least_rows`` always shown."""
    least_px, arrow_px = round(least_units * unit_px), round(_ARROW_UNITS * unit_px)
    shown = min(rows, max(least_rows, body.height // least_px))
    if shown < rows:
        body = body.inflate(0, -2 * arrow_px)
        shown = min(rows, max(least_rows, body.height // least_px))
    first = max(0, min(chosen_row - shown // 2, rows - shown))
    for more, middle_y, way in (
        (first > 0, body.top - arrow_px // 2, -1),
        (first + shown < rows, body.bottom + arrow_px // 2, 1),
    ):
        if more:
            size = arrow_px * 0.4
            tip, tail = middle_y + way * size, middle_y - way * size
            points = [(body.centerx - 3 * size, tail), (body.centerx + 3 * size, tail), (body.centerx, tip)]
            pygame.draw.polygon(canvas.surface, canvas.theme.attack, points)
    return body, range(first, first + shown)


def _cell(canvas: Canvas, box: pygame.Rect, item: Item, chosen: bool, unit_px: float, lines: int) -> None:
    theme = canvas.theme
    edge = (theme.gold, max(2, round(3 * unit_px))) if chosen else (mix(theme.paper, theme.ink, 0.18), 1)
    canvas.panel(box, theme.header_active if chosen else theme.card, 8 * unit_px, edge)
    ink = theme.on_header if chosen else theme.ink
    words, above = cut_bottom(cut_bottom(box, round(2 * unit_px))[1], round(box.height * _WORDS[lines - 1]))
    words = words.inflate(-round(10 * unit_px), 0)
    face_px = round(min(words.top - box.top - 5 * unit_px, box.width * 0.8))
    face = pygame.Rect(box.centerx - face_px // 2, words.top - face_px, face_px, face_px)
    if item.stars is not None:
        _stop(canvas, above, item, ink, chosen=chosen)
    elif item.portrait:
        canvas.surface.blit(portrait(item.portrait, face_px), face)
    elif item.sign:
        canvas.blit(sign(item.sign, round(face_px * 0.86), theme.gold if chosen else theme.header), center=face.center)
    elif item.position is not None:
        _position(canvas, above, item.position, ink)
    else:
        _blank(canvas, face, ink)
    canvas.text(item.text, words, BODY * unit_px, ink, align=CENTRE, lines=lines, shorten=True)


def _blank(canvas: Canvas, box: pygame.Rect, ink: tuple[int, int, int]) -> None:
    """A ring with a head and shoulders in it, for whoever has no picture yet."""
    line = max(2, box.width // 26)
    pygame.draw.circle(canvas.surface, ink, box.center, box.width // 2, line)
    head = box.width * 0.17
    pygame.draw.circle(canvas.surface, ink, (box.centerx, box.top + box.height * 0.38), head, line)
    arms = pygame.Rect(0, 0, round(box.width * 0.56), round(box.height * 0.5))
    arms.midtop = (box.centerx, round(box.top + box.height * 0.6))
    pygame.draw.arc(canvas.surface, ink, arms, 0.35, 2.79, line)


def _path(canvas: Canvas, body: pygame.Rect, count: int, columns: int, cell: tuple[int, int], unit_px: float) -> None:
    """The way from each stop to the next one, behind them, row by row."""
    width = max(2, round(5 * unit_px))
    for first in range(0, count, columns):
        y_px = body.top + round((first // columns + 0.5) * cell[1])
        last = min(columns, count - first)
        ends = (body.left + cell[0] // 2, y_px), (body.left + round((last - 0.5) * cell[0]), y_px)
        pygame.draw.line(canvas.surface, canvas.theme.gold, *ends, width)


def _stop(canvas: Canvas, box: pygame.Rect, item: Item, ink: tuple[int, int, int], *, chosen: bool) -> None:
    """The number of a lesson, and three stars, of which it earned so many."""
    theme = canvas.theme
    number, _ = cut_left(box, box.width // 3)
    canvas.text(item.value, number, TITLE * canvas.print_px, ink, align=CENTRE)
    side = round(min(box.height * 0.5, box.width * 0.18))
    empty = mix(theme.header_active if chosen else theme.card, ink, 0.22)
    for place in range(STARS):
        at = round(number.right + (place + 0.5) * side * 1.15), box.centery
        canvas.blit(sign("star", side, theme.gold if place < (item.stars or 0) else empty), center=at)


def _position(canvas: Canvas, box: pygame.Rect, position: Position, ink: tuple[int, int, int]) -> None:
    """The piste with both fencers, as two pawns, and the cards of whoever is to act under it."""
    theme = canvas.theme
    strip = pygame.Rect(0, 0, round(box.width * 0.88), max(4, round(box.height * 0.13)))
    strip.midtop = (box.centerx, round(box.top + box.height * _PISTE[theme.large_print]))
    wide = strip.width / SPACES
    for number in range(1, SPACES + 1):
        cell = pygame.Rect(round(strip.left + (number - 1) * wide), strip.top, max(1, round(wide) - 1), strip.height)
        canvas.surface.fill(theme.space_dark, cell)
    radius = max(3, round(box.height * 0.1))
    for space, colour in ((position.white, theme.card), (position.black, theme.header)):
        at = round(strip.left + (space - 0.5) * wide), strip.top - radius
        pygame.draw.circle(canvas.surface, colour, at, radius)
        pygame.draw.circle(canvas.surface, ink, at, radius, max(1, radius // 6))
    hand = " ".join(map(str, position.hand))
    below = pygame.Rect(strip.left, strip.bottom, strip.width, box.bottom - strip.bottom)
    canvas.text(hand, below, TITLE * canvas.print_px, ink, align=CENTRE)
