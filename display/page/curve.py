"""Curves as SVG: how ratings went, and the chances in a round, each a line within the range that is not ruled out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from display.draw.theme import Theme, mix
from display.page.figures import colour
from display.page.markup import Markup, element, number
from display.words.review import GraphPoint, ReviewView
from engine.rules.track import Side

WIDTH: Final = 640.0
HEIGHT: Final = 240.0
LEFT: Final = 56.0
RIGHT: Final = 12.0
EDGE: Final = 14.0
_STEPS: Final = (20, 50, 100, 200, 500, 1000)
_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's ratings, the oldest first: each is its value with the lower and the upper end of its range.

    ``step`` is the number of the value's match in the order of all matches, for where it stands from left to right.
    """

    side: Side
    values: tuple[tuple[int, float, float, float], ...]


def chart(theme: Theme, curves: Sequence[Curve], description: str) -> Markup:
    """All curves on one scale, which spans the values and their last ranges. At least one value."""
    points = [value for curve in curves for value in curve.values]
    ends = [end for curve in curves if curve.values for end in curve.values[-1][2:]]
    low = min([value for _, value, _, _ in points] + ends)
    high = max([value for _, value, _, _ in points] + ends)
    first, last = min(value[0] for value in points), max(value[0] for value in points)

    def x(step: int) -> float:
        share = (step - first) / (last - first) if last > first else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(value: float) -> float:
        return EDGE + (high - min(max(value, low), high)) / ((high - low) or 1.0) * (HEIGHT - 2 * EDGE)

    parts = [element("title", description)]
    faint = colour(mix(theme.ink, theme.paper, 0.75))
    for tick in _ticks(low, high):
        height = number(y(tick))
        parts.append(
            element("line", x1=LEFT, x2=number(WIDTH - RIGHT), y1=height, y2=height, stroke=faint, stroke_width=1)
        )
        parts.append(element("text", f"{tick:.0f}", x=LEFT - 6, y=number(y(tick) + 5), text_anchor="end", font_size=14))
    for curve in curves:
        ink = colour(theme.figures[curve.side].accent)
        there = [f"{number(x(step))},{number(y(end))}" for step, _, _, end in curve.values]
        back = [f"{number(x(step))},{number(y(end))}" for step, _, end, _ in reversed(curve.values)]
        parts.append(element("polygon", points=" ".join(there + back), fill=ink, fill_opacity=0.13))
    for curve in curves:
        ink = colour(theme.figures[curve.side].accent)
        line = " ".join(f"{number(x(step))},{number(y(value))}" for step, value, _, _ in curve.values)
        dash = "7 4" if curve.side is Side.BLACK else None
        parts.append(element("polyline", points=line, fill="none", stroke=ink, stroke_width=2.5, stroke_dasharray=dash))
        step, value, _, _ = curve.values[-1]
        parts.append(element("circle", cx=number(x(step)), cy=number(y(value)), r=4.5, fill=ink))
    return element("svg", *parts, viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}", class_="curve", role="img")


def _ticks(low: float, high: float) -> list[int]:
    """Round values between the two, not more than a few."""
    for step in _STEPS:
        ticks = list(range(math.ceil(low / step) * step, math.floor(high / step) * step + 1, step))
        if len(ticks) <= _LINES:
            return ticks
    return [round(low), round(high)]


SHORT: Final = 190.0
TOP: Final = 10.0
FOOT: Final = 24.0


def chances(theme: Theme, view: ReviewView, description: str) -> Markup:
    """White's chance after each turn, from 0 to 100 %. At least one point."""
    last = max(1, view.of)

    def x(point: GraphPoint) -> float:
        return LEFT + point.number / last * (WIDTH - LEFT - RIGHT)

    def y(chance: float) -> float:
        return TOP + (1.0 - chance) * (SHORT - TOP - FOOT)

    faint, ink = colour(mix(theme.ink, theme.paper, 0.75)), colour(theme.ink)
    white, black = (colour(theme.figures[side].accent) for side in Side)
    parts = [element("title", description)]
    half = number(y(0.5))
    upper = {"x": number(LEFT), "width": number(WIDTH - LEFT - RIGHT)}
    parts.append(
        element("rect", **upper, y=number(y(1.0)), height=number(y(0.5) - y(1.0)), fill=white, fill_opacity=0.07)
    )
    parts.append(element("rect", **upper, y=half, height=number(y(0.0) - y(0.5)), fill=black, fill_opacity=0.07))
    for share, label in view.scale:
        at = number(y(share))
        parts.append(element("line", x1=LEFT, x2=number(WIDTH - RIGHT), y1=at, y2=at, stroke=faint, stroke_width=1))
        parts.append(element("text", label, x=LEFT - 5, y=number(y(share) + 5), text_anchor="end", font_size=14))
    band = [f"{number(x(each))},{number(y(each.high))}" for each in view.points]
    band += [f"{number(x(each))},{number(y(each.low))}" for each in reversed(view.points)]
    parts.append(element("polygon", points=" ".join(band), fill=ink, fill_opacity=0.16))
    line = "M" + " L".join(f"{number(x(each))},{number(y(each.white))}" for each in view.points)
    parts.append(element("path", d=line, fill="none", stroke=ink, stroke_width=2.5, stroke_linejoin="round"))
    parts += _shown(theme, view, x, y)
    for each in view.points:
        if each.decided or each.better:
            gold = colour(theme.gold) if each.decided else colour(theme.card)
            at_x, at_y = number(x(each)), number(y(each.white))
            parts.append(element("circle", cx=at_x, cy=at_y, r=6, fill=gold, stroke=ink, stroke_width=2))
            parts.append(
                element("text", str(each.number), x=at_x, y=number(SHORT - 5), text_anchor="middle", font_size=14)
            )
    return element("svg", *parts, viewBox=f"0 0 {WIDTH:g} {SHORT:g}", class_="curve", role="img")


def _shown(
    theme: Theme, view: ReviewView, x: Callable[[GraphPoint], float], y: Callable[[float], float]
) -> Iterator[Markup]:
    """The chances with the hands that were shown: a dashed line, with a stroke over each where several deals fit."""
    stroke = {"fill": "none", "stroke": colour(theme.attack), "stroke_width": 2}
    known = [(each, each.shown) for each in view.points if each.shown is not None]
    if known:
        line = "M" + " L".join(f"{number(x(each))},{number(y(shown[0]))}" for each, shown in known)
        yield element("path", d=line, **stroke, stroke_dasharray="6 4")
    for each, (_, low, high) in known:
        if low < high:
            at = number(x(each))
            yield element("line", x1=at, x2=at, y1=number(y(low)), y2=number(y(high)), **stroke)
