"""A round of a past match on the screen: the table after the chosen turn, what was done, and the chances as a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import hypot
from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, LEAD, NOTE, RIGHT, Canvas, cut_bottom, cut_left, cut_right, cut_top
from display.draw.leaves import draw_leaves, sentences
from display.draw.theme import mix
from display.menu.model import PastRound, PastTurn, said_of
from display.screens.areas import track
from display.screens.piste import draw_fencers, draw_piste
from display.words.review import GraphPoint
from engine.rules.track import Side

PISTE: Final = 0.32
WORDS: Final = 0.34
WORDS_LARGE: Final = 0.38
"""Shares of the height for the table and the words, these in large print; the graph has the rest."""
NOTE_HEAD: Final = 28
"""The row over what decided."""
LONGER: Final = 1.3
"""By which power of its letters a sentence has more room than another: a begun line is as high as a full one."""
OFFER: Final = 0.28
"""A share of the width."""


def draw_round(
    canvas: Canvas, box: pygame.Rect, past: PastRound, unit_px: float, turned: int = 0
) -> list[tuple[pygame.Rect, int]]:
    """Draws it and gives the places where a finger chooses a turn: columns of the graph, each with its turn.

    ``turned``: how many times the leaf of a long explanation was turned.
    """
    stage, rest = cut_top(box, round(box.height * PISTE))
    words, graph = cut_top(rest, round(box.height * (WORDS_LARGE if canvas.theme.large_print else WORDS)))
    _table(canvas, stage, past.turns[past.at], unit_px)
    offered = [] if past.offer is None else [_offer(canvas, words, *past.offer, unit_px)]
    if offered:
        words.width = offered[0][0].left - words.left - round(8 * unit_px)
    _words(canvas, words, past, unit_px, turned)
    return [*_graph(canvas, graph, past, unit_px), *offered]


def _table(canvas: Canvas, stage: pygame.Rect, turn: PastTurn, unit_px: float) -> None:
    piste = track(stage, unit_px, canvas.theme.print_scale)
    draw_piste(canvas, piste, turn.piste)
    draw_fencers(canvas, piste, turn.piste, round(min((piste.stand_y - stage.top) * 0.92, piste.pitch_px * 4.4)), 1.0)


def _offer(canvas: Canvas, box: pygame.Rect, text: str, number: int, unit_px: float) -> tuple[pygame.Rect, int]:
    """What can be made of the turn that is shown, to be touched, at the right of what is said of it."""
    theme = canvas.theme
    place = pygame.Rect(0, 0, round(box.width * OFFER), min(box.height, round(74 * unit_px)))
    place.midright = (box.right, box.centery)
    canvas.panel(place, theme.header_active, 8 * unit_px, (theme.gold, max(2, round(2 * unit_px))))
    inner = place.inflate(-round(16 * unit_px), -round(6 * unit_px))
    canvas.text(text, inner, BODY * unit_px, theme.on_header, align=CENTRE, lines=3)
    return place, number


def _words(canvas: Canvas, box: pygame.Rect, past: PastRound, unit_px: float, turned: int) -> None:
    """What was done, and what is to be said of it; before the first turn what decided, then how chances are read."""
    theme = canvas.theme
    said = said_of(past)
    if past.at == 0 and not past.review.progress and not said:  # what decided, and how the chances are to be read
        head, note = cut_top(box, round(NOTE_HEAD * unit_px))
        canvas.text(past.turns[past.at].text, head, LEAD * unit_px, theme.ink, align=CENTRE, heavy=True)
        sizes = NOTE * unit_px, BODY * unit_px
        told = [line.text for line in past.review.lines]
        method = sentences(past.review.note)
        draw_leaves(canvas, note, told, sizes, theme.ink, turned, apart=True, align=CENTRE, after=method)
        return
    rows = [(past.turns[past.at].text, theme.ink), *((line.text, theme.ink_soft) for line in said[1:])]
    if said:
        rows[0] = (said[0].text, theme.ink)
    if past.review.progress:
        rows.append((past.review.progress, theme.ink_soft))
    shares = [1.0] * len(rows)
    if theme.large_print:  # a long sentence beside a short one has its own share of the room
        shares = [len(text) ** LONGER for text, _ in rows]
    rest = box
    for (text, colour), share in zip(rows, shares, strict=True):
        row, rest = cut_top(rest, int(box.height * share / sum(shares)))
        canvas.text(text, row, LEAD * unit_px, colour, align=CENTRE, lines=3, shorten=True)


def _graph(canvas: Canvas, box: pygame.Rect, past: PastRound, unit_px: float) -> list[tuple[pygame.Rect, int]]:
    theme, view = canvas.theme, past.review
    label_px = round(62 * unit_px)
    title, below = cut_top(box, round(18 * unit_px))
    canvas.text(view.axis, title, NOTE * unit_px, theme.ink_soft, align=CENTRE)
    _, plot = cut_left(cut_right(below, round(12 * unit_px))[1], label_px)
    _, plot = cut_bottom(plot, round(6 * unit_px))
    half = plot.height // 2
    for side, top in ((Side.WHITE, plot.top), (Side.BLACK, plot.top + half)):
        ground = mix(theme.paper, theme.figures[side].accent, 0.1)
        canvas.surface.fill(ground, pygame.Rect(plot.left, top, plot.width, half))
    for share, percent in view.scale:
        y = plot.top + round((1 - share) * plot.height)
        pygame.draw.line(canvas.surface, mix(theme.paper, theme.ink, 0.3), (plot.left, y), (plot.right, y))
        label = pygame.Rect(box.left, 0, label_px - round(10 * unit_px), round(16 * unit_px))  # clear of the first mark
        label.centery = min(max(y, plot.top + label.height // 2), plot.bottom - label.height // 2)
        canvas.text(percent, label, NOTE * unit_px, theme.ink_soft, align=RIGHT)
    step = plot.width / max(1, view.of)

    def at(number: int, chance: float) -> tuple[float, float]:
        return plot.left + number * step, plot.top + (1 - chance) * plot.height

    cursor_x = round(at(past.at, 0)[0])
    ends = (cursor_x, plot.top), (cursor_x, plot.bottom)
    pygame.draw.line(canvas.surface, theme.gold, *ends, max(2, round(3 * unit_px)))
    if len(view.points) > 1:
        band = [at(each.number, each.high) for each in view.points]
        band += [at(each.number, each.low) for each in reversed(view.points)]
        pygame.draw.polygon(canvas.surface, mix(theme.paper, theme.ink, 0.28), band)
        line = [at(each.number, each.white) for each in view.points]
        pygame.draw.lines(canvas.surface, theme.ink, False, line, max(2, round(2.5 * unit_px)))
    _shown(canvas, view.points, at, unit_px)
    for each in view.points:
        _mark(canvas, at(each.number, each.white), each, each.number == past.at, unit_px)
    middles = [round(plot.left + (number - 0.5) * step) for number in range(len(past.turns) + 1)]
    edges = [max(box.left, middles[0]), *middles[1:-1], min(plot.right, middles[-1])]
    return [
        (pygame.Rect(left, plot.top, max(1, right - left), plot.height), number)
        for number, (left, right) in enumerate(pairwise(edges))
    ]


def _shown(
    canvas: Canvas, points: Sequence[GraphPoint], at: Callable[[int, float], tuple[float, float]], unit_px: float
) -> None:
    """The chances with the hands that were shown: a dashed line, with a stroke over each where several deals fit."""
    width, colour = max(2, round(2 * unit_px)), canvas.theme.attack
    for before, after in pairwise(points):
        if before.shown is not None and after.shown is not None:
            _dashed(canvas, at(before.number, before.shown[0]), at(after.number, after.shown[0]), width, unit_px)
    for each in points:
        if each.shown is not None and each.shown[1] < each.shown[2]:
            low, high = (at(each.number, share) for share in each.shown[1:])
            pygame.draw.line(canvas.surface, colour, low, high, width)


def _dashed(canvas: Canvas, begin: tuple[float, float], end: tuple[float, float], width: int, unit_px: float) -> None:
    wide, high = end[0] - begin[0], end[1] - begin[1]
    count = max(1, round(hypot(wide, high) / (6 * unit_px)))
    for number in range(0, count, 2):
        first, last = (
            (begin[0] + wide * share, begin[1] + high * share) for share in (number / count, (number + 1) / count)
        )
        pygame.draw.line(canvas.surface, canvas.theme.attack, first, last, width)


def _mark(canvas: Canvas, place: tuple[float, float], point: GraphPoint, chosen: bool, unit_px: float) -> None:
    """A ring where the round turned or a better turn is proved; the turn that is shown is filled."""
    if not (point.decided or point.better or chosen):
        return
    theme, radius = canvas.theme, (7 if chosen else 5) * unit_px
    colour = theme.ink if chosen else theme.gold if point.decided else theme.card
    pygame.draw.circle(canvas.surface, colour, place, radius)
    pygame.draw.circle(canvas.surface, theme.ink, place, radius, max(1, round(1.5 * unit_px)))
