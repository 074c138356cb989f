"""Everything that never moves, drawn once for each table and camera: table top, felt, board, spaces, markers, decor."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache, partial
from threading import Lock
from typing import Final

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Box, Camera
from vision.printed.table import Table, TablePoint
from vision.printed.tags import MARGIN_CELLS, marker_bits
from vision.synthetic.paint import Colour, felt, stone, wood
from vision.synthetic.plane import Optics, Plane, Texture, level_plane, plane
from vision.synthetic.solids import Limb, balls_rect, draw_balls, sweep
from vision.synthetic.sprite import Sprite, as_picture, sprite_of

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
    image = wood(width, height, (62, 92, 134), seed=3, planks=7)
    area = table.play_area
    _sheet(image, (area.x0 - 42, area.y0 - 34, area.x1 + 42, area.y1 + 8), felt, (70, 92, 40), 8.0, rim=_GOLD)
    # The board holds all spaces and corner markers.
    reach = table.board_size_mm * 0.5 * 1.25 + 14.0
    xs, ys, _ = zip(*(corner[1:] for corner in table.corners), *table.spaces_mm, strict=True)
    x0, y0, x1, y1 = min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach
    _shadow_around(image, (x0, y0, x1, y1), 9.0)
    _sheet(image, (x0, y0, x1, y1), wood, (34, 50, 84), 5.0, rim=(22, 34, 58))
    _sheet(image, (x0 + 7, y0 + 7, x1 - 7, y1 - 7), stone, (120, 146, 158), 2.0, rim=(60, 84, 100))
    return Texture(image, density), (sum(GROUND_X_MM) / 2, sum(GROUND_Y_MM) / 2)


@lru_cache(maxsize=46)
def tile(number: int, width_mm: float) -> Texture:
    """The face of one space with its number."""
    width, height = round(width_mm * _TILE_DENSITY), round(TILE_DEPTH_MM * _TILE_DENSITY)
    colour = _END_STONE.get(number, _LIGHT_STONE if number % 2 else _DARK_STONE)
    image = stone(width, height, colour, seed=100 + number)
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), (70, 88, 98), round(0.9 * _TILE_DENSITY))
    ink = (208, 214, 218) if number == 23 else (48, 58, 70)
    text, scale, stroke = str(number), 0.30 * _TILE_DENSITY, round(0.75 * _TILE_DENSITY)
    (text_width, text_height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, stroke)
    at = (round((width - text_width) / 2), round(3.6 * _TILE_DENSITY) + text_height)
    cv2.putText(image, text, at, cv2.FONT_HERSHEY_DUPLEX, scale, ink, stroke, cv2.LINE_AA)
    if number == 12:
        cv2.line(image, (width // 2, round(12 * _TILE_DENSITY)), (width // 2, height), (64, 76, 150), 6, cv2.LINE_AA)
    return Texture(_opaque(image), _TILE_DENSITY)


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


def _sheet(
    image: Picture,
    edges_mm: Edges,
    material: Callable[[int, int, Colour, int], Picture],
    colour: Colour,
    rim_mm: float,
    rim: Colour,
) -> None:
    """A rectangle of a material with a thin line around it, ``rim_mm`` inside its edge."""
    left, top, right, bottom = _inside(edges_mm)
    image[top:bottom, left:right] = material(right - left, bottom - top, colour, 11)
    inset = round(rim_mm * GROUND_DENSITY)
    cv2.rectangle(image, (left + inset, top + inset), (right - inset, bottom - inset), rim, 4, cv2.LINE_AA)


def _shadow_around(image: Picture, edges_mm: Edges, reach_mm: float) -> None:
    """The board lies on the table: a soft dark seam around it."""
    left, top, right, bottom = _inside(edges_mm)
    dark = np.zeros(image.shape[:2], np.uint8)
    dark[top + 4 : bottom + 12, left + 3 : right + 10] = 150
    dark = as_picture(cv2.blur(dark, (round(reach_mm * GROUND_DENSITY),) * 2))
    image[...] = cv2.multiply(image, cv2.merge([cv2.bitwise_not(dark)] * 3), scale=1 / 255)


# The relief behind the piste: a grandstand in steps with onlookers and a wall with banners.

STEPS: Final = 3
STEP_DEPTH_MM: Final = 11.0
STEP_HEIGHT_MM: Final = 6.5
WALL_HEIGHT_MM: Final = 44.0
_DENSITY: Final = 4.0
_GAP_MM: Final = 8.0
_TREAD: Final[Colour] = (96, 134, 168)
_RISER: Final[Colour] = (60, 88, 116)
_WALL: Final[Colour] = (142, 168, 184)
_BANNERS: Final[tuple[Colour, ...]] = ((62, 54, 150), (140, 84, 44), (62, 150, 190), (78, 112, 52))
_CLOTHES: Final = ("pawn red", "pawn blue", "pawn green", "pawn yellow", "ivory")


def decor_sprites(table: Table, optics: Optics) -> list[Sprite]:
    """The decor in colour, far things first; none where it would stand in a corner marker's way."""
    xs = [place.x for place in table.spaces_mm]
    left, right = min(xs) - 14.0, max(xs) + 14.0
    front = max(place.y for place in table.spaces_mm) + TILE_DEPTH_MM / 2 + _GAP_MM
    back = front + STEPS * STEP_DEPTH_MM
    clear_mm = 0.7 * table.board_size_mm
    for corner in table.corners:
        if left - clear_mm < corner.x < right + clear_mm and front - clear_mm < corner.y:
            return []
    middle, width = (left + right) / 2, right - left
    sprites = [_shade(optics, middle, (front + back) / 2, width + 10.0, back - front + 16.0)]
    wall = plane((middle, back, WALL_HEIGHT_MM / 2), (1, 0, 0), (0, 0, 1))
    sprites.append(_laid(optics, Texture(_wall(width), _DENSITY), wall))
    rng = random.Random("onlookers")
    for step in reversed(range(STEPS)):
        y_mm, top_mm = front + step * STEP_DEPTH_MM, (step + 1) * STEP_HEIGHT_MM
        tread = _plain(partial(wood, colour=_TREAD, seed=40 + step), width, STEP_DEPTH_MM)
        sprites.append(_laid(optics, tread, level_plane(middle, y_mm + STEP_DEPTH_MM / 2, top_mm)))
        riser = plane((middle, y_mm, step * STEP_HEIGHT_MM + STEP_HEIGHT_MM / 2), (1, 0, 0), (0, 0, 1))
        upright = _plain(partial(stone, colour=_RISER, seed=50 + step), width, STEP_HEIGHT_MM)
        sprites.append(_laid(optics, upright, riser))
        sprites += _onlookers(optics, rng, left, right, y_mm + 0.6 * STEP_DEPTH_MM, top_mm)
    return [sprite for sprite in sprites if sprite is not None]


