"""The menu, drawn over the whole picture: a title, lines of text, the lines to choose from, and what the keys do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import pygame

from display.draw.canvas import (
    BODY,
    CENTRE,
    LEAD,
    NOTE,
    RIGHT,
    TITLE,
    Canvas,
    DrawnText,
    cut_left,
    cut_right,
    cut_top,
    fit,
    line_height,
    text_width,
)
from display.draw.pictures import portrait, sign
from display.draw.theme import Colour, mix
from display.i18n import words
from display.menu.model import Act, Board, Item, Menu, Open, Page, Rub, kind_of
from display.screens.board import draw_board, draw_score
from display.screens.camera import CameraPicture, draw_camera
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.gallery import draw_person, draw_rivalry, gallery, rows_shown
from display.screens.review import draw_round
from display.screens.salle import draw_foot, draw_head, draw_salle
from display.view import Tone

SEEN: Final = 0.58
"""A share of the height, for what the camera sees."""


class MenuPart(Enum):
    """What of the menu a finger may touch."""

    ROW = "row"
    LESS = "less"
    MORE = "more"
    BACK = "back"


@dataclass(frozen=True, slots=True)
class Target:
    """A place a finger may touch: what it is, and of which line."""

    box: pygame.Rect
    part: MenuPart
    number: int = 0


@dataclass(frozen=True, slots=True)
class DrawnMenu:
    """Where everything landed."""

    texts: tuple[DrawnText, ...]
    targets: tuple[Target, ...]

    def at(self, place: tuple[int, int]) -> Target | None:
        """What a finger at this place touches; the smallest of what lies there."""
        hit = [target for target in self.targets if target.box.collidepoint(place)]
        return min(hit, key=lambda target: target.box.width * target.box.height, default=None)


def menu_on(
    canvas: Canvas,
    page: Page,
    menu: Menu,
    language: str,
    *,
    panel: bool = False,
    camera: CameraPicture | None = None,
    turned: int = 0,
) -> DrawnMenu:
    """Draws a page over the whole surface of a canvas. ``panel``: there are buttons, and its foot names these.

    ``camera``: what it sees, for a page that shows it; None while there is no picture. ``turned``: how many times the
    leaf was turned, on a page with more to read than room.
    """
    surface, theme = canvas.surface, canvas.theme
    say = words(language)
    width = surface.get_width()
    unit_px = canvas.unit_px
    print_px = unit_px * theme.print_scale
    pad = round(14 * unit_px)
    head = draw_head(canvas)
    back = pygame.Rect(0, 0, round(160 * print_px), head.height)
    _arrow(canvas, pygame.Rect(pad // 2, 0, 2 * pad, head.height), -1, theme.gold, 9 * print_px)
    word = pygame.Rect(round(2.7 * pad), 0, back.right - round(2.7 * pad), head.height)
    canvas.text(say.say("menu.back"), word, LEAD * print_px, theme.gold)
    if page.board is not None:
        return _on_board(canvas, page, page.board, menu, head, back, turned)
    title = _title_box(head, back, page.title, TITLE * print_px)
    canvas.text(page.title, title, TITLE * print_px, theme.on_header, align=CENTRE, heavy=True)
    foot = draw_foot(canvas)
    writes = not panel and any(item.key is Rub.OUT for item in page.items)
    keys = f"menu.{'keys' if panel else 'keyboard'}{'_write' if writes else '_adjust' if menu.adjusting else ''}"
    _foot(canvas, foot, page, menu, say.say(keys), print_px)
    body = pygame.Rect(pad, head.bottom + pad // 2, width - 2 * pad, foot.top - head.bottom - pad)
    if page.camera and camera is not None:
        seen, body = cut_top(body, round(body.height * SEEN))
        draw_camera(surface, camera, seen, theme)
        _, body = cut_top(body, pad // 2)
    body = _lines(canvas, body, page, print_px)
    if page.cards:
        body = _cards(canvas, body, page.cards)
    targets = [Target(back, MenuPart.BACK)]
    if page.rivalry is not None:
        body = draw_rivalry(canvas, body, page.rivalry, print_px)
    elif page.person is not None:
        body = draw_person(canvas, body, page.person, print_px)
    if page.gallery:
        cells = gallery(canvas, body, page.items, page.columns, menu.here.at, print_px)
        targets += [Target(box, MenuPart.ROW, number) for box, number in cells]
    elif page.past is not None:
        touched = draw_round(canvas, body, page.past, print_px, turned)
        targets += [Target(box, MenuPart.ROW, number) for box, number in touched]
    elif page.items:
        targets += _grid(canvas, body, page, menu, print_px)
    if page.past is None:  # a page with less to read and to choose from than room is not left half empty
        draw_salle(canvas, body, max((target.box.bottom for target in targets[1:]), default=body.top))
    return DrawnMenu(tuple(canvas.texts), tuple(targets))


def _on_board(
    canvas: Canvas, page: Page, board: Board, menu: Menu, head: pygame.Rect, back: pygame.Rect, turned: int
) -> DrawnMenu:
    unit_px = canvas.unit_px * canvas.theme.print_scale
    if board.hands:
        title = _title_box(head, back, page.title, TITLE * unit_px)
        canvas.text(page.title, title, TITLE * unit_px, canvas.theme.on_header, align=CENTRE, heavy=True)
    else:
        both = f"{board.names.white}{board.names.black}"
        draw_score(canvas, _title_box(head, back, both, 66 * unit_px), board, page.title, unit_px)
    _, body = cut_top(canvas.surface.get_rect(), head.bottom)
    touched = draw_board(canvas, body, page, board, menu, unit_px, turned)
    targets = [Target(box, MenuPart.ROW, number) for box, number in touched]
    return DrawnMenu(tuple(canvas.texts), (Target(back, MenuPart.BACK), *targets))


def _title_box(head: pygame.Rect, back: pygame.Rect, text: str, size_px: float) -> pygame.Rect:
    """The middle of the head for a title of this size; a long one has all that is right of the way back."""
    middle = pygame.Rect(back.right, head.top, head.width - 2 * back.width, head.height)
    if text_width(text, round(size_px), heavy=True) > middle.width:
        middle.width = head.right - back.right - back.width // 20
    return middle


def _lines(canvas: Canvas, body: pygame.Rect, page: Page, unit_px: float) -> pygame.Rect:
    """Draws the lines of text, all in one size, and gives the room that is left; without items they have all of it."""
    if not page.lines:
        return body
    room_px = round(body.height if not page.items else body.height * _LINES_SHARE)
    least_px = round(NOTE * unit_px)
    size_px, heights = least_px, [round(room_px / len(page.lines))] * len(page.lines)
    for size in range(round(LEAD * unit_px), least_px - 1, -1):
        fitted = [fit(line, body.width, room_px, size, size, _MAX_ROWS) for line in page.lines]
        needed = [len(each[1]) * line_height(size) + size // 4 for each in fitted if each is not None]
        if len(needed) == len(page.lines) and sum(needed) <= room_px:
            size_px, heights = size, needed
            break
    for line, height in zip(page.lines, heights, strict=True):
        box, body = cut_top(body, height)
        canvas.text(line, box, size_px, canvas.theme.ink, lines=_MAX_ROWS, shorten=True)
    return cut_top(body, round(6 * unit_px))[1]


_LINES_SHARE: Final = 0.55
"""The most of a page that its lines take from what there is to choose."""
_MAX_ROWS: Final = 3
"""So many rows a line may be broken into."""


def _cards(canvas: Canvas, body: pygame.Rect, values: tuple[int, ...]) -> pygame.Rect:
    """Draws cards in rows, as large as there is room for, and gives the room that is left."""
    rows = -(-len(values) // _ROW_OF_CARDS)
    columns = -(-len(values) // rows)
    step_px = min(body.width / columns, body.height * _CARDS_SHARE / rows / CARD_SHAPE)
    left = body.centerx - columns * step_px / 2
    for number, value in enumerate(values):
        row, column = divmod(number, columns)
        place = left + column * step_px, body.top + row * step_px * CARD_SHAPE
        draw_value_card(canvas, value, place, step_px * 0.94)
    return cut_top(body, round(rows * step_px * CARD_SHAPE))[1]


_ROW_OF_CARDS: Final = 9
_CARDS_SHARE: Final = 0.66
"""So many cards stand in a row, and all rows have this share of what the lines leave."""

_MIN_ROW_UNITS: Final = 39


def _grid(canvas: Canvas, body: pygame.Rect, page: Page, menu: Menu, unit_px: float) -> list[Target]:
    """The items; where there are more than fit, those around the chosen one, and arrows that say so."""
    columns = page.columns
    chosen_row = min(menu.here.at, len(page.items) - 1) // columns
    body, shown = rows_shown(canvas, body, -(-len(page.items) // columns), chosen_row, _MIN_ROW_UNITS, unit_px)
    row_px = min(round(64 * unit_px), body.height // len(shown))
    cell_px = body.width // columns
    targets: list[Target] = []
    for number, item in enumerate(page.items):
        row, column = divmod(number, columns)
        if row not in shown:
            continue
        box = pygame.Rect(body.left + column * cell_px, body.top + (row - shown.start) * row_px, cell_px, row_px)
        if isinstance(kind_of(item.key), Act | Open) and number == len(page.items) - 1:
            box.width = cell_px * (columns - column)  # what ends a page has the rest of its row
        targets += _item(canvas, box.inflate(-round(6 * unit_px), -round(5 * unit_px)), item, number, menu, unit_px)
    return targets


def _item(canvas: Canvas, box: pygame.Rect, item: Item, number: int, menu: Menu, unit_px: float) -> list[Target]:
    """One item. What does something at once has a stripe at its left, what opens a page an arrow at its right."""
    theme = canvas.theme
    chosen = number == menu.here.at
    ground = theme.header_active if chosen else theme.card
    ink = theme.on_header if chosen else theme.ink
    edge = (theme.gold, max(2, round(3 * unit_px))) if chosen else (mix(theme.paper, theme.ink, 0.18), 1)
    canvas.panel(box, ground, 8 * unit_px, edge)
    side_px = unit_px / theme.print_scale  # margins are no larger in large print: the words need the room
    inner = box.inflate(-round(28 * side_px), -round(4 * unit_px))
    size = LEAD * unit_px
    if item.key is Rub.OUT:
        canvas.blit(sign("arrow_left", round(size * 0.8), ink), center=box.center)
        return [Target(box, MenuPart.ROW, number)]
    if isinstance(item.key, str | Rub):
        canvas.text(item.value or item.text, box, size, ink, align=CENTRE)
        return [Target(box, MenuPart.ROW, number)]
    if not item.options:
        if isinstance(kind_of(item.key), Act) and kind_of(item.key) != Act("show"):
            stripe = pygame.Rect(box.left + round(6 * side_px), box.top, round(4 * unit_px), box.height)
            stripe.inflate_ip(0, -round(box.height * 0.36))
            canvas.panel(stripe, theme.gold if chosen else theme.attack, 2 * unit_px)
        arrow_px = round((24 if isinstance(item.key, Open) else 0) * unit_px)
        text = pygame.Rect(inner.left + round(5 * side_px), inner.top, inner.width - arrow_px, inner.height)
        text.width = (inner.right - arrow_px if arrow_px else box.right - round(7 * side_px)) - text.left
        if item.value:
            text.width = round(text.width * 0.62)
            done, _ = cut_right(cut_right(inner, arrow_px)[1], inner.right - arrow_px - text.right)
            _done(canvas, done, item.value, size, unit_px, theme.gold if chosen else theme.bands[Tone.LEGAL].mark)
        rows = _rows(item.text, text, round(size), canvas.note_px)
        canvas.text(item.text, text, size, ink, lines=rows, shorten=True)
        if isinstance(item.key, Open):
            _arrow(canvas, cut_right(inner, arrow_px)[0], 1, theme.gold if chosen else theme.ink_soft, 7 * unit_px)
        return [Target(box, MenuPart.ROW, number)]
    value, label = cut_right(inner, round(inner.width * 0.5))
    label = cut_right(cut_left(label, round(5 * unit_px))[1], round(8 * unit_px))[1]
    canvas.text(item.text, label, size, ink, lines=2, shorten=True)
    arrow_px = min(round(48 * unit_px), value.width // 4)
    mark = theme.gold if chosen else theme.ink_soft
    less, room = cut_left(value, arrow_px)
    more, room = cut_right(room, arrow_px)
    half_px = min(arrow_px, box.height) * (0.34 if chosen and menu.adjusting else 0.24)
    for arrow, way in ((less, -1), (more, 1)):
        _arrow(canvas, arrow, way, mark, half_px)
    if item.portrait:
        face_px = round(box.height * 0.82)
        canvas.surface.blit(portrait(item.portrait, face_px), (room.left, box.centery - face_px // 2))
        _, room = cut_left(room, face_px)
    canvas.text(item.value, room, size, ink, align=CENTRE, lines=2, shorten=True, heavy=True)
    return [Target(box, MenuPart.ROW, number), Target(less, MenuPart.LESS, number), Target(more, MenuPart.MORE, number)]


def _rows(text: str, box: pygame.Rect, size_px: int, least_px: int) -> int:
    """One row or two: two fill their line from edge to edge, so one may be a little smaller."""
    fitted = [fit(text, box.width, box.height, size_px, least_px, rows) for rows in (1, 2)]
    sizes = [each[0] if each is not None else 0 for each in fitted]
    return 1 if sizes[0] >= _ONE_ROW_SHARE * sizes[1] else 2


_ONE_ROW_SHARE: Final = 0.9
"""So much smaller the words of one row may be than those of two."""


def _done(canvas: Canvas, box: pygame.Rect, who: str, size: float, unit_px: float, colour: Colour) -> None:
    tick_px = round(size * 0.7)
    canvas.blit(sign("tick", tick_px, colour), midleft=(box.right - tick_px, box.centery))
    words = pygame.Rect(box.left + tick_px // 2, box.top, box.width - 2 * tick_px, box.height)
    canvas.text(who, words, BODY * unit_px, colour, align=RIGHT, lines=2, shorten=True)


def _arrow(canvas: Canvas, box: pygame.Rect, way: int, colour: Colour, half_px: float) -> None:
    """A triangle in the middle of a box that points left (-1) or right (1)."""
    tip, tail = box.centerx + way * half_px, box.centerx - way * half_px * 0.6
    points = [(tip, box.centery), (tail, box.centery - half_px), (tail, box.centery + half_px)]
    pygame.draw.polygon(canvas.surface, colour, points)


def _foot(canvas: Canvas, box: pygame.Rect, page: Page, menu: Menu, keys: str, unit_px: float) -> None:
    """What the chosen line does, and the keys."""
    pad = round(16 * unit_px)
    note = page.items[min(menu.here.at, len(page.items) - 1)].note if page.items else ""
    margin, lines = round(4 * unit_px), 1
    upper = pygame.Rect(pad, box.top + margin, box.width - 2 * pad, round(30 * unit_px))
    if canvas.theme.large_print and text_width(note, round(LEAD * unit_px)) > upper.width:
        margin, lines = round(unit_px), 2
        upper = pygame.Rect(pad, box.top + margin, upper.width, round(43 * unit_px))
    lower = pygame.Rect(pad, upper.bottom, box.width - 2 * pad, box.bottom - upper.bottom - margin)
    if not note:
        lower.top = box.top + (box.height - lower.height) // 2
    canvas.text(note, upper, LEAD * unit_px, canvas.theme.on_header, align=CENTRE, lines=lines)
    canvas.text(keys, lower, BODY * unit_px, canvas.theme.on_header_soft, align=CENTRE)
