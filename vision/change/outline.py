"""Tells which of two pictures of one place shows a thing there that the other lacks, and whether only light differs.

A comparison with an earlier picture says where they differ and not which of them is the table. But the table goes on
around what differs: where that has other grey levels than what surrounds it, there lies the thing. So what was over the
table when the first frame came is told from what came after it. Source: the ghosts of background subtraction.

Light and shade have other grey levels, too, but no outline. And under other light wood keeps its grain, a cloth its
weave and a marker its cells, only brighter or darker; an arm brings a surface of its own. Source: normalised
cross-correlation, as used for changes in lighting. Noise is no pattern: over 81 cells it correlates by 0.11.

What each of these signs weighs was learned from the exact masks of both renderers (`tests/bench/fit_arm.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.belief import SURE
from vision.cells import CONTRAST, Mask, Thumb, both, grown

SIDE_CELLS: Final = 9  # across: what lies on each side of the border is taken from more than most patterns repeat in
_LEFT: Final = (-0.7, -11.8)  # nats, against a thing: of any piece, and of its surroundings
_LIGHT: Final = (-2.1, -4.2, 3.3)  # of any piece, its outline and its surface
TOLD: Final = SURE / 4  # one in ten of what is less sure is light

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


def evidence(now: Thumb, before: Thumb, box: Cells, part: NDArray[np.bool_], known: Mask) -> float:
    """The log-odds, in nats, that a piece is a thing now, and not the table that a thing has left, nor other light."""
    around, border, surface = features(now, before, box, part, known)
    left, light = np.dot(_LEFT, (1.0, around)), np.dot(_LIGHT, (1.0, border, surface))
    return -float(np.logaddexp(left, light))


def features(now: Thumb, before: Thumb, box: Cells, part: NDArray[np.bool_], known: Mask) -> tuple[float, float, float]:
    """What ``stands_out`` and ``outline`` say of a piece, and how surely it has the same surface in both pictures."""
    alike = min(max(correlation(now[box], before[box], part), 0.0), 0.999)  # the same picture twice says no more
    around, border = stands_out(now, before, box, part, known), outline(now, before, box, part, known)
    return around, border, math.atanh(alike) ** 2  # Fisher's z of a correlation


def outline(now: Thumb, before: Thumb, box: Cells, part: NDArray[np.bool_], known: Mask) -> float:
    """By how much more the outline of a piece, but for known cells, shows now than before: -1 to 1.

    0 as well where too little of an outline is left to say.
    """
    around, inner, outer = _sides(now.shape, box, part, known)
    within, beside = _sum(inner), _sum(outer)
    ring = (within >= SIDE_CELLS) & (beside >= SIDE_CELLS)  # a row of the window on each side at least
    if int(np.count_nonzero(ring)) < 2 * SIDE_CELLS:
        return 0.0
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
    return float((shown * np.abs(shown)).mean())


def things(now: Thumb, before: Thumb, cells: Mask, known: Mask, least_nats: float) -> Mask:
    """The pieces of these cells that show a thing now, by so much ``evidence`` at least."""
    kept = np.zeros_like(cells)
    for box, part in pieces(cells):
        if evidence(now, before, box, part, known) > least_nats:
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


def correlation(now: Thumb, before: Thumb, part: NDArray[np.bool_]) -> float:
    """How far two thumbnails of one shape show the same pattern in this part, but for its border: -1 to 1.

    0 where so few cells are left that they may look alike by chance.
    """
    window = (SIDE_CELLS, SIDE_CELLS)  # what changes over more is light, or a thing larger than any pattern
    inner = cv2.erode(part.view(np.uint8), np.ones(window, np.uint8), borderValue=0) > 0
    if np.count_nonzero(inner) < SIDE_CELLS**2:
        return 0.0
    fine_now, fine_before = (thumb[inner] - cv2.blur(thumb, window)[inner] for thumb in (now, before))
    spread = float(np.mean(fine_now**2)) * float(np.mean(fine_before**2))
    return float(np.mean(fine_now * fine_before)) / math.sqrt(max(spread, 1e-9))


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
