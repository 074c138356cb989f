"""The table screen: the story of the fight on one picture, at any size. Reads the view model and nothing else."""

from __future__ import annotations

import pygame

from display.draw.canvas import Canvas
from display.draw.parts import Part
from display.draw.theme import Theme
from display.screens.areas import areas
from display.screens.band import draw_band
from display.screens.camera import CameraPicture
from display.screens.duel import is_near, shows_stacks
from display.screens.header import draw_header
from display.screens.paused import draw_paused
from display.screens.stage import draw_stage
from display.screens.status import draw_status
from display.screens.touch import told_steps
from display.spots import TroubleView
from display.view import Tone, ViewModel


def table_parts(
    view: ViewModel,
    progress: float,
    box: pygame.Rect,
    theme: Theme,
    camera: CameraPicture | None = None,
    trouble: TroubleView | None = None,
    band: pygame.Rect | None = None,
) -> tuple[Part, ...]:
    """The screen in parts, with all of the view that each depends on.

    ``progress`` 0 to 1 moves the fencers from where they stood before the last turn to where they stand now.
    ``trouble`` is shown on the camera's picture, which is not looked at without any. ``band``: as in ``areas``.
    """
    picture = camera if trouble is not None else None
    near = trouble is None and is_near(view, theme.print_scale)
    places = areas(box, theme.print_scale, band, near=near)
    told = 0 if view.ending is None else told_steps(view, view.ending)
    stacked = trouble is None and shows_stacks(places, view)
    head = view.match, view.piste.to_act, view.turn_text, view.phase, view.piles
    stage = (
        *(progress, view.piste, view.phase, view.verdict, view.remedies, view.reveal, view.ending, view.panel),
        *(view.match.names, view.match.score, view.piles, view.celebrated, told, trouble, picture),
    )
    status: tuple[object, ...] = (view.eyes, view.match.preset_text, view.piles, stacked)
    if near:  # then the whole piste is there, too
        status += (view.piste, view.verdict, view.remedies, view.ending)

    def draw(canvas: Canvas) -> None:
        draw_stage(canvas, places, view, progress, trouble, picture, told)
        if view.verdict.tone is Tone.PAUSED:
            draw_paused(canvas, places.stage)

    unseen = () if stacked else view.piles.unseen
    band_shows = view.verdict, view.remedies, view.piste.attack
    return (
        Part("stage", places.stage, stage, draw, fills=True),
        Part("header", places.header, head, lambda canvas: draw_header(canvas, places, view), fills=True),
        Part("status", places.status, status, lambda canvas: draw_status(canvas, places, view, unseen), fills=True),
        Part("band", places.band, band_shows, lambda canvas: draw_band(canvas, places, view), fills=True),
    )
