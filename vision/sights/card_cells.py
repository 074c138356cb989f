"""The cells of the picture that cards and marks lie on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.change.gate import CELL_PX, Mask, both, cells_under, grown
from vision.geometry import Camera, Floats
from vision.printed.card_shape import CardShapes, Place
from vision.printed.table import CardSize
from vision.sights.observe import LabelPlace, label_middle


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


@dataclass(frozen=True, slots=True, eq=False)
class CardCells:
    """The cells that a card covers: a box of them and which of those."""

    box: tuple[slice, slice]
    card: Mask

    def meet(self, cells: Mask) -> bool:
        """Whether any of these cells (a mask of the whole picture) is the card's."""
        return cv2.countNonZero(both(cells[self.box], self.card)) > 0


def cells_of_cards(labels: Sequence[Floats], shape: tuple[int, ...], shapes: CardShapes) -> Mask:
    """The cells of the cards that labels with these corners are stuck on."""
    mask = np.zeros(shape, np.uint8)
    qr_mm, size, way = shapes.qr_mm, shapes.outline, shapes.usual
    # From the label's top left corner to its card's edges, in labels' sides.
    left, top = ((size[axis] - way[axis] - qr_mm) / 2 for axis in range(2))
    right, below = size.width_mm - left, size.height_mm - top
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    card = np.array([[[-left, -top], [right, -top], [right, below], [-left, below]]], np.float64) / qr_mm
    for corners in labels:
        matrix = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
        px = np.asarray(cv2.perspectiveTransform(card, matrix), dtype=np.float64).reshape(4, 2)
        cv2.fillPoly(mask, [np.round(px / CELL_PX - 0.5).astype(np.int32)], 1)
    return grown(mask, 1)


def cells_at_cards(
    cards: Iterable[Lies], size: CardSize, margin_mm: float, camera: Camera, shape: tuple[int, ...]
) -> Mask:
    """The cells of cards of this size that lie here, and so much around them."""
    cells = np.zeros(shape, np.uint8)
    along_mm, across_mm = size.height_mm / 2 + margin_mm, size.width_mm / 2 + margin_mm
    corners = [
        corner for card in cards for corner in rectangle_mm((card.x_mm, card.y_mm), card.turn_deg, along_mm, across_mm)
    ]
    if corners:
        outlines = np.round(camera.project(corners) / CELL_PX - 0.5).astype(np.int32).reshape(-1, 4, 2)
        for outline in outlines:  # one by one: where two overlap, both lie
            cv2.fillPoly(cells, [outline], 1)
    return cells


def rectangle_mm(place: Place, turn_deg: float, along_mm: float, across_mm: float) -> list[tuple[float, float, float]]:
    """The corners of a rectangle with this middle: so far along the direction given, and across it, each way."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    return [
        (place[0] + a * along_mm * c - b * across_mm * s, place[1] + a * along_mm * s + b * across_mm * c, 0.0)
        for a, b in ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ]


def card_cells(label: LabelPlace, cells: Mask, shapes: CardShapes, camera: Camera) -> CardCells:
    """The cells (8 by 8 px) of the card that this label belongs to; ``cells`` is any mask of this picture."""
    middle, size = label_middle(label.pose, label.card, shapes), shapes.outline
    px = camera.project(rectangle_mm(middle, label.pose.turn_deg, size.height_mm / 2, size.width_mm / 2))
    card = np.zeros_like(cells)
    cv2.fillPoly(card, [np.round(px / CELL_PX - 0.5).astype(np.int32)], 1)
    box = cells_under(px, 1)
    return CardCells(box, card[box])
