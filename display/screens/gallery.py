"""Pictures over and among the lines of a page: portraits to choose from, two rivals, a player's form and rating."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import pygame

from display.draw.canvas import (
    BODY,
    CENTRE,
    LEAD,
    LEFT,
    NOTE,
    RIGHT,
    SCORE,
    TITLE,
    Canvas,
    cut_bottom,
    cut_left,
    cut_right,
    cut_top,
    text_width,
)
from display.draw.pictures import portrait, sign
from display.draw.theme import mix
from display.menu.model import Item, Person, Position, Rivalry
from display.screens.fencer import fencer_sprite
from display.view import Pose, Tone
from display.words.sentences import score_text
from engine.rules.track import SPACES, Side

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


RIVALS: Final = 0.47
PERSON: Final = 0.52
"""Shares of the height."""
FACE: Final = 0.27
"""Of the width: a person's picture, and what stands with it."""


def draw_rivalry(canvas: Canvas, body: pygame.Rect, rivalry: Rivalry, unit_px: float) -> pygame.Rect:
    """Draws both with the matches each has won, and gives the room that is left."""
    theme = canvas.theme
    box, rest = cut_top(body, round(body.height * RIVALS))
    met, faces = cut_bottom(cut_bottom(box, round(2 * unit_px))[1], round(26 * unit_px))
    middle = pygame.Rect(0, faces.top, round(box.width * 0.3), faces.height)
    middle.centerx = box.centerx
    for side in Side:
        part = pygame.Rect(box.left, faces.top, middle.left - box.left, faces.height)
        part.left = box.left if side is Side.WHITE else middle.right
        under, face = cut_bottom(part, round(32 * unit_px))
        _face(canvas, face, rivalry.portraits[side], side)
        canvas.text(rivalry.names[side], under, LEAD * unit_px, theme.ink, align=CENTRE, heavy=True)
    score = score_text(rivalry.won.white, rivalry.won.black)
    upper, label = cut_top(middle, round(middle.height * 0.72))
    canvas.text(score, upper, SCORE * unit_px, theme.ink, align=CENTRE)
    canvas.text(rivalry.label, label, BODY * unit_px, theme.ink_soft, align=CENTRE)
    canvas.text(rivalry.met, met, BODY * unit_px, theme.ink_soft, align=CENTRE)
    return cut_top(rest, round(6 * unit_px))[1]


def _face(canvas: Canvas, box: pygame.Rect, name: str, side: Side) -> None:
    """Somebody's picture over the middle of the box's width, as high as it; a fencer for who has none."""
    if name:
        canvas.blit(portrait(name, box.height), midtop=box.midtop)
    else:
        sprite = fencer_sprite(side, Pose.GUARD, round(box.height * 0.96), canvas.theme)
        sprite.stand(canvas.surface, box.centerx, box.bottom)


def draw_person(canvas: Canvas, body: pygame.Rect, person: Person, unit_px: float) -> pygame.Rect:
    """Draws somebody's picture, form and rating, and gives the room that is left."""
    theme = canvas.theme
    box, rest = cut_top(body, round(body.height * PERSON))
    left, right = cut_left(box, round(box.width * FACE))
    standing, face = cut_bottom(left, round(27 * unit_px))
    face.height = min(face.height - round(4 * unit_px), left.width)
    _face(canvas, face, person.portrait, Side.WHITE)
    canvas.text(person.standing, standing, BODY * unit_px, theme.ink, align=CENTRE)
    _, right = cut_left(right, round(14 * unit_px))
    row_px = round(28 * unit_px)
    rating, plot = cut_top(right, row_px)
    canvas.text(person.rating, rating, LEAD * unit_px, theme.ink, align=LEFT, heavy=True)
    form, plot = cut_bottom(plot, row_px)
    _form(canvas, form, person, unit_px)
    _curve(canvas, cut_bottom(plot, round(4 * unit_px))[1], person, unit_px)
    return cut_top(rest, round(8 * unit_px))[1]


def _form(canvas: Canvas, box: pygame.Rect, person: Person, unit_px: float) -> None:
    theme = canvas.theme
    word, _ = cut_left(box, round(box.width * 0.36))
    canvas.text(person.form_title, word, BODY * unit_px, theme.ink_soft, align=LEFT)
    radius = min(box.height * 0.36, 10 * unit_px)
    for number, won in enumerate(person.form):
        place = (round(word.right + (number + 0.7) * 2.7 * radius), box.centery)
        if won:
            pygame.draw.circle(canvas.surface, theme.bands[Tone.LEGAL].mark, place, radius)
        else:
            pygame.draw.circle(canvas.surface, theme.ink_soft, place, radius, max(2, round(2 * unit_px)))


def _curve(canvas: Canvas, box: pygame.Rect, person: Person, unit_px: float) -> None:
    """The rating after each match, in the band in which it lies in 95 of 100 cases."""
    theme = canvas.theme
    canvas.panel(box, theme.card, 6 * unit_px)
    title, below = cut_top(cut_top(box, round(2 * unit_px))[1], round(19 * unit_px))
    canvas.text(person.curve_title, title, NOTE * unit_px, theme.ink_soft, align=CENTRE)
    if not person.curve:
        return
    label_px = round(52 * unit_px)
    _, plot = cut_left(cut_right(below, round(12 * unit_px))[1], label_px)
    plot.height -= round(8 * unit_px)
    low, high = min(each[1] for each in person.curve), max(each[2] for each in person.curve)
    step = plot.width / max(1, len(person.curve) - 1)

    def at(number: int, points: float) -> tuple[float, float]:
        return plot.left + number * step, plot.bottom - (points - low) / max(1.0, high - low) * plot.height

    for points in (low, high):
        label = pygame.Rect(box.left, 0, label_px - round(6 * unit_px), round(18 * unit_px))
        label.centery = round(at(0, points)[1])
        label.clamp_ip(plot.inflate(2 * label_px, 0))
        canvas.text(f"{points:.0f}", label, NOTE * unit_px, theme.ink_soft, align=RIGHT)
    line_px = max(2, round(2.5 * unit_px))
    line = [at(number, each[0]) for number, each in enumerate(person.curve)]
    if len(line) > 1:
        band = [at(number, each[2]) for number, each in enumerate(person.curve)]
        band += [at(number, person.curve[number][1]) for number in range(len(person.curve) - 1, -1, -1)]
        pygame.draw.polygon(canvas.surface, mix(theme.card, theme.ink, 0.14), band)
        for one, other in pairwise(line):
            pygame.draw.line(canvas.surface, theme.attack, one, other, line_px)
    pygame.draw.circle(canvas.surface, theme.attack, line[-1], 2 * line_px)
