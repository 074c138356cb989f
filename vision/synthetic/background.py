"""Everything that never moves, drawn once for each table and camera: table top, felt, board, spaces, markers, decor."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Final

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Box, Camera
from vision.printed.table import Table, TablePoint
from vision.printed.tags import MARGIN_CELLS, marker_bits
from vision.synthetic.drawing import (
    Colour,
    Optics,
    Plane,
    Sprite,
    Texture,
    as_picture,
    level_plane,
    material,
    plane,
    shipped,
    sprite_of,
)

Edges = tuple[float, float, float, float]
"""Of a rectangle on the table: x0, y0, x1, y1 in mm."""

GROUND_DENSITY: Final = 3.4
GROUND_X_MM: Final = (-340.0, 960.0)
GROUND_Y_MM: Final = (-420.0, 420.0)
TILE_DEPTH_MM: Final = 38.0
_TILE_DENSITY: Final = 8.0
_LIGHT_STONE: Final[Colour] = (178, 200, 210)
_DARK_STONE: Final[Colour] = (128, 152, 166)
_END_STONE: Final = {1: (214, 226, 230), 23: (66, 70, 78)}
_GOLD: Final[Colour] = (96, 164, 196)
_ONE_PAINTS: Final = Lock()  # who asks for a ground meanwhile waits for it: it takes longer than all that stands on it


def ground(table: Table) -> tuple[Texture, tuple[float, float]]:
    """Table top, felt and board as one texture without opacity, and the place of its middle (x, y) in mm."""
    with _ONE_PAINTS:
        return _ground(table)


@lru_cache(maxsize=2)
def _ground(table: Table) -> tuple[Texture, tuple[float, float]]:
    density = GROUND_DENSITY
    width = round((GROUND_X_MM[1] - GROUND_X_MM[0]) * density)
    height = round((GROUND_Y_MM[1] - GROUND_Y_MM[0]) * density)
    image = material("wood", width, height, (62, 92, 134))
    area = table.play_area
    _sheet(image, (area.x0 - 42, area.y0 - 34, area.x1 + 42, area.y1 + 8), "felt", (70, 92, 40), 8.0, rim=_GOLD)
    # The board holds all spaces and corner markers.
    reach = table.board_size_mm * 0.5 * 1.25 + 14.0
    xs, ys, _ = zip(*(corner[1:] for corner in table.corners), *table.spaces_mm, strict=True)
    x0, y0, x1, y1 = min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach
    _shadow_around(image, (x0, y0, x1, y1), 9.0)
    _sheet(image, (x0, y0, x1, y1), "wood", (34, 50, 84), 5.0, rim=(22, 34, 58))
    _sheet(image, (x0 + 7, y0 + 7, x1 - 7, y1 - 7), "stone", (120, 146, 158), 2.0, rim=(60, 84, 100))
    if (stand := _stand(table)) is not None:
        left, front, right, back = stand
        _shadow_around(image, (left - 5, front - 8, right + 5, back + 8), 10.0)
    return Texture(image, density), (sum(GROUND_X_MM) / 2, sum(GROUND_Y_MM) / 2)


@lru_cache(maxsize=46)
def tile(number: int, width_mm: float) -> Texture:
    """The face of one space with its number."""
    width, height = round(width_mm * _TILE_DENSITY), round(TILE_DEPTH_MM * _TILE_DENSITY)
    colour = _END_STONE.get(number, _LIGHT_STONE if number % 2 else _DARK_STONE)
    image = material("tile", width, height, colour, left=48 * number)
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), (70, 88, 98), round(0.9 * _TILE_DENSITY))
    ink = (208, 214, 218) if number == 23 else (48, 58, 70)
    text, scale, stroke = str(number), 0.30 * _TILE_DENSITY, round(0.75 * _TILE_DENSITY)
    (text_width, text_height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, stroke)
    at = (round((width - text_width) / 2), round(3.6 * _TILE_DENSITY) + text_height)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, ink, stroke, cv2.LINE_AA)
    if number == 12:
        cv2.line(image, (width // 2, round(12 * _TILE_DENSITY)), (width // 2, height), (64, 76, 150), 6, cv2.LINE_AA)
    return Texture(as_picture(np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])), _TILE_DENSITY)


@lru_cache(maxsize=16)
def marker(marker_id: int, size_mm: float, dictionary: str) -> Texture:
    """A marker with its white margin; eight texels a cell."""
    bits = np.pad(marker_bits(marker_id, dictionary), MARGIN_CELLS, constant_values=False)
    cell = 8
    grey = np.kron(np.where(bits, 30, 236).astype(np.uint8), np.ones((cell, cell), np.uint8))
    density = cell * (len(bits) - 2 * MARGIN_CELLS) / size_mm
    return Texture(as_picture(np.dstack([grey, grey, grey, np.full_like(grey, 255)])), density)


def _inside(edges_mm: Edges) -> tuple[int, int, int, int]:
    """A rectangle in the ground's pixels: left, top, right, bottom."""
    x0, y0, x1, y1 = edges_mm
    left, right = (round((x_mm - GROUND_X_MM[0]) * GROUND_DENSITY) for x_mm in (x0, x1))
    bottom, top = (round((GROUND_Y_MM[1] - y_mm) * GROUND_DENSITY) for y_mm in (y0, y1))
    return left, top, right, bottom


