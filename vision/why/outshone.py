"""Cards that light outshines, over which a hand was: another one may have been laid on them, and nobody saw it.

Light that burns out what lies there burns out whatever is laid on it, and nothing looks otherwise than before. All that
can be known is that somebody reached there since: ``Doubt`` of the table's ``outshone``. What came to lie on the
bare table and burns is the same: a code that sparkles in its sleeve looks like none, and like no glare either.
"""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change.gate import Mask, both, grown
from vision.why.glare import OF_LABEL


class Outshone(NamedTuple):
    """Light on cards that nobody reads: its middle in cells (8 by 8 px), and when a hand was there last."""

    x: float
    y: float
    since_s: float


class OutshoneWatch:
    """Keeps when a hand was last at each cell of the picture."""

    def __init__(self) -> None:
        self._handed_s: NDArray[np.float32] | None = None

    def forget(self) -> None:
        """The view changed: where hands were is not known there."""
        self._handed_s = None

    def reached(self, near_hand: Mask, t_s: float) -> None:
        """A hand, or motion, is at these cells now."""
        if self._handed_s is None or self._handed_s.shape != near_hand.shape:
            self._handed_s = np.full(near_hand.shape, -np.inf, np.float32)
        self._handed_s[near_hand > 0] = t_s

    def found(self, burnt: Mask, cards: Mask, label_cells: float) -> tuple[Outshone, ...]:
        """Where light burns on ``cards`` that nobody reads, in pieces that may hide a label of ``label_cells``."""
        if self._handed_s is None:
            return ()
        count, names, stats, middles = cv2.connectedComponentsWithStats(both(burnt, cards))
        found = []
        for number in range(1, count):
            if stats[number, cv2.CC_STAT_AREA] < OF_LABEL * label_cells:
                continue
            around = grown(np.asarray((names == number).view(np.uint8)), 1)  # a hand is known to the cell
            since_s = float(self._handed_s[around > 0].max())
            if np.isfinite(since_s):
                x, y = (float(value) for value in middles[number])
                found.append(Outshone(x, y, since_s))
        return tuple(found)
