"""Things on the simulated table that do not belong to the game: a foreign code, a mug, a pen, a coin."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import segno

from vision.geometry import Floats
from vision.synthetic.drawing import Facet, Sprite, Texture, as_picture, laid_over, level_plane, premultiplied
from vision.synthetic.solids import Balls, Limb, balls_rect, sweep
from vision.synthetic.studio import Studio

_CODE_MM: Final = 42.0
_MUG_RADIUS_MM: Final = 38.0
_MUG_HEIGHT_MM: Final = 82.0
_MUG_SIDES: Final = 64
_NO_DISCS: Final = np.empty((0, 4))
SpriteList = tuple[Sprite | None, ...]


@dataclass(frozen=True, slots=True)
class SceneClutter:
    """Something that does not belong to the game. ``text`` is what a foreign QR code (kind "qr") says."""

    kind: str
    x_mm: float
    y_mm: float
    turn_deg: float = 0.0
    text: str = "HTTPS://EXAMPLE.ORG"

    @property
    def stands(self) -> bool:
        return self.kind == "mug"

    def sprites(self, studio: Studio) -> tuple[Sprite, ...]:
        draw = {"qr": _leaflet, "mug": _mug, "pen": _pen, "coin": _coin}[self.kind]
        return tuple(sprite for sprite in draw(studio, self) if sprite is not None)


def _leaflet(studio: Studio, thing: SceneClutter) -> SpriteList:
    texture, where = _code(thing.text), level_plane(thing.x_mm, thing.y_mm, 0.2, thing.turn_deg)
    shadow = studio.shadow([where.at(texture.outline())], _NO_DISCS, 2.0, 0.4)
    return shadow, studio.flat(texture, where, 0.3)


@lru_cache(maxsize=8)
def _code(text: str) -> Texture:
    """Paper with somebody else's QR code."""
    rows = np.array([[not module for module in row] for row in segno.make(text, error="m", micro=False).matrix])
    framed = np.pad(rows.astype(np.uint8) * 205 + 40, 4, constant_values=245)
    grey = np.kron(framed, np.ones((6, 6), np.uint8)).astype(np.uint8)
    bgr = as_picture(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    return Texture(premultiplied(bgr, np.full_like(grey, 255)), len(grey) / _CODE_MM)


def _coin(studio: Studio, thing: SceneClutter) -> SpriteList:
    texture, where = _coin_face(), level_plane(thing.x_mm, thing.y_mm, 2.0, thing.turn_deg)
    disc = np.array([[thing.x_mm, thing.y_mm, 2.0, 11.0]])
    return studio.shadow([], disc, 2.0, 0.5), studio.flat(texture, where, 0.8)


@lru_cache(maxsize=1)
def _coin_face() -> Texture:
    side, middle = 184, 92
    face = np.full((side, side, 3), (70, 142, 176), np.uint8)
    cv2.circle(face, (middle, middle), 78, (92, 168, 202), -1, cv2.LINE_AA)
    cv2.circle(face, (middle, middle), 78, (50, 112, 142), 3, cv2.LINE_AA)
    cv2.putText(face, "1", (66, 122), cv2.FONT_HERSHEY_DUPLEX, 3.0, (52, 116, 148), 8, cv2.LINE_AA)
    opacity = np.zeros((side, side), np.uint8)
    cv2.circle(opacity, (middle, middle), 90, 255, -1, cv2.LINE_AA)
    return Texture(premultiplied(face, opacity), side / 23.0)


def _pen(studio: Studio, thing: SceneClutter) -> SpriteList:
    c, s = math.cos(math.radians(thing.turn_deg)), math.sin(math.radians(thing.turn_deg))

    def at(along_mm: float) -> tuple[float, float, float]:
        return thing.x_mm + c * along_mm, thing.y_mm + s * along_mm, 4.2

    balls = sweep(
        [
            Limb(at(-62.0), at(52.0), 4.0, 4.0, "pawn blue"),
            Limb(at(-70.0), at(-62.0), 3.8, 4.2, "silver"),
            Limb(at(52.0), at(66.0), 3.8, 1.0, "silver"),
        ]
    )
    rect = balls_rect(studio.optics, balls)
    shadow = studio.shadow([], balls.discs, 3.0, 0.5)
    return shadow, None if rect.empty else studio.lit(rect, studio.balls(balls, rect, 2), 0.0)


def _mug(studio: Studio, thing: SceneClutter) -> SpriteList:
    optics = studio.optics
    centre = np.array([thing.x_mm, thing.y_mm, 0.0])
    low, high = _ring(centre, 0.0, _MUG_RADIUS_MM - 3.0), _ring(centre, _MUG_HEIGHT_MM, _MUG_RADIUS_MM)
    toward = optics.camera.position_mm[:2] - centre[:2]
    toward = toward / np.linalg.norm(toward)
    faces = []
    for number in range(_MUG_SIDES):
        angle = math.tau * (number + 0.5) / _MUG_SIDES
        normal = np.array([math.cos(angle), math.sin(angle)])
        if float(normal @ toward) > -0.05:
            light = 0.55 + 0.4 * max(0.0, float(normal @ np.array([-0.8, -0.6])))
            pair = [number, (number + 1) % _MUG_SIDES]
            shade = tuple(int(light * part) for part in (196, 170, 148))
            faces.append(Facet(np.vstack([low[pair], high[pair]]), (shade[0], shade[1], shade[2])))
    faces += [
        Facet(high, (226, 208, 190)),
        Facet(_ring(centre, _MUG_HEIGHT_MM, _MUG_RADIUS_MM - 3.5), (96, 84, 78)),
        Facet(_ring(centre, _MUG_HEIGHT_MM - 6.0, _MUG_RADIUS_MM - 4.5), (26, 42, 66)),
    ]
    handle = _handle(thing, centre)
    rect = optics.rect_of(np.vstack([low, high]), 4.0).joined(balls_rect(optics, handle))
    if rect.empty:
        return ()
    body = laid_over(studio.balls(handle, rect, 2), studio.faces(faces, rect))
    shadow = studio.shadow([np.vstack([low, high])], _NO_DISCS, 8.0, 0.55)
    return shadow, studio.lit(rect, body, 0.1)


def _handle(thing: SceneClutter, centre: Floats) -> Balls:
    c, s = math.cos(math.radians(thing.turn_deg)), math.sin(math.radians(thing.turn_deg))
    points = [(33.0, 66.0), (52.0, 62.0), (60.0, 44.0), (52.0, 26.0), (33.0, 20.0)]
    at = [(centre[0] + c * out, centre[1] + s * out, up) for out, up in points]
    return sweep([Limb(a, b, 5.0, 5.0, "ivory") for a, b in itertools.pairwise(at)])


def _ring(centre: Floats, z_mm: float, radius_mm: float) -> Floats:
    angle = np.arange(_MUG_SIDES) * math.tau / _MUG_SIDES
    around = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(_MUG_SIDES)]) * radius_mm
    return np.asarray(around + centre + (0.0, 0.0, z_mm))
