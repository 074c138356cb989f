"""The duel from near: the spaces between the fencers and some on each side, the whole piste as a thin strip over it.

Beside the fencers, where nobody stands, the distance has the left, the attack and the cards still unseen the right.
"""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, LEAD, NOTE, TITLE, Canvas, cut_top, thick_line
from display.draw.theme import Colour, Theme, mix
from display.screens.areas import Areas, Track, track
from display.screens.cards import CARD_SHAPE, draw_value_card
from display.screens.distance import distance_colour, draw_attack, ends_of, is_true, shown_distance, span
from display.screens.fencer import fencer_sprite
from display.screens.piste import draw_fencers, draw_piste, is_moving, on_stage
from display.view import PisteView, Pose, ViewModel
from engine.rules.rulings import RemedyKind
from engine.rules.state import Phase
from engine.rules.track import SPACES, Side
from engine.table.observation import Sight

NEAR: Final = 10
"""Fencers who are no farther apart are seen from near, with the spaces where they belong or may go."""
NEAR_WORDS: Final = 13
"""And beside words, where they are small in any case."""
WIDE: Final = 2.5
WORDS: Final = 700
"""So many times as wide as high the stage is for that, and so many units wide at least."""
COLUMN: Final = 0.16
"""So much of the width has what stands beside them."""
WIDE_COLUMN: Final = 0.24
"""And where the stage is low, under so many units."""
LOW_STAGE: Final = 100
EDGES: Final = (0.137, 0.185, 0.19)
"""So much of the width a number of one figure, the cards of an attack, and a number of two take from each side."""
BEHIND: Final = (0.35, 0.42, 0.6)
"""A fencer's reach in heights: back over the knees, down to the feet, and in a lunge."""
NUMBER_UNITS: Final = 104
"""How tall the distance is at most; half of it beside a panel of words."""
TASK_UNITS: Final = 24
"""And where the band says a task, whose number it might be taken for."""
OVER: Final = 0.2
"""So much of the width has what stands over their blades."""
OVER_FROM: Final = 9
"""And from this distance on there is room for it there."""
BESIDE: Final = 3
"""So many spaces are seen on each side of them at least, where the piste does not end."""
PITCHES_HIGH: Final = 4.8
"""A fencer is never drawn higher than so many spaces are wide."""
MAX_LETTERS: Final = 100
"""So much is said in one row under the headline without being small; in large print less, as it is larger."""
STRIP_UNITS: Final = 9
ATTACK: Final = 0.38
"""How much of the height beside the fencers has an attack over the cards still unseen."""


def duel_spaces(view: ViewModel) -> tuple[int, int] | None:
    """The first and last space to be seen from near; None where they are far apart, or there is more to tell."""
    told = is_told(view)
    if not told and (view.phase not in (Phase.TURN, Phase.FINAL) or view.ending is not None):
        return None
    spaces = view.piste.fencers.map(lambda fencer: fencer.space)
    if spaces.black <= spaces.white:
        return None
    shown = (spaces.white, spaces.black, *view.piste.lit, *(space for _, space in ghosts_of(view)))
    first, last = min(shown), max(shown)
    return None if last - first > (NEAR_WORDS if told else NEAR) else (first, last)


def is_told(view: ViewModel) -> bool:
    """Whether words stand beside the fencers: a panel's, or how a round ended that showed no hands."""
    shown = view.reveal is not None and view.reveal.hands is not None
    return view.panel is not None or (view.ending is not None and not shown)


def is_near(view: ViewModel, print_scale: float) -> bool:
    """Whether the duel has the room: it is framed, and what is said leaves it that."""
    if is_told(view):
        return False
    verdict = view.verdict
    told = bool(verdict.detail) + bool(verdict.hint) + bool(view.remedies)
    brief = told <= 2 and len(verdict.detail) + len(verdict.hint) <= MAX_LETTERS / print_scale
    return duel_spaces(view) is not None and brief and view.eyes.sight is not Sight.BLIND


