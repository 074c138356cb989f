"""Whether a frame still shows what the last one showed: a coarse look that costs a tenth of the change gate.

It sees hands, cards and figures that move, lamps switched on and a camera pushed, and not what is smaller than about a
card. So it only ever spares a full look for a frame in between.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.change.gate import CELL_PX, CONTRAST, Thumb
from vision.frame import Picture

BLOCK_PX: Final = 64  # eight cells: a label at usual distances is one to two


class Standstill:
    """Keeps the picture it was last told to ``remember``, one value for every 64 by 64 pixels."""

    def __init__(self) -> None:
        self._blocks: Thumb | None = None
        self._size: tuple[int, ...] = ()

    def remember(self, y: Picture) -> None:
        """Frames are held against this picture from now on."""
        self._blocks, self._size = _blocks(y), y.shape

    def holds(self, y: Picture, max_gain: float) -> bool:
        """Whether this picture looks like the remembered one, but for noise, a little shaking, and its brightness.

        ``max_gain``: the share of brightness that is not minded.
        """
        if self._blocks is None or y.shape != self._size:
            return False
        now, before = _blocks(y), self._blocks
        gain = float(now.sum()) / max(1.0, float(before.sum()))
        if abs(gain - 1.0) > max_gain:
            return False
        return not bool((np.abs(now - gain * before) > CONTRAST).any())


def _blocks(y: Picture) -> Thumb:
    """The mean of each block, from every eighth of its rows."""
    height, width = y.shape[0] // BLOCK_PX, y.shape[1] // BLOCK_PX
    rows = y[CELL_PX // 2 : height * BLOCK_PX : CELL_PX, : width * BLOCK_PX]
    for part in (4, 2, 1):
        rows = np.asarray(cv2.resize(rows, (8 * part * width, part * height), interpolation=cv2.INTER_AREA))
    return np.asarray(cv2.resize(rows, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)
