"""The piste: 23 numbered spaces seen slightly from above, the middle marked, and the two fencers on it."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache

import pygame

from display.draw.canvas import Canvas, blank
from display.draw.pictures import sign
from display.draw.poses import POSES, Skeleton, staged
from display.draw.theme import Colour, Theme, mix
from display.screens.areas import Track
from display.screens.fencer import fencer_sprite
from display.view import FencerView, PisteView, Pose, ViewModel
from engine.rules.track import MIDDLE, SPACES, Side

VANISH = 0.965
"""Width of the far edge for a near edge of one."""


def _strip(canvas: Canvas, track: Track) -> None:
    """All spaces without their numbers, and the front of the strip under them."""
    theme, surface, box = canvas.theme, canvas.surface, track.box
    near_y = box.top + round(box.height * 0.86)
    first, last = track.seen[0], track.seen[-1]
    lines = {}  # after so many spaces: where it begins, at the far side, and ends
    for edge in {0, *range(first - 1, last + 1), SPACES}:
        near_x = edge * track.pitch_px - box.width / 2
        lines[edge] = (box.centerx + near_x * VANISH, box.top), (box.centerx + near_x, near_y)
    pygame.draw.polygon(surface, theme.space_dark, [*lines[first - 1], *reversed(lines[last])])
    for space in range(first, last + 1):
        if space % 2 or space == MIDDLE:
            ground = theme.space_middle if space == MIDDLE else theme.space_light
            pygame.draw.polygon(surface, ground, [*lines[space - 1], *reversed(lines[space])])
    front = pygame.Rect(box.left, near_y, box.width, box.bottom - near_y)
    surface.fill(mix(theme.space_dark, theme.ink, 0.45), front)
    line = mix(theme.space_dark, theme.ink, 0.3)
    for edge in range(first - 1, last + 1):
        pygame.draw.aaline(surface, line, *lines[edge])
    for left, right in zip(lines[0], lines[SPACES], strict=True):
        pygame.draw.line(surface, line, left, right)


def is_moving(view: ViewModel, progress: float) -> bool:
    """Whether the next picture shows the same piste again: fencers are on their way, or a victory is celebrated."""
    return progress < 1.0 or view.piste.joy_s is not None


def draw_far(canvas: Canvas, track: Track, view: ViewModel, lit: Collection[int], progress: float) -> None:
    """The whole piste, which is the same in all pictures of a move."""
    stands = view.piste.fencers.map(lambda fencer: (fencer.space, fencer.from_space))
    box = track.box.inflate(4, 4).clip(track.stage)
    key = canvas.theme, tuple(track.box), tuple(box), stands, tuple(lit)
    canvas.keep(box, key, lambda: draw_piste(canvas, track, view.piste, lit), again=is_moving(view, progress))


def draw_piste(canvas: Canvas, track: Track, view: PisteView, lit: Collection[int] = ()) -> None:
    """The strip with its numbers; the spaces the fencers stand on and came from are marked, and the lit ones gold."""
    theme = canvas.theme
    box = track.box
    _strip(canvas, track)
    for side in Side:
        _mark_spaces(canvas, track, side, view.fencers[side])
    for space in lit:
        place = _space_box(track, space)
        canvas.panel(place, theme.gold, min(place.size) * 0.15)
        _frame(canvas, place, theme.header, 0.12)
    occupied = {fencer.space for _, fencer in view.fencers.items()}
    high, share = (0.84, 0.8) if theme.large_print else (0.66, 0.6)
    size = min(box.height * share, track.pitch_px * 0.62)
    for space in track.seen:
        strong = space in occupied or space == MIDDLE or space in lit
        colour = theme.card if space == MIDDLE and space not in occupied else theme.ink
        if space in lit:
            colour = theme.header
        cell = pygame.Rect(0, 0, round(track.pitch_px), round(box.height * high))
        cell.center = round(track.x_of(space)), round(box.top + box.height * 0.58)
        if cell.left < track.stage.left or cell.right > track.stage.right:
            continue  # beyond what is framed
        canvas.text(str(space), cell, size if strong else size * 0.86, colour, align=0.5)


def _mark_spaces(canvas: Canvas, track: Track, side: Side, fencer: FencerView) -> None:
    accent = canvas.theme.figures[side].accent
    box = _space_box(track, fencer.space)
    canvas.panel(box, canvas.theme.card, min(box.size) * 0.15)
    _frame(canvas, box, accent, 0.08)
    if fencer.from_space is not None:
        mark_space(canvas, track, fencer.from_space, accent)


def mark_space(canvas: Canvas, track: Track, space: int, colour: Colour) -> None:
    """A frame around a space: where a fencer came from, or may go."""
    _frame(canvas, _space_box(track, space), colour, 0.07)


def _frame(canvas: Canvas, box: pygame.Rect, colour: Colour, share: float) -> None:
    side_px = min(box.size)
    width = max(2, round(side_px * share))
    pygame.draw.rect(canvas.surface, colour, box, width=width, border_radius=side_px // 6)


def _space_box(track: Track, space: int) -> pygame.Rect:
    box = pygame.Rect(0, 0, round(track.pitch_px * 0.94), round(track.box.height * 0.8))
    box.center = round(track.x_of(space)), round(track.box.top + track.box.height * 0.44)
    return box


def shown_space(view: PisteView, side: Side, progress: float) -> float:
    """A fencer's place on the way from the space before the last turn; ``progress`` 1.0 is there."""
    fencer = view.fencers[side]
    if view.before_spaces is None or progress >= 1.0:
        return fencer.space
    eased = progress * progress * (3 - 2 * progress)
    start = view.before_spaces[side]
    return start + (fencer.space - start) * eased


