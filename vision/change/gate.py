"""The change gate: where the picture differs from when it was last read, and where something is moving right now.

Works on a thumbnail of one value for every 8 by 8 pixels. A camera that is not quite still, or light that flickers,
changes every edge of a picture a little: the shift and the gain that explain most of the difference are fitted first
and only what remains counts as change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import CELL_PX, CLIPPED, CONTRAST, MAX_GAIN, SOME, Mask, Thumb, at_share, both, median, without

_PER_GRADIENT: Final = 0.35
_SPREADS: Final = 6.0
_MAX_EXPLAINED: Final = np.array([1.0, 1.0, MAX_GAIN], np.float32)  # cells across, cells down, gain
_MIN_RUNGS: Final = 5  # on fewer grey levels lie a few even surfaces
_RIDGE: Final = np.eye(3, dtype=np.float32)  # a picture without any slope tells no shift


class ThumbChange(NamedTuple):
    """How a thumbnail differs from an earlier one.

    The cells that changed, the shift of the whole in pixels (small ones only), the share of the
    picture, or of its edges if that is more, that changed, and by what share all of it is brighter: one for all, or
    one for every row of cells (rows, 1), where a lamp's pulse runs through the picture in bands.
    """

    cells: Mask
    shift_px: float
    share: float
    gain: float | Thumb


@dataclass(frozen=True, eq=False)
class Steepness:
    """The slopes of a thumbnail, for comparing it with others.

    Its gradient, ``across`` and ``down`` in grey levels a cell, ``both`` together, and which cells are ``edges``;
    ``some`` is the gradient, across and down (2, N), of the few cells that shift and gain are found from.
    """

    thumb: Thumb
    across: Thumb
    down: Thumb
    both: Thumb
    edges: Mask
    some: Thumb

    @cached_property
    def step(self) -> float:
        """By how many grey levels its cells jump (``step_of_blocks``): few looks ask, and then several times."""
        return step_of_blocks(self.thumb)


def steepness(thumb: Thumb) -> Steepness:
    """The gradient of a thumbnail."""
    across = np.asarray(cv2.Sobel(thumb, cv2.CV_32F, 1, 0, ksize=3, scale=0.125), dtype=np.float32)
    down = np.asarray(cv2.Sobel(thumb, cv2.CV_32F, 0, 1, ksize=3, scale=0.125), dtype=np.float32)
    together = np.abs(across)
    together += np.abs(down)
    some = np.stack([across[SOME].ravel(), down[SOME].ravel()])
    return Steepness(thumb, across, down, together, (together > CONTRAST).view(np.uint8), some)


def step_of_blocks(thumb: Thumb) -> float:
    """By how many grey levels the cells of this thumbnail jump, 0 where they take all values.

    JPEG keeps of every block of 8 by 8 pixels, a cell of ours, its mean in whole steps. Where a mean lies between two
    of them, the least noise or a lamp's pulse takes the cell, or a whole cloth of one grey, up a step and down again:
    no change of the table.
    Source: ITU-T T.81, quantization of the DC coefficient; of a step of Q the mean has steps of Q / 8.
    """
    counts = np.bincount(thumb[::2, ::2].astype(np.uint8).ravel(), minlength=256)
    levels = np.flatnonzero(counts > counts.mean())  # the others are chance
    rungs = np.split(levels, np.flatnonzero(np.diff(levels) > 1) + 1)
    # Rounded means lie on two levels side by side; two or three surfaces of one grey each would make a ladder, too.
    if len(rungs) < _MIN_RUNGS or levels.size > 2 * len(rungs):
        return 0.0
    gaps = np.diff([np.average(rung, weights=counts[rung]) for rung in rungs])
    return float(gaps[gaps < 1.5 * median(gaps)].mean())  # the others miss a rung


def change(now: Thumb, before: Thumb, slope: Steepness, within: Mask | None = None) -> ThumbChange:
    """The cells where ``now``, of this ``slope``, differs from ``before`` by more than shift, gain and noise explain.

    ``within``: only these cells are asked for; what goes on beside them does not show in them either.
    """
    left = np.asarray(cv2.subtract(now, before), dtype=np.float32)
    shift = _explained(left, slope, before)
    for part, of in zip(shift.tolist(), (slope.across, slope.down, before), strict=True):
        cv2.scaleAdd(of, -part, left, left)
    gain: float | Thumb = float(shift[2])
    noise = at_share(np.abs(left[SOME]), 0.5)
    if noise * _SPREADS >= CONTRAST:
        bands = _bands(left, before)
        rest = left - bands * before
        # What leaves more than half of it is other light, and no bands.
        if (calmer := at_share(np.abs(rest[SOME]), 0.5)) <= noise / 2:
            left, noise, gain = np.asarray(rest, dtype=np.float32), calmer, gain + bands
    np.abs(left, out=left)
    # When everything changed, what remains is no measure of noise any more.
    limit = min(max(CONTRAST / 2, _SPREADS * noise), CONTRAST)
    cv2.scaleAdd(slope.both, -_PER_GRADIENT, left, left)
    found = _mask(left > limit)
    if within is not None:
        found = both(found, within)
    among = cv2.countNonZero(found)
    if not among:
        return ThumbChange(found, float(np.hypot(shift[0], shift[1])) * CELL_PX, 0.0, gain)
    if slope.step > 0.0:
        limit += slope.step
        found = both(found, _mask(left > limit))
    # Where either picture clips, a gain shows only in part.
    clips = np.maximum(now, before) > CLIPPED / (1 + MAX_GAIN)
    found = without(found, _mask(clips & (left - np.abs(gain) * before <= limit)))
    cells = _without_single(found)
    if within is not None:
        cells = both(cells, within)
    among = cv2.countNonZero(slope.edges)
    share = cv2.countNonZero(cells) / cells.size
    if among:
        share = max(share, cv2.countNonZero(cv2.bitwise_and(cells, slope.edges)) / among)
    return ThumbChange(cells, float(np.hypot(shift[0], shift[1])) * CELL_PX, share, gain)


def _mask(cells: NDArray[np.bool_]) -> Mask:
    return cells.view(np.uint8)


def _without_single(found: Mask) -> Mask:
    """The median of each cell and its neighbours: single cells are noise, what is put, taken or moved changes many."""
    cells = np.zeros_like(found)
    x, y, width, height = cv2.boundingRect(found)
    around = (slice(max(0, y - 1), y + height + 1), slice(max(0, x - 1), x + width + 1))
    cells[around] = cv2.medianBlur(found[around], 3)
    return cells


def due_within(due: Mask, before: Mask, zone: Mask, times: int) -> Mask:
    """Reads still owed under a new ``zone``: cells of the one ``before`` keep theirs, cells that join get ``times``."""
    return np.where(before > 0, both(due, zone * np.uint8(255)), zone * np.uint8(times))


def _bands(difference: Thumb, before: Thumb) -> Thumb:
    """By what share every row of cells is brighter, (rows, 1): most of its cells, whatever else lies in it."""
    share = difference[:, ::4] / np.maximum(before[:, ::4], 1.0)
    return np.asarray(np.clip(median(share, axis=1, keepdims=True), -MAX_GAIN, MAX_GAIN), dtype=np.float32)


def _explained(difference: Thumb, slope: Steepness, before: Thumb) -> Thumb:
    """The shift (x, y, in cells) and gain that explain a difference best, robustly; from some of the cells."""
    parts = np.concatenate([slope.some, before[SOME].reshape(1, -1)])
    target = difference[SOME].ravel()
    found = np.zeros(3, np.float32)
    near = np.abs(target) < 2 * CONTRAST
    for _ in range(2):
        weighted = parts * near.astype(np.float32)
        curve = weighted @ parts.T + _RIDGE
        found = np.asarray(cv2.solve(curve, weighted @ target)[1], dtype=np.float32).ravel()  # sooner than numpy's
        left = np.abs(target - found @ parts)
        near = left < max(CONTRAST, _SPREADS * at_share(left[::4], 0.5)) / 2
    return np.clip(found, -_MAX_EXPLAINED, _MAX_EXPLAINED)
