"""Takes points of the table to pixels of the picture, and back.

Board frame (FORMATS.md, "The table file"): millimetres, origin at the centre of space 1, x towards space 23, y away
from the players, z up. Pixel frame: (0, 0) is the middle of the top left pixel, x right, y down (OpenCV's).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Picture

Floats = NDArray[np.float64]


class Box(NamedTuple):
    """A rectangle of pixels, from x0, y0 up to but not including x1, y1."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def empty(self) -> bool:
        return self.x1 <= self.x0 or self.y1 <= self.y0

    @property
    def area(self) -> int:
        return (self.x1 - self.x0) * (self.y1 - self.y0)

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns of the whole picture that this box covers."""
        return slice(self.y0, self.y1), slice(self.x0, self.x1)

    def of(self, picture: Picture) -> Picture:
        """That part of a picture, a view."""
        return picture[self.y0 : self.y1, self.x0 : self.x1]

    def meets(self, other: Box) -> bool:
        return self.x0 < other.x1 and other.x0 < self.x1 and self.y0 < other.y1 and other.y0 < self.y1

    def clipped(self, other: Box) -> Box:
        """The part that both cover; empty where they do not meet."""
        return Box(max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1))

    def joined(self, other: Box) -> Box:
        """The smallest box that holds both."""
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def grown(self, margin_px: int) -> Box:
        return Box(self.x0 - margin_px, self.y0 - margin_px, self.x1 + margin_px, self.y1 + margin_px)


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A pinhole camera with Brown's lens distortion at a fixed place.

    ``K`` (3, 3) in pixels; ``dist`` k1 k2 p1 p2 k3 (5) or with k4 k5 k6 (8); ``R`` (3, 3) and ``t`` (3,) take a point
    of the board frame into the camera's (x right, y down, z forward, millimetres).
    Source: Brown, "Decentering distortion of lenses", 1966; OpenCV, calib3d.
    """

    K: Floats
    dist: Floats
    R: Floats
    t: Floats
    width: int
    height: int

    def __post_init__(self) -> None:
        for name, shapes in (("K", ((3, 3),)), ("dist", ((5,), (8,))), ("R", ((3, 3),)), ("t", ((3,),))):
            value = np.array(getattr(self, name), dtype=np.float64)
            if value.shape not in shapes:
                expected = " or ".join(str(shape) for shape in shapes)
                raise ValueError(
                    f"camera: {name} must have shape {expected}, found {value.shape}; hand over that shape"
                )
            value.setflags(write=False)
            object.__setattr__(self, name, value)

    @property
    def position_mm(self) -> Floats:
        """The lens in the board frame, (3,)."""
        return -self.R.T @ self.t

    def depth_mm(self, points_mm: ArrayLike) -> Floats:
        """How far in front of the lens each of (N, 3) points lies, (N,); negative is behind it."""
        return cast(Floats, _rows(points_mm, 3) @ self.R[2] + self.t[2])

    def project(self, points_mm: ArrayLike) -> Floats:
        """The pixels (N, 2) where points (N, 3) of the board frame appear; meaningless for points behind the lens."""
        points = _rows(points_mm, 3)
        if len(points) == 0:
            return np.empty((0, 2))
        turn, _ = cv2.Rodrigues(self.R)
        pixels, _ = cv2.projectPoints(points, turn, self.t, self.K, self.dist)
        return np.asarray(pixels, dtype=np.float64).reshape(-1, 2)

    def directions(self, px: ArrayLike) -> Floats:
        """Unit directions (N, 3) in the board frame of the rays through pixels (N, 2)."""
        rays = self._rays(px)
        return cast(Floats, rays / np.linalg.norm(rays, axis=1, keepdims=True))

    def holds(self, px: Floats) -> NDArray[np.bool_]:
        """Which of these pixels (N, 2) lie in the picture, (N,)."""
        return np.asarray(((px >= 0) & (px <= (self.width - 1, self.height - 1))).all(axis=1))

    def at_height(self, px: ArrayLike, z_mm: float | Floats) -> Floats:
        """The points where rays through pixels (N, 2) meet level planes at ``z_mm``, one or (N,): mm, (N, 2).

        A ray that never meets the plane (it looks at the horizon or above) gives nan.
        """
        rays = self._rays(px)
        origin = self.position_mm
        drop = rays[:, 2]
        reach = np.full(len(rays), np.nan)
        np.divide(z_mm - origin[2], drop, out=reach, where=np.abs(drop) > 1e-12)
        reach[reach <= 0] = np.nan
        return origin[:2] + reach[:, None] * rays[:, :2]

    def _rays(self, px: ArrayLike) -> Floats:
        """As ``directions``, of any length."""
        pixels = _rows(px, 2)
        if len(pixels) == 0:
            return np.empty((0, 3))
        flat = np.asarray(cv2.undistortPoints(pixels.reshape(-1, 1, 2), self.K, self.dist), dtype=np.float64)
        return cast(Floats, flat.reshape(-1, 2) @ self.R[:2] + self.R[2])


