"""HTML and SVG elements that escape whatever is not markup itself, and the drawings of a page: pistes and curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from typing import Final

from display.draw.theme import Colour, Theme, mix
from display.view import Pose, ViewModel
from display.words.review import GraphPoint, ReviewView
from engine.rules.track import MIDDLE, SPACES, Side

VOID: Final = frozenset({"meta", "br", "line", "path", "rect", "circle", "polyline", "polygon", "use"})


class Markup(str):
    """Text that is markup already. Anything else is escaped where it is put in."""

    __slots__ = ()


def element(name: str, /, *content: str, **attributes: object) -> Markup:
    """``<name attributes>content</name>``. An attribute's underscores become hyphens, an end one (``class_``) goes."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID and not content:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{joined(*content)}</{name}>")


def joined(*content: str) -> Markup:
    """All of it one after the other, escaped where it is no markup."""
    return Markup("".join(each if isinstance(each, Markup) else escape(each) for each in content))


def number(value: float) -> str:
    """A coordinate, to a tenth and without needless digits."""
    return f"{value:.1f}".rstrip("0").rstrip(".") or "0"


SPACE: Final = 30.0
"""Units of a space's width; all other measures are in the same units."""
ROOM: Final = 44.0
"""Beside the first and the last space, where a blade or a free hand may reach."""
FLOOR: Final = 116.0
TRACK: Final = 30.0
BOTTOM: Final = FLOOR + TRACK + 20


def colour(value: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*value)


def pose_id(side: Side, pose: Pose) -> str:
    return f"{side.value}-{pose.value}"


def symbols(used: frozenset[tuple[Side, Pose]]) -> Markup:
    """What ``piste`` refers to: the track, and every pose that is used. Goes into the page once, before the first."""
    drawn = _drawings()
    figures = (drawn[pose_id(side, pose)] for side in Side for pose in Pose if (side, pose) in used)
    defs = element("defs", drawn["track"], *figures)
    return element("svg", defs, width=0, height=0, class_="symbols", aria_hidden="true")


@cache
def _drawings() -> dict[str, Markup]:
    """The track, and both fencers in every pose around the middle of their space, by their ids in ``figures.svg``."""
    text = resources.files("display.page").joinpath("figures.svg").read_text(encoding="utf-8")
    return {line.split('"')[1]: Markup(line) for line in text.splitlines() if line.startswith("<g id=")}


def piste(theme: Theme, view: ViewModel, description: str) -> Markup:
    """The piste as it stands in this view. A fencer's old place is marked, with an arrow to the new one."""
    width = 2 * ROOM + SPACES * SPACE
    marks = [_came(theme, before, view.piste.fencers[side].space, side) for side, before in _moved(view)]
    return element(
        "svg",
        element("title", description),
        element("use", href="#track"),
        *marks,
        *(
            _number(at.space, FLOOR + TRACK - 7.5, theme.card if at.space == MIDDLE else theme.ink, 22, bold=True)
            for _, at in view.piste.fencers.items()
        ),
        *(
            element("use", href=f"#{pose_id(side, fencer.pose)}", x=number(_middle(fencer.space)), y=number(FLOOR))
            for side, fencer in view.piste.fencers.items()
        ),
        viewBox=f"0 0 {number(width)} {number(BOTTOM)}",
        class_="piste",
        role="img",
    )


def duel(theme: Theme, winner: Side | None, description: str) -> Markup:
    """Both fencers on the middle of a piste as a match left them: the winner with a raised blade."""
    poses = dict(ended(winner))
    middle, apart = 4 * SPACE, 1.6 * SPACE
    spaces = []
    for space in range(8):
        ground = theme.space_light if space % 2 else theme.space_dark
        edge = {"stroke": colour(theme.ink_soft), "stroke_width": "0.8"}
        place = {"x": number(space * SPACE), "y": number(FLOOR), "width": SPACE, "height": TRACK / 2}
        spaces.append(element("rect", **place, fill=colour(ground), **edge))
    figures = (
        element("use", href=f"#{pose_id(side, pose)}", x=number(middle - side.forward * apart), y=number(FLOOR))
        for side, pose in poses.items()
    )
    return element(
        "svg",
        element("title", description),
        *spaces,
        *figures,
        viewBox=f"0 0 {number(2 * middle)} {number(FLOOR + TRACK / 2)}",
        class_="duel",
        role="img",
    )


def ended(winner: Side | None) -> tuple[tuple[Side, Pose], ...]:
    """How both stand once it is over; with nobody's victory they salute."""
    return tuple(
        (side, Pose.SALUTE if winner is None else Pose.TRIUMPH if side is winner else Pose.STAND) for side in Side
    )


def _moved(view: ViewModel) -> list[tuple[Side, int]]:
    before = view.piste.before_spaces
    if before is None:
        return []
    return [(side, before[side]) for side in Side if before[side] != view.piste.fencers[side].space]


def _middle(space: int) -> float:
    return ROOM + (space - 0.5) * SPACE


def _number(space: int, y: float, ink: Colour, size: int, *, bold: bool = False) -> Markup:
    return element(
        "text",
        str(space),
        x=number(_middle(space)),
        y=number(y),
        fill=colour(ink),
        font_size=size,
        font_weight="bold" if bold else None,
        text_anchor="middle",
    )


def _came(theme: Theme, before: int, now: int, side: Side) -> Markup:
    """A hollow mark on the fencer's old space, and an arrow along the track's upper edge."""
    start, end = _middle(before), _middle(now)
    forward = 1 if end > start else -1
    tip, y, ink = end - forward * 10, FLOOR + TRACK / 2, colour(theme.figures[side].accent)
    ends = {"x1": number(start), "x2": number(tip - forward * 14), "y1": number(y), "y2": number(y)}
    halo = element("line", **ends, stroke=colour(theme.card), stroke_width=8, stroke_linecap="round")
    line = element("line", **ends)
    head = f"{number(tip - forward * 5)},{number(y)} {number(tip - forward * 16)},{number(y - 6)} "
    head += f"{number(tip - forward * 16)},{number(y + 6)}"
    spot = element("circle", cx=number(start), cy=number(y), r=6, fill="none")
    arrow = element("polygon", points=head, fill=ink, stroke="none")
    return element("g", halo, spot, line, arrow, stroke=ink, stroke_width=3, class_="came")


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
