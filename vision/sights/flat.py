"""Does a printed square lie level? One test for labels and tags, cards in a hand and fencers that lie or lean.

The four corners are held against a square of about the known size that lies there. Whoever holds a card up shows a
larger label, whoever tilts it a longer or slanting one; of one tilted so far that it is as long again as a flat one
(the second pose of Collins and Bartoli, "Infinitesimal plane-based pose estimation", 2014) the wrong end is narrower.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np

from vision.geometry import Camera, Floats
from vision.marks.markers import diagonals_meet
from vision.printed.card_shape import LabelPose

# Of 329 labels at rest in hard light and in pictures of two other renderers, one of them on bent cards: 0.5 to 0.75 px
# in the middle, 1.9 px in the worst of a hundred, growing with the label. With these two the worst misfit is 15.4.
_CORNER_SD_PX: Final = 0.5
_CORNER_SD: Final = 0.015  # of the side
_PRINTED_SD: Final = 0.015  # of the size: what was printed to fit a page is 3 % smaller
_READ_SD: Final = _CORNER_SD / math.sqrt(2)  # of the size: corners are also off together, as those of a card on a pile
# Chi-squared with 5 and 10 degrees of freedom: of what lies level one or two squares misfit more in one look of 1,000.
_MAX_MISFIT: Final = (20.5, 29.6)
# Half of what 5 degrees of freedom measure on an average; nine of ten flat labels on bent cards measure 0.6 at most.
# Cards held up pass no more often by it, and half as often again by twice as much (`bench_held.py`).
SURELY_LEVEL: Final = 2.5
_SQUARE: Final = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])
_QUARTER_TURN: Final = np.array([[0.0, 1.0], [-1.0, 0.0]])


class PrintScale(NamedTuple):
    """How large printed squares are, in shares of the size they should have, and how far one may be off that."""

    mean: float = 1.0
    sd: float = math.hypot(_PRINTED_SD, _READ_SD)

    @classmethod
    def of(cls, scales: Collection[float]) -> PrintScale:
        """The scale of a print of which these squares were measured."""
        weight = (_PRINTED_SD / _READ_SD) ** 2
        known = 1.0 + weight * len(scales)
        return cls((1.0 + weight * sum(scales)) / known, math.hypot(_READ_SD, _PRINTED_SD / math.sqrt(known)))


ANY_PRINT: Final = PrintScale()


class FlatFit(NamedTuple):
    """A square taken to lie level: its corners there, (4, 2) mm, its size in shares of the printed one, and how badly
    it fits: chi-squared with 5 degrees of freedom for one that does lie so.
    """

    corners: Floats
    scale: float
    misfit: float


def flat_fit(
    corners_px: Floats, camera: Camera, size_mm: float, z_mm: float = 0.0, printed: PrintScale = ANY_PRINT
) -> FlatFit | None:
    """How well a printed square with these corners, (4, 2) px, fits one that lies level at ``z_mm``.

    None where nothing so high can be seen so.
    """
    corners = camera.at_height(corners_px, z_mm)
    around = corners - corners.mean(axis=0)
    spread = around.T @ around
    if not np.isfinite(spread).all() or np.linalg.det(spread) < 1e-6 * size_mm**4:
        return None
    to_px = np.linalg.solve(spread, around.T @ (corners_px - corners_px.mean(axis=0)))
    square = size_mm * _SQUARE
    ways = np.stack([square @ to_px, square @ _QUARTER_TURN @ to_px]).reshape(2, 8)
    shown = (around @ to_px).ravel()
    turn = np.linalg.solve(ways @ ways.T, ways @ shown)
    nearest, scale = turn @ ways, math.hypot(*turn)
    off, size_px = shown - nearest, float(nearest @ nearest)  # the latter is twice the square of its side
    noise = _CORNER_SD_PX**2 + _CORNER_SD**2 * size_px / 2
    of_scale = printed.sd**2 + noise * scale**2 / max(size_px, 1e-9)
    return FlatFit(corners, scale, float(off @ off) / noise + (scale - printed.mean) ** 2 / of_scale)


def lie_flat(*misfits: float) -> bool:
    """Whether a code, or both of one card, lie level."""
    return sum(misfits) <= _MAX_MISFIT[len(misfits) - 1]


def pose_of(corners: Floats) -> LabelPose:
    """Where a square lies and which way its top points, from its corners (4, 2) mm."""
    x, y = diagonals_meet(corners).tolist()
    up_x, up_y = (corners[0] + corners[1] - corners[2] - corners[3]).tolist()
    return LabelPose((x, y), math.degrees(math.atan2(up_y, up_x)) % 360.0)
