"""The duel from near: the spaces between the fencers and some on each side, the whole piste as a thin strip over it.

Beside the fencers, where nobody stands, the distance has the left and the attack or the cards still unseen the right.
"""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, TITLE, Canvas, DrawnText, thick_line
from display.draw.theme import Colour, mix
from display.screens.areas import Areas, Track, track
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.distance import draw_attack, ends_of, is_true, span
from display.screens.fencer import fencer_sprite
from display.screens.piste import draw_fencers, draw_piste, on_stage
from display.view import Pose, ViewModel
from engine.rules.rulings import RemedyKind
from engine.rules.state import Phase
from engine.rules.track import SPACES, Side

NEAR: Final = 10
"""Fencers who are no farther apart are seen from near, with the spaces where they belong or may go."""
MIDDLE: Final = 0.54
"""So much of the width they have between them, with a space on each side."""
COLUMN: Final = 0.16
"""And what stands beside them."""
BESIDE: Final = 3
"""So many spaces are seen on each side of them at least, where the piste does not end."""
PITCHES_HIGH: Final = 4.6
"""A fencer is never drawn higher than so many spaces are wide."""
STRIP_UNITS: Final = 9
AIR_UNITS: Final = (8, 0)
"""Over and under the number together, and in large print: there the words are higher and the number is not smaller."""


def duel_track(places: Areas, view: ViewModel) -> Track | None:
    """The piste from near, wider than the stage; None where the fencers are far apart, or there is more to be told."""
    if view.panel is not None or view.phase not in (Phase.TURN, Phase.FINAL) or view.ending is not None:
        return None
    spaces = view.fencers.map(lambda fencer: fencer.space)
    if spaces.black <= spaces.white:
        return None
    shown = (spaces.white, spaces.black, *view.lit, *(space for _, space in ghosts_of(view)))
    first, last = min(shown), max(shown)
    apart = last - first
    if apart > NEAR:
        return None
    stage = places.stage
    whole = track(stage, places.unit_px, places.print_scale)
    pitch_px = stage.width * min(MIDDLE / (apart + 2), 1 / (apart + 1 + 2 * BESIDE))
    left = stage.centerx - ((first + last) / 2 - 0.5) * pitch_px
    box = pygame.Rect(round(left), whole.box.top, round(pitch_px * SPACES), whole.box.height)
    return Track(box, pitch_px, whole.stand_y, stage)


def draw_duel(canvas: Canvas, places: Areas, view: ViewModel, piste: Track, progress: float, colour: Colour) -> None:
    """Draws the stage so."""
    stage, unit_px, theme = places.stage, places.unit_px, canvas.theme
    clip = canvas.surface.get_clip()
    canvas.surface.set_clip(stage.clip(clip))
    strip_px = round(STRIP_UNITS * unit_px / theme.print_scale)
    strip = pygame.Rect(0, stage.top + round(3 * unit_px), round(stage.width * 0.88), strip_px)
    strip.centerx = stage.centerx
    top, bottom = strip.bottom + round(6 * unit_px), piste.box.top - round(4 * unit_px)
    left = pygame.Rect(stage.left + round(10 * unit_px), top, round(stage.width * COLUMN), bottom - top)
    right = left.move(stage.right - round(10 * unit_px) - left.right, 0)
    label = pygame.Rect(left.left, left.bottom - round(24 * unit_px), left.width, round(24 * unit_px))
    attack = None if view.distance_pending else view.attack
    _draw_ground(canvas, places, view, piste, (strip, right, label), colour, attacked=attack is not None)
    height_px = round(min(piste.stand_y - strip.bottom - 3 * unit_px, piste.pitch_px * PITCHES_HIGH))
    draw_ghosts(canvas, piste, view, height_px)
    draw_fencers(canvas, piste, view, height_px, progress)
    if attack is not None:
        _blade(canvas, piste, view, height_px, progress, f"{attack.count} \u00d7 {attack.value}", unit_px)
    canvas.surface.set_clip(clip)
    if is_true(view):
        first, last = ends_of(piste, view, progress)
        shown = view.distance if progress == 1.0 else round((last - first) / piste.pitch_px)
        number = pygame.Rect(left.left, 0, left.width, round(min(label.top - left.top, 104 * unit_px)))
        number.bottom = label.top
        canvas.number(shown, number.inflate(0, -round(AIR_UNITS[theme.large_print] * unit_px)), colour, align=CENTRE)
    if attack is not None:
        draw_attack(canvas, right, attack, from_left=attack.by is Side.WHITE, unit_px=unit_px)


_Boxes = tuple[pygame.Rect, pygame.Rect, pygame.Rect]


class _Kept:
    """What does not move, as it was drawn last: a move is many pictures, and this is the same in all of them."""

    key: object = None
    ground: pygame.Surface | None = None
    texts: tuple[DrawnText, ...] = ()


