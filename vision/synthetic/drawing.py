"""Draws flat textures in space through a camera with its lens, and lays rectangles of pixels over each other."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Picture
from vision.geometry import Box, Camera, Floats

Floats32 = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A thing's change to the picture: ``beneath * keep / 255 + add``.

    ``keep`` is (h, w) for luminance, (h, w, 3) for colour; ``add`` the same, or None for a shadow.
    """

    rect: Box
    keep: Picture
    add: Picture | None = None

    def paint(self, canvas: Picture, clip: Box) -> None:
        """Lays this over the canvas inside ``clip``."""
        area = self.rect.clipped(clip)
        if area.empty:
            return
        rows, columns = Box(*(edge - self.rect[i % 2] for i, edge in enumerate(area))).slices
        target = canvas[area.slices]
        mixed = cv2.multiply(target, self.keep[rows, columns], scale=1 / 255)
        if self.add is not None:
            mixed = cv2.add(mixed, self.add[rows, columns])
        target[...] = mixed


def sprite_of(rect: Box, pixels: Picture) -> Sprite:
    """A sprite from premultiplied pixels whose last channel is opacity: (h, w, 2) luminance or (h, w, 4) colour."""
    channels = cv2.split(pixels)
    hidden = cv2.bitwise_not(channels[-1])
    if len(channels) == 2:
        return Sprite(rect, as_picture(hidden), as_picture(channels[0]))
    return Sprite(rect, as_picture(cv2.merge([hidden] * 3)), as_picture(cv2.merge(channels[:3])))


def luminance(bgra: Picture) -> Picture:
    """(h, w, 4) premultiplied colour as (h, w, 2) luminance and opacity."""
    grey = cv2.cvtColor(np.ascontiguousarray(bgra[:, :, :3]), cv2.COLOR_BGR2GRAY)
    return as_picture(cv2.merge([grey, np.ascontiguousarray(bgra[:, :, 3])]))


def premultiplied(bgr: Picture, opacity: Picture) -> Picture:
    """(h, w, 3) colour and (h, w) opacity as one (h, w, 4) premultiplied picture."""
    colour = cv2.multiply(bgr, cv2.merge([opacity] * 3), scale=1 / 255)
    return as_picture(np.dstack([colour, opacity]))


def laid_over(below: Picture, above: Picture) -> Picture:
    """One premultiplied picture laid over another of as many channels."""
    channels = above.shape[2]
    keep = cv2.merge([cv2.bitwise_not(np.ascontiguousarray(above[:, :, -1]))] * channels)
    return as_picture(cv2.add(cv2.multiply(below, keep, scale=1 / 255), above))


def as_picture(values: object) -> Picture:
    """Pixels as OpenCV wants them: uint8, one row after the other."""
    return np.ascontiguousarray(values, dtype=np.uint8)


Colour = tuple[int, int, int]
"""Blue, green, red."""
_EVEN: Final = 128
"""The level of a material's picture that leaves its colour as it is."""


@cache
def shipped(name: str) -> Picture:
    """A picture of this package as it is in its file."""
    return cast(Picture, cv2.imdecode(np.frombuffer(files(__package__).joinpath(name).read_bytes(), np.uint8), -1))


def material(name: str, width: int, height: int, colour: Colour, left: int = 0) -> Picture:
    """A rectangle of a material in this colour, cut out ``left`` px from the edge of its picture."""
    shade = shipped(f"{name}.jpg")
    more = [(0, max(0, wanted - there)) for wanted, there in zip((height, left + width), shade.shape, strict=True)]
    shade = np.pad(shade, more, "symmetric")[:height, left : left + width]
    tables = [np.clip(np.arange(256) / _EVEN * part, 0, 255).astype(np.uint8) for part in colour]
    return as_picture(cv2.merge([cv2.LUT(shade, table) for table in tables]))


BLOCK_PX = 8
"""Rays are known at the middles of blocks of this size and interpolated between: the lens bends far less than that."""


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A flat piece of space: ``origin`` and the unit axes of its texture, ``u`` right and ``v`` up, (3,) mm each."""

    origin: Floats
    u: Floats
    v: Floats

    def at(self, uv_mm: ArrayLike) -> Floats:
        """Points (N, 2) of the plane in the board frame, (N, 3)."""
        uv = np.asarray(uv_mm, dtype=np.float64).reshape(-1, 2)
        return self.origin + uv[:, :1] * self.u + uv[:, 1:] * self.v


def plane(origin: ArrayLike, u: ArrayLike, v: ArrayLike) -> Plane:
    """A plane from anything array-like."""
    return Plane(*(np.asarray(value, dtype=np.float64) for value in (origin, u, v)))


def level_plane(x_mm: float, y_mm: float, z_mm: float = 0.0, turn_deg: float = 0.0) -> Plane:
    """A plane that lies level, turned counter-clockwise seen from above."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return plane((x_mm, y_mm, z_mm), (c, s, 0.0), (-s, c, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """Premultiplied pixels with opacity last, ``density`` pixels a mm; its middle is the plane's origin."""

    pixels: Picture
    density: float

    @property
    def size_mm(self) -> tuple[float, float]:
        height, width = self.pixels.shape[:2]
        return width / self.density, height / self.density

    def outline(self) -> Floats:
        """Its corners in mm, (4, 2): top left, top right, bottom right, bottom left."""
        w, h = self.size_mm
        return np.array([[-w / 2, h / 2], [w / 2, h / 2], [w / 2, -h / 2], [-w / 2, -h / 2]])


