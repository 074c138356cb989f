"""The piste with both fencers, and cards, as SVG. Each fencer's poses are drawn once and used wherever he stands."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from display.draw.poses import POSES, Chain, Point, between, limbs
from display.draw.theme import Colour, Theme
from display.page.markup import Markup, element, joined, number
from display.view import Pose, ViewModel
from engine.rules.track import MIDDLE, SPACES, Side

SPACE: Final = 30.0
"""Units of a space's width; all other measures are in the same units."""
HEIGHT: Final = 92.0
ROOM: Final = 44.0
"""Beside the first and the last space, where a blade or a free hand may reach."""
FLOOR: Final = 116.0
TRACK: Final = 30.0
BOTTOM: Final = FLOOR + TRACK + 20
LABELLED: Final = frozenset({1, 5, 10, 15, 20, 23})


def colour(value: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*value)


def pose_id(side: Side, pose: Pose) -> str:
    return f"{side.value}-{pose.value}"


def symbols(theme: Theme, used: frozenset[tuple[Side, Pose]]) -> Markup:
    """What ``piste`` refers to: the track, and every pose that is used. Goes into the page once, before the first."""
    figures = (
        element("g", _fencer(theme, side, pose), id=pose_id(side, pose))
        for side in Side
        for pose in Pose
        if (side, pose) in used
    )
    defs = element("defs", element("g", _track(theme), id="track"), *figures)
    return element("svg", defs, width=0, height=0, class_="symbols", aria_hidden="true")


def piste(theme: Theme, view: ViewModel, description: str) -> Markup:
    """The piste as it stands in this view. Where a fencer came from is marked, with an arrow to where he is."""
    width = 2 * ROOM + SPACES * SPACE
    marks = [_came(theme, before, view.fencers[side].space, side) for side, before in _moved(view)]
    return element(
        "svg",
        element("title", description),
        element("use", href="#track"),
        *marks,
        *(_place(theme, view.fencers[side].space) for side in Side),
        *(
            element("use", href=f"#{pose_id(side, fencer.pose)}", x=number(_middle(fencer.space)), y=number(FLOOR))
            for side, fencer in view.fencers.items()
        ),
        viewBox=f"0 0 {number(width)} {number(BOTTOM)}",
        class_="piste",
        role="img",
    )


def duel(theme: Theme, winner: Side | None, description: str) -> Markup:
    """Both fencers on the middle of a piste as a match left them: who won with his blade raised."""
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
    before = view.before_spaces
    if before is None:
        return []
    return [(side, before[side]) for side in Side if before[side] != view.fencers[side].space]


def _middle(space: int) -> float:
    return ROOM + (space - 0.5) * SPACE


def _track(theme: Theme) -> Markup:
    spaces = []
    for space in range(1, SPACES + 1):
        ground = theme.space_middle if space == MIDDLE else theme.space_light if space % 2 else theme.space_dark
        left = number(_middle(space) - SPACE / 2)
        edge = {"stroke": colour(theme.ink_soft), "stroke_width": "0.8"}
        spaces.append(element("rect", x=left, y=number(FLOOR), width=SPACE, height=TRACK, fill=colour(ground), **edge))
        if space in LABELLED:
            spaces.append(_number(space, FLOOR + TRACK + 16, theme.ink_soft, 16))
    return joined(*spaces)


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
    """A hollow mark on the space he came from, and an arrow along the track's upper edge."""
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


