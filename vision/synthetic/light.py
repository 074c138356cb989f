"""The room's light on the table: where it is brighter, where it glares, and which way shadows fall."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Box, Camera
from vision.synthetic.disturbances import Disturbances
from vision.synthetic.plane import BLOCK_PX, Optics
from vision.synthetic.sprite import Floats32, Sprite, as_picture

_COARSE = BLOCK_PX
_UNIT = 128  # this field value leaves a colour as it is


@dataclass(frozen=True, slots=True)
class RoomLamp:
    """``slope`` (x, y) is how far a shadow falls to the side for each mm of height."""

    slope: tuple[float, float]
    x_mm: float
    y_mm: float


def lamp_of(seed: int) -> RoomLamp:
    """A lamp on the far side of the table, to the left or right."""
    rng = random.Random(f"lamp {seed}")
    way = rng.choice((-1.0, 1.0))
    azimuth = math.radians(90.0 + way * rng.uniform(25.0, 65.0))
    steepness = rng.uniform(0.35, 0.6)
    toward = (math.cos(azimuth), math.sin(azimuth))
    slope = (-steepness * toward[0], -steepness * toward[1])
    return RoomLamp(slope, 308.0 + 260.0 * toward[0], -60.0 + 200.0 * toward[1])


class Light:
    """Light fields over the whole picture for one camera, lamp and strength."""

    def __init__(self, optics: Optics, disturbances: Disturbances, seed: int) -> None:
        self.lamp = lamp_of(seed)
        self.shadows = disturbances.shadows
        self._even = disturbances.uneven_light == 0
        camera = optics.camera
        x_mm, y_mm = _places(camera)
        self._field = _full(_brightness(x_mm, y_mm, self.lamp, disturbances.uneven_light) * _UNIT)
        self._glare: Picture | None = None
        if disturbances.glare > 0:
            self._glare = _full(_reflections(x_mm, y_mm, disturbances.glare, seed))

    def on(self, sprite: Sprite, gloss: float = 0.0) -> Sprite:
        """The sprite lit: brighter or darker by place, with the lamp's reflection by its gloss (0 to 1)."""
        if sprite.add is None:
            return sprite
        colour = sprite.add
        many = colour.ndim == 3
        if not self._even:
            field = self._field[sprite.rect.slices]
            colour = as_picture(cv2.multiply(colour, cv2.merge([field] * 3) if many else field, scale=1 / _UNIT))
        if self._glare is not None and gloss > 0:
            glare = self._glare[sprite.rect.slices]
            if glare.any():
                shown = cv2.bitwise_not(sprite.keep)
                shine = cv2.multiply(shown, cv2.merge([glare] * 3) if many else glare, scale=gloss / 255)
                colour = as_picture(cv2.add(colour, shine))
        return Sprite(sprite.rect, sprite.keep, colour)

    def on_background(self, background: Picture, gloss: float) -> Picture:
        """The whole background lit."""
        rect = Box(0, 0, background.shape[1], background.shape[0])
        lit = self.on(Sprite(rect, np.zeros_like(background), background), gloss).add
        assert lit is not None
        return lit


def _places(camera: Camera) -> tuple[Floats32, Floats32]:
    """The place on the table behind every eighth pixel, x and y in mm."""
    height, width = -(-camera.height // _COARSE), -(-camera.width // _COARSE)
    x, y = np.meshgrid((np.arange(width) + 0.5) * _COARSE - 0.5, (np.arange(height) + 0.5) * _COARSE - 0.5)
    at = np.nan_to_num(camera.at_height(np.stack([x, y], axis=-1).reshape(-1, 2), 0.0), nan=1e5)
    xy = at.astype(np.float32).reshape(height, width, 2)
    return xy[..., 0], xy[..., 1]


def _brightness(x_mm: Floats32, y_mm: Floats32, lamp: RoomLamp, strength: float) -> Floats32:
    """1 where the light is as it should be. The lamp's side is brighter, the far side and the corners are darker."""
    reach = ((x_mm - lamp.x_mm) ** 2 + (y_mm - lamp.y_mm) ** 2) / 380.0**2
    falloff = 1.55 / (1.0 + 0.55 * reach)
    height, width = x_mm.shape
    across = np.linspace(-1, 1, width, dtype=np.float32)
    down = np.linspace(-1, 1, height, dtype=np.float32)
    vignette = 1.0 - 0.28 * (across[None, :] ** 2 + down[:, None] ** 2)
    field = 1.0 + strength * (np.clip(falloff, 0.35, 1.5) * vignette - 1.0)
    return np.asarray(np.clip(field, 0.25, 1.9), dtype=np.float32)


def _reflections(x_mm: Floats32, y_mm: Floats32, strength: float, seed: int) -> Floats32:
    """Two lamps mirrored in the table, as grey levels to add on something perfectly glossy."""
    rng = random.Random(f"glare {seed}")
    total = np.zeros_like(x_mm)
    for share in (1.0, 0.6):
        cx, cy = rng.uniform(90.0, 530.0), rng.uniform(-240.0, -30.0)
        rx, ry = rng.uniform(28.0, 60.0), rng.uniform(22.0, 40.0)
        apart = ((x_mm - cx) / rx) ** 2 + ((y_mm - cy) / ry) ** 2
        total += share * np.exp(-apart)
    return np.asarray(np.clip(total * 300.0 * strength**1.5, 0, 255), dtype=np.float32)


def _full(coarse: Floats32) -> Picture:
    """Whole blocks over the picture, a little more than it where its size is no multiple of a block."""
    wide = cv2.resize(coarse, None, fx=_COARSE, fy=_COARSE, interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(np.round(wide), 0, 255), dtype=np.uint8)
