"""The piste with both fencers as SVG. Each pose is in the page once, from ``figures.svg``, and used wherever it is."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from display.draw.theme import Colour, Theme
from display.page.markup import Markup, element, number
from display.view import Pose, ViewModel
from engine.rules.track import MIDDLE, SPACES, Side

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
        *(_place(theme, view.piste.fencers[side].space) for side in Side),
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
    """Who moved in this turn, and from where."""
    before = view.piste.before_spaces
    if before is None:
        return []
    return [(side, before[side]) for side in Side if before[side] != view.piste.fencers[side].space]


def _middle(space: int) -> float:
    return ROOM + (space - 0.5) * SPACE


def _place(theme: Theme, space: int) -> Markup:
    """The number of a space somebody stands on, in it and large."""
    return _number(space, FLOOR + TRACK - 7.5, theme.card if space == MIDDLE else theme.ink, 22, bold=True)


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