def mean_side(corners: Floats) -> float:
    """How long the sides of a polygon (N, 2) are on the mean."""
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())


def middle_of(points: Floats) -> tuple[float, float]:
    """The mean of a few points (N, 2); in Python, which is sooner done with so few."""
    across, down = zip(*points.tolist(), strict=True)
    return sum(across) / len(across), sum(down) / len(down)


def way_there(before: Camera, now: Camera, points_mm: ArrayLike) -> Floats | None:
    """The homography (3, 3) of pixels from one camera to another, on the plane of some points (N, 3), four or more.

    None where the points do not tell.
    """
    way, _ = cv2.findHomography(before.project(points_mm), now.project(points_mm))
    return None if way is None else np.asarray(way, dtype=np.float64)


def look_at(
    position_mm: Sequence[float],
    target_mm: Sequence[float],
    roll_deg: float = 0.0,
    hfov_deg: float = 66.0,
    width: int = 2304,
    height: int = 1296,
    dist: Sequence[float] = (0.0, 0.0, 0.0, 0.0, 0.0),
) -> Camera:
    """A camera at ``position_mm`` whose middle looks at ``target_mm`` (board frame), square pixels.

    With no roll the picture's top is up, or, looking straight down, away from the players (+y). ``roll_deg`` turns
    the camera clockwise seen from behind it. ``hfov_deg`` is the horizontal field without distortion.
    Raises ValueError when position and target coincide or the field is not between 0 and 180 degrees.
    """
    if not 0.0 < hfov_deg < 180.0:
        raise ValueError(f"hfov_deg must lie between 0 and 180, found {hfov_deg}; a Camera Module 3 has 66")
    origin = np.asarray(position_mm, dtype=np.float64)
    forward = np.asarray(target_mm, dtype=np.float64) - origin
    length = float(np.linalg.norm(forward))
    if length < 1e-9:
        raise ValueError(f"a camera cannot look at its own place {list(position_mm)}; move the target away from it")
    forward = forward / length
    right = np.cross(forward, (0.0, 0.0, 1.0))
    if float(np.linalg.norm(right)) < 1e-6:
        right = np.array([1.0, 0.0, 0.0])
    right = right / np.linalg.norm(right)
    down = np.cross(forward, right)
    roll = math.radians(roll_deg)
    axes = np.array(
        [math.cos(roll) * right + math.sin(roll) * down, -math.sin(roll) * right + math.cos(roll) * down, forward]
    )
    return Camera(
        K=field_of_view(hfov_deg, width, height),
        dist=np.asarray(dist, dtype=np.float64),
        R=axes,
        t=-axes @ origin,
        width=width,
        height=height,
    )


def field_of_view(hfov_deg: float, width: int, height: int) -> Floats:
    """The camera matrix (3, 3) of a lens with this horizontal field, centred, with square pixels."""
    focal_px = width / 2 / math.tan(math.radians(hfov_deg) / 2)
    return np.array([[focal_px, 0.0, (width - 1) / 2], [0.0, focal_px, (height - 1) / 2], [0.0, 0.0, 1.0]])


def _rows(values: ArrayLike, columns: int) -> Floats:
    rows = np.asarray(values, dtype=np.float64)
    if rows.size % columns or (rows.ndim and rows.shape[-1] != columns):
        raise ValueError(f"expected points of {columns} numbers each, found an array of shape {rows.shape}")
    return np.ascontiguousarray(rows.reshape(-1, columns))
