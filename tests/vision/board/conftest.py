"""What a detector would find of the table's markers and tags, seen by a camera that is known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tests.tables import TABLE
from vision.board.calibration import marker_corners_mm
from vision.board.lens_fit import unit_square
from vision.geometry import Camera, Floats
from vision.marks.markers import Marker
from vision.printed.table import Table

LENS = (-0.035, 0.006, 0.0, 0.0, 0.0)


def seen_by(
    camera: Camera, table: Table = TABLE, noise_px: float = 0.0, seed: int = 0, ids: Iterable[int] = range(8)
) -> list[Marker]:
    """The corner markers."""
    rng = np.random.default_rng(seed)
    found = [
        Marker(number, camera.project(corners) + rng.normal(0.0, noise_px, (4, 2)))
        for number, corners in marker_corners_mm(table).items()
    ]
    return [marker for marker in found if marker.id in ids]


def tag_corners_mm(space: int) -> Floats:
    """A fencer's tag on this space, (4, 3)."""
    return np.asarray(np.array(TABLE.tag_mm(space)) + unit_square() * TABLE.fencer_size_mm / 2)


def tags(camera: Camera, white: int = 1, black: int = 23) -> list[Marker]:
    """The fencers' tags on these spaces."""
    return [Marker(number, camera.project(tag_corners_mm(space))) for number, space in ((4, white), (5, black))]


def pulled(markers: Sequence[Marker], number: int, corner: int, by_px: Sequence[float]) -> list[Marker]:
    """The same, a hand having pulled a corner of one of them."""
    found = []
    for marker in markers:
        corners = marker.corners.copy()
        if marker.id == number:
            corners[corner] += by_px
        found.append(Marker(marker.id, corners))
    return found
