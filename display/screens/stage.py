"""The stage between head and verdict: the distance bridged between the fencers, and an attack with its strength."""

from __future__ import annotations

import pygame

from display.draw.canvas import LEFT, RIGHT, Canvas, thick_line
from display.draw.theme import Colour
from display.screens.areas import Areas, Track, track
from display.screens.camera import CameraPicture
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.ending import draw_ending, draw_reveal
from display.screens.panel import draw_panel
from display.screens.piste import draw_fencers, draw_piste, shown_space
from display.screens.signs import sign
from display.screens.trouble import draw_trouble
from display.view import AttackView, TroubleView, ViewModel
from engine.rules.state import Phase
from engine.rules.track import Side

ROOM_FOR_FENCERS = 250
"""In large print a stage lower than so many units leaves the fencers out where hands or an ending have to be told."""

PANEL_FENCERS = 0.27
PANEL_FENCERS_LARGE = 0.2
"""How much of the stage's height a fencer has below a panel of words, and in large print."""


def draw_stage(
    canvas: Canvas,
    places: Areas,
    view: ViewModel,
    progress: float,
    trouble: TroubleView | None,
    camera: CameraPicture | None,
) -> None:
    """Piste, fencers, and above them words, the distance, the attack, the hands to show, or how it ended.

    Where there is ``trouble`` to be shown, instead of all that the camera's picture with it.
    """
    canvas.surface.fill(canvas.theme.paper, places.stage)
    if trouble is not None:
        draw_trouble(canvas, places.stage, view, trouble, camera, places.unit_px)
        return
    large_print = canvas.theme.large_print
    piste = track(places.stage, places.unit_px, places.print_scale)
    told = view.panel is None and (view.ending is not None or view.reveal is not None)
    alone = told and large_print and places.stage.height < ROOM_FOR_FENCERS * places.unit_px
    share = 0.0 if alone else 0.4 if view.reveal is not None or large_print else 0.5
    if view.panel is not None:
        share = PANEL_FENCERS_LARGE if large_print else PANEL_FENCERS
    height_px = fencer_height(places, piste, share)
    heads_y = piste.box.top if alone else piste.stand_y - height_px
    upper = pygame.Rect(
        places.stage.left, places.stage.top, places.stage.width, heads_y - places.stage.top - round(4 * places.unit_px)
    )
    draw_piste(canvas, piste, view)
    if view.panel is not None:
        colour = _distance_colour(canvas, view)
        line_y = upper.bottom - round(5 * places.unit_px)
        _bridge(canvas, _ends(piste, view, progress), line_y, colour, places.unit_px)
        upper.height -= round(9 * places.unit_px)
        draw_panel(canvas, upper, view, view.panel, colour, places.unit_px)
    elif view.ending is not None:
        draw_ending(canvas, upper, view, view.ending, places.unit_px)
    elif view.phase is Phase.REVEAL and view.reveal is not None:
        draw_reveal(canvas, upper, view, view.reveal, places.unit_px)
    else:
        _distance(canvas, upper, piste, view, places.unit_px, progress)
    if not alone:
        draw_fencers(canvas, piste, view, height_px, progress)


def fencer_height(places: Areas, piste: Track, share: float) -> int:
    """A fencer's standing height: his share of the stage, never wider than five spaces. Shown hands need more room."""
    room = piste.stand_y - places.stage.top
    return round(min(room * share, piste.pitch_px * 4.4))


