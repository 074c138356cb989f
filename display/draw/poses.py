"""How a fencer stands, in each pose: fourteen joints, for any drawing.

A pose is given for a fencer who faces right, in units of the standing height, x from the middle of the space towards
the opponent and y up from the piste. Black is the mirror image.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
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
