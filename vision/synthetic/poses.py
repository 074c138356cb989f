"""Where the simulated camera stands: the named default and variants of it by seed."""

from __future__ import annotations

import random
from typing import Final

import numpy as np

from vision.geometry import Camera, look_at
from vision.printed.table import Table

# A Camera Module 3 on a gooseneck between the players; a mild barrel distortion as its lens has.
POSITION_MM: Final = (0.0, -400.0, 600.0)
TARGET_MM: Final = (0.0, -88.0, 0.0)
LENS: Final = (-0.035, 0.006, 0.0, 0.0, 0.0)
_EDGE_PX: Final = 10.0


def default_camera(table: Table) -> Camera:
    """The camera above the players' side, square to the piste, with everything in view."""
    return _camera(table, (0.0, 0.0, 0.0), (0.0, 0.0), 0.0)


def camera_variant(table: Table, seed: int, strength: float = 0.5) -> Camera:
    """A camera as somebody would really clamp it: off-centre, tilted and turned, more so with ``strength`` to 1.

    The same seed gives the same camera; at strength 0 it is the default. All corner markers and the play area stay in
    view: a pose that would lose some of them is drawn back towards the default until it does not.
    """
    rng = random.Random(f"camera {seed}")
    ways = [rng.uniform(-1.0, 1.0) for _ in range(6)]
    for drawn_back in (1.0, 0.85, 0.7, 0.55, 0.4, 0.25, 0.1):
        x, y, z, aim_x, aim_y, roll = (way * strength * drawn_back for way in ways)
        camera = _camera(table, (90.0 * x, 60.0 * y, 40.0 * z), (25.0 * aim_x, 16.0 * aim_y), 3.5 * roll)
        if holds_scene(camera, table):
            return camera
    return default_camera(table)


def _camera(table: Table, shift_mm: tuple[float, float, float], aim_mm: tuple[float, float], roll_deg: float) -> Camera:
    middle = table.space_mm(12)
    position = (
        POSITION_MM[0] + shift_mm[0] + middle.x,
        POSITION_MM[1] + shift_mm[1] + middle.y,
        POSITION_MM[2] + shift_mm[2],
    )
    target = (TARGET_MM[0] + aim_mm[0] + middle.x, TARGET_MM[1] + aim_mm[1] + middle.y, TARGET_MM[2])
    camera = table.camera
    return look_at(position, target, roll_deg, camera.hfov_deg, camera.width, camera.height, LENS)


def holds_scene(camera: Camera, table: Table) -> bool:
    """Whether every corner marker with its margin and the play area with the cards on its edge are in view."""
    half_mm = 0.65 * table.board_size_mm
    area = table.play_area
    points = [
        (corner.x + across * half_mm, corner.y + along * half_mm, corner.z)
        for corner in table.corners
        for across in (-1, 1)
        for along in (-1, 1)
    ]
    points += [(x, y, 0.0) for x in (area.x0 - 45, area.x1 + 45) for y in (area.y0 - 30, area.y1)]
    px = camera.project(points)
    return bool((px > _EDGE_PX).all() and (px < np.array([camera.width, camera.height]) - _EDGE_PX).all())
