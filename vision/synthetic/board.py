"""The flat surfaces: the table top, the felt, the board with its 23 spaces and the corner markers."""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike

from vision.frame import Picture
from vision.printed.table import Table
from vision.printed.tags import MARGIN_CELLS, marker_bits
from vision.synthetic.paint import Colour, felt, stone, wood
from vision.synthetic.plane import Texture
from vision.synthetic.sprite import as_picture

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
    image = wood(width, height, 7, (62, 92, 134), seed=3)
    area = table.play_area
    _sheet(image, (area.x0 - 42, area.y0 - 34, area.x1 + 42, area.y1 + 8), felt, (70, 92, 40), 8.0, rim=_GOLD)
    x0, y0, x1, y1 = board_outline(table)
    _shadow_around(image, (x0, y0, x1, y1), 9.0)
    _sheet(image, (x0, y0, x1, y1), _dark_wood, (34, 50, 84), 5.0, rim=(22, 34, 58))
    _sheet(image, (x0 + 7, y0 + 7, x1 - 7, y1 - 7), stone, (120, 146, 158), 2.0, rim=(60, 84, 100))
    middle = (sum(GROUND_X_MM) / 2, sum(GROUND_Y_MM) / 2)
    return Texture(image, density), middle


def board_outline(table: Table) -> tuple[float, float, float, float]:
    """The board's edges x0, y0, x1, y1 in mm: it holds all spaces and corner markers."""
    reach = table.board_size_mm * 0.5 * 1.25 + 14.0
    xs = [corner.x for corner in table.corners] + [place.x for place in table.spaces_mm]
    ys = [corner.y for corner in table.corners] + [place.y for place in table.spaces_mm]
    return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


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
    return Texture(as_picture(np.dstack([image, np.full((height, width), 255, np.uint8)])), _TILE_DENSITY)


@lru_cache(maxsize=16)
def marker(marker_id: int, size_mm: float, dictionary: str) -> Texture:
    """A marker with its white margin; eight texels a cell."""
    bits = np.pad(marker_bits(marker_id, dictionary), MARGIN_CELLS, constant_values=False)
    cell = 8
    grey = np.kron(np.where(bits, 30, 236).astype(np.uint8), np.ones((cell, cell), np.uint8))
    density = cell * (len(bits) - 2 * MARGIN_CELLS) / size_mm
    return Texture(as_picture(np.dstack([grey, grey, grey, np.full_like(grey, 255)])), density)


def _dark_wood(width: int, height: int, colour: Colour, seed: int) -> Picture:
    return wood(width, height, 1, colour, seed)


def _px(x_mm: ArrayLike, y_mm: ArrayLike) -> tuple[int, int]:
    return (
        round((float(np.asarray(x_mm)) - GROUND_X_MM[0]) * GROUND_DENSITY),
        round((GROUND_Y_MM[1] - float(np.asarray(y_mm))) * GROUND_DENSITY),
    )


def _sheet(
    image: Picture,
    edges_mm: tuple[float, float, float, float],
    material: object,
    colour: Colour,
    rim_mm: float,
    rim: Colour,
) -> None:
    """A rectangle of a material with a thin line around it, ``rim_mm`` inside its edge."""
    left, bottom = _px(edges_mm[0], edges_mm[1])
    right, top = _px(edges_mm[2], edges_mm[3])
    assert callable(material)
    image[top:bottom, left:right] = material(right - left, bottom - top, colour, 11)
    inset = round(rim_mm * GROUND_DENSITY)
    corner_low, corner_high = (left + inset, top + inset), (right - inset, bottom - inset)
    cv2.rectangle(image, corner_low, corner_high, rim, 4, cv2.LINE_AA)


def _shadow_around(image: Picture, edges_mm: tuple[float, float, float, float], reach_mm: float) -> None:
    """The board lies on the table: a soft dark seam around it."""
    left, bottom = _px(edges_mm[0], edges_mm[1])
    right, top = _px(edges_mm[2], edges_mm[3])
    dark = np.zeros(image.shape[:2], np.uint8)
    dark[top + 4 : bottom + 12, left + 3 : right + 10] = 150
    dark = as_picture(cv2.blur(dark, (round(reach_mm * GROUND_DENSITY),) * 2))
    image[...] = cv2.multiply(image, cv2.merge([cv2.bitwise_not(dark)] * 3), scale=1 / 255)