class Optics:
    """A camera with the rays of its pixel blocks worked out once."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.frame = Box(0, 0, camera.width, camera.height)
        self._across = -(-camera.width // BLOCK_PX)
        self._down = -(-camera.height // BLOCK_PX)
        # One block more on every side, so that interpolation never runs out of rays.
        x = (np.arange(-1, self._across + 1) + 0.5) * BLOCK_PX - 0.5
        y = (np.arange(-1, self._down + 1) + 0.5) * BLOCK_PX - 0.5
        pixels = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        self._rays = camera.directions(pixels).reshape(self._down + 2, self._across + 2, 3)

    def rect_of(self, points_mm: ArrayLike, margin_px: float = 2.0) -> Box:
        """The blocks that hold the pictures of these points, inside the frame; empty when all are outside."""
        px = self.camera.project(points_mm)
        return self.blocks(px.min(axis=0) - margin_px, px.max(axis=0) + margin_px)

    def blocks(self, low_px: ArrayLike, high_px: ArrayLike) -> Box:
        """The rectangle of whole blocks around these two pixels, inside the frame."""
        most = (self._across, self._down)
        # What a lens of next to no angle shows is further outside than a whole number can say.
        x0, y0 = np.clip(np.floor(np.asarray(low_px) / BLOCK_PX), 0, most).astype(int).tolist()
        x1, y1 = np.clip(np.ceil((np.asarray(high_px) + 1) / BLOCK_PX), 0, most).astype(int).tolist()
        return Box(x0 * BLOCK_PX, y0 * BLOCK_PX, max(x1, x0) * BLOCK_PX, max(y1, y0) * BLOCK_PX)

    def draw(self, texture: Texture, where: Plane, rect: Box, finer: int = 2) -> Picture:
        """The texture as seen inside a rectangle of blocks, (h, w, channels) premultiplied.

        Each pixel is the mean of ``finer`` squared samples, as a sensor's cell gathers light over its area.
        """
        rows = slice(rect.y0 // BLOCK_PX, rect.y1 // BLOCK_PX + 2)
        columns = slice(rect.x0 // BLOCK_PX, rect.x1 // BLOCK_PX + 2)
        to_plane = np.linalg.inv(np.column_stack([where.u, where.v, where.origin - self.camera.position_mm]))
        homogeneous = self._rays[rows, columns] @ to_plane.T
        height, width = texture.pixels.shape[:2]
        uv = homogeneous[..., :2] / homogeneous[..., 2:]
        at = np.empty(uv.shape, dtype=np.float32)
        at[..., 0] = uv[..., 0] * texture.density + (width - 1) / 2
        at[..., 1] = (height - 1) / 2 - uv[..., 1] * texture.density
        step = BLOCK_PX * finer
        fine = cast(Floats32, cv2.resize(at, None, fx=step, fy=step, interpolation=cv2.INTER_LINEAR))
        fine = np.ascontiguousarray(fine[step:-step, step:-step])
        seen = cv2.remap(texture.pixels, fine, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)  # type: ignore[call-overload]
        if finer > 1:
            seen = cv2.resize(seen, (rect.x1 - rect.x0, rect.y1 - rect.y0), interpolation=cv2.INTER_AREA)
        return cast(Picture, seen)


_FINER: Final = 3


class Facet(NamedTuple):
    """The convex hull of some points (N, 3) mm as seen, in one colour."""

    points_mm: Floats
    colour: Colour


def draw_faces(optics: Optics, faces: Iterable[Facet], rect: Box) -> Picture:
    """The faces, later ones over earlier ones, as premultiplied BGRA (h, w, 4)."""
    fine = np.zeros(((rect.y1 - rect.y0) * _FINER, (rect.x1 - rect.x0) * _FINER, 4), np.uint8)
    for face in faces:
        px = (optics.camera.project(face.points_mm) - (rect.x0, rect.y0) + 0.5) * _FINER - 0.5
        hull = cv2.convexHull(np.round(px * 16).astype(np.int32))
        cv2.fillConvexPoly(fine, hull, (*face.colour, 255), cv2.LINE_8, 4)
    return as_picture(cv2.resize(fine, (rect.x1 - rect.x0, rect.y1 - rect.y0), interpolation=cv2.INTER_AREA))
