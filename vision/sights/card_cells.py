"""The cells of the picture that cards and marks lie on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from vision.cells import CELL_PX, Mask, any_of, both, cells_under
from vision.geometry import Camera, Floats
from vision.printed.card_shape import Place, rectangle_mm
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
    """The cells of cards of this size that lie here, and so much around them; not to be written to."""
    poses = tuple(((card.x_mm, card.y_mm), card.turn_deg) for card in cards)
    return _cells_at(poses, size, margin_mm, camera, shape)


@lru_cache(maxsize=64)  # cards lie where they lie in most frames: worked out once, of all and of each alone
def _cells_at(
    poses: tuple[tuple[Place, float], ...], size: CardSize, margin_mm: float, camera: Camera, shape: tuple[int, ...]
) -> Mask:
    along_mm, across_mm = size.height_mm / 2 + margin_mm, size.width_mm / 2 + margin_mm
    corners = [corner for place, turn_deg in poses for corner in rectangle_mm(place, turn_deg, along_mm, across_mm)]
    px = camera.project(corners) if corners else np.zeros((0, 2))
    cells = np.zeros(shape, np.uint8)
    for outline in np.round(px / CELL_PX - 0.5).astype(np.int32).reshape(-1, 4, 2):
        cv2.fillPoly(cells, [outline], 1)  # one by one: where two overlap, both lie
    return cells


def cards_at(cells: Mask, cards: Iterable[Lies], size: CardSize, camera: Camera, margin_mm: float = 0.0) -> list[bool]:
    """Whether each of these cards, grown by a margin, reaches any of these cells."""
    return [any_of(both(cells, cells_at_cards([card], size, margin_mm, camera, cells.shape))) for card in cards]
