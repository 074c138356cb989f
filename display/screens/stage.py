"""The stage between head and verdict: piste and fencers, and above them what there is to be told."""

from __future__ import annotations

from dataclasses import replace

import pygame

from display.draw.boxes import cut_left, cut_top
from display.draw.canvas import Canvas
from display.screens.areas import Areas, Track, track
from display.screens.camera import CameraPicture
from display.screens.distance import BLADE, bridge, distance_colour, draw_between, draw_distance, ends_of
from display.screens.duel import draw_duel, draw_ghosts, duel_track, ghosts_of, is_told
from display.screens.ending import draw_ending, draw_reveal
from display.screens.joy import draw_joy
from display.screens.panel import draw_beside, draw_panel, has_distance
from display.screens.piste import draw_far, draw_fencers
from display.screens.touch import covers_all, draw_moment
from display.screens.trouble import draw_trouble
from display.spots import TroubleView
from display.view import ViewModel
from engine.rules.state import Phase

ROOM_FOR_FENCERS = 250
"""In large print a stage lower than so many units leaves the fencers out where hands are shown."""

BESIDE_DUEL = 0.42
"""How much of the width a panel of words has at the left of fencers who are seen from near."""
PANEL_FENCERS = 0.36, 0.27
"""How much of the stage's height a fencer has below a panel of words, and in large print."""
FAR_FENCERS = 0.86
"""And where what is told stands between them."""
FENCERS = 0.4, 0.32
"""And below shown hands, or an attack on somebody who stands elsewhere, and in large print."""


def draw_stage(
    canvas: Canvas,
    places: Areas,
    view: ViewModel,
    progress: float,
    trouble: TroubleView | None,
    camera: CameraPicture | None,
    told_steps: int,
) -> None:
    """Piste, fencers, and above them words, the distance, the attack, the hands to show, or how it ended.

    Where there is ``trouble`` to be shown, instead of all that the camera's picture with it. ``told_steps``: how many
    lines of the working of a decision are told by now.
    """
    canvas.surface.fill(canvas.theme.paper, places.stage)
    if covers_all(view):
        draw_moment(canvas, places.stage, view)
        return
    if trouble is not None:
        draw_trouble(canvas, places.stage, view, trouble, camera, places.unit_px)
        return
    panel, ending, whole = view.panel, view.ending, places.stage
    if ending is not None:
        ending = replace(ending, working=ending.working[:told_steps])
    framed, large_print = duel_track(places, view), canvas.theme.large_print
    if framed is not None and is_told(view):
        words, rest = beside_duel(places)
        if panel is None or draw_beside(canvas, words, panel, places.unit_px, small_too=not large_print):
            places = replace(places, stage=rest)
            framed = duel_track(places, view)
        else:
            framed = None
    if framed is not None:
        draw_duel(canvas, places, view, framed, progress, distance_colour(canvas.theme, view))
        if panel is None and ending is not None:
            draw_joy(canvas, whole, view, places.unit_px)
            draw_ending(canvas, words, view, ending, places.unit_px)
        return
    piste = track(places.stage, places.unit_px, places.print_scale)
    hands, low = view.reveal is not None, places.stage.height < ROOM_FOR_FENCERS * places.unit_px
    alone = panel is None and hands and large_print and low
    far = (
        panel is None and not hands and (ending is not None or view.piste.attack is None or view.piste.distance_pending)
    )
    left, right = ends_of(piste, view.piste, progress)
    between_px = max(right - left - 2 * BLADE * fencer_height(places, piste, FAR_FENCERS), piste.pitch_px)
    if ending is not None and between_px < BESIDE_DUEL * places.stage.width:
        far = False
    share = FAR_FENCERS if far else (FENCERS if panel is None else PANEL_FENCERS)[large_print]
    height_px = 0 if alone else fencer_height(places, piste, share)
    heads_y = piste.box.top if alone else piste.stand_y - height_px
    upper, _ = cut_top(places.stage, heads_y - places.stage.top - round(4 * places.unit_px))
    if far:
        upper.width, upper.height = round(between_px), piste.box.top - upper.top
        upper.centerx = round((left + right) / 2)
    in_turn = panel is None and view.ending is None and view.phase in (Phase.TURN, Phase.FINAL)
    ghosts = ghosts_of(view) if in_turn else ()
    lit = (*view.piste.lit, *(space for _, space in ghosts)) if panel is None else ()
    draw_far(canvas, piste, view, lit, progress)
    draw_joy(canvas, whole, view, places.unit_px)
    if panel is not None:
        colour = distance_colour(canvas.theme, view)
        line_y = upper.bottom - round(5 * places.unit_px)
        if has_distance(view, panel):
            bridge(canvas, ends_of(piste, view.piste, progress), line_y, colour, places.unit_px)
        upper.height -= round(9 * places.unit_px)
        draw_panel(canvas, upper, view, panel, colour, places.unit_px)
    elif ending is not None:
        draw_ending(canvas, upper, view, ending, places.unit_px)
    elif view.phase is Phase.REVEAL and view.reveal is not None:
        draw_reveal(canvas, upper, view, view.reveal, places.unit_px)
    elif far:
        colour = distance_colour(canvas.theme, view)
        draw_between(canvas, upper, piste, view.piste, height_px, colour, places.unit_px, progress)
    else:
        draw_distance(canvas, upper, piste, view.piste, distance_colour(canvas.theme, view), places.unit_px, progress)
    if ghosts:
        draw_ghosts(canvas, piste, view, height_px)
    if not alone:
        draw_fencers(canvas, piste, view.piste, height_px, progress)


def beside_duel(places: Areas) -> tuple[pygame.Rect, pygame.Rect]:
    """The places of a panel of words and of the duel at its right."""
    words = places.stage.inflate(-round(10 * places.unit_px), -round(10 * places.unit_px))
    words.width = round(places.stage.width * BESIDE_DUEL)
    return words, cut_left(places.stage, words.right - places.stage.left)[1]


def fencer_height(places: Areas, piste: Track, share: float) -> int:
    """A fencer's standing height: his share of the stage, never wider than five spaces. Shown hands need more room."""
    room = piste.stand_y - places.stage.top
    return round(min(room * share, piste.pitch_px * 4.4))
