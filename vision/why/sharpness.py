"""How sharp a picture is, and how well lit, told from edges that are known to be sharp in reality.

A marker's border is black beside white along four straight edges. Sampled across and averaged along, each shows how
far the lens, a shake of the camera or the exposure spreads an edge, along both of the picture's axes, and how far
black is from white. Where no marker is found the sharpest edges of the whole picture tell whether that can be for want
of sharpness.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median  # of so few sooner than numpy's
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.belief import SURE
from vision.board.lens_fit import STILL_SD_PX
from vision.cells import CELL_PX, CONTRAST, Thumb, at_share
from vision.frame import Picture
from vision.geometry import Floats
from vision.marks.finders import MIN_CONTRAST
from vision.marks.markers import Marker
from vision.memo import Latest
from vision.printed.tags import OWN_IDS, marker_bits

MARKER_CELLS: Final = len(marker_bits(OWN_IDS[0]))  # of a marker's side, with its black border
# Of a side: two places in each cell, and none at its corners.
_ALONG: Final = np.linspace(1, MARKER_CELLS - 1, 2 * MARKER_CELLS) / MARKER_CELLS
# Of two markers at once no more likely than MOVED_PX of one.
_OFF_PX: Final = STILL_SD_PX * math.sqrt(SURE)
_WINDOW: Final = np.ones((1, 2 * CELL_PX + 1), np.uint8)
_LIT_SHARE: Final = 0.02  # of the cells: the brightest, which any lit table has: paper, markers. Chosen
_WELL_LIT: Final = 70.0
# A label can be read while black is so many times the noise from white; measured at 5.5 to 6.3 on two renderers.
_LEGIBLE_CONTRAST: Final = 5.5


class Clarity(NamedTuple):
    """The sharpness and light of a picture by its corner markers' edges.

    ``edge_px``: how long a smear spreads an edge as much as those of the sharpest of them are, both ways together, as a
    hypotenuse.
    ``contrast`` is the grey levels between black and white, ``white`` the white's own. ``displaced``: fewer than half
    of them are quite where they were found.
    """

    edge_px: float
    contrast: float
    white: float
    displaced: bool


class EdgeWatch:
    """Looks at markers' edges where the markers were last found."""

    def __init__(self) -> None:
        self._samples: Latest[Marker, _Samples] = Latest()

    def look(self, y: Picture, markers: Sequence[Marker]) -> Clarity | None:
        """The clarity of this picture; None where none of the markers shows its edges where it was found."""
        if not markers:
            return None
        across, down, cell_px = self._samples(markers, _across_edges)
        sampled = cv2.remap(y, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        profiles = np.asarray(sampled, np.float32).reshape(len(markers) * 4, _ALONG.size, across.shape[1]).mean(axis=1)
        return _clarity(profiles, cell_px)


def is_black(thumb: Thumb) -> bool:
    """Whether hardly anything of a thumbnail is so bright that the readers could tell it from black."""
    return share_from(MIN_CONTRAST, thumb) < _LIT_SHARE


def is_dark(y: Picture, thumb: Thumb, seen: Clarity | None) -> bool:
    """Whether there is too little light to read a label by: less than the readers ask for, or hardly more than noise.

    ``thumb``: the thumbnail's values, of the table where it is known where that is.
    """
    if is_black(thumb):
        return True
    if share_from(_WELL_LIT, thumb) >= _LIT_SHARE or (seen is not None and seen.white >= _WELL_LIT):
        return False
    contrast = at_share(thumb, 1.0 - _LIT_SHARE) - at_share(thumb, _LIT_SHARE) if seen is None else seen.contrast
    return contrast < max(MIN_CONTRAST, _LEGIBLE_CONTRAST * noise_of(y))


def share_from(least: float, values: Thumb) -> float:
    """The share of these values that are at least so bright."""
    return float(np.count_nonzero(values >= least)) / max(values.size, 1)


def picture_edge_px(y: Picture) -> float | None:
    """About how wide the steepest edges of a picture are, the wider way; None without any edge to speak of.

    Measured on pictures of two renderers: sharp ones 2.2 to 3.0, smeared by ten pixels or four pixels out of focus 4.2
    to 6.0.
    """
    ways = [_edge_along_rows_px(y[::CELL_PX]), _edge_along_rows_px(y[:, ::CELL_PX].T)]
    return max((width for width in ways if width is not None), default=None)


def noise_of(y: Picture) -> float:
    """How much neighbouring pixels differ, in grey levels: in a dim picture that is noise."""
    some = y[CELL_PX // 2 :: CELL_PX]
    one, other = some[:, ::CELL_PX], some[:, 1::CELL_PX]
    apart = cv2.absdiff(np.ascontiguousarray(one[:, : other.shape[1]]), np.ascontiguousarray(other))
    return float(np.mean(np.minimum(apart, MIN_CONTRAST))) if apart.size else 0.0


_Samples = tuple[NDArray[np.float32], NDArray[np.float32], Floats]
"""The pixels to sample across markers' edges, in rows: columns and lines; and how long each marker's cells are."""


def _across_edges(markers: Sequence[Marker]) -> _Samples:
    corners = np.array([marker.corners for marker in markers])
    edges = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(edges, axis=2, keepdims=True)
    cell_px = lengths.mean(axis=(1, 2)) / MARKER_CELLS
    # From the middle of the black border, a cell wide, to as far without, a pixel apart.
    steps = np.linspace(-cell_px / 2, cell_px / 2, 1 + math.ceil(cell_px.max()), axis=1)
    way = edges / np.maximum(lengths, 1e-6)
    outwards = np.stack([way[..., 1], -way[..., 0]], axis=2)
    along = corners[:, :, None] + _ALONG[:, None] * edges[:, :, None]
    at = (along[..., None, :] + steps[:, None, None, :, None] * outwards[:, :, None, None]).astype(np.float32)
    across, down = (np.ascontiguousarray(at[..., n].reshape(-1, steps.shape[1])) for n in range(2))
    return across, down, cell_px


def _clarity(profiles: NDArray[np.float32], cell_px: Floats) -> Clarity | None:
    """The clarity of a picture by profiles from black to white, each a cell long, four for each marker."""
    low, high = profiles[:, 0], profiles[:, -1]
    rise = high - low
    share = (profiles - low[:, None]) / np.maximum(rise, 1.0)[:, None]
    # What is neither black nor white: of an edge that is smeared evenly this mean is a thirtieth of the smear.
    widths = np.where(rise >= CONTRAST, 30 * ((share * (1.0 - share)) ** 2).mean(axis=1), np.inf).reshape(-1, 2, 2)
    off = 0.5 - share.mean(axis=1)
    # Opposite edges tell of the same way; a shadow or a thing at one of them only makes it wider.
    sharper = widths[:, 0] <= widths[:, 1]
    ways, off, height, white = (
        np.where(sharper, both[:, 0], both[:, 1])
        for both in (widths, *(values.reshape(-1, 2, 2) for values in (off, rise, high)))
    )
    shown = np.isfinite(ways).all(axis=1) & (np.abs(off).max(axis=1) * cell_px <= _OFF_PX)
    if not shown.any():
        return None
    return Clarity(
        float((np.hypot(*ways[shown].T) * cell_px[shown]).min()),
        float(median(height[shown].min(axis=1).tolist())),
        float(median(white[shown].max(axis=1).tolist())),
        2 * int(np.count_nonzero(shown)) < len(cell_px),
    )


def _edge_along_rows_px(lines: Picture) -> float | None:
    rows = np.ascontiguousarray(lines)
    height = cv2.subtract(cv2.dilate(rows, _WINDOW), cv2.erode(rows, _WINDOW))
    slope = np.zeros_like(rows)
    slope[:, 1:-1] = cv2.absdiff(np.ascontiguousarray(rows[:, 2:]), np.ascontiguousarray(rows[:, :-2]))
    edges = height >= MIN_CONTRAST
    if not edges.any():
        return None
    steepest = cv2.dilate(slope, _WINDOW)[edges].astype(np.float32)
    return 2 * float(height[edges] @ steepest) / max(float(steepest @ steepest), 1.0)  # each as it is steep, squared
