"""How a fencer stands in each pose, and gets from one to the next: fourteen joints, for any drawing.

A pose is given for a fencer who faces right, in units of the standing height, x from the middle of the space towards
the opponent and y up from the piste. Black is the mirror image. On the way a lunge stretches the arm before the foot
lands, a parry sweeps past where it ends, the fencer hit gives way before standing, and steps are steps. Poses between
two others are drawn like any other; ``STEPS`` of them are told apart, so that each is drawn once and kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import atan2, cos, hypot, sin
from typing import Final

from display.view import Pose
from engine.strict.text import toml_of
from engine.strict.values import read

Point = tuple[float, float]
Chain = list[tuple[Point, float]]
"""Joints of a limb, each with its radius there."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Joints of one pose. ``lead`` is the sword side, ``rear`` the other."""

    lead_toe: Point
    lead_ankle: Point
    lead_knee: Point
    hip: Point
    rear_knee: Point
    rear_ankle: Point
    rear_toe: Point
    chest: Point
    head: Point
    lead_elbow: Point
    hand: Point
    tip: Point
    rear_elbow: Point
    rear_hand: Point


_READ: Final[Mapping[str, Skeleton]] = read(
    Mapping[str, Skeleton], toml_of((files("display.draw") / "poses.toml").read_bytes())
)
POSES: Final = {Pose(name): skeleton for name, skeleton in _READ.items()}


def limbs(pose: Skeleton) -> dict[str, Chain]:
    """The limbs of a figure by name, from the one farthest from whoever looks to the nearest."""
    chest, hip = pose.chest, pose.hip
    lead_shoulder = (chest[0] + 0.045, chest[1] + 0.035)
    rear_shoulder = (chest[0] - 0.045, chest[1] + 0.04)
    return {
        "rear_arm": [(rear_shoulder, 0.05), (pose.rear_elbow, 0.042), (pose.rear_hand, 0.033)],
        "rear_leg": [((hip[0] - 0.02, hip[1]), 0.082), (pose.rear_knee, 0.056), (pose.rear_ankle, 0.036)],
        "lead_leg": [((hip[0] + 0.01, hip[1]), 0.085), (pose.lead_knee, 0.06), (pose.lead_ankle, 0.037)],
        "torso": [(hip, 0.088), (between(hip, chest, 0.45), 0.084), (chest, 0.104)],
        "neck": [(chest, 0.075), (between(chest, pose.head, 0.7), 0.05)],
        "lead_arm": [(lead_shoulder, 0.056), (pose.lead_elbow, 0.046), (pose.hand, 0.034)],
    }


def between(start: Point, end: Point, share: float) -> Point:
    """The point this share of the way from one to the other."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


STEPS: Final = 10
SPACES_A_STEP: Final = 2
"""So many spaces are one step of the feet; longer ways take more of them."""
MIN_S: Final = 0.3
MAX_S: Final = 0.7
SLIDE_S: Final = 0.45
"""A move without more to be seen."""
LENGTHS_S: Final = {Pose.LUNGE: 0.55, Pose.PARRY: 0.5, Pose.HIT: 0.65, Pose.SALUTE: 0.6, Pose.TRIUMPH: 0.5}


def _shifted(pose: Skeleton, **joints: Point) -> Skeleton:
    moved = {name: (at[0] + by[0], at[1] + by[1]) for name, by in joints.items() for at in (getattr(pose, name),)}
    return replace(pose, **moved)


_GUARD: Final = POSES[Pose.GUARD]
_LUNGE: Final = POSES[Pose.LUNGE]

STRETCHED: Final = replace(
    _shifted(
        _GUARD, hip=(0.03, -0.015), chest=(0.05, -0.005), head=(0.055, -0.01), lead_toe=(0.07, 0.075),
        lead_ankle=(0.06, 0.06), lead_knee=(0.075, 0.075), rear_elbow=(0.03, -0.02),
    ),
    lead_elbow=(0.15, 0.685),
    hand=(0.30, 0.745),
    tip=(0.905, 0.765),
)  # fmt: skip
"""The arm goes first, the front foot has just left the ground."""
DEEPEST: Final = _shifted(
    _LUNGE, hip=(0.03, -0.035), chest=(0.045, -0.03), head=(0.05, -0.035), lead_elbow=(0.045, -0.015),
    hand=(0.055, -0.01), tip=(0.07, -0.02), rear_knee=(0.0, -0.025), rear_hand=(-0.04, -0.03),
)  # fmt: skip
"""A lunge at its farthest, before it settles."""
SWEPT: Final = replace(
    _shifted(POSES[Pose.PARRY], chest=(-0.02, 0.0), head=(-0.02, 0.0)), hand=(0.13, 0.74), tip=(0.11, 1.28)
)
"""The blade thrown up past where the parry ends."""
STRUCK: Final = replace(
    _shifted(_GUARD, chest=(-0.10, -0.02), head=(-0.17, -0.03), hip=(-0.03, -0.01), rear_hand=(-0.14, -0.02)),
    lead_elbow=(-0.02, 0.64),
    hand=(0.13, 0.60),
    tip=(0.58, 0.42),
)
"""The moment the point lands."""
FORWARD: Final = _shifted(
    _GUARD, lead_toe=(0.11, 0.07), lead_ankle=(0.10, 0.055), lead_knee=(0.08, 0.05), hip=(0.025, 0.01),
    chest=(0.03, 0.01), head=(0.03, 0.01), hand=(0.03, 0.01), tip=(0.03, 0.0), lead_elbow=(0.03, 0.01),
)  # fmt: skip
"""A step forward: the front foot in the air."""
GATHERED: Final = _shifted(
    _GUARD, rear_ankle=(0.13, 0.0), rear_toe=(0.13, 0.0), rear_knee=(0.09, 0.02), hip=(0.03, 0.02), chest=(0.02, 0.015),
    head=(0.02, 0.015),
)  # fmt: skip
"""The feet drawn together, in the middle of a step."""
BACKWARD: Final = _shifted(
    _GUARD, rear_ankle=(-0.10, 0.05), rear_toe=(-0.10, 0.05), rear_knee=(-0.05, 0.035), hip=(-0.04, 0.005),
    chest=(-0.05, -0.005), head=(-0.065, -0.005), hand=(-0.02, 0.03), tip=(-0.05, 0.06),
)  # fmt: skip
"""A step back: the rear foot in the air, the weight behind."""
KISSED: Final = replace(POSES[Pose.SALUTE], lead_elbow=(0.10, 0.66), hand=(0.115, 0.83), tip=(0.16, 1.38))
"""The hilt before the mask, as a salute begins."""

Frames = tuple[tuple[float, Skeleton], ...]


def length_s(before: tuple[Pose, int], now: tuple[Pose, int]) -> float:
    """How long a fencer's way from one (pose, space) to another is shown, 0 where they are the same."""
    if before == now:
        return 0.0
    moved = abs(now[1] - before[1])
    whole = LENGTHS_S.get(now[0], SLIDE_S) if now[0] is not before[0] else SLIDE_S
    return min(MAX_S, max(MIN_S, whole + 0.01 * max(0, moved - 1)))


