"""How a fencer stands, in each pose: fourteen joints, for whoever draws him.

A pose is given for a fencer who faces right, in units of his standing height, x from the middle of his space towards
the opponent and y up from the piste. Black is the mirror image.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from display.view import Pose

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


POSES: Final[dict[Pose, Skeleton]] = {
    Pose.GUARD: Skeleton(
        lead_toe=(0.15, 0.022),
        lead_ankle=(0.045, 0.065),
        lead_knee=(0.085, 0.29),
        hip=(-0.13, 0.45),
        rear_knee=(-0.30, 0.265),
        rear_ankle=(-0.385, 0.065),
        rear_toe=(-0.345, 0.022),
        chest=(-0.09, 0.70),
        head=(-0.055, 0.885),
        lead_elbow=(0.095, 0.60),
        hand=(0.235, 0.67),
        tip=(0.80, 0.80),
        rear_elbow=(-0.315, 0.715),
        rear_hand=(-0.315, 0.90),
    ),
    Pose.LUNGE: Skeleton(
        lead_toe=(0.40, 0.022),
        lead_ankle=(0.295, 0.065),
        lead_knee=(0.325, 0.285),
        hip=(-0.03, 0.345),
        rear_knee=(-0.31, 0.215),
        rear_ankle=(-0.565, 0.06),
        rear_toe=(-0.525, 0.022),
        chest=(0.075, 0.585),
        head=(0.15, 0.765),
        lead_elbow=(0.285, 0.655),
        hand=(0.435, 0.69),
        tip=(1.04, 0.70),
        rear_elbow=(-0.13, 0.53),
        rear_hand=(-0.30, 0.44),
    ),
    Pose.PARRY: Skeleton(
        lead_toe=(0.13, 0.022),
        lead_ankle=(0.025, 0.065),
        lead_knee=(0.065, 0.29),
        hip=(-0.16, 0.45),
        rear_knee=(-0.33, 0.265),
        rear_ankle=(-0.385, 0.065),
        rear_toe=(-0.345, 0.022),
        chest=(-0.14, 0.70),
        head=(-0.125, 0.885),
        lead_elbow=(0.065, 0.555),
        hand=(0.175, 0.68),
        tip=(0.39, 1.20),
        rear_elbow=(-0.355, 0.70),
        rear_hand=(-0.375, 0.88),
    ),
    Pose.HIT: Skeleton(
        lead_toe=(0.10, 0.115),
        lead_ankle=(0.02, 0.07),
        lead_knee=(-0.005, 0.295),
        hip=(-0.18, 0.455),
        rear_knee=(-0.27, 0.245),
        rear_ankle=(-0.39, 0.065),
        rear_toe=(-0.35, 0.022),
        chest=(-0.25, 0.695),
        head=(-0.335, 0.865),
        lead_elbow=(-0.06, 0.62),
        hand=(0.055, 0.53),
        tip=(0.40, 0.09),
        rear_elbow=(-0.44, 0.70),
        rear_hand=(-0.57, 0.83),
    ),
    Pose.SALUTE: Skeleton(
        lead_toe=(0.09, 0.022),
        lead_ankle=(-0.005, 0.065),
        lead_knee=(0.0, 0.29),
        hip=(-0.05, 0.52),
        rear_knee=(-0.075, 0.29),
        rear_ankle=(-0.10, 0.065),
        rear_toe=(-0.045, 0.022),
        chest=(-0.05, 0.765),
        head=(-0.035, 0.955),
        lead_elbow=(0.075, 0.635),
        hand=(0.185, 0.545),
        tip=(0.47, 0.12),
        rear_elbow=(-0.235, 0.79),
        rear_hand=(-0.215, 0.985),
    ),
    Pose.STAND: Skeleton(
        lead_toe=(0.09, 0.022),
        lead_ankle=(-0.005, 0.065),
        lead_knee=(0.0, 0.29),
        hip=(-0.05, 0.52),
        rear_knee=(-0.075, 0.29),
        rear_ankle=(-0.10, 0.065),
        rear_toe=(-0.045, 0.022),
        chest=(-0.05, 0.765),
        head=(-0.03, 0.95),
        lead_elbow=(0.055, 0.625),
        hand=(0.115, 0.485),
        tip=(0.30, 0.04),
        rear_elbow=(-0.165, 0.65),
        rear_hand=(-0.13, 0.48),
    ),
    Pose.TRIUMPH: Skeleton(
        lead_toe=(0.135, 0.022),
        lead_ankle=(0.035, 0.065),
        lead_knee=(0.03, 0.29),
        hip=(-0.05, 0.515),
        rear_knee=(-0.115, 0.285),
        rear_ankle=(-0.175, 0.065),
        rear_toe=(-0.12, 0.022),
        chest=(-0.065, 0.76),
        head=(-0.07, 0.95),
        lead_elbow=(0.125, 0.80),
        hand=(0.185, 0.945),
        tip=(0.68, 1.22),
        rear_elbow=(-0.245, 0.86),
        rear_hand=(-0.215, 1.03),
    ),
}

# The room a fencer takes around the middle of his space, in standing heights: behind, ahead, above and below.
BEHIND: Final = 0.72
AHEAD: Final = 1.12
ABOVE: Final = 1.55
BELOW: Final = 0.04


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
