"""Turns due cells into a few pixel boxes to read, never cutting a known mark: only where the picture may hold a code.

A code is black beside white within a few pixels, over all of its area. Bare cloth, wood, a hand and a card's white
paper are not; looking for codes there costs most when the table changes. Telling takes a thirtieth of reading.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np

from vision.cells import CELL_PX, Mask, both, box_of, cells_under, grown, parts_of
from vision.frame import Picture
from vision.geometry import Box, Floats
from vision.marks.finders import MIN_CONTRAST
from vision.printed.tags import QR_MODULES

READ_MARGIN_CELLS: Final = 3  # a quiet zone of four modules at 4 px, and a cell more
_EACH_PX: Final = 2  # of the pixels across and down
_WINDOW: Final = np.ones((5, 5), np.uint8)  # of those: somewhat more than a cell


def boxes_around(region: Mask, within: Box, marks: list[Floats]) -> list[Box]:
    """Pixel boxes that hold the cells to read with a margin, and whole any known mark they would cut."""
    whole = [box_of(cells_under(corners, READ_MARGIN_CELLS)) for corners in marks]
    boxes = []
    for x, y, across, down in parts_of(grown(region, READ_MARGIN_CELLS)):
        box = box_of((slice(y, y + down), slice(x, x + across))).clipped(within)
        for mark in whole:
            if mark.meets(box):
                box = box.joined(mark).clipped(within)
        boxes.append(box)
    return boxes


def worth_reading(y: Picture, cells: Mask, module_px: float) -> Mask:
    """The cells among these where a label with modules of about this size may be read."""
    x, top, width, height = cv2.boundingRect(cells)
    down, across = cells.shape
    rows = slice(max(top - READ_MARGIN_CELLS, 0), min(top + height + READ_MARGIN_CELLS, down))
    columns = slice(max(x - READ_MARGIN_CELLS, 0), min(x + width + READ_MARGIN_CELLS, across))
    worth = np.zeros_like(cells)
    # The largest upright square in a label that lies slantwise.
    side = max(1, math.floor(QR_MODULES * module_px / math.sqrt(2) / CELL_PX))
    uneven = may_hold_codes(y, (rows, columns), side)
    worth[rows, columns] = both(cells[rows, columns], grown(uneven, 1))
    return worth


def may_hold_codes(y: Picture, cells: tuple[slice, slice], side: int) -> Mask:
    """The cells (8 by 8 px) among these with dark beside bright, in patches of at least ``side`` by ``side`` cells."""
    whole = box_of(cells).of(y)
    size = (max(1, whole.shape[1] // _EACH_PX), max(1, whole.shape[0] // _EACH_PX))
    # Means, not samples: of single pixels the noise of a bare cloth differs as much as a code does.
    part = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    spread = cv2.subtract(cv2.dilate(part, _WINDOW), cv2.erode(part, _WINDOW))
    step = CELL_PX // _EACH_PX
    uneven = np.asarray(spread[step // 2 :: step, step // 2 :: step] >= MIN_CONTRAST).view(np.uint8)
    # Where modules are large a cell may lie within one colour.
    joined = cv2.morphologyEx(uneven, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), dtype=np.uint8)
