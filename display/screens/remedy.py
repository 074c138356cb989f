"""Pictures of what to do: a figure back to its space, cards to take back, to lay or to show, the companion's slots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pygame

from display.draw.canvas import (
    BODY,
    CENTRE,
    LEAD,
    NOTE,
    Canvas,
    cut_bottom,
    cut_left,
    cut_right,
    line_height,
    text_width,
)
from display.draw.pictures import sign
from display.draw.theme import Colour, mix
from display.screens.cards import CARD_SHAPE, draw_card, draw_value_card
from display.screens.fencer import fencer_sprite
from display.view import Mark, Pose, RemedyView, Tone
from engine.companion.companion import SlotMark
from engine.rules.rulings import RemedyKind
from engine.rules.track import Side

CAPTION: Final = (0.48, 0.62)
"""How much of the height the words have, and in large print."""
_Picture = Callable[[Canvas, pygame.Rect, RemedyView, Colour, float], None]


def draw_remedy(
    canvas: Canvas,
    box: pygame.Rect,
    remedy: RemedyView,
    mark: Colour,
    unit_px: float,
    ink: Colour | None = None,
    beside: Sequence[str] = (),
) -> None:
    """One thing to do: its picture with its words below, in ``ink`` where that is not the theme's.

    ``beside``: the words of all pictures in a row, which are alike in height.
    """
    note_px = max(canvas.note_px, round(NOTE * unit_px))
    caption_px = round(box.height * CAPTION[canvas.theme.large_print])
    if max(text_width(text, note_px) for text in (remedy.text, *beside)) <= box.width:
        caption_px = min(caption_px, round(line_height(note_px) * 1.4))
    caption, tile = cut_bottom(box, caption_px)
    _, tile = cut_bottom(tile, round(2 * unit_px))
    canvas.panel(tile, canvas.theme.paper, 8 * unit_px, (mark, max(1, round(1.6 * unit_px))))
    _PICTURES[remedy.kind](canvas, tile.inflate(-round(10 * unit_px), -round(8 * unit_px)), remedy, mark, unit_px)
    canvas.text(remedy.text, caption, NOTE * unit_px, ink or canvas.theme.ink, align=CENTRE, valign=0.3, lines=3)


def _arrow(canvas: Canvas, box: pygame.Rect, name: str, mark: Colour) -> None:
    canvas.blit(sign(name, max(8, min(box.size)), mark), center=box.center)


def _row(room: pygame.Rect, count: int) -> tuple[int, float, float]:
    """Width, step and left edge of so many cards in a row: they may overlap, but every number stays in sight."""
    card_px = max(8, round(min(room.height / CARD_SHAPE, (room.width - 2) / (1 + 0.78 * (count - 1)))))
    step = min(card_px * 1.05, (room.width - card_px) / max(1, count - 1))
    return card_px, step, room.centerx - (card_px + step * (count - 1)) / 2


def _beside_arrow(canvas: Canvas, box: pygame.Rect, name: str, mark: Colour) -> pygame.Rect:
    """Draws an arrow at the right, and gives the room that is left."""
    place, rest = cut_right(box, round(box.width * 0.27))
    _arrow(canvas, place, name, mark)
    return rest


def _take_back(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    card_px, step, left = _row(_beside_arrow(canvas, box, "arrow_up", mark), len(remedy.cards))
    for number, card in enumerate(remedy.cards):
        draw_card(canvas, card, (left + number * step, box.centery - card_px * CARD_SHAPE / 2), card_px, mark)


def _figure(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    side = remedy.side or Side.WHITE
    target = remedy.to_space or 0
    leftwards = remedy.from_space is not None and target < remedy.from_space
    third = box.width // 3
    cells = [pygame.Rect(box.left + number * third, box.top, third, box.height) for number in range(3)]
    if leftwards:
        cells.reverse()
    sprite = fencer_sprite(side, Pose.STAND, max(10, round(box.height * 0.7)), canvas.theme)
    sprite.stand(canvas.surface, cells[0].centerx, box.bottom - round(2 * unit_px))
    arrow = cells[1].inflate(-round(cells[1].width * 0.1), -round(box.height * 0.4))
    _arrow(canvas, arrow, "arrow_left" if leftwards else "arrow_right", mark)
    space = cells[2].inflate(-round(cells[2].width * 0.06), -round(box.height * 0.36))
    edge = canvas.theme.figures[side].accent, max(2, round(2 * unit_px))
    canvas.panel(space, canvas.theme.card, 5 * unit_px, edge)
    canvas.text(str(target), space, LEAD * unit_px, canvas.theme.ink, align=CENTRE)


def _lay(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    values = [card.value for card in remedy.cards] or [remedy.value or 1] * (remedy.count or 1)
    card_px, step, left = _row(_beside_arrow(canvas, box, "arrow_down", mark), len(values))
    for number, value in enumerate(values):
        draw_value_card(canvas, value, (left + number * step, box.centery - card_px * CARD_SHAPE / 2), card_px)


def _retreat(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    side = remedy.side or Side.WHITE
    sprite = fencer_sprite(side, Pose.PARRY, max(10, round(box.height * 0.74)), canvas.theme)
    half = box.width // 2
    figure_x = box.right - half // 2 if side is Side.WHITE else box.left + half // 2
    sprite.stand(canvas.surface, figure_x, box.bottom - round(2 * unit_px))
    arrow, _ = (cut_left if side is Side.WHITE else cut_right)(box, half)
    _arrow(canvas, arrow.inflate(-round(half * 0.3), 0), "arrow_left" if side is Side.WHITE else "arrow_right", mark)


def _play(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    left, right = cut_left(box, box.width // 2)
    card_px = round(min(box.height / CARD_SHAPE, left.width * 0.8))
    draw_card(canvas, None, (left.right - card_px, box.centery - card_px * CARD_SHAPE / 2), card_px)
    right.width = left.width
    _arrow(canvas, right.inflate(-8, -8), "arrow_down", mark)


def _show(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    count = max(1, remedy.count or 1)
    card_px, step, left = _row(box, count)
    for number in range(count):
        draw_card(canvas, None, (left + number * step, box.centery - card_px * CARD_SHAPE / 2), card_px)


def _clear(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    left, right = cut_left(box, box.width // 2)
    right.width = left.width
    _show(canvas, left, RemedyView(remedy.kind, "", count=3), mark, unit_px)
    _arrow(canvas, right.inflate(-8, -8), "arrow_up", mark)


def _begin(canvas: Canvas, box: pygame.Rect, remedy: RemedyView, mark: Colour, unit_px: float) -> None:
    _arrow(canvas, box, "swords", mark)


_PICTURES: Final[dict[RemedyKind, _Picture]] = {
    RemedyKind.TAKE_BACK_CARD: _take_back,
    RemedyKind.MOVE_FIGURE: _figure,
    RemedyKind.LAY_CARDS: _lay,
    RemedyKind.RETREAT: _retreat,
    RemedyKind.PLAY_ACTION: _play,
    RemedyKind.SHOW_HAND: _show,
    RemedyKind.CLEAR_CARDS: _clear,
    RemedyKind.START_ROUND: _begin,
    RemedyKind.START_MATCH: _begin,
}


SLOTS_SHAPE: Final = 3.4
"""How many times wider than high the row of slots is."""
_SIGNS: Final = {SlotMark.DEAL: "arrow_down", SlotMark.PLAY: "arrow_up", SlotMark.WRONG: "cross"}
_CAPTION: Final = 0.24
"""A share of the height, for the numbers below the slots."""


def draw_slots(canvas: Canvas, box: pygame.Rect, slots: Sequence[SlotMark], unit: float) -> None:
    """The slots in a row with their numbers, as they lie before whoever sits with the companion.

    A card to be played stands out of the row, with an arrow up; where one is to be dealt an arrow points down.
    """
    theme = canvas.theme
    step = box.width / max(1, len(slots))
    number_px = round(box.height * _CAPTION)
    lift = round(box.height * 0.08)
    card_px = round(min((box.height - number_px - lift) / CARD_SHAPE, step * 0.78))
    colours = {Mark.NOW: theme.bands[Tone.PREVIEW].mark, Mark.BAD: theme.attack}
    for place, mark in enumerate(slots):
        rest = pygame.Rect(0, 0, card_px, round(card_px * CARD_SHAPE))
        rest.midbottom = (round(box.left + (place + 0.5) * step), box.bottom - number_px)
        meant = mark in _SIGNS
        colour = colours[Mark.BAD if mark is SlotMark.WRONG else Mark.NOW]
        edge, edge_px = (colour, 2.4 * unit) if meant else (mix(theme.card, theme.ink, 0.35), 1.2 * unit)
        pygame.draw.rect(canvas.surface, edge, rest, max(1, round(edge_px)), round(card_px * 0.14))
        if mark in (SlotMark.HELD, SlotMark.PLAY, SlotMark.WRONG):
            card = rest.move(0, -lift if mark is SlotMark.PLAY else 0).inflate(-round(4 * unit), -round(4 * unit))
            draw_card(canvas, None, card.topleft, card.width)
        if meant:
            side_px = round(card_px * 0.62)
            ground = pygame.Rect(0, 0, round(side_px * 1.3), round(side_px * 1.3))
            ground.center = rest.center
            canvas.panel(ground, theme.card, ground.width / 2)
            canvas.blit(sign(_SIGNS[mark], side_px, colour), center=rest.center)
        number = pygame.Rect(rest.left, rest.bottom, rest.width, number_px)
        ink = colour if meant else theme.ink_soft
        canvas.text(str(place + 1), number, BODY * unit, ink, align=CENTRE)
