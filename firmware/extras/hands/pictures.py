"""Pictures of the simulated table for those who play at it: the very things its camera sees, from another place."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from display.screens.camera import CameraPicture
from display.tabletop.places import Cutout, TablePictures
from engine.rules.cards import DECK
from engine.rules.track import BySide, Side
from firmware.extras.simulation.actors import ELBOW_X_MM, ELBOW_Y_MM
from vision.frame import Picture
from vision.geometry import Box, Camera, look_at
from vision.printed.table import Table
from vision.synthetic.cardface import INKS_BGR, card_back, card_face
from vision.synthetic.disturbances import Disturbances
from vision.synthetic.fencer import figure_sprites
from vision.synthetic.hand import hand_sprites
from vision.synthetic.light import Light
from vision.synthetic.plane import Optics, Texture
from vision.synthetic.renderer import Renderer
from vision.synthetic.scene import Scene, SceneFigure, SceneHand
from vision.synthetic.sprite import Sprite, as_picture
from vision.synthetic.studio import Studio

TILT_DEG: Final = 30.0
"""How far from straight above the table is looked at: fencers stand, and cards can still be read."""
SCALE: Final = 2.0
"""Pixels a mm."""
CARD_SCALE: Final = 3.0
_FAR_MM: Final = 60_000.0  # from so far away lines that run alongside each other do so in the picture
_SIZE_PX: Final = (2400, 1144)
_LIGHT: Final = Disturbances(shadows=0.5, uneven_light=0.35)
_MIDDLE_MM: Final = (308.0, -110.0)


@lru_cache(maxsize=1)
def table_pictures(table: Table) -> TablePictures:
    """The pictures that show this table; takes about a second."""
    cards = {card: _card(card_face(card, table.deck_letter, table.qr_mm)) for card in DECK}
    camera = _camera()
    renderer = Renderer(table, camera, _LIGHT)
    ground = renderer.render(Scene(), 0, 0.0).bgr()
    studio = Studio(table, Optics(camera), Light(Optics(camera), _LIGHT, 0), colour=True, exposure_s=0.0)
    origin = camera.project([(0.0, 0.0, 0.0)])[0]
    height, width = ground.shape[:2]
    return TablePictures(
        ground=CameraPicture(ground.tobytes(), width, height),
        scale=SCALE,
        squash=math.cos(math.radians(TILT_DEG)),
        origin_px=(float(origin[0]), float(origin[1])),
        cards=cards,
        back=_card(card_back(table.qr_mm)),
        card_scale=CARD_SCALE,
        inks={value: (red, green, blue) for value, (blue, green, red) in INKS_BGR.items()},
        figures=BySide(*(_figure(studio, side) for side in Side)),
        arms=BySide(*(_arm(studio, side) for side in Side)),
    )


def _camera() -> Camera:
    """One that looks at the middle of the table from very far away, above the players."""
    x_mm, y_mm = _MIDDLE_MM
    width, height = _SIZE_PX
    tilt = math.radians(TILT_DEG)
    position = (x_mm, y_mm - _FAR_MM * math.sin(tilt), _FAR_MM * math.cos(tilt))
    hfov_deg = math.degrees(2 * math.atan(width / SCALE / 2 / _FAR_MM))
    return look_at(position, (x_mm, y_mm, 0.0), 0.0, hfov_deg, width, height, (0.0,) * 5)


def _card(texture: Texture) -> Cutout:
    size = tuple(round(side_mm * CARD_SCALE) for side_mm in texture.size_mm)
    small = as_picture(cv2.resize(texture.pixels, size, interpolation=cv2.INTER_AREA))
    return _cutout(small, (size[0] / 2, size[1] / 2))


def _figure(studio: Studio, side: Side) -> Cutout:
    x_mm, y_mm = _MIDDLE_MM
    return _of_sprites(studio, figure_sprites(studio, SceneFigure(side, x_mm, y_mm)), (x_mm, y_mm))


def _arm(studio: Studio, side: Side) -> Cutout:
    x_mm, y_mm = _MIDDLE_MM
    from_deg = math.degrees(math.atan2(ELBOW_Y_MM - y_mm, ELBOW_X_MM[side] - x_mm))
    hand = SceneHand(side, x_mm, y_mm, from_deg)
    return _of_sprites(studio, hand_sprites(studio, hand), (x_mm, y_mm))


def _of_sprites(studio: Studio, sprites: Iterable[Sprite], place_mm: tuple[float, float]) -> Cutout:
    """All of these in one cutout that stands on this place."""
    laid = [*sprites]
    rect = laid[0].rect
    for sprite in laid[1:]:
        rect = rect.joined(sprite.rect)
    shape = (rect.y1 - rect.y0, rect.x1 - rect.x0, 3)
    keep, add = np.full(shape, 255, np.uint8), np.zeros(shape, np.uint8)
    for sprite in laid:
        area = Box(
            sprite.rect.x0 - rect.x0, sprite.rect.y0 - rect.y0, sprite.rect.x1 - rect.x0, sprite.rect.y1 - rect.y0
        )
        here = area.slices
        kept = sprite.keep if sprite.keep.ndim == 3 else as_picture(cv2.merge([sprite.keep] * 3))
        keep[here] = cv2.multiply(keep[here], kept, scale=1 / 255)
        add[here] = cv2.multiply(add[here], kept, scale=1 / 255)
        if sprite.add is not None:
            add[here] = cv2.add(add[here], sprite.add)
    opacity = 255 - keep[:, :, 1]
    foot = studio.optics.camera.project([(*place_mm, 0.0)])[0]
    whole = as_picture(np.dstack([np.minimum(add, opacity[..., None]), opacity]))
    return _cutout(whole, (float(foot[0]) - rect.x0, float(foot[1]) - rect.y0))


def _cutout(bgra: Picture, foot_px: tuple[float, float]) -> Cutout:
    rgba = as_picture(cv2.cvtColor(bgra, cv2.COLOR_BGRA2RGBA))
    height, width = rgba.shape[:2]
    return Cutout(rgba.tobytes(), width, height, foot_px)
