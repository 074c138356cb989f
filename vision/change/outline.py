"""Tells which of two pictures of one place shows a thing there that the other lacks, and whether only light differs.

A comparison with an earlier picture says where they differ and not which of them is the table. But the table goes on
around what differs: where that has other grey levels than what surrounds it, there lies the thing. So what was over the
table when the first frame came is told from what came after it.
Source: the ghosts of background subtraction. Of 953 pieces in 80 households (796 arms, 157 that had left) 3 were told
wrongly; outlines told 7 wrongly and 147 not at all, and on a tartan they follow the cloth's stripes.

Light and shade have other grey levels, too, but no outline. And under other light wood keeps its grain, a cloth its
weave and a marker its cells, only brighter or darker; an arm brings a surface of its own. Where a table has no pattern
at all nothing is told.
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

from vision.cells import CONTRAST, Mask, Thumb, both, grown

SIDE_CELLS: Final = 9  # across: what lies on each side of the border is taken from more than most patterns repeat in
_SHOWN: Final = 0.15  # of the border: hands in hard light from 0.17, a mark in the glow of a lamp 0.10
_SAME_PATTERN: Final = 0.75  # the hands of a path-traced film correlate with what they cover by up to 0.72

Cells = tuple[slice, slice]
"""Rows and columns of a thumbnail."""


def pieces(mask: Mask, min_cells: int = 1) -> Iterator[tuple[Cells, NDArray[np.bool_]]]:
    """The connected pieces of a mask that have so many cells: the box around each, and its cells in there."""
    count, names, stats, _ = cv2.connectedComponentsWithStats(mask)
    for number in range(1, count):
        x, y, across, down, area = (int(value) for value in stats[number])
        if area >= min_cells:
            box = (slice(y, y + down), slice(x, x + across))
            yield box, names[box] == number


def outlined(now: Thumb, before: Thumb, box: Cells, part: NDArray[np.bool_], known: Mask) -> int:
    """Whether the outline of a piece, but for known cells, shows now (1), showed before (-1), both or neither (0).

    1 as well where too little of an outline is left to say.
    """
    around, inner, outer = _sides(now.shape, box, part, known)
    within, beside = _sum(inner), _sum(outer)
    ring = (within >= SIDE_CELLS) & (beside >= SIDE_CELLS)  # a row of the window on each side at least
    if int(np.count_nonzero(ring)) < 2 * SIDE_CELLS:
        return 1
    now, before = now[around], before[around]
    # The mean of each side is taken, not how steep the picture is: a pattern has steps everywhere, a border one.
    steps = (
        np.abs(_sum(thumb * inner)[ring] / within[ring] - _sum(thumb * outer)[ring] / beside[ring])
        for thumb in (now, before)
    )
    # How far round it shows is what counts, not how black on white a mark is that a smooth patch of light runs into.
    # Light and shade that change over many cells differ a little from cell to cell, and much in all.
    differs = max(float(np.abs(now - before)[inner > 0.0].mean()), 1.0)
    shown = np.clip(np.subtract(*steps) / differs, -1.0, 1.0)
    more = float((shown * np.abs(shown)).mean())
    return (more > _SHOWN) - (more < -_SHOWN)


def outlined_pieces(now: Thumb, before: Thumb, cells: Mask, known: Mask, least: int) -> Mask:
    """The pieces of these cells of which ``outlined`` says so much at least."""
    kept = np.zeros_like(cells)
    for box, part in pieces(cells):
        if outlined(now, before, box, part, known) >= least:
            kept[box][part] = 1
    return kept


def stands_out(now: Thumb, before: Thumb, box: Cells, part: NDArray[np.bool_], known: Mask) -> float:
    """By how much more the grey levels of a piece, but for known cells, differ from those around it now than before.

    From 1, now alone, to -1, before alone; 0 where too few cells are left to say. Source: Bhattacharyya distance.
    """
    around, inner, outer = _sides(now.shape, box, part, known)
    within, beyond = (side.astype(np.uint8) for side in (inner, outer))
    cells = within, both(grown(within, SIDE_CELLS), beyond)
    if min(map(cv2.countNonZero, cells)) < SIDE_CELLS**2:
        return 0.0
    levels, apart = [round(256 / CONTRAST)], list[float]()  # what differs by less than that looks alike
    for thumb in (now[around], before[around]):
        own, others = (cv2.calcHist([np.ascontiguousarray(thumb)], [0], side, levels, [0, 256]) for side in cells)
        apart.append(cv2.compareHist(own, others, cv2.HISTCMP_BHATTACHARYYA))
    return apart[0] - apart[1]


def is_same_surface(now: Thumb, before: Thumb, part: NDArray[np.bool_]) -> bool:
    """Whether two thumbnails show the same pattern in this part, but for its border; all of the same shape."""
    window = (SIDE_CELLS, SIDE_CELLS)  # what changes over more is light, or a thing larger than any pattern
    inner = cv2.erode(part.view(np.uint8), np.ones(window, np.uint8), borderValue=0) > 0
    if np.count_nonzero(inner) < SIDE_CELLS**2:
        return False  # so few may look alike by chance
    fine_now, fine_before = (thumb[inner] - cv2.blur(thumb, window)[inner] for thumb in (now, before))
    spread = float(np.mean(fine_now**2)) * float(np.mean(fine_before**2))
    return float(np.mean(fine_now * fine_before)) > _SAME_PATTERN * math.sqrt(spread)


def _sum(thumb: Thumb) -> Thumb:
    return np.asarray(cv2.boxFilter(thumb, cv2.CV_32F, (SIDE_CELLS, SIDE_CELLS), normalize=False), dtype=np.float32)


def _sides(
    shape: tuple[int, ...], box: Cells, part: NDArray[np.bool_], known: Mask
) -> tuple[Cells, NDArray[np.float32], NDArray[np.float32]]:
    """Where a piece and its surroundings lie, and 1 in the unknown cells of either, there."""
    rows, columns = (slice(max(0, cells.start - SIDE_CELLS), cells.stop + SIDE_CELLS) for cells in box)
    within = np.zeros(shape, np.float32)
    within[box] = part
    inner, free = within[rows, columns], known[rows, columns] == 0
    return (rows, columns), inner * free, (1.0 - inner) * free
