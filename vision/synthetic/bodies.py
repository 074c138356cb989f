"""What stands up from the table: the two fencers, metal figures on guard with their tags, and players' hands."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from engine.rules.track import Side
from vision.geometry import Floats
from vision.synthetic.background import marker
from vision.synthetic.drawing import Facet, Sprite, Texture, as_picture, laid_over, plane
from vision.synthetic.scene import CARD_THICKNESS_MM, SceneCard, SceneFigure, SceneHand
from vision.synthetic.solids import Balls, balls_rect, limbs_of, sweep
from vision.synthetic.studio import Studio, Vector, smeared

BASE_RADIUS_MM: Final = 11.5
BASE_HEIGHT_MM: Final = 4.0
_FINER: Final = 2
_NECK_COLOUR: Final = (150, 156, 160)
_BASE_COLOURS: Final = {Side.WHITE: ((196, 208, 214), (228, 236, 240)), Side.BLACK: ((34, 36, 40), (62, 66, 72))}


@lru_cache(maxsize=2)
def _body(side: Side) -> Balls:
    """The figure before it is placed: on guard towards +x, feet on the base's top, mm.

    Both hold the foil in the hand away from the players, so White is left-handed and Black, turned round, right-handed.
    """
    metal = "silver" if side is Side.WHITE else "bronze"
    return sweep(limbs_of("fencer", {"metal": metal, "mask": f"{metal} mask"}))


@lru_cache(maxsize=4)
def _tab(marker_id: int, size_mm: float, dictionary: str) -> Texture:
    """The tag on its tab, which is a little wider than the tag's white margin."""
    tag = marker(marker_id, size_mm, dictionary)
    rim = round(1.2 * tag.density)
    pixels = cv2.copyMakeBorder(tag.pixels, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(206, 212, 216, 255))
    return Texture(as_picture(pixels), tag.density)


def figure_frame(figure: SceneFigure) -> tuple[Floats, Floats]:
    """How the figure's own millimetres (x along the piste, feet at the middle of the base) lie on the board.

    A matrix (3, 3) and a shift (3,). A lying figure has fallen backwards: it rests on the base's edge.
    """
    c, s = math.cos(math.radians(figure.turn_deg)), math.sin(math.radians(figure.turn_deg))
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    shift = np.array([figure.x_mm, figure.y_mm, figure.z_mm + figure.lifted_mm])
    if figure.lying:
        back = -float(figure.side.forward)
        turn = turn @ np.array([[0.0, 0.0, back], [0.0, 1.0, 0.0], [-back, 0.0, 0.0]])
        shift = shift + np.array([0.0, 0.0, BASE_RADIUS_MM])
    return turn, shift


def figure_balls(figure: SceneFigure) -> Balls:
    """The figure's body in the board frame."""
    body = _body(figure.side)
    mirror = np.diag([float(figure.side.forward), 1.0, 1.0])
    turn, shift = figure_frame(figure)
    return body.moved(turn @ mirror, shift)


def figure_sprites(studio: Studio, figure: SceneFigure, velocity_mm_s: Vector = (0.0, 0.0)) -> tuple[Sprite, ...]:
    """Shadow, tab, base and body, in painting order."""
    table = studio.table
    turn, shift = figure_frame(figure)
    offset = np.array(table.fencer_offset_mm)
    smear = studio.smear_px(shift, velocity_mm_s)
    tab = _tab(table.fencer_ids[figure.side], table.fencer_size_mm, table.dictionary)
    where = plane(turn @ offset + shift, turn[:, 0], turn[:, 1])
    balls = figure_balls(figure)
    soft_mm = 4.0 + 0.3 * figure.lifted_mm
    shadow = studio.shadow([where.at(tab.outline()), _disc(turn, shift, 0.0)], balls.discs, soft_mm, 0.55)
    sprites = [shadow, studio.flat(tab, where, 0.3, smear), _solid(studio, figure, balls, smear)]
    return tuple(sprite for sprite in sprites if sprite is not None)


def _solid(studio: Studio, figure: SceneFigure, balls: Balls, smear_px: Vector) -> Sprite | None:
    """Base and body, with the neck that joins the tab."""
    optics = studio.optics
    turn, shift = figure_frame(figure)
    rims = [_disc(turn, shift, 0.0), _disc(turn, shift, BASE_HEIGHT_MM)]
    neck = _neck(studio, turn, shift)
    reach = 3.0 + max(abs(part) for part in smear_px)
    rect = balls_rect(optics, balls, reach).joined(optics.rect_of(np.vstack([*rims, neck]), reach))
    if rect.empty:
        return None
    side_colour, top_colour = _BASE_COLOURS[figure.side]
    nearer = min(rims, key=lambda rim: float(optics.camera.depth_mm(rim).mean()))
    base = studio.faces(
        [Facet(neck, _NECK_COLOUR), Facet(np.vstack(rims), side_colour), Facet(nearer, top_colour)], rect
    )
    # What moves is smeared anyway and mostly in a hand: it need not be drawn finer than the picture.
    body = studio.balls(balls, rect, _FINER if smear_px == (0.0, 0.0) else 1)
    return studio.lit(rect, smeared(laid_over(base, body), smear_px), 0.2)


def _disc(turn: Floats, shift: Floats, z_mm: float) -> Floats:
    angle = np.linspace(0, math.tau, 40, endpoint=False)
    rim = np.column_stack([BASE_RADIUS_MM * np.cos(angle), BASE_RADIUS_MM * np.sin(angle), np.full(40, z_mm)])
    return np.asarray(rim @ turn.T + shift)


def _neck(studio: Studio, turn: Floats, shift: Floats) -> Floats:
    """A strip from the base to the tab, at the tab's height."""
    offset = np.array(studio.table.fencer_offset_mm)
    flat = np.array([offset[0], offset[1], 0.0])
    length = float(np.linalg.norm(flat))
    toward = flat / length if length > 0 else np.array([0.0, -1.0, 0.0])
    across = np.array([-toward[1], toward[0], 0.0]) * 5.0
    near, far = toward * BASE_RADIUS_MM * 0.8, toward * max(length - studio.table.fencer_size_mm * 0.66, 0.0)
    lift = np.array([0.0, 0.0, offset[2]])
    return np.asarray(np.array([near - across, near + across, far + across, far - across]) + lift) @ turn.T + shift


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
