"""Everything that never moves, drawn once for each table and camera: table, board, spaces, markers, decor."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from vision.frame import Picture
from vision.geometry import Box, Camera
from vision.printed.table import Table
from vision.synthetic.board import ground, marker, tile
from vision.synthetic.decor import decor_sprites
from vision.synthetic.plane import Optics, Plane, Texture, level_plane
from vision.synthetic.sprite import sprite_of

_STRIP_PX = 216
Size = tuple[int, int]
"""Width and height, px."""
Paint = Callable[[], Picture]

Keep = Callable[[bytes, Size, Paint], Picture]
"""Gives the picture of this size that is painted from what these bytes say, painting it where it is not kept."""


def painted(made_from: bytes, size: Size, paint: Paint) -> Picture:
    """Keeps nothing."""
    return paint()


def background(table: Table, camera: Camera, keep: Keep = painted) -> Picture:
    """The empty table in colour, (height, width, 3), before any light falls unevenly on it. Do not write to it."""
    key = (camera.K.tobytes(), camera.dist.tobytes(), camera.R.tobytes(), camera.t.tobytes())
    return _background(table, key, (camera.width, camera.height), keep)


@lru_cache(maxsize=4)
def _background(table: Table, key: tuple[bytes, bytes, bytes, bytes], size: Size, keep: Keep) -> Picture:
    parts = [np.frombuffer(part) for part in key]
    camera = Camera(parts[0].reshape(3, 3), parts[1], parts[2].reshape(3, 3), parts[3], *size)
    canvas = keep(repr((table, key, size)).encode(), size, lambda: _painted(table, camera))
    canvas.setflags(write=False)
    return canvas


def _painted(table: Table, camera: Camera) -> Picture:
    optics = Optics(camera)
    canvas = np.zeros((camera.height, camera.width, 3), np.uint8)
    texture, (x_mm, y_mm) = ground(table)
    for top in range(0, camera.height, _STRIP_PX):
        rect = Box(0, top, -(-camera.width // 8) * 8, min(top + _STRIP_PX, -(-camera.height // 8) * 8))
        strip = optics.draw(texture, level_plane(x_mm, y_mm), rect)[:, : camera.width]
        canvas[top : top + _STRIP_PX] = strip[: camera.height - top]
    pitch_mm = abs(table.spaces_mm[1].x - table.spaces_mm[0].x) or 28.0
    for number, place in enumerate(table.spaces_mm, start=1):
        _lay(canvas, optics, tile(number, pitch_mm), level_plane(place.x, place.y, place.z))
    for corner in table.corners:
        face = marker(corner.id, table.board_size_mm, table.dictionary)
        _lay(canvas, optics, face, level_plane(corner.x, corner.y, corner.z))
    for sprite in decor_sprites(table, optics):
        sprite.paint(canvas, optics.frame)
    return canvas


def _lay(canvas: Picture, optics: Optics, texture: Texture, where: Plane) -> None:
    rect = optics.rect_of(where.at(texture.outline()))
    if not rect.empty:
        sprite_of(rect, optics.draw(texture, where, rect, finer=3)).paint(canvas, optics.frame)