@lru_cache(maxsize=512)
def staged(before: Pose, now: Pose, moved: int, share: float) -> Skeleton:
    """How the fencer stands at this share (0 to 1) of the way from one pose to another.

    ``moved``: the spaces moved forward meanwhile, negative back.
    """
    if share >= 1.0 or (before is now and not moved):
        return POSES[now]
    share = round(share * STEPS) / STEPS
    frames = _frames(before, now, moved)
    for (start, pose), (end, following) in pairwise(frames):
        if share <= end:
            return _mixed(pose, following, (share - start) / (end - start))
    return POSES[now]


def _frames(before: Pose, now: Pose, moved: int) -> Frames:
    first, last = POSES[before], POSES[now]
    if moved and now in (Pose.GUARD, Pose.STAND, Pose.PARRY):
        return (*_steps(first, moved, 1.0), (1.0, last))
    lead: Frames = _steps(first, moved, 0.5) if moved else ((0.0, first),)
    start = 0.5 if moved else 0.0

    def at(share: float) -> float:
        return start + (1.0 - start) * share

    between_them: Frames = ()
    if now is Pose.LUNGE and before is not Pose.LUNGE:
        between_them = (at(0.35), STRETCHED), (at(0.7), DEEPEST)
    elif before is Pose.LUNGE and now in (Pose.GUARD, Pose.PARRY):
        between_them = ((at(0.5), STRETCHED),)
    elif now is Pose.PARRY:
        between_them = ((at(0.45), SWEPT),)
    elif now is Pose.HIT:
        between_them = (at(0.25), first), (at(0.5), STRUCK)
    elif now is Pose.SALUTE:
        between_them = ((at(0.5), KISSED),)
    landed: Frames = ((start, _GUARD),) if moved else ()
    return (*lead, *landed, *between_them, (1.0, last))


def _steps(first: Skeleton, moved: int, until: float) -> Frames:
    """The feet at work until this share of the way."""
    count = max(1, round(abs(moved) / SPACES_A_STEP))
    lifted = FORWARD if moved > 0 else BACKWARD
    frames: list[tuple[float, Skeleton]] = [(0.0, first)]
    for number in range(count):
        frames += [(until * (number + 0.35) / count, lifted), (until * (number + 0.75) / count, GATHERED)]
    return tuple(frames)


def _mixed(first: Skeleton, second: Skeleton, share: float) -> Skeleton:
    """Joints on straight ways; the blade turns about the hand, so that it is as long as ever."""
    joints = {row.name: between(getattr(first, row.name), getattr(second, row.name), share) for row in fields(Skeleton)}
    (length, angle), (length_then, angle_then) = _blade(first), _blade(second)
    length, angle = length + (length_then - length) * share, angle + (angle_then - angle) * share
    hand = joints["hand"]
    return Skeleton(**{**joints, "tip": (hand[0] + length * cos(angle), hand[1] + length * sin(angle))})


def _blade(pose: Skeleton) -> tuple[float, float]:
    """Its length, and its angle against straight ahead."""
    dx, dy = pose.tip[0] - pose.hand[0], pose.tip[1] - pose.hand[1]
    return hypot(dx, dy), atan2(dy, dx)