def duel_track(places: Areas, view: ViewModel) -> Track | None:
    """The piste from near, wider than the stage; None where ``duel_spaces`` are."""
    spaces, told = duel_spaces(view), is_told(view)
    wide = places.header.width >= max(WIDE * places.stage.height, WORDS * places.band_unit_px / places.print_scale)
    if spaces is None or (told and not wide):
        return None
    whole = track(places.stage, places.unit_px, places.print_scale, near=places.near)
    if _is_over(places, view) or _is_silent(view):
        return framed(whole, spaces, 0.0)
    behind = BEHIND[(view.piste.attack is not None) + 1 if view.piles.unseen else 0]
    return framed(whole, spaces, EDGES[2 if told or view.piste.distance > 9 else view.piste.attack is not None], behind)


def framed(whole: Track, spaces: tuple[int, int], edge: float, behind: float = BEHIND[0]) -> Track:
    """The piste so near that the first and last of the spaces and three more on each side are seen.

    ``edge``: so much of the width is free on each side, besides how far a fencer reaches back.
    """
    (first, last), stage = spaces, whole.stage
    apart = last - first
    pitch_px = stage.width / (apart + 1 + 2 * BESIDE)
    if edge:
        pitch_px = min(pitch_px, stage.width * (0.5 - edge) / (apart / 2 + behind * PITCHES_HIGH))
    left = stage.centerx - ((first + last) / 2 - 0.5) * pitch_px
    box = pygame.Rect(round(left), whole.box.top, round(pitch_px * SPACES), whole.box.height)
    return Track(box, pitch_px, whole.stand_y, stage)


def _is_over(places: Areas, view: ViewModel) -> bool:
    """Whether the distance stands over the blades instead of beside the fencers, who then have the whole width."""
    alone = is_true(view.piste) and not view.piles.unseen
    return places.near and places.print_scale == 1.0 and view.piste.distance >= OVER_FROM and alone


def draw_duel(canvas: Canvas, places: Areas, view: ViewModel, piste: Track, progress: float, colour: Colour) -> None:
    """Draws the stage so."""
    stage, unit_px, theme = places.stage, places.unit_px, canvas.theme
    clip = canvas.surface.get_clip()
    canvas.surface.set_clip(stage.clip(clip))
    strip = pygame.Rect(stage.left, stage.top, stage.width, 0)
    if not places.near:  # else it is in the line over the stage
        strip = pygame.Rect(0, stage.top + round(3 * unit_px), round(stage.width * 0.88), _strip_px(theme, unit_px))
        strip.centerx = stage.centerx
    top, bottom = strip.bottom + round(6 * unit_px), piste.box.top - round(4 * unit_px)
    left = pygame.Rect(stage.left + round(10 * unit_px), top, round(stage.width * COLUMN), bottom - top)
    right = left.move(stage.right - round(10 * unit_px) - left.right, 0)
    label_px = round(24 * unit_px)
    number_units = NUMBER_UNITS if view.panel is None else TASK_UNITS if view.panel.task else NUMBER_UNITS / 2
    number = pygame.Rect(left.left, top, left.width, round(min(left.height - label_px, number_units * unit_px)))
    if _is_over(places, view):
        number.width, number.centerx = round(stage.width * OVER), stage.centerx
    label = pygame.Rect(number.left, number.bottom, number.width, label_px)
    attack = None if view.piste.distance_pending else view.piste.attack
    stacks = right.copy()
    if attack is not None:
        right.height = round(right.height * ATTACK) if shows_stacks(places, view) else right.height
        stacks.height, stacks.top = stacks.bottom - right.bottom, right.bottom
    _draw_ground(canvas, places, view, piste, (strip, stacks, label), colour, again=is_moving(view, progress))
    height_px = round(min(piste.stand_y - strip.bottom - 3 * unit_px, piste.pitch_px * PITCHES_HIGH))
    draw_ghosts(canvas, piste, view, height_px)
    draw_fencers(canvas, piste, view.piste, height_px, progress)
    if attack is not None:
        _blade(canvas, piste, view, height_px, progress, f"{attack.count} \u00d7 {attack.value}", unit_px)
    canvas.surface.set_clip(clip)
    if _belong(view) is not None and not _is_silent(view):
        shown = shown_distance(piste, view.piste, progress)
        canvas.number(shown, number.inflate(0, -round(6 * unit_px)), colour, align=CENTRE)
    if attack is not None:
        draw_attack(canvas, right, attack, from_left=False, unit_px=unit_px)


def is_low(piste: Track, unit_px: float) -> bool:
    """Whether there is so little height over the piste that what stands beside the fencers needs more of the width."""
    return piste.box.top - piste.stage.top < LOW_STAGE * unit_px


