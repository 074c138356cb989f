"""The distance bridged between the fencers, and an attack with its strength."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import (
    BODY,
    CENTRE,
    LEFT,
    NOTE,
    RIGHT,
    Canvas,
    cut_left,
    cut_right,
    cut_top,
    line_height,
    text_width,
    thick_line,
)
from display.draw.pictures import sign
from display.draw.theme import Colour, Theme
from display.screens.areas import Track
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.piste import shown_space
from display.view import AttackView, PisteView, ViewModel
from engine.rules.track import Side

LOW_UNITS: Final = 75
"""Where an attack has less height, its cards stand beside its words."""
BLADE: Final = 0.8
FEET: Final = 0.45
"""The reach of a fencer on guard in heights, with the blade and with the feet, and some air."""
ALONE: Final = 0.26
"""A share of the width, for an attack without the number."""


def draw_distance(
    canvas: Canvas,
    box: pygame.Rect,
    piste: Track,
    view: PisteView,
    colour: Colour,
    unit_px: float,
    progress: float = 1.0,
) -> None:
    """The number, the line that bridges both fencers, and beside it the attack where there is one.

    While the fencers move the number counts along, so that it is true at every moment.

    A fencer who is drawn in a wrong place leaves only the attack, over the attacker: no number would be true
    over that line.
    """
    theme = canvas.theme
    attack = None if view.distance_pending else view.attack  # a legal open turn has answered it
    if not is_true(view):
        if attack is not None:
            share = 2 * ALONE if box.height < LOW_UNITS * unit_px else ALONE
            room = pygame.Rect(0, box.top, round(box.width * share), box.height)
            room.centerx = round(piste.x_of(shown_space(view, attack.by, progress)))
            room.clamp_ip(box.inflate(-round(24 * unit_px), 0))
            draw_attack(canvas, room, attack, from_left=attack.by is Side.WHITE, unit_px=unit_px)
        return
    xs = ends_of(piste, view, progress)
    line_y = box.bottom - round(5 * unit_px)
    pad = round((3 if theme.large_print else 9) * unit_px)
    number = pygame.Rect(0, box.top + pad, round(box.width * 0.2), line_y - box.top - 2 * pad)
    half = number.height * (0.85 if view.distance > 9 else 0.5)
    middle = min(max(sum(xs) / 2, box.left + half + pad), box.right - half - pad)
    number.centerx = round(middle)
    bridge(canvas, xs, line_y, colour, unit_px)
    drawn = canvas.number(shown_distance(piste, view, progress), number, colour)
    label_right = middle < box.centerx - unit_px  # over the middle always on the same side, whatever is rounded
    label = pygame.Rect(0, 0, round(130 * unit_px), round(24 * unit_px))
    if label_right:
        label.bottomleft = (drawn.right + pad, drawn.bottom)
    else:
        label.bottomright = (drawn.left - pad, drawn.bottom)
    align = LEFT if label_right else RIGHT
    words = canvas.text(view.distance_text, label, BODY * unit_px, theme.ink_soft, align=align, valign=1.0)
    if attack is not None:
        gap = round(16 * unit_px)
        beside_px = box.right - words.right if label_right else words.left - box.left
        room, _ = (cut_right if label_right else cut_left)(box, beside_px)
        draw_attack(canvas, room.inflate(-2 * gap, 0), attack, label_right, unit_px)


def draw_between(
    canvas: Canvas,
    box: pygame.Rect,
    piste: Track,
    view: PisteView,
    height_px: int,
    colour: Colour,
    unit_px: float,
    progress: float,
) -> None:
    """The line over the heads of fencers far apart, and the number between their blades with its word under it."""
    if not is_true(view):
        return
    left, right = ends_of(piste, view, progress)
    line_y = piste.stand_y - height_px - round(9 * unit_px)
    bridge(canvas, [left, right], line_y, colour, unit_px)
    top = line_y + round(8 * unit_px)
    label = pygame.Rect(0, box.bottom - round(28 * unit_px), 0, round(24 * unit_px))
    label.width, label.centerx = round(right - left - 2 * FEET * height_px), box.centerx
    number = pygame.Rect(box.left, top, box.width, label.top - top).inflate(0, -round(8 * unit_px))
    canvas.number(shown_distance(piste, view, progress), number, colour)
    canvas.text(view.distance_text, label, BODY * unit_px, canvas.theme.ink_soft, align=CENTRE)


def distance_colour(theme: Theme, view: ViewModel) -> Colour:
    """An open turn gives the distance its own colour; else an attack that waits does."""
    if view.piste.distance_pending:
        return theme.bands[view.verdict.tone].mark
    return theme.attack if view.piste.attack is not None else theme.ink


def is_true(view: PisteView) -> bool:
    """Whether the fencers are drawn as far apart as the distance says."""
    return view.fencers.black.space - view.fencers.white.space == view.distance


def ends_of(piste: Track, view: PisteView, progress: float) -> list[float]:
    """Where the line between the fencers begins and ends."""
    return [piste.x_of(shown_space(view, side, progress)) for side in Side]


def shown_distance(piste: Track, view: PisteView, progress: float) -> int:
    """The distance, which counts along while fencers who are drawn as far apart as it says move."""
    if progress == 1.0 or not is_true(view):
        return view.distance
    left, right = ends_of(piste, view, progress)
    return round((right - left) / piste.pitch_px)


def bridge(canvas: Canvas, xs: list[float], line_y: int, colour: Colour, unit_px: float) -> None:
    """A line from head to head."""
    left, right = xs
    width = max(2.0, 2.6 * unit_px)
    span(canvas, xs, line_y, colour, width)
    for x in (left, right):
        thick_line(canvas.surface, colour, [(x, line_y - 3 * unit_px), (x, line_y + 8 * unit_px)], width)


def span(canvas: Canvas, xs: list[float], line_y: int, colour: Colour, width_px: float) -> None:
    """The line alone."""
    thick_line(canvas.surface, colour, [(x, line_y) for x in xs], width_px)


def draw_attack(canvas: Canvas, room: pygame.Rect, attack: AttackView, from_left: bool, unit_px: float) -> None:
    """Which attack, with which cards, and one sword for each: they point at the defender."""
    theme = canvas.theme
    align = LEFT if from_left else RIGHT
    low = room.height < LOW_UNITS * unit_px
    _, room = cut_top(room, round(5 * unit_px))
    room.height -= round(12 * unit_px) - round(5 * unit_px)
    title_px = round(BODY * unit_px)
    title, _ = cut_top(room, round(24 * unit_px))
    between_px = round(8 * unit_px)
    breadth = 2.05 + 1.06 * (attack.count - 1)  # of the cards and their swords, in cards
    longest_px = max(text_width(word, title_px, heavy=True) for word in attack.text.split(" "))
    lines = 1
    if not low and text_width(attack.text, max(canvas.note_px, round(NOTE * unit_px)), heavy=True) > room.width:
        lines, title.height = 2, 2 * line_height(max(title_px, canvas.note_px))
        title.width = max(longest_px, room.width)
    if low:
        cards_px = room.height / CARD_SHAPE * breadth + between_px
        beside_px = room.width - round(10 * unit_px) - cards_px
        if text_width(attack.text, title_px, heavy=True) > beside_px and 2 * line_height(title_px) <= room.height:
            # In one line the words would leave the cards too little to be read.
            title.width, title.height, lines = max(longest_px, round(beside_px)), room.height, 2
        title.centery = room.centery
    title.left = room.left if from_left else room.right - title.width
    drawn = canvas.text(attack.text, title, title_px, theme.attack, align=align, lines=lines, heavy=True)
    body = pygame.Rect(room.left, title.bottom + round(3 * unit_px), room.width, room.bottom - title.bottom)
    if low:  # the cards stand beside the words, not below them
        gap = round(10 * unit_px)
        left, right = (drawn.right + gap, room.right) if from_left else (room.left, drawn.left - gap)
        body = pygame.Rect(left, room.top, right - left, room.height)
    widest_px = max(body.width / 4.5, (body.width - between_px) / breadth)
    card_px = round(min(body.height / CARD_SHAPE, 40 * unit_px * max(1.0, body.height / 90), widest_px))
    sword_px = round(card_px * 1.05)
    sword_room = sword_px + between_px
    step = round(min(card_px * 1.06, (body.width - card_px - sword_room) / max(1, attack.count - 1)))
    cards_px = card_px + step * (attack.count - 1)
    swords = sign("sword_right" if attack.by is Side.WHITE else "sword_left", sword_px, theme.attack)
    left = body.left if from_left else body.right - cards_px - sword_room
    cards_left = left if attack.by is Side.WHITE else left + sword_room
    swords_left = left + cards_px + between_px if attack.by is Side.WHITE else left
    top = body.centery - round(card_px * CARD_SHAPE / 2) if low else body.top
    for number in range(attack.count):
        draw_value_card(canvas, attack.value, (cards_left + number * step, top), card_px)
    spread = min(body.height * 0.9, card_px * CARD_SHAPE) / max(attack.count, 2)
    middle = top + card_px * CARD_SHAPE / 2
    for number in range(attack.count):
        y = middle + (number - (attack.count - 1) / 2) * spread - sword_px / 2
        canvas.surface.blit(swords, (swords_left, round(y)))
