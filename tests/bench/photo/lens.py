"""A camera of its own for the photograph-like pictures: nothing here is shared with the code under test.

A pin-hole camera with Brown-Conrady distortion (k1 k2 k3, p1 p2), written from the textbook formulas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

GRID = 8


@dataclass(frozen=True, eq=False)
class Lens:
    """``turn`` (3, 3) and ``shift`` (3,) take board millimetres into the camera's frame (x right, y down, z ahead)."""

    width: int
    height: int
    focal: tuple[float, float]
    middle: tuple[float, float]
    bend: tuple[float, float, float, float, float]  # k1 k2 k3 p1 p2
    turn: np.ndarray
    shift: np.ndarray

    @property
    def position(self) -> np.ndarray:
        position: np.ndarray = -self.turn.T @ self.shift
        return position

    def seen(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (N, 2) and depths (N,) of board points (N, 3)."""
        inside = np.asarray(points, float) @ self.turn.T + self.shift
        depth = inside[:, 2]
        x, y = inside[:, 0] / depth, inside[:, 1] / depth
        x, y = _bent(x, y, self.bend)
        return np.column_stack([self.focal[0] * x + self.middle[0], self.focal[1] * y + self.middle[1]]), depth

    @cached_property
    def rays(self) -> np.ndarray:
        """For every pixel the undistorted x and y of its ray (depth 1), (height, width, 2) float32."""
        pad = 2
        columns, rows = -(-self.width // GRID) + 2 * pad, -(-self.height // GRID) + 2 * pad
        u = GRID * (np.arange(columns) - pad + 0.5) - 0.5
        v = GRID * (np.arange(rows) - pad + 0.5) - 0.5
        gx, gy = np.meshgrid((u - self.middle[0]) / self.focal[0], (v - self.middle[1]) / self.focal[1])
        x, y = gx.copy(), gy.copy()
        step = 1e-5
        for _ in range(12):  # Newton
            bx, by = _bent(x, y, self.bend)
            bx1, by1 = _bent(x + step, y, self.bend)
            bx2, by2 = _bent(x, y + step, self.bend)
            a, b, c, d = (bx1 - bx) / step, (bx2 - bx) / step, (by1 - by) / step, (by2 - by) / step
            ex, ey = gx - bx, gy - by
            det = a * d - b * c
            det = np.where(np.abs(det) < 0.05, 0.05, det)
            x = np.clip(x + (d * ex - b * ey) / det, -4, 4)
            y = np.clip(y + (a * ey - c * ex) / det, -4, 4)
        grid = np.dstack([x, y]).astype(np.float32)
        full = cv2.resize(grid, (columns * GRID, rows * GRID), interpolation=cv2.INTER_LINEAR)
        return np.ascontiguousarray(full[pad * GRID : pad * GRID + self.height, pad * GRID : pad * GRID + self.width])

    def onto_plane(self, z: float, rays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where these rays meet the level plane at z: x and y in mm, float32."""
        turn, origin = self.turn, self.position
        dz = rays[..., 0] * turn[0, 2] + rays[..., 1] * turn[1, 2] + turn[2, 2]
        reach = (z - origin[2]) / np.where(np.abs(dz) < 1e-6, 1e-6, dz)
        reach = np.where(reach <= 0, 1e6, reach)
        x = origin[0] + reach * (rays[..., 0] * turn[0, 0] + rays[..., 1] * turn[1, 0] + turn[2, 0])
        y = origin[1] + reach * (rays[..., 0] * turn[0, 1] + rays[..., 1] * turn[1, 1] + turn[2, 1])
        return x.astype(np.float32), y.astype(np.float32)


def _bent(x: np.ndarray, y: np.ndarray, bend: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    k1, k2, k3, p1, p2 = bend
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return (x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x), y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y)


def aimed(
    position: tuple[float, float, float],
    target: tuple[float, float, float],
    roll_deg: float = 0.0,
    hfov_deg: float = 66.0,
    size: tuple[int, int] = (2304, 1296),
    bend: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0),
    middle_off: tuple[float, float] = (0.0, 0.0),
    aspect: float = 1.0,
    up: tuple[float, float, float] = (0.0, 0.0, 1.0),
) -> Lens:
    """A lens at a place, looking at another; with no roll the picture's top is ``up``, or away from the players."""
    where = np.array(position, float)
    ahead = np.array(target, float) - where
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, up)
    right = np.array([1.0, 0.0, 0.0]) if np.linalg.norm(right) < 1e-3 else right / np.linalg.norm(right)
    down = np.cross(ahead, right)
    c, s = math.cos(math.radians(roll_deg)), math.sin(math.radians(roll_deg))
    turn = np.array([c * right + s * down, -s * right + c * down, ahead])
    focal = size[0] / 2 / math.tan(math.radians(hfov_deg) / 2)
    return Lens(
        size[0],
        size[1],
        (focal, focal * aspect),
        ((size[0] - 1) / 2 + middle_off[0], (size[1] - 1) / 2 + middle_off[1]),
        bend,
        turn,
        -turn @ where,
    )