def draw_beside(
    canvas: Canvas, stage: pygame.Rect, piste: Track, view: PisteView, colour: Colour, unit_px: float
) -> None:
    """The distance at the left of fencers who are seen from near, and an attack at the right."""
    left = pygame.Rect(stage.left + round(10 * unit_px), stage.top, round(stage.width * COLUMN), 0)
    left.height = piste.box.top - stage.top - round(4 * unit_px)
    label_px = round(24 * unit_px)
    number = pygame.Rect(left.left, left.top, left.width, round(min(left.height - label_px, 104 * unit_px)))
    label = pygame.Rect(left.left, number.bottom, left.width, label_px)
    low = is_low(piste, unit_px)
    if low:  # the words stand beside the number
        wide_px = round(stage.width * (0.14 if view.distance > 9 else 0.1))
        number = pygame.Rect(left.left, left.top, wide_px, left.height + round(3 * unit_px))
        label = pygame.Rect(number.right, left.bottom - label_px, round(stage.width * 0.115), label_px)
        label.left += round(3 * unit_px)
    canvas.number(view.distance, number.inflate(0, -round((4 if low else 10) * unit_px)), colour, align=CENTRE)
    canvas.text(view.distance_text, label, BODY * unit_px, canvas.theme.ink_soft, align=CENTRE)
    if view.attack is not None and not view.distance_pending:
        room = left.copy()
        room.width = round(stage.width * (WIDE_COLUMN if low else COLUMN))
        room.right = stage.right - round(10 * unit_px)
        draw_attack(canvas, room, view.attack, from_left=False, unit_px=unit_px)


def shows_stacks(places: Areas, view: ViewModel) -> bool:
    """Whether the cards still unseen stand beside the fencers, where an attack may leave them no room."""
    in_stage = (
        view.panel is None
        and duel_spaces(view) is not None
        and (places.near or view.piste.attack is None or view.piste.distance_pending)
    )
    return bool(view.piles.unseen) and in_stage


def _belong(view: ViewModel) -> tuple[int, int] | None:
    """Where both fencers stand, or belong where that is shown; None where the distance is not true for these."""
    stands = dict(view.piste.fencers.map(lambda fencer: fencer.space).items()) | dict(ghosts_of(view))
    spaces = stands[Side.WHITE], stands[Side.BLACK]
    return spaces if spaces[1] - spaces[0] == view.piste.distance else None


def _is_silent(view: ViewModel) -> bool:
    """Whether the distance is left out: the round is over, or it may be the answer to what a lesson asks."""
    return view.ending is not None if view.panel is None else view.panel.asks


def _strip_px(theme: Theme, unit_px: float) -> int:
    return round(STRIP_UNITS * unit_px / theme.print_scale)


_Boxes = tuple[pygame.Rect, pygame.Rect, pygame.Rect]


def _draw_ground(
    canvas: Canvas, places: Areas, view: ViewModel, piste: Track, boxes: _Boxes, colour: Colour, *, again: bool
) -> None:
    """The strip, the piste with what is marked there, and what stands beside the fencers, but for the number."""
    theme, stage, unit_px, ghosts = canvas.theme, places.stage, places.unit_px, ghosts_of(view)
    strip, stacks, label = boxes
    stands = view.piste.fencers.map(lambda fencer: (fencer.space, fencer.from_space))
    said = view.piste.distance_text if _belong(view) is not None and not _is_silent(view) else ""
    unseen = view.piles.unseen if shows_stacks(places, view) else ()
    told = said, is_told(view), tuple(label), unseen, view.piles.unseen_text, tuple(stacks)
    key = (theme, tuple(stage), piste.pitch_px, stands, colour, view.piste.lit, ghosts, told)

    def draw() -> None:
        if strip.height:
            draw_whole(canvas, strip, view, colour, line=not _is_silent(view))
        draw_piste(canvas, piste, view.piste, (*view.piste.lit, *(space for _, space in ghosts)))
        if said:
            canvas.text(said, label, (NOTE if is_told(view) else BODY) * unit_px, theme.ink_soft, align=CENTRE)
        if unseen:
            _stacks(canvas, stacks, view, unit_px)

    canvas.keep(stage, key, draw, again=again)


