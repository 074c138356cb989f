"""Two rivals with what stands between them, and a player's picture, form and rating, drawn over a page's lines."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pygame

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
    theme, height = canvas.theme, round(body.height * RIVALS)
    box = pygame.Rect(body.left, body.top, body.width, height)
    met = pygame.Rect(box.left, 0, box.width, round(26 * unit_px))
    met.bottom = box.bottom - round(2 * unit_px)
    faces = pygame.Rect(box.left, box.top, box.width, met.top - box.top)
    name_px = round(32 * unit_px)
    face_px = faces.height - name_px
    middle = pygame.Rect(0, faces.top, round(box.width * 0.3), faces.height)
    middle.centerx = box.centerx
    for side in Side:
        white = side is Side.WHITE
        part = pygame.Rect(box.left if white else middle.right, faces.top, middle.left - box.left, faces.height)
        face = pygame.Rect(0, part.top, face_px, face_px)
        face.centerx = part.centerx
        name = rivalry.portraits[side]
        if name:
            canvas.surface.blit(portrait(name, face_px), face)
        else:
            sprite = fencer_sprite(side, Pose.GUARD, round(face_px * 0.96), theme)
            canvas.surface.blit(sprite.image, (face.centerx - sprite.anchor[0], face.bottom - sprite.anchor[1]))
        under = pygame.Rect(part.left, face.bottom, part.width, name_px)
        canvas.text(rivalry.names[side], under, LEAD * unit_px, theme.ink, align=CENTRE, heavy=True)
    score = score_text(rivalry.won.white, rivalry.won.black)
    upper = pygame.Rect(middle.left, middle.top, middle.width, round(middle.height * 0.72))
    canvas.text(score, upper, SCORE * unit_px, theme.ink, align=CENTRE)
    label = pygame.Rect(middle.left, upper.bottom, middle.width, middle.bottom - upper.bottom)
    canvas.text(rivalry.label, label, BODY * unit_px, theme.ink_soft, align=CENTRE)
    canvas.text(rivalry.met, met, BODY * unit_px, theme.ink_soft, align=CENTRE)
    used = height + round(6 * unit_px)
    return pygame.Rect(body.left, body.top + used, body.width, body.height - used)


def draw_person(canvas: Canvas, body: pygame.Rect, person: Person, unit_px: float) -> pygame.Rect:
    """Draws somebody's picture, form and rating, and gives the room that is left."""
    theme, height = canvas.theme, round(body.height * PERSON)
    box = pygame.Rect(body.left, body.top, body.width, height)
    left = pygame.Rect(box.left, box.top, round(box.width * FACE), box.height)
    standing = pygame.Rect(left.left, 0, left.width, round(27 * unit_px))
    standing.bottom = left.bottom
    face_px = min(standing.top - left.top - round(4 * unit_px), left.width)
    face = pygame.Rect(0, left.top, face_px, face_px)
    face.centerx = left.centerx
    if person.portrait:
        canvas.surface.blit(portrait(person.portrait, face_px), face)
    else:
        sprite = fencer_sprite(Side.WHITE, Pose.GUARD, round(face_px * 0.96), theme)
        canvas.surface.blit(sprite.image, (face.centerx - sprite.anchor[0], face.bottom - sprite.anchor[1]))
    canvas.text(person.standing, standing, BODY * unit_px, theme.ink, align=CENTRE)
    right = pygame.Rect(left.right + round(14 * unit_px), box.top, 0, box.height)
    right.width = box.right - right.left
    row_px = round(28 * unit_px)
    rating = pygame.Rect(right.left, right.top, right.width, row_px)
    canvas.text(person.rating, rating, LEAD * unit_px, theme.ink, align=LEFT, heavy=True)
    form = pygame.Rect(right.left, right.bottom - row_px, right.width, row_px)
    _form(canvas, form, person, unit_px)
    plot = pygame.Rect(right.left, rating.bottom, right.width, form.top - rating.bottom - round(4 * unit_px))
    _curve(canvas, plot, person, unit_px)
    used = height + round(8 * unit_px)
    return pygame.Rect(body.left, body.top + used, body.width, body.height - used)


def _form(canvas: Canvas, box: pygame.Rect, person: Person, unit_px: float) -> None:
    """The last matches, the newest at the right: a filled disc was won, a ring was lost."""
    theme = canvas.theme
    word = pygame.Rect(box.left, box.top, round(box.width * 0.36), box.height)
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
    title = pygame.Rect(box.left, box.top + round(2 * unit_px), box.width, round(19 * unit_px))
    canvas.text(person.curve_title, title, NOTE * unit_px, theme.ink_soft, align=CENTRE)
    if not person.curve:
        return
    label_px = round(52 * unit_px)
    plot = pygame.Rect(box.left + label_px, title.bottom, box.width - label_px - round(12 * unit_px), 0)
    plot.height = box.bottom - plot.top - round(8 * unit_px)
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
