"""The table screen: the stage with piste and fencers, what there is to be told above them, and the line for the eyes.

It reads the view model and nothing else, at any size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import pygame

from display.draw.canvas import BODY, NOTE, RIGHT, Canvas, cut_left, cut_top
from display.draw.parts import Part
from display.draw.pictures import sign
from display.draw.theme import Colour, Theme
from display.screens.areas import Areas, Track, areas, track
from display.screens.band import draw_band
from display.screens.camera import CameraPicture, draw_trouble
from display.screens.cards import draw_value_card
from display.screens.distance import BLADE, bridge, distance_colour, draw_between, draw_distance, ends_of
from display.screens.duel import (
    draw_duel,
    draw_ghosts,
    draw_strip,
    duel_track,
    ghosts_of,
    is_near,
    is_told,
    shows_stacks,
)
from display.screens.ending import covers_all, draw_ending, draw_joy, draw_moment, draw_reveal, told_steps
from display.screens.header import draw_header
from display.screens.panel import draw_beside, draw_panel, has_distance
from display.screens.piste import draw_far, draw_fencers
from display.view import Tone, TroubleView, ViewModel
from engine.rules.state import Phase
from engine.table.observation import Sight


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


NEAR_SHARE: Final = (0.29, 0.37)
"""How much of the width, and in large print, words about eyes and rules have each beside the piste as a strip."""
_SIGNS = {Sight.STEADY: "eye", Sight.CHECKING: "eye", Sight.BLIND: "blind"}


def draw_status(canvas: Canvas, places: Areas, view: ViewModel, unseen: Sequence[tuple[int, int]]) -> None:
    """Draws the line; ``unseen``: as in the view, where that is not shown elsewhere."""
    theme, box, unit_px = canvas.theme, places.status, places.unit_px
    near_share = NEAR_SHARE[theme.large_print]
    blind = view.eyes.sight is Sight.BLIND
    canvas.surface.fill(theme.bands[Tone.UNSEEN].mark if blind else theme.paper, box)
    pad = round(12 * unit_px)
    inner = box.inflate(-2 * pad, -round(4 * unit_px))
    share = near_share if places.near else 1.0 if blind else 0.46 if unseen else 0.72
    eyes, rest = cut_left(inner, round(inner.width * share))
    calm = view.eyes.quiet or view.eyes.sight is Sight.STEADY
    colour: Colour = theme.card if blind else theme.ink_soft if calm else theme.attack
    words = eyes
    if view.eyes.used:
        canvas.surface.blit(sign(_SIGNS[view.eyes.sight], inner.height, colour), eyes.topleft)
        _, words = cut_left(eyes, inner.height + round(7 * unit_px))
    text = " · ".join(part for part in (view.eyes.text, view.eyes.foreign) if part)
    canvas.text(text, words, (BODY if blind else NOTE) * unit_px, colour)
    if blind:
        return
    if places.near:
        draw_strip(canvas, places, view, 1.0 - 2.2 * near_share)
        rest.width, rest.left = eyes.width, inner.right - eyes.width
    if unseen:
        _unseen(canvas, rest, view, unit_px)
    else:
        canvas.text(view.match.preset_text, rest, NOTE * unit_px, theme.ink_soft, align=RIGHT)


def _unseen(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    cell_px = round(min(box.width * 0.13, 54 * unit_px))
    card_px = round(box.height / 1.5)
    left = box.right - cell_px * len(view.piles.unseen)
    label = pygame.Rect(box.left, box.top, left - box.left - round(8 * unit_px), box.height)
    canvas.text(view.piles.unseen_text, label, NOTE * unit_px, canvas.theme.ink_soft, align=RIGHT)
    for number, (value, count) in enumerate(view.piles.unseen):
        card = draw_value_card(canvas, value, (left + number * cell_px, box.top), card_px)
        words_px = cell_px - card.width - round(4 * unit_px)
        words = pygame.Rect(card.right + round(2 * unit_px), box.top, words_px, box.height)
        canvas.text(f"\u00d7{count}", words, BODY * unit_px, canvas.theme.ink)


DIMMED: Final = (92, 92, 104)
"""What is left of each colour, of 255: the fencers are still made out."""
SIGN: Final = 0.6
LOW: Final = 0.62
"""How much of the height the sign has, and where its middle is: under the distance."""


def draw_paused(canvas: Canvas, box: pygame.Rect) -> None:
    """Dims what is drawn there, and draws the sign."""
    canvas.surface.fill(DIMMED, box, pygame.BLEND_RGB_MULT)
    image = sign("pause", round(min(box.size) * SIGN), canvas.theme.card)
    canvas.blit(image, center=(box.centerx, box.top + round(box.height * LOW)))