def draw_ghosts(canvas: Canvas, piste: Track, view: ViewModel, height_px: int) -> None:
    """Fencers, half seen, where they belong."""
    for side, space in ghosts_of(view):
        sprite = fencer_sprite(side, Pose.GUARD, height_px, canvas.theme)
        ghost = sprite.image.copy()
        ghost.set_alpha(110)
        left = on_stage(round(piste.x_of(space)) - sprite.anchor[0], ghost, piste)
        canvas.surface.blit(ghost, (left, piste.stand_y - sprite.anchor[1]))


def ghosts_of(view: ViewModel) -> tuple[tuple[Side, int], ...]:
    """Where fencers belong who stand elsewhere, while the round goes on."""
    return tuple(
        (remedy.side, remedy.to_space)
        for remedy in (() if view.ending is not None else view.remedies)
        if remedy.kind is RemedyKind.MOVE_FIGURE and remedy.side is not None and remedy.to_space is not None
    )


def draw_strip(canvas: Canvas, places: Areas, view: ViewModel, share: float) -> None:
    """All spaces as a thin strip in the middle of the line for the eyes, of which it has this share of the width."""
    box = pygame.Rect(0, 0, round(places.status.width * share), _strip_px(canvas.theme, places.unit_px))
    box.center = places.status.center
    draw_whole(canvas, box, view, distance_colour(canvas.theme, view))


def draw_whole(canvas: Canvas, box: pygame.Rect, view: ViewModel, colour: Colour, *, line: bool = True) -> None:
    """All spaces as a thin strip, a dot for each fencer, and with ``line`` the distance as one between them."""
    theme = canvas.theme
    pitch_px = box.width / SPACES
    canvas.surface.fill(theme.space_dark, box)
    for space in range(2, SPACES, 2):
        canvas.surface.fill(theme.space_light, (box.left + (space - 1) * pitch_px, box.top, pitch_px, box.height))
    ends = [box.left + (view.piste.fencers[side].space - 0.5) * pitch_px for side in Side]
    if line and (belong := _belong(view)) is not None:
        ends_px = [box.left + (space - 0.5) * pitch_px for space in belong]
        span(canvas, ends_px, box.centery, colour, box.height * 0.35)
    for side, x in zip(Side, ends, strict=True):
        look = theme.figures[side]
        pygame.draw.circle(canvas.surface, look.accent, (x, box.centery), box.height * 0.75)
        pygame.draw.circle(canvas.surface, look.cloth, (x, box.centery), box.height * 0.45)


def _blade(
    canvas: Canvas, piste: Track, view: ViewModel, height_px: int, progress: float, number: str, unit_px: float
) -> None:
    """The attack as a red line over the piste, with how many cards of which value."""
    theme = canvas.theme
    attack = view.piste.attack
    assert attack is not None
    ends = ends_of(piste, view.piste, progress)
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
    theme = canvas.theme
    title, _ = cut_top(box, round(22 * unit_px))
    canvas.text(view.piles.unseen_text, title, NOTE * unit_px, theme.ink_soft, align=CENTRE)
    step = (box.bottom - title.bottom) / len(view.piles.unseen)
    card_px = round(min(step * 0.82 / CARD_SHAPE, box.width * 0.34))
    layer_px = card_px * 0.08
    for number, (value, count) in enumerate(view.piles.unseen):
        top = title.bottom + step * number + (step - card_px * CARD_SHAPE) / 2
        left = box.centerx - card_px * 1.3
        played = 5 - count
        for layer in range(played):
            draw_value_card(canvas, value, (left + layer * layer_px, top - layer * layer_px / 2), card_px)
        if not played:
            empty = pygame.Rect(round(left), round(top), card_px, round(card_px * CARD_SHAPE))
            soft = mix(theme.paper, theme.ink, 0.25)
            pygame.draw.rect(canvas.surface, soft, empty, max(1, round(unit_px)), border_radius=round(3 * unit_px))
            canvas.text(str(value), empty, card_px * 0.8, soft, align=CENTRE)
        beside = pygame.Rect(round(left + card_px * 1.5), round(top), 0, round(card_px * CARD_SHAPE))
        beside.width = box.right - beside.left
        canvas.text(f"\u00d7{count}", beside, LEAD * unit_px, theme.ink)
