"""Two rivals with what stands between them, and a player's picture, form and rating, drawn over a page's lines."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pygame

from display.draw.boxes import cut_bottom, cut_left, cut_right, cut_top
from display.draw.canvas import BODY, CENTRE, LEAD, LEFT, NOTE, RIGHT, SCORE, Canvas
from display.draw.portraits import portrait
from display.draw.theme import mix
from display.menu.model import Person, Rivalry
from display.screens.fencer import fencer_sprite
from display.view import Pose, Tone
from display.words.sentences import score_text
from engine.rules.track import Side

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
    """The last matches, the newest at the right: a filled disc was won, a ring was lost."""
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
