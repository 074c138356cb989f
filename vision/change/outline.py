"""Tells which of two pictures of one place shows a thing there that the other lacks, and whether only light differs.

A comparison with an earlier picture says where they differ and not which of them is the table. But a thing has an
outline, and the table goes on without one: where the outline of what differs shows, there lies the thing. So what was
over the table when the first frame came is told from what came after it.
Source: the ghosts of background subtraction; the sign of the edges along a region's border tells them from things.

A lamp that goes on changes half a table as much as an arm does, with borders of its own. But under other light wood
keeps its grain, a cloth its weave and a marker its cells, only brighter or darker; an arm brings a surface of its own.
Where a table has no pattern at all nothing is told.
Source: normalised cross-correlation, as used for changes in lighting. Noise is no pattern: over the fewest cells that
are compared, 81, it correlates by 0.11.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import Mask, Thumb

SIDE_CELLS: Final = 9  # across: what lies on each side of the border is taken from more than most patterns repeat in
_SHOWN: Final = 0.15  # of the border: hands in hard light from 0.17, a mark in the glow of a lamp 0.10
_SAME_PATTERN: Final = 0.75  # the hands of a path-traced film correlate with what they cover by up to 0.72

Cells = tuple[slice, slice]
"""Rows and columns of a thumbnail."""


def shows_more(
    part: NDArray[np.bool_], now: Thumb, before: Thumb, left_out: NDArray[np.bool_] | None = None
) -> float | None:
    """Which of two pictures shows the outline of this part: 1 only ``now``, -1 only ``before``, 0 both or neither.

    All of the same shape; ``part`` does not reach all of it. ``left_out`` are cells that count for nothing: the
    picture's own edge, other things known. None where too little of an outline is left to say.
    """
    inner = part.astype(np.float32)
    outer = 1.0 - inner
    if left_out is not None:
        inner[left_out] = outer[left_out] = 0.0
    within, without = _sum(inner), _sum(outer)
    ring = (within >= SIDE_CELLS) & (without >= SIDE_CELLS)  # a row of the window on each side at least
    if int(np.count_nonzero(ring)) < 2 * SIDE_CELLS:
        return None
    steps = np.abs(_step(now, inner, outer, within, without, ring)) - np.abs(
        _step(before, inner, outer, within, without, ring)
    )
    # How far round it shows is what counts, not how black on white a mark is that a smooth patch of light runs into.
    # Light and shade that change over many cells differ a little from cell to cell, and much in all.
    shown = np.clip(steps / max(float(np.abs(now - before)[part].mean()), 1.0), -1.0, 1.0)
    more, less = (float((np.maximum(way, 0.0) ** 2).mean()) for way in (shown, -shown))
    told = abs(more - less) > _SHOWN
    return (more - less) / (more + less) if told else 0.0


def pieces(mask: Mask, min_cells: int = 1) -> Iterator[tuple[Cells, NDArray[np.bool_]]]:
    """The connected pieces of a mask that have so many cells: the box around each, and its cells in there."""
    count, names, stats, _ = cv2.connectedComponentsWithStats(mask)
    for number in range(1, count):
        x, y, across, down, area = (int(value) for value in stats[number])
        if area >= min_cells:
            box = (slice(y, y + down), slice(x, x + across))
            yield box, names[box] == number


def outlined(now: Thumb, before: Thumb, box: Cells, part: NDArray[np.bool_], known: Mask) -> float:
    """Whether the outline of a piece, but for known cells, shows now (1), showed before (-1), both or neither (0).

    1 as well where too little of an outline is left to say.
    """
    rows, columns = (slice(max(0, cells.start - SIDE_CELLS), cells.stop + SIDE_CELLS) for cells in box)
    around = (rows, columns)
    within = np.zeros(now.shape, np.bool_)
    within[box] = part
    told = shows_more(within[around], now[around], before[around], known[around] > 0)
    return 1.0 if told is None else told


def is_same_surface(now: Thumb, before: Thumb, part: NDArray[np.bool_]) -> bool:
    """Whether two thumbnails show the same pattern in this part, but for its border; all of the same shape."""
    window = (SIDE_CELLS, SIDE_CELLS)  # what changes over more is light, or a thing larger than any pattern
    inner = cv2.erode(part.view(np.uint8), np.ones(window, np.uint8), borderValue=0) > 0
    if np.count_nonzero(inner) < SIDE_CELLS**2:
        return False  # so few may look alike by chance
    fine_now, fine_before = (thumb[inner] - cv2.blur(thumb, window)[inner] for thumb in (now, before))
    spread = float(np.mean(fine_now**2)) * float(np.mean(fine_before**2))
    return float(np.mean(fine_now * fine_before)) > _SAME_PATTERN * math.sqrt(spread)


def _step(
    thumb: Thumb, inner: Thumb, outer: Thumb, within: Thumb, without: Thumb, ring: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """By how many grey levels the two sides of the border differ, at each cell of the ring.

    The mean of each side is taken, not how steep the picture is: a pattern has steps everywhere, a border one.
    """
    return np.asarray(_sum(thumb * inner)[ring] / within[ring] - _sum(thumb * outer)[ring] / without[ring])


def _sum(thumb: Thumb) -> Thumb:
    return np.asarray(cv2.boxFilter(thumb, cv2.CV_32F, (SIDE_CELLS, SIDE_CELLS), normalize=False), dtype=np.float32)