def _onlookers(
    optics: Optics, rng: random.Random, left: float, right: float, y_mm: float, z_mm: float
) -> list[Sprite | None]:
    """Pawns sitting in a row, some seats empty."""
    limbs = []
    x_mm = left + 10.0
    while x_mm < right - 8.0:
        if rng.random() < 0.5:
            clothes = rng.choice(_CLOTHES)
            y = y_mm + rng.uniform(-1.2, 1.2)
            limbs.append(Limb((x_mm, y, z_mm + 1.5), (x_mm, y, z_mm + 9.0), 3.6, 2.0, clothes))
            limbs.append(Limb((x_mm, y, z_mm + 11.5), (x_mm, y, z_mm + 11.6), 2.9, 2.9, clothes))
        x_mm += rng.uniform(9.0, 15.0)
    if not limbs:
        return []
    balls = sweep(limbs)
    rect = balls_rect(optics, balls)
    return [None if rect.empty else sprite_of(rect, draw_balls(optics, balls, rect, 2))]


def _plain(material: Callable[[int, int], Picture], width_mm: float, depth_mm: float) -> Texture:
    """A long face of wood or stone with a darker lower edge."""
    width, height = round(width_mm * _DENSITY), max(8, round(depth_mm * _DENSITY))
    image = material(width, height)
    fade = np.linspace(1.08, 0.78, height, dtype=np.float32)[:, None, None]
    return Texture(_opaque(np.clip(image * fade, 0, 255).astype(np.uint8)), _DENSITY)


