"""The room's light on the table, and lit sprites of flat things and shadows, in luminance or in colour."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.frame import Picture
from vision.geometry import Box, Camera, Floats
from vision.printed.table import Table
from vision.synthetic.camera import Disturbances
from vision.synthetic.drawing import (
    BLOCK_PX,
    Facet,
    Floats32,
    Optics,
    Plane,
    Sprite,
    Texture,
    as_picture,
    draw_faces,
    luminance,
    sprite_of,
)
from vision.synthetic.solids import Balls, draw_balls

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


_SHADOW_STEP = 4
_NO_SMEAR = (0.0, 0.0)
Vector = tuple[float, float]


class Studio:
    """One camera, one light, one table; ``colour`` tells whether sprites are BGR or luminance."""

    def __init__(self, table: Table, optics: Optics, light: Light, colour: bool, exposure_s: float) -> None:
        self.table = table
        self.optics = optics
        self.light = light
        self.colour = colour
        self.exposure_s = exposure_s

    def flat(self, texture: Texture, where: Plane, gloss: float, smear_px: Vector = _NO_SMEAR) -> Sprite | None:
        """A flat thing as the camera sees it; None when it is out of the picture."""
        rect = self.optics.rect_of(where.at(texture.outline()), 3.0 + max(abs(part) for part in smear_px))
        if rect.empty:
            return None
        pixels = self.optics.draw(texture if self.colour else _grey(texture), where, rect)
        return self.light.on(sprite_of(rect, smeared(pixels, smear_px)), gloss)

    def balls(self, balls: Balls, rect: Box, scale: float) -> Picture:
        """Round bodies in a rectangle, in the studio's own channels."""
        return draw_balls(self.optics, balls, rect, scale, self.colour)

    def faces(self, faces: Iterable[Facet], rect: Box) -> Picture:
        """Flat faces in a rectangle, in the studio's own channels."""
        bgra = draw_faces(self.optics, faces, rect)
        return bgra if self.colour else luminance(bgra)

    def lit(self, rect: Box, pixels: Picture, gloss: float) -> Sprite:
        """A sprite from premultiplied pixels that are already drawn."""
        return self.light.on(sprite_of(rect, pixels), gloss)

    def smear_px(self, at_mm: ArrayLike, velocity_mm_s: Vector) -> Vector:
        """How far in the picture something at this place moves while the shutter is open."""
        if velocity_mm_s == (0.0, 0.0) or self.exposure_s == 0:
            return _NO_SMEAR
        start = np.asarray(at_mm, dtype=np.float64).reshape(3)
        end = start + np.array([*velocity_mm_s, 0.0]) * self.exposure_s
        seen = self.optics.camera.project(np.vstack([start, end]))
        return float(seen[1, 0] - seen[0, 0]), float(seen[1, 1] - seen[0, 1])

    def shadow(self, outlines_mm: list[Floats], discs_mm: Floats, soft_mm: float, darkness: float) -> Sprite | None:
        """The shadow of a thing on the table.

        ``outlines_mm`` are convex outlines (N, 3), ``discs_mm`` rows of x, y, z and radius: both are points of the
        thing itself, the lamp's slope carries them down to the track. None without shadows or out of the picture.
        """
        strength = darkness * min(1.0, 1.2 * self.light.shadows)
        if strength <= 0:
            return None
        camera = self.optics.camera
        fallen = [self._fallen(outline) for outline in outlines_mm]
        spots = self._fallen(discs_mm[:, :3]) if len(discs_mm) else np.empty((0, 3))
        depth = float(np.median(camera.depth_mm(np.vstack([*fallen, spots]))))
        px_per_mm = float(camera.K[0, 0]) / depth
        widest_px = float(discs_mm[:, 3].max()) * px_per_mm if len(discs_mm) else 0.0
        rect = self.optics.rect_of(np.vstack([*fallen, spots]), widest_px + 1.5 * soft_mm * px_per_mm + 4)
        if rect.empty:
            return None
        small = np.zeros(((rect.y1 - rect.y0) // _SHADOW_STEP, (rect.x1 - rect.x0) // _SHADOW_STEP), np.uint8)
        corner = np.array([rect.x0, rect.y0])
        for outline in fallen:
            hull = cv2.convexHull(((camera.project(outline) - corner) / _SHADOW_STEP * 16).astype(np.int32))
            cv2.fillConvexPoly(small, hull, 255, cv2.LINE_AA, 4)
        centres = ((camera.project(spots) - corner) / _SHADOW_STEP * 16).astype(int)
        radii = (discs_mm[:, 3] * px_per_mm / _SHADOW_STEP * 16).astype(int) if len(discs_mm) else ()
        for centre, radius in zip(centres, radii, strict=True):
            cv2.circle(small, (int(centre[0]), int(centre[1])), int(radius), 255, -1, cv2.LINE_AA, 4)
        blur_px = max(3, round(soft_mm * px_per_mm / _SHADOW_STEP) | 1)
        small = as_picture(cv2.blur(cv2.blur(small, (blur_px, blur_px)), (blur_px, blur_px)))
        small = as_picture(cv2.convertScaleAbs(small, alpha=-strength, beta=255))
        keep = as_picture(cv2.resize(small, (rect.x1 - rect.x0, rect.y1 - rect.y0), interpolation=cv2.INTER_LINEAR))
        return Sprite(rect, as_picture(cv2.merge([keep] * 3)) if self.colour else keep)

    def _fallen(self, points_mm: Floats) -> Floats:
        slope = self.light.lamp.slope
        height = np.maximum(points_mm[:, 2], 0.0)
        return np.column_stack(
            [points_mm[:, 0] + slope[0] * height, points_mm[:, 1] + slope[1] * height, np.zeros(len(points_mm))]
        )


def smeared(pixels: Picture, along_px: Vector) -> Picture:
    """Pixels smeared along a way whose middle is where they were drawn; a long way on a coarser grid."""
    length = math.hypot(*along_px)
    coarser = 1 if length < 9 else 2 if length < 22 else 4
    kernel = _line_kernel(round(along_px[0] / coarser, 1), round(along_px[1] / coarser, 1))
    if kernel is None:
        return pixels
    height, width = pixels.shape[:2]
    if coarser > 1:
        small = (width // coarser, height // coarser)
        pixels = as_picture(cv2.resize(pixels, small, interpolation=cv2.INTER_AREA))
    pixels = as_picture(cv2.filter2D(pixels, -1, kernel, borderType=cv2.BORDER_REPLICATE))
    if coarser > 1:
        pixels = as_picture(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR))
    return pixels


@lru_cache(maxsize=256)
def _line_kernel(dx: float, dy: float) -> Floats32 | None:
    length = math.hypot(dx, dy)
    if length < 0.5:
        return None
    reach_x, reach_y = math.ceil(abs(dx) / 2) + 1, math.ceil(abs(dy) / 2) + 1
    kernel = np.zeros((2 * reach_y + 1, 2 * reach_x + 1))
    samples = math.ceil(length * 3)
    for number in range(samples):
        along = (number + 0.5) / samples - 0.5
        x, y = reach_x + along * dx, reach_y + along * dy
        left, top = math.floor(x), math.floor(y)
        fx, fy = x - left, y - top
        kernel[top, left] += (1 - fx) * (1 - fy)
        kernel[top, left + 1] += fx * (1 - fy)
        kernel[top + 1, left] += (1 - fx) * fy
        kernel[top + 1, left + 1] += fx * fy
    return cast(Floats32, (kernel / kernel.sum()).astype(np.float32))


@lru_cache(maxsize=256)
def _grey(texture: Texture) -> Texture:
    return Texture(luminance(texture.pixels), texture.density)
