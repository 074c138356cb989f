"""The cells of the picture that cards and marks lie on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.change.gate import CELL_PX, Mask, both, cells_under, grown
from vision.geometry import Camera, Floats
from vision.printed.card_shape import CardShapes
from vision.sights.observe import LabelPlace, label_middle

_EDGE_MM: Final = 1.5  # a card's edge looks a little farther out than it lies


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
    left, top = ((size[axis] - way[axis] - qr_mm) / 2 + _EDGE_MM for axis in range(2))
    right, below = size.width_mm - left + 2 * _EDGE_MM, size.height_mm - top + 2 * _EDGE_MM
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    card = np.array([[[-left, -top], [right, -top], [right, below], [-left, below]]], np.float64) / qr_mm
    for corners in labels:
        matrix = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
        px = np.asarray(cv2.perspectiveTransform(card, matrix), dtype=np.float64).reshape(4, 2)
        cv2.fillPoly(mask, [np.round(px / CELL_PX - 0.5).astype(np.int32)], 1)
    return grown(mask, 1)


def card_cells(label: LabelPlace, cells: Mask, shapes: CardShapes, camera: Camera) -> CardCells:
    """The cells (8 by 8 px) of the card that this label belongs to; ``cells`` is any mask of this picture."""
    middle, size = label_middle(label.pose, label.card, shapes), shapes.outline
    across = np.array(label.right) * size.width_mm / 2
    along = np.array(label.up) * size.height_mm / 2
    corners = [middle - across - along, middle + across - along, middle + across + along, middle - across + along]
    px = camera.project([(float(x), float(y), 0.0) for x, y in corners])
    card = np.zeros_like(cells)
    cv2.fillPoly(card, [np.round(px / CELL_PX - 0.5).astype(np.int32)], 1)
    box = cells_under(px, 1)
    return CardCells(box, card[box])