def _draw_ground(
    canvas: Canvas, places: Areas, view: ViewModel, piste: Track, boxes: _Boxes, colour: Colour, *, attacked: bool
) -> None:
    """The strip, the piste with what is marked there, and what stands beside the fencers, but for the number."""
    theme, stage, unit_px, ghosts = canvas.theme, places.stage, places.unit_px, ghosts_of(view)
    strip, right, label = boxes
    stands = view.fencers.map(lambda fencer: (fencer.space, fencer.from_space))
    said, unseen = view.distance_text if is_true(view) else "", () if attacked else view.unseen
    key = (theme, tuple(stage), piste.pitch_px, stands, colour, view.lit, ghosts, said, unseen, view.unseen_text)
    if key == _Kept.key and _Kept.ground is not None:
        canvas.surface.blit(_Kept.ground, stage)
        canvas.texts += _Kept.texts
        return
    before = len(canvas.texts)
    _whole(canvas, strip, view, colour)
    draw_piste(canvas, piste, view, (*view.lit, *(space for _, space in ghosts)))
    if said:
        canvas.text(said, label, BODY * unit_px, theme.ink_soft, align=CENTRE)
    if unseen:
        _stacks(canvas, right, view, unit_px)
    _Kept.key, _Kept.texts = key, tuple(canvas.texts[before:])
    _Kept.ground = canvas.surface.subsurface(stage).copy()


def draw_ghosts(canvas: Canvas, piste: Track, view: ViewModel, height_px: int) -> None:
    """Fencers, half seen, where they belong."""
    for side, space in ghosts_of(view):
        sprite = fencer_sprite(side, Pose.GUARD, height_px, canvas.theme)
        ghost = sprite.image.copy()
        ghost.set_alpha(110)
        left = on_stage(round(piste.x_of(space)) - sprite.anchor[0], ghost, piste)
        canvas.surface.blit(ghost, (left, piste.stand_y - sprite.anchor[1]))


def ghosts_of(view: ViewModel) -> tuple[tuple[Side, int], ...]:
    """Where fencers belong who stand elsewhere."""
    return tuple(
        (remedy.side, remedy.to_space)
        for remedy in view.remedies
        if remedy.kind is RemedyKind.MOVE_FIGURE and remedy.side is not None and remedy.to_space is not None
    )


def _whole(canvas: Canvas, box: pygame.Rect, view: ViewModel, colour: Colour) -> None:
    """All spaces as a thin strip, a dot for each fencer, and the distance as a line between them."""
    theme = canvas.theme
    pitch_px = box.width / SPACES
    for space in range(1, SPACES + 1):
        cell = pygame.Rect(round(box.left + (space - 1) * pitch_px), box.top, round(pitch_px) - 1, box.height)
        canvas.surface.fill(theme.space_dark if space % 2 else theme.space_light, cell)
    ends = [box.left + (view.fencers[side].space - 0.5) * pitch_px for side in Side]
    if is_true(view):
        span(canvas, ends, box.centery, colour, box.height * 0.35)
    for side, x in zip(Side, ends, strict=True):
        look = theme.figures[side]
        pygame.draw.circle(canvas.surface, look.accent, (x, box.centery), box.height * 0.75)
        pygame.draw.circle(canvas.surface, look.cloth, (x, box.centery), box.height * 0.45)


def _blade(
    canvas: Canvas, piste: Track, view: ViewModel, height_px: int, progress: float, number: str, unit_px: float
) -> None:
    """The attack as a red line over the piste, with how many cards of which value."""
    theme = canvas.theme
    attack = view.attack
    assert attack is not None
    ends = ends_of(piste, view, progress)
    y = piste.stand_y - height_px * 0.42
    start, end = (ends[0], ends[1]) if attack.by is Side.WHITE else (ends[1], ends[0])
    inset = height_px * 0.2 * attack.by.forward
    thick_line(canvas.surface, theme.card, [(start + inset, y), (end - inset * 0.4, y)], 8 * unit_px)
    thick_line(canvas.surface, theme.attack, [(start + inset, y), (end - inset * 0.4, y)], 5 * unit_px)
    badge = pygame.Rect(0, 0, round(90 * unit_px), round(38 * unit_px))
    badge.center = round(sum(ends) / 2), round(y)
    canvas.panel(badge.inflate(4, 4), theme.card, 9 * unit_px)
    canvas.panel(badge, theme.attack, 8 * unit_px)
    canvas.text(number, badge, TITLE * unit_px, theme.card, align=CENTRE)


def _stacks(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    """The played cards of each value as a stack, and under it how many are still unseen."""
    theme = canvas.theme
    title = pygame.Rect(box.left, box.top, box.width, round(22 * unit_px))
    canvas.text(view.unseen_text, title, NOTE * unit_px, theme.ink_soft, align=CENTRE)
    step = box.width / len(view.unseen)
    card_px = round(min(step * 0.78, (box.bottom - title.bottom) * 0.5 / CARD_SHAPE))
    for number, (value, count) in enumerate(view.unseen):
        centre = box.left + step * (number + 0.5)
        top = title.bottom + round(8 * unit_px)
        played = 5 - count
        for layer in range(played):
            draw_value_card(canvas, value, (centre - card_px / 2, top - layer * 2 * unit_px + 6 * unit_px), card_px)
        if not played:
            empty = pygame.Rect(0, 0, card_px, round(card_px * CARD_SHAPE))
            empty.midtop = round(centre), round(top + 6 * unit_px)
            soft = mix(theme.paper, theme.ink, 0.25)
            pygame.draw.rect(canvas.surface, soft, empty, max(1, round(unit_px)), border_radius=round(3 * unit_px))
            canvas.text(str(value), empty, card_px * 0.8, soft, align=CENTRE)
        left = pygame.Rect(0, 0, round(step), round(24 * unit_px))
        left.midtop = round(centre), round(top + card_px * CARD_SHAPE + 10 * unit_px)
        canvas.text(f"\u00d7{count}", left, BODY * unit_px, theme.ink, align=CENTRE)
