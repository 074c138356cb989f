"""Round bodies, drawn as many balls with a depth buffer: figures and hands, of which ``bodies.toml`` has the limbs.

A limb is a ball swept along a line; balls close to one another give a smooth surface.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from engine.strict.text import toml_of
from vision.frame import Picture
from vision.geometry import Box, Floats
from vision.synthetic.drawing import Floats32, Optics, as_picture, luminance


class Limb(NamedTuple):
    """A ball of radius ``r0`` at ``start`` swept to ``end``, where it has radius ``r1``; mm."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]
    r0: float
    r1: float
    material: str


@dataclass(frozen=True, slots=True, eq=False)
class Balls:
    """Many balls: centres (N, 3), radii (N,) in mm, and a material each (an index into ``MATERIALS``)."""

    centres: Floats
    radii: Floats
    materials: tuple[int, ...]

    def moved(self, turn: Floats, shift_mm: Floats) -> Balls:
        """Turned by a matrix (3, 3), then shifted (3,)."""
        return Balls(self.centres @ turn.T + shift_mm, self.radii, self.materials)

    @property
    def discs(self) -> Floats:
        """Rows of x, y, z, radius, for shadows."""
        return np.column_stack([self.centres, self.radii])


class Material(NamedTuple):
    """Colours (blue, green, red) in shade, in light and at the highlight; ``shine`` sharpens the highlight."""

    dark: tuple[int, int, int]
    light: tuple[int, int, int]
    highlight: tuple[int, int, int]
    shine: float
    metal: bool


_BODIES: Final[dict[str, Any]] = toml_of(files(__package__).joinpath("bodies.toml").read_bytes())
MATERIALS: Final = {
    name: Material(tuple(dark), tuple(light), tuple(highlight), shine, metal)
    for name, (dark, light, highlight, shine, metal) in _BODIES["materials"].items()
}
_NAMES: Final = tuple(MATERIALS)


def limbs_of(body: str, materials: Mapping[str, str]) -> list[Limb]:
    """The limbs of this name, of what these ``materials`` stand for."""
    return [
        Limb(tuple(start), tuple(end), r0, r1, materials.get(material, material))
        for start, end, r0, r1, material in _BODIES["limbs"][body]
    ]


def sweep(limbs: Iterable[Limb], closeness: float = 0.13) -> Balls:
    """The balls of some limbs, set ``closeness`` radii apart."""
    centres: list[Floats] = []
    radii: list[Floats] = []
    materials: list[int] = []
    for limb in limbs:
        start, end = np.array(limb.start, dtype=np.float64), np.array(limb.end, dtype=np.float64)
        step = closeness * max(min(limb.r0, limb.r1), 0.8)
        count = max(1, math.ceil(float(np.linalg.norm(end - start)) / step)) + 1
        along = np.linspace(0.0, 1.0, count)
        centres.append(start + along[:, None] * (end - start))
        radii.append(limb.r0 + along * (limb.r1 - limb.r0))
        materials += [_NAMES.index(limb.material)] * count
    return Balls(np.vstack(centres), np.concatenate(radii), tuple(materials))


def balls_rect(optics: Optics, balls: Balls, margin_px: float = 3.0) -> Box:
    """The blocks of the picture they cover."""
    camera = optics.camera
    reach = balls.radii * camera.K[0, 0] / camera.depth_mm(balls.centres) + margin_px
    px = camera.project(balls.centres)
    return optics.blocks((px - reach[:, None]).min(axis=0), (px + reach[:, None]).max(axis=0))


