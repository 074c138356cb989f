"""What is said on the played table itself: where a card leads, an attack and its answer, how to put things right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import pygame

from display.draw.canvas import CENTRE, LEAD, Canvas, thick_line
from display.draw.pictures import sign
from display.draw.theme import Colour
from display.tabletop.model import Target, TopView
from display.tabletop.places import Places, figure_box, space_box
from display.view import AttackView, Pose, ViewModel
from engine.rules.cards import Card
from engine.rules.rulings import RemedyKind
from engine.rules.track import Side

BEATEN_S: Final = 1.6
"""So long a parry is seen to beat the blade aside."""
FRAME_UNITS: Final = 2.7
"""How wide the frame of a lit space is."""
_CHEST_MM: Final = 30.0  # above the piste, where blades meet
_REACH_MM: Final = 15.0  # from a fencer's middle to his hand


@dataclass(frozen=True, slots=True)
class TableSigns:
    """What is drawn over the table: the attack that waits, who beat one aside just now, the places that put it right.

    ``ghosts`` are fencers on their right spaces, ``outlined`` cards to be taken up, ``wanted`` values that are to be
    laid; ``lit`` are spaces that the cards which lie there lead to.
    """

    attack: AttackView | None = None
    beaten_by: Side | None = None
    ghosts: tuple[tuple[Side, int], ...] = ()
    outlined: tuple[Card, ...] = ()
    wanted: tuple[int, ...] = ()
    lit: tuple[int, ...] = ()


def signs_of(view: ViewModel) -> TableSigns:
    """The signs of this moment."""
    parried = [side for side, fencer in view.piste.fencers.items() if fencer.pose is Pose.PARRY]
    fresh = view.verdict_age_s < BEATEN_S
    return TableSigns(
        attack=None if view.piste.distance_pending else view.piste.attack,
        beaten_by=parried[0] if parried and fresh else None,
        ghosts=tuple(
            (remedy.side, remedy.to_space)
            for remedy in view.remedies
            if view.piste.to_act is not None
            and remedy.kind is RemedyKind.MOVE_FIGURE
            and remedy.side is not None
            and remedy.to_space is not None
        ),
        outlined=tuple(
            card for remedy in view.remedies if remedy.kind is RemedyKind.TAKE_BACK_CARD for card in remedy.cards
        ),
        wanted=tuple(
            remedy.value for remedy in view.remedies if remedy.kind is RemedyKind.LAY_CARDS and remedy.value is not None
        ),
        lit=view.piste.lit,
    )


def draw_targets(canvas: Canvas, places: Places, top: TopView, lit: tuple[Target, ...], aimed: Target | int) -> None:
    """Places that something picked up can be played to; the one that keys have chosen stands out."""
    gold = canvas.theme.gold
    for target in lit:
        strong = aimed != 0 and target == aimed
        if target is not None:
            _light(canvas, space_box(places, target), places.unit_px, strong=strong)
        elif top.player is not None:
            box = figure_box(places, *top.figures[top.player.other])
            ring = box.inflate(round(6 * places.unit_px), round(2 * places.unit_px))
            width = max(3, round((4 if strong else 2.6) * places.unit_px))
            colour = canvas.theme.attack if strong else gold
            pygame.draw.ellipse(canvas.surface, canvas.theme.header, ring.inflate(width, width), width * 2)
            pygame.draw.ellipse(canvas.surface, colour, ring, width)


def draw_lit(canvas: Canvas, places: Places, spaces: tuple[int, ...]) -> None:
    """Spaces that the cards which lie there lead to."""
    for space in spaces:
        _light(canvas, space_box(places, space), places.unit_px)


def _light(canvas: Canvas, box: pygame.Rect, unit: float, *, strong: bool = False) -> None:
    """A space all in gold with a dark frame, which is seen from three metres away; a ``strong`` one is larger."""
    width = max(2, round(FRAME_UNITS * unit))
    outer = box.inflate(width * (3 if strong else 1), width * (2 if strong else 0))
    outer.bottom = box.bottom  # below it stands its number
    canvas.panel(outer, canvas.theme.header, 4 * unit)
    canvas.panel(outer.inflate(-2 * width, -2 * width), canvas.theme.card if strong else canvas.theme.gold, 2 * unit)
    if strong:
        canvas.panel(outer.inflate(-3 * width, -3 * width), canvas.theme.gold, 2 * unit)


def draw_attack(canvas: Canvas, places: Places, top: TopView, attack: AttackView) -> None:
    """The blade over the piste from one fencer to the other, and on it how many cards of which value."""
    theme, unit = canvas.theme, places.unit_px
    start, end = (_hand(places, top, side, attack.by) for side in (attack.by, attack.by.other))
    _blade(canvas, start, end, theme.attack, unit)
    number = f"{attack.count} \u00d7 {attack.value}"
    size = LEAD * places.print_px
    badge = pygame.Rect(0, 0, round(78 * places.print_px), round(30 * places.print_px))
    badge.center = round((start[0] + end[0]) / 2), round(start[1] + 24 * places.scale)
    badge.top = max(badge.top, space_box(places, 1).bottom + round(2 * unit))
    canvas.panel(badge.inflate(4, 4), theme.card, 8 * unit)
    canvas.panel(badge, theme.attack, 7 * unit)
    canvas.text(number, badge, size, theme.card, align=CENTRE)


def draw_beaten(canvas: Canvas, places: Places, top: TopView, by: Side) -> None:
    """The blade of the attack beaten aside, with a spark where the other met it."""
    start, end = (_hand(places, top, side, by.other) for side in (by.other, by))
    reach = min(abs(end[0] - start[0]), 60 * places.scale)
    angle = math.radians(38)
    forward = by.other.forward
    tip = start[0] + forward * reach * math.cos(angle), start[1] - reach * math.sin(angle)
    _blade(canvas, start, tip, canvas.theme.steel, places.unit_px)
    spark_px = round(26 * places.unit_px)
    image = sign("burst", spark_px, canvas.theme.gold)
    canvas.blit(image, center=(round(tip[0]), round(tip[1])))


def _hand(places: Places, top: TopView, side: Side, attacker: Side) -> tuple[float, float]:
    x_mm, y_mm = top.figures[side]
    x, y = places.px(x_mm + side.forward * _REACH_MM * (1 if side is attacker else 0.4), y_mm)
    return x, y - _CHEST_MM * places.scale


def _blade(canvas: Canvas, start: tuple[float, float], end: tuple[float, float], colour: Colour, unit: float) -> None:
    """A straight blade with its point, on a pale edge that keeps it apart from what is behind."""
    long_px = max(1.0, math.dist(start, end))
    along = (end[0] - start[0]) / long_px, (end[1] - start[1]) / long_px
    neck = end[0] - along[0] * 9 * unit, end[1] - along[1] * 9 * unit
    thick_line(canvas.surface, canvas.theme.card, [start, neck], 7 * unit)
    thick_line(canvas.surface, colour, [start, neck], 4 * unit)
    across = -along[1] * 5.5 * unit, along[0] * 5.5 * unit
    point = [end, (neck[0] + across[0], neck[1] + across[1]), (neck[0] - across[0], neck[1] - across[1])]
    pygame.draw.polygon(canvas.surface, colour, point)
    pygame.draw.polygon(canvas.surface, canvas.theme.card, point, max(1, round(unit)))
