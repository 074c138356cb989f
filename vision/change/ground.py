"""The bare table: what each cell looked like when nothing lay there, and in what light.

What looks like that again holds no card. A lamp may burn out the bare table as well as a card, and a card may hide what
nobody ever read: how a place looked while something lay there says nothing of what lies there once it is gone.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import BLOCK_PX, CELL_PX, CLIPPED, CONTRAST, Mask, Thumb, any_of, both, relit, wide, without
from vision.change.gate import change, steepness
from vision.change.outline import TOLD, things

_ALIKE: Final = CONTRAST / CLIPPED  # of brightness (natural logarithm): even what is white looks alike then
_MAX_ALIKE: Final = 0.38  # of the blocks: 0.42 and more as arms came in households and films, 0.09 to 0.35 with lamps


class GroundWatch:
    """Keeps one thumbnail of the table, of each cell as it was last seen bare."""

    def __init__(self) -> None:
        self._bare: Thumb | None = None
        self._known: Mask = np.zeros((0, 0), np.uint8)  # the cells that were ever seen bare
        self._proven: Mask = self._known  # those of them in which surely no hand rested

    def forget(self, cells: NDArray[np.bool_] | None = None) -> None:
        """The view changed, or the light: what the table looks like is not known, in these cells or anywhere."""
        if cells is None:
            self._bare = None
        elif self._bare is not None:
            self._known, self._proven = self._known & ~cells, self._proven & ~cells

    def learn(self, thumb: Thumb, covered: Mask, handed: Mask | None = None) -> None:
        """Nothing moves, and nothing lies on the table but in the ``covered`` cells.

        ``handed`` are the cells at which a hand was since the view is known: in others one may rest from the beginning.
        None: it would rest in none for so long.
        """
        bare = covered == 0
        if self._bare is None:
            self._bare, self._known = thumb, bare.view(np.uint8)
        else:
            self._bare, self._known = np.where(bare, thumb, self._bare), self._known | bare
        self._proven = self._known if handed is None else both(self._known, handed)

    def changed(self, thumb: Thumb) -> Mask:
        """The cells that are known and do not look like the bare table, but for the light of the whole room."""
        if self._bare is None:
            return np.zeros(thumb.shape, np.uint8)
        as_lit = relit(self._bare, thumb, 0.0)
        return both(np.asarray(cv2.absdiff(thumb, as_lit) > CONTRAST).view(np.uint8), self._known)

    def came(self, thumb: Thumb, known: Mask) -> Mask:
        """The cells of what came since the table lay bare, as far as light and noise do not explain it.

        Not in the ``known`` cells, where it is known what lies. What only left, as glare does, is nothing that came.
        """
        if self._bare is None:
            return np.zeros(thumb.shape, np.uint8)
        bare = relit(self._bare, thumb)
        came = wide(without(change(thumb, bare, steepness(thumb), self._proven).cells, known))
        return things(thumb, bare, came, known, -TOLD)

    def laid(self, thumb: Thumb, known: Mask, side: int) -> Mask:
        """The cells of things laid on the bare table, ``side`` cells wide at least: light has no outline."""
        if self._bare is None:
            return np.zeros(thumb.shape, np.uint8)
        changed = cv2.morphologyEx(without(self.changed(thumb), known), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
        as_lit = relit(self._bare, thumb, 0.0)
        return things(thumb, as_lit, np.asarray(changed, dtype=np.uint8), known, TOLD / 2)

    def bare(self, thumb: Thumb) -> Mask:
        """The cells that surely look like the bare table."""
        return without(np.uint8(1) - self.unknown(thumb), self.changed(thumb))

    def unknown(self, thumb: Thumb) -> Mask:
        """The cells that were never seen bare."""
        return np.ones(thumb.shape, np.uint8) if self._bare is None else (self._known == 0).view(np.uint8)

    def is_bare(self, thumb: Thumb, place: Mask) -> bool:
        """Whether a card's place, some cells, surely looks as it did without any card."""
        bare, size = self._bare, cv2.countNonZero(place)
        if bare is None or not size:
            return False
        telling = both(place, (bare < CLIPPED).view(np.uint8))
        if 2 * cv2.countNonZero(telling) < size:
            return False
        return not any_of(wide(without(place, self.bare(thumb))))  # a shadow's edge is narrower


def lamps_changed(now: Thumb, before: Thumb) -> bool:
    """Whether other lamps light the room than a look ago: places brighter or darker by many different shares.

    Both of the same shape, of two looks that follow each other. What a camera does when an arm comes, it does to all of
    the picture alike; and an arm on its way changes a few places much.
    """
    height, width = (max(1, cells * CELL_PX // BLOCK_PX) for cells in now.shape)
    blocks = (cv2.resize(thumb, (width, height), interpolation=cv2.INTER_AREA) for thumb in (now, before))
    one, other = (np.log(np.maximum(block, 1.0)) for block in blocks)
    brighter = one - other
    if brighter.max() < brighter.min() + _ALIKE:
        return False  # as in almost every look: all are alike
    in_order = np.sort(brighter, axis=None)
    alike = np.searchsorted(in_order, in_order + _ALIKE) - np.arange(in_order.size)
    return int(alike.max()) < _MAX_ALIKE * in_order.size
