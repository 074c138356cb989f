"""Makes lit sprites of flat things and shadows, in luminance or in colour."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.frame import Picture
from vision.geometry import Box, Floats
from vision.printed.table import Table
from vision.synthetic.light import Light
from vision.synthetic.plane import Facet, Optics, Plane, Texture, draw_faces
from vision.synthetic.solids import Balls, draw_balls
from vision.synthetic.sprite import Floats32, Sprite, as_picture, luminance, sprite_of

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
