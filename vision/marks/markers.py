"""The board's and the fencers' markers in a picture. Source: READING.md, "Markers"."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Box, Floats
from vision.marks.foreign import ARUCO, QUICK, THOROUGH, Run, in_process
from vision.printed.table import MIN_CORNERS
from vision.printed.tags import QR_MODULES


def is_narrow(box: Box) -> bool:
    """Whether it is too narrow for anything to be read in it: it has fewer pixels across than a code has modules."""
    return min(box.x1 - box.x0, box.y1 - box.y0) < QR_MODULES


def box_around(points_px: Floats, margin_px: float, width: int, height: int) -> Box:
    """The box around points (N, 2), cut to a picture of this size."""
    across, down = zip(*points_px.tolist(), strict=True)  # of a few points Python finds the least sooner than numpy
    return Box(
        max(0, math.floor(min(across) - margin_px)),
        max(0, math.floor(min(down) - margin_px)),
        min(width, math.ceil(max(across) + margin_px) + 1),
        min(height, math.ceil(max(down) + margin_px) + 1),
    )


class Marker(NamedTuple):
    """A marker seen: its id and its black square's corners (4, 2) px, from its top left, clockwise as printed."""

    id: int
    corners: Floats

    @property
    def centre(self) -> Floats:
        """Where the diagonals meet, (2,) px: the image of the square's middle, which the mean of corners is not."""
        return diagonals_meet(self.corners)


def diagonals_meet(corners: Floats) -> Floats:
    """Where the diagonals of a quadrilateral (4, 2) meet, (2,)."""
    a, b, c, d = corners
    along, across = c - a, d - b
    turn = along[0] * across[1] - along[1] * across[0]
    if abs(turn) < 1e-9:
        return np.asarray(corners.mean(axis=0))
    reach = ((b[0] - a[0]) * across[1] - (b[1] - a[1]) * across[0]) / turn
    return np.asarray(a + reach * along)


class MarkerFinder:
    """Finds our own eight markers of a dictionary.

    ``quick`` uses one adaptive window, about three times cheaper than the default three and as good on sharp pictures.
    """

    def __init__(self, dictionary: str, run: Run = in_process) -> None:
        """``run`` has OpenCV look at a picture."""
        self._dictionary, self._run = dictionary, run
        self.failed = False
        """Whether a look had no answer, since this was last set to False."""

    def find(self, y: Picture, *, quick: bool = False) -> tuple[Marker, ...]:
        """All markers in a luminance picture, in no order; an id may appear twice when two are in view."""
        return self._found(y, QUICK if quick else THOROUGH)

    def _found(self, y: Picture, way: str, begins: tuple[int, int] = (0, 0)) -> tuple[Marker, ...]:
        """The markers in a picture, or in a part of one that begins at this pixel."""
        answer = self._run(ARUCO, y, self._dictionary, way)
        self.failed |= answer is None
        return tuple(Marker(number, corners + np.array(begins)) for number, corners in answer or ())

    def find_soon(self, y: Picture) -> tuple[Marker, ...]:
        """Larger markers, a quarter as costly as ``find``: sought at half the size, their corners found at the whole.

        Those of 40 px a side are found as surely; of smaller ones some are missed.
        """
        height, width = y.shape
        half = np.asarray(cv2.resize(y, (width // 2, height // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        roughly = self.find(half)
        found: list[Marker] = []
        for rough in roughly:
            corners = 2.0 * rough.corners + 0.5
            margin = float(np.linalg.norm(corners[0] - corners[2])) / 4
            box = box_around(corners, margin, width, height)
            found += [marker for marker in self.find_in(y, box, quick=True) if marker.id == rough.id][:1]
        return tuple(found)

    def is_mirrored(self, y: Picture, wanted: Collection[int]) -> bool:
        """Whether as many of these markers as a board takes show in a picture's mirror image: none can be read then."""
        shown = self.find_soon(np.ascontiguousarray(y[:, ::-1]))
        return len({marker.id for marker in shown if marker.id in wanted}) >= MIN_CORNERS

    def stands(self, y: Picture, marker: Marker) -> bool:
        """Whether a marker of this number is still in this place of a picture."""
        side_px = float(np.linalg.norm(marker.corners[0] - marker.corners[1]))
        box = box_around(marker.corners, side_px / 2, y.shape[1], y.shape[0])
        return any(
            found.id == marker.id and float(np.abs(found.centre - marker.centre).max()) < side_px / 2
            for found in self.find_in(y, box, quick=True)
        )

    def find_in(self, y: Picture, box: Box, *, quick: bool = False) -> tuple[Marker, ...]:
        """The markers in one part of a picture, in the whole picture's pixels."""
        way = QUICK if quick else THOROUGH
        return () if is_narrow(box) else self._found(np.ascontiguousarray(box.of(y)), way, box[:2])
