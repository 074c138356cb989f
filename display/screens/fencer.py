"""The two fencers, drawn from a skeleton: limbs that taper, a mask, a jacket, a blade.

Drawn large and shrunk, so that edges are smooth.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from math import ceil
from typing import Final

import pygame

from display.draw.canvas import limb, taper, thick_line
from display.draw.poses import POSES, Chain, Point, Skeleton, between, limbs
from display.draw.theme import Colour, Figure, Theme
from display.view import Pose
from engine.rules.track import Side


@dataclass(frozen=True, slots=True)
class FencerSprite:
    """A drawn fencer. ``anchor`` is the pixel of the sprite that stands on the middle of the space."""

    image: pygame.Surface
    anchor: tuple[int, int]

    def stand(self, surface: pygame.Surface, x: float, y: float) -> None:
        """Draws the fencer with the anchor there."""
        surface.blit(self.image, (x - self.anchor[0], y - self.anchor[1]))


SMOOTH_PX: Final = 420
"""A pose is drawn so tall, and shrunk from that to every height."""
LEAST_FINER: Final = 1.25
MOST_FINER: Final = 6
TALLER: Final = 1.3
"""It is drawn at least and at most so many times larger than it is seen; for the least by steps of so many times."""
TALL_PX: Final = 200
"""From this height on a pose between two others, which is seen for 30 ms, is drawn as it is."""
REACH: Final = {"head": 0.145, "chest": 0.135, "hip": 0.13, "hand": 0.115, "tip": 0.03}
LIMB: Final = 0.08
"""How far a mask, a jacket, a guard or a limb reaches beyond its joint, in standing heights: those, and any other."""
_NAMED: Final = frozenset(POSES.values())


@lru_cache(maxsize=24)
def fencer_sprite(side: Side, pose: Pose | Skeleton, height_px: int, theme: Theme) -> FencerSprite:
    """A fencer of this standing height, facing the opponent: in a pose, or with these joints."""
    joints = POSES[pose] if isinstance(pose, Pose) else pose
    named, tall_px = joints in _NAMED, SMOOTH_PX
    if height_px >= TALL_PX and not named:
        return _drawn(side, joints, height_px, theme)
    while tall_px > height_px * MOST_FINER:
        tall_px //= 2
    while tall_px < height_px * LEAST_FINER:
        tall_px = round(tall_px * TALLER)
    large, share = (_posed if named else _drawn)(side, joints, tall_px, theme), height_px / tall_px
    width, height = (max(1, round(size * share)) for size in large.image.get_size())
    white = side is Side.WHITE
    back_px = round((large.anchor[0] if white else large.image.get_width() - large.anchor[0]) * share)
    anchor = back_px if white else width - back_px, round(large.anchor[1] * share)
    return FencerSprite(pygame.transform.smoothscale(large.image, (width, height)), anchor)


def _drawn(side: Side, joints: Skeleton, height_px: int, theme: Theme) -> FencerSprite:
    """The same with hard edges."""
    left, bottom, right, top = _extent(joints)
    back_px, front_px, high_px = ceil(-left * height_px), ceil(right * height_px), ceil(top * height_px)
    image = pygame.Surface((back_px + front_px, high_px + ceil(-bottom * height_px)), pygame.SRCALPHA, 32)
    anchor = (back_px if side is Side.WHITE else front_px), high_px
    origin = anchor[0] / height_px, high_px / height_px
    _Pen(image, height_px, theme.figures[side], theme.steel, origin, side.forward).figure(joints)
    return FencerSprite(image, anchor)


_posed: Final = lru_cache(maxsize=48)(_drawn)
"""Both fencers in the poses that are seen again and again, at ever other heights."""


@lru_cache(maxsize=64)
def _extent(joints: Skeleton) -> tuple[float, float, float, float]:
    """How far the figure reaches, in standing heights from its place: left, down, right, up."""
    reached = [(*getattr(joints, row.name), REACH.get(row.name, LIMB)) for row in fields(joints)]
    left, bottom = (min(at[axis] - at[2] for at in reached) for axis in (0, 1))
    right, top = (max(at[axis] + at[2] for at in reached) for axis in (0, 1))
    return left, bottom, right, top


class _Pen:
    """Draws one figure in units of its height onto a large surface; ``forward``: 1 to the right, -1 to the left."""

    def __init__(
        self, image: pygame.Surface, unit: float, look: Figure, steel: Colour, origin: Point, forward: int
    ) -> None:
        self.image = image
        self.origin = origin
        self.unit = unit
        self.look = look
        self.steel = steel
        self.forward = forward
        self.line = max(1.5, 0.011 * unit)

    def at(self, point: Point) -> Point:
        return (self.origin[0] + self.forward * point[0]) * self.unit, (self.origin[1] - point[1]) * self.unit

    def limbs(self, chains: list[Chain], cloth: Colour) -> None:
        """Chains of (joint, radius): first all outlines, then all cloth, so that joints close up."""
        placed = [[(self.at(joint), radius * self.unit) for joint, radius in chain] for chain in chains]
        for colour, grow in ((self.look.outline, self.line), (cloth, 0.0)):
            for joints in placed:
                limb(self.image, colour, joints, grow)

    def figure(self, pose: Skeleton) -> None:
        cloth, accent = self.look.cloth, self.look.accent
        parts = limbs(pose)
        self.limbs([parts["rear_arm"]], cloth)
        self.hand(pose.rear_hand, accent)
        self.shoe(pose.rear_ankle, pose.rear_toe)
        self.shoe(pose.lead_ankle, pose.lead_toe)
        self.limbs([parts["rear_leg"], parts["torso"], parts["neck"], parts["lead_leg"]], cloth)
        self.stocking(pose.rear_knee, pose.rear_ankle)
        self.stocking(pose.lead_knee, pose.lead_ankle)
        self.jacket(pose)
        self.mask(pose.head, pose.chest)
        self.blade(pose.hand, pose.tip)
        self.limbs([parts["lead_arm"]], cloth)
        cuff = between(pose.lead_elbow, pose.hand, 0.62)
        self.limbs([[(cuff, 0.043), (pose.hand, 0.036)]], accent)
        self.guard(pose.hand, pose.tip)

    def hand(self, place: Point, cloth: Colour) -> None:
        self.limbs([[(place, 0.03), (place, 0.03)]], cloth)

    def shoe(self, ankle: Point, toe: Point) -> None:
        heel = (ankle[0] - 0.01, toe[1] + 0.006)
        self.limbs([[(heel, 0.026), (toe, 0.018)], [(ankle, 0.034), (heel, 0.03)]], self.look.outline)

    def stocking(self, knee: Point, ankle: Point) -> None:
        """The lower leg below the breeches: a fold, and a band of the side's accent."""
        dx, dy = ankle[0] - knee[0], ankle[1] - knee[1]
        length = (dx * dx + dy * dy) ** 0.5
        nx, ny = -dy / length, dx / length
        middle, half = between(knee, ankle, 0.26), 0.046
        ends = [(middle[0] - nx * half, middle[1] - ny * half), (middle[0] + nx * half, middle[1] + ny * half)]
        for colour, width in ((self.look.outline, 0.034), (self.look.accent, 0.022)):
            thick_line(self.image, colour, [self.at(point) for point in ends], width * self.unit)

    def jacket(self, pose: Skeleton) -> None:
        """The front seam, the collar and the lower hem."""
        fold = self.look.fold
        hip, chest = pose.hip, pose.chest
        width = self.line * 0.8
        seam = [(chest[0] + 0.03, chest[1] + 0.06), (between(hip, chest, 0.5)[0] + 0.045, between(hip, chest, 0.5)[1])]
        thick_line(self.image, fold, [self.at(point) for point in (*seam, (hip[0] + 0.05, hip[1] + 0.02))], width)
        hem = [(hip[0] - 0.085, hip[1] + 0.035), (hip[0] + 0.0, hip[1] - 0.012), (hip[0] + 0.085, hip[1] + 0.015)]
        thick_line(self.image, fold, [self.at(point) for point in hem], width)

    def mask(self, head: Point, chest: Point) -> None:
        """The bib below, the mask's shell, and the mesh with its crossing wires in front."""
        chin = (head[0] + 0.035, head[1] - 0.075)
        self.limbs([[(chin, 0.045), (between(chin, chest, 0.45), 0.055)]], self.look.cloth)
        shell = [[((head[0] - 0.012, head[1] + 0.008), 0.085), ((head[0] + 0.018, head[1] - 0.04), 0.068)]]
        self.limbs(shell, self.look.cloth)
        mesh = [[((head[0] + 0.022, head[1] + 0.016), 0.062), ((head[0] + 0.036, head[1] - 0.042), 0.05)]]
        self.limbs(mesh, self.look.mesh)
        wire = max(1, round(self.line * 0.38))
        for step in range(-3, 4):
            middle = (head[0] + 0.029, head[1] - 0.012 + step * 0.026)
            half = 0.056 if abs(step) < 3 else 0.032
            left, right = self.at((middle[0] - half, middle[1])), self.at((middle[0] + half, middle[1]))
            pygame.draw.line(self.image, self.look.outline, left, right, wire)
        for step in (-1, 0, 1):
            x = head[0] + 0.029 + step * 0.03
            tall = 0.078 if step == 0 else 0.062
            low, high = self.at((x, head[1] - 0.012 - tall)), self.at((x, head[1] - 0.012 + tall))
            pygame.draw.line(self.image, self.look.outline, low, high, wire)

    def blade(self, hand: Point, tip: Point) -> None:
        """A blade that narrows to its button, drawn dark and then bright so that it shows on any ground."""
        dx, dy = tip[0] - hand[0], tip[1] - hand[1]
        grip = (hand[0] - dx * 0.13, hand[1] - dy * 0.13)
        taper(self.image, self.look.outline, self.at(grip), 0.017 * self.unit, self.at(hand), 0.013 * self.unit)
        taper(self.image, self.look.outline, self.at(hand), 0.0125 * self.unit, self.at(tip), 0.0065 * self.unit)
        taper(self.image, self.steel, self.at(hand), 0.006 * self.unit, self.at(tip), 0.002 * self.unit)
        pygame.draw.circle(self.image, self.look.accent, self.at(tip), 0.012 * self.unit)

    def guard(self, hand: Point, tip: Point) -> None:
        """The bell guard: a half bowl across the blade, in front of the hand."""
        dx, dy = tip[0] - hand[0], tip[1] - hand[1]
        length = (dx * dx + dy * dy) ** 0.5
        ux, uy = dx / length, dy / length
        front = (hand[0] + ux * 0.045, hand[1] + uy * 0.045)
        rim = [(front[0] - uy * 0.058, front[1] + ux * 0.058), (front[0] + uy * 0.058, front[1] - ux * 0.058)]
        bowl = (front[0] + ux * 0.032, front[1] + uy * 0.032)
        shape = [self.at(rim[0]), self.at(bowl), self.at(rim[1])]
        pygame.draw.polygon(self.image, self.look.outline, shape)
        thick_line(self.image, self.look.outline, [self.at(rim[0]), self.at(rim[1])], 0.024 * self.unit)
        thick_line(self.image, self.steel, [self.at(rim[0]), self.at(rim[1])], 0.008 * self.unit)