def draw_balls(optics: Optics, balls: Balls, rect: Box, scale: float, colour: bool = True) -> Picture:
    """The balls as seen in a rectangle, drawn ``scale`` times as fine as the picture.

    Premultiplied BGRA (h, w, 4), or luminance and opacity (h, w, 2).
    """
    width, height = round((rect.x1 - rect.x0) * scale), round((rect.y1 - rect.y0) * scale)
    depth = np.full((height, width), np.inf, np.float32)
    shade = np.zeros((height, width), np.uint8)
    made_of = np.full((height, width), 255, np.uint8)
    camera = optics.camera
    depths = camera.depth_mm(balls.centres)
    spots = np.rint((camera.project(balls.centres) - (rect.x0, rect.y0) + 0.5) * scale - 0.5).astype(int)
    sizes = np.rint(np.maximum(balls.radii * camera.K[0, 0] / depths * scale, 0.6)).astype(int)
    before = None
    for x, y, size, far, radius, material in zip(
        *spots.T.tolist(), sizes.tolist(), depths.tolist(), balls.radii.tolist(), balls.materials, strict=True
    ):
        # Balls of a thin limb often fall on the same pixels as the one before: nothing would change.
        if (x, y, size, material) != before:
            _ball(depth, shade, made_of, (x, y), size, far, radius, material)
        before = (x, y, size, material)
    pixels = as_picture(_shades(colour)[made_of, shade])
    if (rect.x1 - rect.x0, rect.y1 - rect.y0) == (width, height):
        return pixels
    if scale < 1:
        pixels = as_picture(cv2.GaussianBlur(pixels, (3, 3), 0.7))  # coarse edges would show as steps
    way = cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR
    return as_picture(cv2.resize(pixels, (rect.x1 - rect.x0, rect.y1 - rect.y0), interpolation=way))


def _ball(
    depth: Floats32,
    shade: Picture,
    made_of: Picture,
    spot: tuple[int, int],
    size: int,
    far: float,
    radius: float,
    material: int,
) -> None:
    height, width = depth.shape
    x0, y0 = max(spot[0] - size, 0), max(spot[1] - size, 0)
    x1, y1 = min(spot[0] + size + 1, width), min(spot[1] + size + 1, height)
    if x0 >= x1 or y0 >= y1:
        return
    bulge, shading = _ball_table(size, MATERIALS[_NAMES[material]].metal)
    part = (slice(y0 - spot[1] + size, y1 - spot[1] + size), slice(x0 - spot[0] + size, x1 - spot[0] + size))
    there = (slice(y0, y1), slice(x0, x1))
    nearer = np.float32(far) - np.float32(radius) * bulge[part]
    seen = nearer < depth[there]
    np.copyto(depth[there], nearer, where=seen)
    np.copyto(shade[there], shading[part], where=seen)
    made_of[there][seen] = material


@lru_cache(maxsize=512)
def _ball_table(size: int, metal: bool) -> tuple[Floats32, Picture]:
    """How far each pixel of a ball bulges towards the camera (-inf outside), and how light falls on it (0 to 255)."""
    at = np.arange(-size, size + 1, dtype=np.float32) / np.float32(size + 0.5)
    x, y = np.meshgrid(at, at)
    inside = x * x + y * y
    z = np.sqrt(np.clip(1.0 - inside, 0.0, 1.0))
    bulge = np.where(inside <= 1.0, z, -np.inf).astype(np.float32)
    toward = np.array([-0.45, -0.62, 0.64])
    lit = np.clip(x * toward[0] + y * toward[1] + z * toward[2], -1.0, 1.0)
    if metal:
        # Polished metal mirrors a bright room above and a dark table below, with a band of horizon between.
        mirror = -y * (0.4 + z)
        horizon = np.exp(-((mirror + 0.2) ** 2) / 0.02)
        level = 0.42 + 0.38 * np.tanh(3.0 * mirror) + 0.28 * np.clip(lit, 0, 1) ** 6 - 0.12 * horizon
    else:
        level = 0.30 + 0.62 * np.clip(0.25 + 0.75 * lit, 0, 1) - 0.16 * (1 - z) ** 2
    return bulge, np.clip(level * 255, 0, 255).astype(np.uint8)


@lru_cache(maxsize=2)
def _shades(colour: bool) -> Picture:
    """Premultiplied pixels for each material and shade, (256, 256, 4 or 2); material 255 is nothing."""
    table = np.zeros((256, 256, 4), np.uint8)
    level = np.linspace(0.0, 1.0, 256)[:, None]
    for number, material in enumerate(MATERIALS.values()):
        dark, light, highlight = (np.array(colour, dtype=np.float64) for colour in material[:3])
        body = dark + (light - dark) * np.clip(level * 1.15, 0, 1)
        gleam = np.clip((level - 0.72) / 0.28, 0, 1) ** (1 + 20.0 / material.shine)
        table[number, :, :3] = np.clip(body + (highlight - light) * gleam, 0, 255)
        table[number, :, 3] = 255
    return table if colour else luminance(table)