def _sheet(image: Picture, edges_mm: Edges, name: str, colour: Colour, rim_mm: float, rim: Colour) -> None:
    """A rectangle of a material with a thin line around it, ``rim_mm`` inside its edge."""
    left, top, right, bottom = _inside(edges_mm)
    image[top:bottom, left:right] = material(name, right - left, bottom - top, colour)
    inset = round(rim_mm * GROUND_DENSITY)
    cv2.rectangle(image, (left + inset, top + inset), (right - inset, bottom - inset), rim, 4, cv2.LINE_AA)


def _shadow_around(image: Picture, edges_mm: Edges, reach_mm: float) -> None:
    """The board lies on the table: a soft dark seam around it."""
    left, top, right, bottom = _inside(edges_mm)
    dark = np.zeros(image.shape[:2], np.uint8)
    dark[top + 4 : bottom + 12, left + 3 : right + 10] = 150
    dark = as_picture(cv2.blur(dark, (round(reach_mm * GROUND_DENSITY),) * 2))
    image[...] = cv2.multiply(image, cv2.merge([cv2.bitwise_not(dark)] * 3), scale=1 / 255)


_STAND_DEPTH_MM: Final = 33.0
_STAND_HEIGHT_MM: Final = 44.0


def _stand(table: Table) -> Edges | None:
    """Where the grandstand stands behind the piste; None where it would be in a corner marker's way."""
    xs = [place.x for place in table.spaces_mm]
    left, right = min(xs) - 14.0, max(xs) + 14.0
    front = max(place.y for place in table.spaces_mm) + TILE_DEPTH_MM / 2 + 8.0
    clear_mm = 0.7 * table.board_size_mm
    for corner in table.corners:
        if left - clear_mm < corner.x < right + clear_mm and front - clear_mm < corner.y:
            return None
    return left, front, right, front + _STAND_DEPTH_MM


def decor_sprites(table: Table, optics: Optics) -> list[Sprite]:
    """The grandstand: its picture on a plane that leans from its lowest step's front to its wall's top."""
    if (stand := _stand(table)) is None:
        return []
    left, front, right, back = stand
    slope = np.array([0.0, _STAND_DEPTH_MM, _STAND_HEIGHT_MM])
    middle = (left + right) / 2, (front + back) / 2, _STAND_HEIGHT_MM / 2
    pixels = shipped("stand.png")
    density = len(pixels) / float(np.linalg.norm(slope))
    pixels = as_picture(cv2.resize(pixels, (round((right - left + 4.0) * density), len(pixels))))
    laid = _laid(optics, Texture(pixels, density), plane(middle, (1, 0, 0), slope / np.linalg.norm(slope)))
    return [] if laid is None else [laid]


def _laid(optics: Optics, texture: Texture, where: Plane, finer: int = 2) -> Sprite | None:
    rect = optics.rect_of(where.at(texture.outline()))
    return None if rect.empty else sprite_of(rect, optics.draw(texture, where, rect, finer))


_STRIP_PX = 216


def background(table: Table, camera: Camera) -> Picture:
    """The empty table in colour, (height, width, 3), before any light falls unevenly on it. Do not write to it."""
    key = (camera.K.tobytes(), camera.dist.tobytes(), camera.R.tobytes(), camera.t.tobytes())
    return _background(table, key, (camera.width, camera.height))


@lru_cache(maxsize=4)
def _background(table: Table, key: tuple[bytes, bytes, bytes, bytes], size: tuple[int, int]) -> Picture:
    parts = [np.frombuffer(part) for part in key]
    camera = Camera(parts[0].reshape(3, 3), parts[1], parts[2].reshape(3, 3), parts[3], *size)
    canvas = _painted(table, camera)
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
    flat = [(tile(number, pitch_mm), place) for number, place in enumerate(table.spaces_mm, start=1)]
    flat += [(marker(each.id, table.board_size_mm, table.dictionary), TablePoint(*each[1:])) for each in table.corners]
    printed = [_laid(optics, face, level_plane(*place), finer=3) for face, place in flat]
    for sprite in (*(each for each in printed if each is not None), *decor_sprites(table, optics)):
        sprite.paint(canvas, optics.frame)
    return canvas
