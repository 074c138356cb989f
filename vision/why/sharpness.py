"""How sharp a picture is, and how well lit, told from edges that are known to be sharp in reality.

A marker's border is black beside white along four straight edges. Sampled across and averaged along, each shows how
far the lens, a shake of the camera or the exposure spreads an edge, along both of the picture's axes, and how far
black is from white. Where no marker is found the sharpest edges of the whole picture tell whether that can be for want
of sharpness.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median  # of so few sooner than numpy's
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import MOVED_PX
from vision.change.gate import CELL_PX, CONTRAST, Thumb
from vision.frame import Picture
from vision.geometry import Floats
from vision.marks.finders import MIN_CONTRAST
from vision.marks.markers import Marker
from vision.memo import Latest
from vision.ranks import at_share

_CELLS: Final = 8  # of a marker's side: the black border is one wide, and so is the white margin around it
_REACH_CELLS: Final = 0.9
_STEPS: Final = 57  # across an edge
_ENDS: Final = 9  # of those: for what is black, and what is white
_ALONG: Final = np.linspace(0.12, 0.88, 14)
_LOW: Final = 0.2  # of an edge's step: its width is taken from there to as much below the top
_WINDOW: Final = np.ones((1, 25), np.uint8)
_MIN_RANGE: Final = 45
_SHARPEST: Final = 0.1
_LIT_SHARE: Final = 0.02  # of the cells: the brightest, which any lit table has: paper, markers. Chosen
_WELL_LIT: Final = 70.0
# A label can be read while black is so many times the noise from white; measured at 5.5 to 6.3 on two renderers.
_LEGIBLE_CONTRAST: Final = 5.5
_OVER_PX: Final = 2  # a slope is taken over so many: less noise


class Clarity(NamedTuple):
    """The sharpness and light of a picture by its corner markers' edges.

    ``edge_px``: from 20 to 80 of 100 of an edge of the sharpest of them, both ways together, as a hypotenuse.
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
        """The clarity of this picture; None where none of the markers shows its edges."""
        if not markers:
            return None
        across, down, step_px = self._samples(markers, _across_edges)
        sampled = cv2.remap(y, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        profiles = np.asarray(sampled, dtype=np.float32).reshape(len(markers) * 4, len(_ALONG), _STEPS).mean(axis=1)
        return _clarity(profiles, step_px)


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
    contrast = at_share(thumb, 1.0 - _LIT_SHARE) - at_share(thumb, 0.05) if seen is None else seen.contrast
    return contrast < max(MIN_CONTRAST, _LEGIBLE_CONTRAST * noise_of(y))


def share_from(least: float, values: Thumb) -> float:
    """The share of these values that are at least so bright."""
    return float(np.count_nonzero(values >= least)) / max(values.size, 1)


def picture_edge_px(y: Picture) -> float | None:
    """About how wide the sharpest edges anywhere in a picture are, the wider way; None without any edge to speak of.

    Measured on pictures of two renderers: sharp ones 2.0 to 2.8, where a reader fails 3.2 to 4.2, where no marker is
    found any more 4.0 and more.
    """
    ways = [_edge_along_rows_px(y[::CELL_PX]), _edge_along_rows_px(y[:, ::CELL_PX].T)]
    return max((width for width in ways if width is not None), default=None)


def noise_of(y: Picture) -> float:
    """How much neighbouring pixels differ, in grey levels: in a dim picture that is noise."""
    some = y[CELL_PX // 2 :: CELL_PX]
    one, other = some[:, ::CELL_PX], some[:, 1::CELL_PX]
    apart = cv2.absdiff(np.ascontiguousarray(one[:, : other.shape[1]]), np.ascontiguousarray(other))
    return float(np.mean(np.minimum(apart, 40))) if apart.size else 0.0


_Samples = tuple[NDArray[np.float32], NDArray[np.float32], Floats]
"""The pixels to sample across markers' edges, in rows: columns, lines, and how far apart each marker's are in px."""


def _across_edges(markers: Sequence[Marker]) -> _Samples:
    corners = np.array([marker.corners for marker in markers])
    edges = np.roll(corners, -1, axis=1) - corners
    lengths = np.linalg.norm(edges, axis=2, keepdims=True)
    reach_px = _REACH_CELLS * lengths.mean(axis=(1, 2)) / _CELLS
    steps = np.linspace(-reach_px, reach_px, _STEPS, axis=1)
    way = edges / np.maximum(lengths, 1e-6)
    outwards = np.stack([way[..., 1], -way[..., 0]], axis=2)
    along = corners[:, :, None] + _ALONG[:, None] * edges[:, :, None]
    at = (along[..., None, :] + steps[:, None, None, :, None] * outwards[:, :, None, None]).astype(np.float32)
    across, down = (np.ascontiguousarray(at[..., n].reshape(-1, _STEPS)) for n in range(2))
    return across, down, steps[:, 1] - steps[:, 0]


def _clarity(profiles: NDArray[np.float32], step_px: Floats) -> Clarity | None:
    """The clarity of a picture by profiles from black to white, four for each marker."""
    low, high = profiles[:, :_ENDS].mean(axis=1), profiles[:, -_ENDS:].mean(axis=1)
    rise = high - low
    share = (profiles - low[:, None]) / np.maximum(rise, 1.0)[:, None]
    each, number = np.arange(len(profiles)), np.arange(_STEPS)
    end = np.argmax(share >= 1.0 - _LOW, axis=1)
    below = (share <= _LOW) & (number < end[:, None])
    start = _STEPS - 1 - np.argmax(below[:, ::-1], axis=1)
    rises = (rise >= CONTRAST) & below.any(axis=1)
    start, end = np.where(rises, start, 0), np.where(rises, end, 1)
    # Where exactly it crosses lies between two steps.
    with np.errstate(divide="ignore", invalid="ignore"):
        first = start + (_LOW - share[each, start]) / (share[each, start + 1] - share[each, start])
        last = end - (share[each, end] - (1.0 - _LOW)) / (share[each, end] - share[each, end - 1])
        widths = np.where(rises, last - first, np.inf).reshape(-1, 2, 2)
        off = np.where(rises, (first + last - (_STEPS - 1)) / 2, 0.0)
    # Opposite edges tell of the same way; a shadow or a thing at one of them only makes it wider.
    sharper = widths[:, 0] <= widths[:, 1]
    ways, off, height, white = (
        np.where(sharper, both[:, 0], both[:, 1])
        for both in (widths, *(values.reshape(-1, 2, 2) for values in (off, rise, high)))
    )
    shown = np.isfinite(ways).all(axis=1)
    if not shown.any():
        return None
    width_px = np.hypot(ways[shown, 0], ways[shown, 1]) * step_px[shown]
    off_px = np.abs(off[shown]).max(axis=1) * step_px[shown]
    return Clarity(
        float(width_px.min()),
        float(median(height[shown].min(axis=1).tolist())),
        float(median(white[shown].max(axis=1).tolist())),
        2 * int(np.count_nonzero(off_px <= MOVED_PX)) < len(step_px),
    )


def _edge_along_rows_px(lines: NDArray[Any]) -> float | None:
    rows = np.ascontiguousarray(lines)
    height = cv2.subtract(cv2.dilate(rows, _WINDOW), cv2.erode(rows, _WINDOW))
    slope = np.zeros_like(rows)
    slope[:, _OVER_PX:] = cv2.absdiff(
        np.ascontiguousarray(rows[:, _OVER_PX:]), np.ascontiguousarray(rows[:, :-_OVER_PX])
    )
    steepest = cv2.dilate(slope, _WINDOW)
    edges = height >= _MIN_RANGE
    if not edges.any():
        return None
    widths = height[edges].astype(np.float32) / np.maximum(steepest[edges], 1).astype(np.float32)
    return at_share(widths, _SHARPEST) * _OVER_PX
