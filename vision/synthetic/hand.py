"""A player's hand and arm reaching in."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from engine.rules.track import Side
from vision.synthetic.scene import CARD_THICKNESS_MM, SceneCard, SceneFigure, SceneHand
from vision.synthetic.solids import Balls, balls_rect, limbs_of, sweep
from vision.synthetic.sprite import Sprite
from vision.synthetic.studio import Studio, smeared

_DRAWN_AT = 0.5
_GRIP_HEIGHT_MM = 42.0  # a figure is taken by head and shoulders


@lru_cache(maxsize=4)
def _hand(side: Side) -> Balls:
    """A right hand with its arm, finger tips at the origin pointing to +x, mm; thumb at +y."""
    sleeve = "blue sleeve" if side is Side.WHITE else "red sleeve"
    return sweep(limbs_of("hand", {"sleeve": sleeve}), 0.16)


def hand_balls(hand: SceneHand) -> Balls:
    """Hand and arm in the board frame. White's is a left hand, Black's a right one."""
    angle = math.radians(hand.from_deg + 180.0)
    c, s = math.cos(angle), math.sin(angle)
    mirror = -1.0 if hand.side is Side.WHITE else 1.0
    turn = np.array([[c, -s * mirror, 0.0], [s, c * mirror, 0.0], [0.0, 0.0, 1.0]])
    return _hand(hand.side).moved(turn, np.array([hand.x_mm, hand.y_mm, tip_height_mm(hand)]))


def tip_height_mm(hand: SceneHand) -> float:
    """How high the finger tips are: as said, or where they grip what they hold."""
    if hand.height_mm is not None:
        return hand.height_mm
    if isinstance(hand.holds, SceneCard):
        return (hand.holds.level + 1) * CARD_THICKNESS_MM + hand.holds.lifted_mm
    if isinstance(hand.holds, SceneFigure):
        return hand.holds.z_mm + hand.holds.lifted_mm + _GRIP_HEIGHT_MM
    return 6.0


def hand_sprites(studio: Studio, hand: SceneHand) -> tuple[Sprite, ...]:
    """Shadow, then hand and arm; what the hand holds is not among them."""
    balls = _in_view(studio, hand_balls(hand))
    if balls is None:
        return ()
    smear = studio.smear_px((hand.x_mm, hand.y_mm, tip_height_mm(hand)), hand.velocity_mm_s)
    rect = balls_rect(studio.optics, balls, 4.0 + max(abs(part) for part in smear))
    shadow = studio.shadow([], balls.discs[::3], 16.0, 0.45)
    sprites = [shadow]
    if not rect.empty:
        scale = _DRAWN_AT if math.hypot(*smear) < 12 else _DRAWN_AT / 2
        sprites.append(studio.lit(rect, smeared(studio.balls(balls, rect, scale), smear), 0.0))
    return tuple(sprite for sprite in sprites if sprite is not None)


def _in_view(studio: Studio, balls: Balls) -> Balls | None:
    """The balls near enough to the picture to matter, and in front of the lens."""
    camera = studio.optics.camera
    depth = camera.depth_mm(balls.centres)
    ahead = depth > 60.0
    px = camera.project(np.where(ahead[:, None], balls.centres, balls.centres[:1]))
    reach = balls.radii * camera.K[0, 0] / np.maximum(depth, 60.0) + 200.0
    near = (
        ahead & (px > -reach[:, None]).all(axis=1) & (px < (camera.width, camera.height) + reach[:, None]).all(axis=1)
    )
    if not near.any():
        return None
    kept = np.flatnonzero(near)
    return Balls(balls.centres[kept], balls.radii[kept], tuple(balls.materials[number] for number in kept))