def _wall(width_mm: float) -> Picture:
    """Plaster with arches, and a banner in every second one."""
    width, height = round(width_mm * _DENSITY), round(WALL_HEIGHT_MM * _DENSITY)
    image = stone(width, height, _WALL, seed=61)
    count = max(4, round(width_mm / 42.0))
    for number in range(count):
        x_mm = (number + 0.5) * width_mm / count
        half_mm = 11.0
        left, right = round((x_mm - half_mm) * _DENSITY), round((x_mm + half_mm) * _DENSITY)
        top = round(15.0 * _DENSITY)
        middle, radius = (left + right) // 2, (right - left) // 2
        cv2.circle(image, (middle, top), radius + 5, (104, 128, 144), -1, cv2.LINE_AA)
        cv2.rectangle(image, (left - 5, top), (right + 5, height), (104, 128, 144), -1)
        cv2.circle(image, (middle, top), radius, (44, 56, 70), -1, cv2.LINE_AA)
        cv2.rectangle(image, (left, top), (right, height), (44, 56, 70), -1)
        if number % 2:
            colour = _BANNERS[number // 2 % len(_BANNERS)]
            low = round(27.0 * _DENSITY)
            cloth = np.array([[left + 8, 10], [right - 8, 10], [right - 8, low], [middle, low + 18], [left + 8, low]])
            cv2.fillPoly(image, [cloth.astype(np.int32)], colour, cv2.LINE_AA)
            cv2.polylines(image, [cloth.astype(np.int32)], True, (120, 190, 216), 3, cv2.LINE_AA)
    cv2.rectangle(image, (0, 0), (width, 7), (176, 198, 210), -1)
    return _opaque(image)


def _shade(optics: Optics, x_mm: float, y_mm: float, width_mm: float, depth_mm: float) -> Sprite | None:
    """The dark seam where the stand meets board and table."""
    pad_mm, density = 14.0, 1.5
    width, height = round((width_mm + 2 * pad_mm) * density), round((depth_mm + 2 * pad_mm) * density)
    dark = np.zeros((height, width), np.uint8)
    edge = round(pad_mm * density)
    dark[edge:-edge, edge:-edge] = 150
    dark = as_picture(cv2.blur(dark, (15, 15)))
    black = np.zeros_like(dark)
    return _laid(optics, Texture(as_picture(np.dstack([black, black, black, dark])), density), level_plane(x_mm, y_mm))


def _laid(optics: Optics, texture: Texture, where: Plane, finer: int = 2) -> Sprite | None:
    rect = optics.rect_of(where.at(texture.outline()))
    return None if rect.empty else sprite_of(rect, optics.draw(texture, where, rect, finer))


def _opaque(image: Picture) -> Picture:
    return as_picture(np.dstack([image, np.full(image.shape[:2], 255, np.uint8)]))


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
    flat = [(tile(number, pitch_mm), place) for number, place in enumerate(table.spaces_mm, start=1)]
    flat += [(marker(each.id, table.board_size_mm, table.dictionary), TablePoint(*each[1:])) for each in table.corners]
    printed = [_laid(optics, face, level_plane(*place), finer=3) for face, place in flat]
    for sprite in (*(each for each in printed if each is not None), *decor_sprites(table, optics)):
        sprite.paint(canvas, optics.frame)
    return canvas
