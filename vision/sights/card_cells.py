"""The cells of the picture that cards and marks lie on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change.gate import CELL_PX, Mask, any_of, both, cells_under
from vision.geometry import Camera, Floats
from vision.printed.card_shape import Place
from vision.printed.table import CardSize


class Lies(Protocol):
    """A card that lies somewhere: its middle in mm, its turn in degrees."""

    @property
    def x_mm(self) -> float: ...
    @property
    def y_mm(self) -> float: ...
    @property
    def turn_deg(self) -> float: ...


def cells_of_marks(marks: Sequence[Floats], shape: tuple[int, ...]) -> Mask:
    """The cells under marks with these corners."""
    mask = np.zeros(shape, np.uint8)
    for corners in marks:
        mask[cells_under(corners)] = 1
    return mask


def cells_at_cards(
    cards: Iterable[Lies], size: CardSize, margin_mm: float, camera: Camera, shape: tuple[int, ...]
) -> Mask:
    """The cells of cards of this size that lie here, and so much around them."""
    cells = np.zeros(shape, np.uint8)
    for outline in _outlines(cards, size, margin_mm, camera):  # one by one: where two overlap, both lie
        cv2.fillPoly(cells, [outline], 1)
    return cells


def cards_at(cells: Mask, cards: Iterable[Lies], size: CardSize, camera: Camera) -> list[bool]:
    """Whether each of these cards reaches any of these cells."""
    outlines = _outlines(cards, size, 0.0, camera)
    alone = (cv2.fillPoly(np.zeros_like(cells), [outline], 1) for outline in outlines)
    return [any_of(both(cells, np.asarray(card, dtype=np.uint8))) for card in alone]


def _outlines(cards: Iterable[Lies], size: CardSize, margin_mm: float, camera: Camera) -> NDArray[np.int32]:
    """The corners of these cards, (N, 4, 2) cells."""
    along_mm, across_mm = size.height_mm / 2 + margin_mm, size.width_mm / 2 + margin_mm
    corners = [
        corner for card in cards for corner in rectangle_mm((card.x_mm, card.y_mm), card.turn_deg, along_mm, across_mm)
    ]
    px = camera.project(corners) if corners else np.zeros((0, 2))
    return np.round(px / CELL_PX - 0.5).astype(np.int32).reshape(-1, 4, 2)


def rectangle_mm(place: Place, turn_deg: float, along_mm: float, across_mm: float) -> list[tuple[float, float, float]]:
    """The corners of a rectangle with this middle: so far along the direction given, and across it, each way."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return [
        (place[0] + a * along_mm * c - b * across_mm * s, place[1] + a * along_mm * s + b * across_mm * c, 0.0)
        for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]
