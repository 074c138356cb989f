"""Of two pictures of one place, which one shows a thing there that the other lacks?

A comparison with an earlier picture says where they differ and not which of them is the table. But a thing has an
outline, and the table goes on without one: where the outline of what differs shows, there lies the thing. So what was
over the table when the first frame came is told from what came after it.
Source: the ghosts of background subtraction; the sign of the edges along a region's border tells them from things.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate import Mask, Thumb

_SMOOTH: Final = (3, 3)  # cells: the grain of cloth and wood is finer
_RING_CELLS: Final = 2
_LEAST_RING: Final = 12
_LEAST_STEP: Final = 2.0  # grey levels a cell: fainter steps are noise, light and shade


def shows_more(
    part: NDArray[np.bool_], now: Thumb, before: Thumb, left_out: NDArray[np.bool_] | None = None
) -> float | None:
    """Which of two pictures shows the outline of this part: 1 only ``now``, -1 only ``before``, 0 both or neither.

    All of the same shape; ``part`` does not reach all of it. ``left_out`` are cells that count for nothing: the
    picture's own edge, other things known. None where too little of an outline is left to say.
    """
    cells = part.view(np.uint8)
    # The outer cells are half thing and half table; the ring lies across the border.
    size = np.ones((2 * _RING_CELLS + 1,) * 2, np.uint8)
    inner: Mask = np.asarray(cv2.erode(cells, np.ones((3, 3), np.uint8), borderValue=1), dtype=np.uint8)
    ring = (np.asarray(cv2.dilate(cells, size)) > 0) & (inner == 0)
    if left_out is not None:
        ring &= ~left_out
    if int(np.count_nonzero(ring)) < _LEAST_RING:
        return None
    steps = _steps(now)[ring] - _steps(before)[ring]
    more = float(np.maximum(steps - _LEAST_STEP, 0.0).sum())
    less = float(np.maximum(-steps - _LEAST_STEP, 0.0).sum())
    return (more - less) / (more + less) if more + less > 0.0 else 0.0


def _steps(thumb: Thumb) -> Thumb:
    """How steep a picture is, in grey levels a cell, its finest grain left out."""
    smooth = cv2.blur(thumb, _SMOOTH)
    across = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=0.125)
    down = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=0.125)
    return np.asarray(cv2.magnitude(across, down), dtype=np.float32)