def draw_fencers(canvas: Canvas, track: Track, view: PisteView, height_px: int, progress: float) -> None:
    """Both fencers, the one to act last; a touch is marked by a burst as well as by the lamp."""
    order = (Side.WHITE, Side.BLACK) if view.to_act is not Side.WHITE else (Side.BLACK, Side.WHITE)
    for side in order:
        _shadow(canvas, track, shown_space(view, side, progress), height_px)
    for side in order:
        sprite = fencer_sprite(side, shown_pose(view, side, progress), height_px, canvas.theme)
        x = round(track.x_of(shown_space(view, side, progress)))
        left = on_stage(x - sprite.anchor[0], sprite.image, track)
        canvas.surface.blit(sprite.image, (left, track.stand_y - sprite.anchor[1]))
    for side in order:
        if view.fencers[side].pose is Pose.HIT and progress >= LANDS:
            grown = min(1.0, 0.55 + 0.9 * (progress - LANDS))
            _burst(canvas, track, side, view.fencers[side].space, height_px, grown)


LANDS = 0.5
"""The share of a hit's way at which the point arrives."""


def shown_pose(view: PisteView, side: Side, progress: float) -> Skeleton:
    """How a fencer stands on the way from the last pose shown; ``progress`` 1.0 is there."""
    now = view.fencers[side].pose
    if view.before_poses is None or view.before_spaces is None:
        return POSES[now]
    moved = (view.fencers[side].space - view.before_spaces[side]) * side.forward
    return staged(view.before_poses[side], now, moved, progress)


def on_stage(left_px: int, image: pygame.Surface, track: Track) -> int:
    """Where a fencer is drawn so that nothing is cut off: on the last spaces a little further in."""
    return max(track.stage.left, min(left_px, track.stage.right - image.get_width()))


def _shadow(canvas: Canvas, track: Track, space: float, height_px: int) -> None:
    image = _shadow_sprite(round(height_px * 0.8), max(3, round(height_px * 0.07)), canvas.theme)
    canvas.blit(image, center=(round(track.x_of(space)), track.stand_y))


@lru_cache(maxsize=8)
def _shadow_sprite(width_px: int, height_px: int, theme: Theme) -> pygame.Surface:
    return pygame.transform.smoothscale(_shade(theme), (width_px, height_px))


@cache
def _shade(theme: Theme) -> pygame.Surface:
    """The shadow at a size of its own: its edge is soft at any."""
    image = blank(120, 12)
    pygame.draw.ellipse(image, (*theme.ink, 60), image.get_rect())
    return image


def _burst(canvas: Canvas, track: Track, side: Side, space: int, height_px: int, grown: float) -> None:
    side_px = round(height_px * 0.34 * grown)
    image = sign("burst", side_px, canvas.theme.attack)
    x = track.x_of(space) - side.forward * height_px * 0.2
    canvas.blit(image, center=(round(x), round(track.stand_y - height_px * 0.66)))