def _fencer(theme: Theme, side: Side, pose: Pose) -> Markup:
    """A figure around its own origin, which is the middle of its space on the floor."""
    look, joints = theme.figures[side], POSES[pose]
    mirror = side.forward
    outline, cloth, accent = colour(look.outline), colour(look.cloth), colour(look.accent)
    parts = limbs(joints)
    cuff = [(between(joints.lead_elbow, joints.hand, 0.62), 0.043), (joints.hand, 0.036)]
    shell = [((joints.head[0] - 0.012, joints.head[1] + 0.008), 0.085)]
    shell.append(((joints.head[0] + 0.018, joints.head[1] - 0.04), 0.068))
    mesh = [((joints.head[0] + 0.022, joints.head[1] + 0.016), 0.062)]
    mesh.append(((joints.head[0] + 0.036, joints.head[1] - 0.042), 0.05))
    shoes = [
        [((ankle[0] - 0.01, toe[1] + 0.006), 0.028), (toe, 0.02)]
        for ankle, toe in ((joints.rear_ankle, joints.rear_toe), (joints.lead_ankle, joints.lead_toe))
    ]
    body = [parts[name] for name in ("rear_leg", "torso", "neck", "lead_leg")]
    drawn = [
        *_cloth([parts["rear_arm"]], mirror, outline, cloth),
        *(_limb(shoe, mirror, 0.0, outline) for shoe in shoes),
        *_cloth(body, mirror, outline, cloth),
        *_cloth([shell], mirror, outline, cloth),
        *_cloth([mesh], mirror, outline, colour(look.mesh)),
        _blade(joints.hand, joints.tip, mirror, outline, colour(theme.steel)),
        *_cloth([parts["lead_arm"]], mirror, outline, cloth),
        *_cloth([cuff], mirror, outline, accent),
        _guard(joints.hand, joints.tip, mirror, outline),
    ]
    return element("g", *drawn, stroke_linecap="round", stroke_linejoin="round", fill="none")


def _cloth(chains: list[Chain], mirror: int, outline: str, cloth: str) -> list[Markup]:
    """All outlines first, then all cloth, so that joints close up."""
    return [_limb(chain, mirror, grow, ink) for ink, grow in ((outline, 0.013), (cloth, 0.0)) for chain in chains]


def _limb(chain: Chain, mirror: int, grow: float, ink: str) -> Markup:
    """A chain of joints as quadrangles between circles, so that it tapers as it does on the screen."""
    parts = []
    for (start, r0), (end, r1) in pairwise(chain):
        parts.append(_taper(start, r0 + grow, end, r1 + grow, mirror))
    rounds = [
        element("circle", cx=_x(joint, mirror), cy=_y(joint), r=number((radius + grow) * HEIGHT))
        for joint, radius in chain
    ]
    return element("g", *parts, *rounds, fill=ink)


def _taper(start: Point, r0: float, end: Point, r1: float, mirror: int) -> Markup:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    nx, ny = -dy / length, dx / length
    corners = (
        (start[0] + nx * r0, start[1] + ny * r0),
        (end[0] + nx * r1, end[1] + ny * r1),
        (end[0] - nx * r1, end[1] - ny * r1),
        (start[0] - nx * r0, start[1] - ny * r0),
    )
    return element("polygon", points=" ".join(f"{_x(corner, mirror)},{_y(corner)}" for corner in corners))


def _blade(hand: Point, tip: Point, mirror: int, outline: str, steel: str) -> Markup:
    ends = {"x1": _x(hand, mirror), "y1": _y(hand), "x2": _x(tip, mirror), "y2": _y(tip)}
    dark = element("line", **ends, stroke=outline, stroke_width=2.2)
    return joined(dark, element("line", **ends, stroke=steel, stroke_width=1))


def _guard(hand: Point, tip: Point, mirror: int, outline: str) -> Markup:
    """The bell guard: a short bar across the blade, in front of the hand."""
    dx, dy = tip[0] - hand[0], tip[1] - hand[1]
    length = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / length, dy / length
    front = (hand[0] + ux * 0.05, hand[1] + uy * 0.05)
    rim = [(front[0] - uy * 0.058, front[1] + ux * 0.058), (front[0] + uy * 0.058, front[1] - ux * 0.058)]
    ends = {"x1": _x(rim[0], mirror), "y1": _y(rim[0]), "x2": _x(rim[1], mirror), "y2": _y(rim[1])}
    return element("line", **ends, stroke=outline, stroke_width=3.6)


def _x(point: Point, mirror: int) -> str:
    return number(point[0] * mirror * HEIGHT)


def _y(point: Point) -> str:
    return number(-point[1] * HEIGHT)