def _distance(canvas: Canvas, box: pygame.Rect, piste: Track, view: ViewModel, unit_px: float, progress: float) -> None:
    """The number, the line that bridges both fencers, and beside it the attack where there is one."""
    theme = canvas.theme
    xs = _ends(piste, view, progress)
    line_y = box.bottom - round(5 * unit_px)
    pad = round((4 if theme.large_print else 9) * unit_px)
    number = pygame.Rect(0, box.top + pad, round(box.width * 0.2), line_y - box.top - 2 * pad)
    half = number.height * (0.85 if view.distance > 9 else 0.5)
    middle = min(max(sum(xs) / 2, box.left + half + pad), box.right - half - pad)
    number.centerx = round(middle)
    attack = None if view.distance_pending else view.attack  # a legal open turn has answered it
    colour = _distance_colour(canvas, view)
    _bridge(canvas, xs, line_y, colour, unit_px)
    drawn = canvas.number(view.distance, number, colour)
    label_right = middle < box.centerx
    label = pygame.Rect(0, 0, round(130 * unit_px), round(24 * unit_px))
    if label_right:
        label.bottomleft = (drawn.right + pad, drawn.bottom)
    else:
        label.bottomright = (drawn.left - pad, drawn.bottom)
    align = LEFT if label_right else RIGHT
    words = canvas.text(
        view.distance_text, label, 20 * unit_px, theme.ink_soft, align=align, valign=1.0, least_px=9 * unit_px
    )
    if attack is not None:
        gap = round(16 * unit_px)
        if label_right:
            room = pygame.Rect(words.right + gap, box.top, box.right - words.right - 2 * gap, box.height)
        else:
            room = pygame.Rect(box.left + gap, box.top, words.left - 2 * gap - box.left, box.height)
        _attack(canvas, room, attack, label_right, unit_px)


def _ends(piste: Track, view: ViewModel, progress: float) -> list[float]:
    """Where the line between the fencers begins and ends."""
    return [piste.x_of(shown_space(view, side, progress)) for side in Side]


def _distance_colour(canvas: Canvas, view: ViewModel) -> Colour:
    """An open turn gives the distance its own colour; else an attack that waits does."""
    if view.distance_pending:
        return canvas.theme.bands[view.verdict.tone].mark
    return canvas.theme.attack if view.attack is not None else canvas.theme.ink


def _bridge(canvas: Canvas, xs: list[float], line_y: int, colour: Colour, unit_px: float) -> None:
    """A line from head to head."""
    left, right = xs
    width = max(2.0, 2.6 * unit_px)
    thick_line(canvas.surface, colour, [(left, line_y), (right, line_y)], width)
    for x in (left, right):
        thick_line(canvas.surface, colour, [(x, line_y - 3 * unit_px), (x, line_y + 8 * unit_px)], width)


def _attack(canvas: Canvas, room: pygame.Rect, attack: AttackView, from_left: bool, unit_px: float) -> None:
    """Which attack, with which cards, and one sword for each: they point at the defender."""
    theme = canvas.theme
    align = LEFT if from_left else RIGHT
    room = pygame.Rect(room.left, room.top + round(5 * unit_px), room.width, room.height - round(12 * unit_px))
    title = pygame.Rect(room.left, room.top, room.width, round(24 * unit_px))
    canvas.text(attack.text, title, 21 * unit_px, theme.attack, align=align, least_px=11 * unit_px)
    body = pygame.Rect(room.left, title.bottom + round(3 * unit_px), room.width, room.bottom - title.bottom)
    card_px = round(min(body.height / CARD_SHAPE, 40 * unit_px * max(1.0, body.height / 90), body.width / 4.5))
    sword_px = round(card_px * 1.05)
    sword_room = round(card_px * 1.05) + round(8 * unit_px)
    step = round(min(card_px * 1.06, (body.width - card_px - sword_room) / max(1, attack.count - 1)))
    cards_px = card_px + step * (attack.count - 1)
    swords = sign("sword_right" if attack.by is Side.WHITE else "sword_left", sword_px, theme.attack)
    swords_px = round(sword_px * 1.0)
    total = cards_px + round(8 * unit_px) + swords_px
    left = body.left if from_left else body.right - total
    cards_left = left if attack.by is Side.WHITE else left + swords_px + round(8 * unit_px)
    swords_left = left + cards_px + round(8 * unit_px) if attack.by is Side.WHITE else left
    for number in range(attack.count):
        draw_value_card(canvas, attack.value, (cards_left + number * step, body.top), card_px)
    spread = min(body.height * 0.9, card_px * CARD_SHAPE) / max(attack.count, 2)
    middle = body.top + card_px * CARD_SHAPE / 2
    for number in range(attack.count):
        y = middle + (number - (attack.count - 1) / 2) * spread - sword_px / 2
        canvas.surface.blit(swords, (swords_left, round(y)))
