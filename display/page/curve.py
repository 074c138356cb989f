"""How ratings went, as SVG: a line for each player within the range that is not ruled out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from display.draw.theme import Theme, mix
from display.page.figures import colour
from display.page.markup import Markup, element, number
from engine.rules.track import Side

WIDTH: Final = 640.0
HEIGHT: Final = 240.0
LEFT: Final = 52.0
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
