"""The touch as an event: half a second of close-up, then the score over the whole width, in place of all else."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.boxes import cut_left, cut_top
from display.draw.canvas import LEFT, RIGHT, TITLE, Canvas
from display.draw.poses import POSES
from display.draw.theme import mix
from display.screens.fencer import fencer_sprite
from display.screens.signs import sign
from display.view import EndingView, Pose, ViewModel
from engine.rules.state import Reason
from engine.rules.track import Side

CLOSE_UP_S: Final = 0.5
SCORE_S: Final = 1.9
"""When the close-up ends, and when the score does, after the round was decided."""
STEP_S: Final = 1.3
"""So much later each step is told of how a round without a touch was decided."""


def covers_all(view: ViewModel) -> bool:
    """Whether the touch or the score takes the place of what else there is to be seen."""
    return view.ending is not None and view.piste.joy_s is not None and view.piste.joy_s < SCORE_S


def told_steps(view: ViewModel, ending: EndingView) -> int:
    """How many of the steps are told by now: all of them, one after the other."""
    if not view.piste.moments:
        return len(ending.steps)
    since_s = view.verdict_age_s - (SCORE_S if ending.winner is not None else 0.0)
    return min(len(ending.steps), max(1, 1 + int(since_s / STEP_S)))


def draw_moment(canvas: Canvas, box: pygame.Rect, view: ViewModel) -> None:
    """The close-up of a touch, or the score: nothing else is seen for as long."""
    ending = view.ending
    if ending is None or view.piste.joy_s is None or ending.winner is None:
        return
    if view.piste.joy_s < CLOSE_UP_S and ending.reason is Reason.HIT:
        _close_up(canvas, box, ending.winner)
    else:
        _score(canvas, box, view, ending.winner)


def _close_up(canvas: Canvas, box: pygame.Rect, winner: Side) -> None:
    """Both fencers as large as there is room for, the point where it lands."""
    theme = canvas.theme
    canvas.surface.fill(mix(theme.attack, theme.header, 0.35), box)
    height_px = round(box.height * 0.82)
    foot_y = box.bottom - round(box.height * 0.06)
    apart_px = height_px * 0.62
    before = canvas.surface.get_clip()
    canvas.surface.set_clip(box.clip(before))
    for side, pose in ((winner.other, Pose.HIT), (winner, Pose.LUNGE)):
        x = box.centerx - side.forward * apart_px / 2 - (winner.forward * height_px * 0.08)
        fencer_sprite(side, POSES[pose], height_px, theme).stand(canvas.surface, round(x), foot_y)
    burst_px = round(height_px * 0.3)
    at = box.centerx + winner.forward * apart_px * 0.3, foot_y - height_px * 0.64
    canvas.blit(sign("burst", burst_px, theme.gold), center=(round(at[0]), round(at[1])))
    canvas.surface.set_clip(before)


def _score(canvas: Canvas, box: pygame.Rect, view: ViewModel, winner: Side) -> None:
    """The new score across the whole width, the winner's number in gold."""
    theme = canvas.theme
    canvas.surface.fill(theme.header, box)
    name_px = round(box.height * 0.15)
    for side in Side:
        half, _ = cut_left(box, box.width // 2)
        half.left = box.left if side is Side.WHITE else box.centerx
        half = half.inflate(-round(box.width * 0.06), -round(box.height * 0.08))
        colour = theme.gold if side is winner else theme.on_header_soft
        align = LEFT if side is Side.WHITE else RIGHT
        place, number = cut_top(half, name_px)
        name = view.match.names[side]
        canvas.text(name, place, TITLE * canvas.print_px, colour, align=align, shorten=True, heavy=True)
        canvas.number(view.match.score[side], number.inflate(0, -round(number.height * 0.12)), colour, align=align)
    for by in (-1, 1):
        centre = box.centerx, box.centery + name_px // 2 + by * round(box.height * 0.12)
        pygame.draw.circle(canvas.surface, theme.on_header, centre, round(box.height * 0.045))
