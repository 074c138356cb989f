"""The bare table: what each cell looked like when nothing lay there. What looks like that again holds no card.

A lamp may burn out the bare table as well as a card, and a card may hide what nobody ever read: how a place looked
while something lay there says nothing of what lies there once it is gone.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.change.gate import CLIPPED, CONTRAST, Mask, Thumb, both, without
from vision.change.light import room_gain
from vision.memo import Latest

_TELLING_SHARE: Final = 0.5  # of a card's place must be darker than that, or it tells nothing. Chosen
_AS_BARE_SHARE: Final = 0.97  # of a card's place: a card leaves no more than its shadow's edge. Chosen


class GroundWatch:
    """Keeps one thumbnail of the table, of each cell as it was last seen bare."""

    def __init__(self) -> None:
        self._bare: Thumb | None = None
        self._known: Mask = np.zeros((0, 0), np.uint8)  # the cells that were ever seen bare
        self._changed: Latest[Thumb, Mask] = Latest()

    def forget(self) -> None:
        """The view changed, or the light: what the table looks like is not known."""
        self._bare = None

    def learn(self, thumb: Thumb, covered: Mask) -> None:
        """Nothing moves, and nothing lies on the table but in the ``covered`` cells."""
        bare = covered == 0
        if self._bare is None:
            self._bare, self._known = thumb, bare.view(np.uint8)
        else:
            self._bare, self._known = np.where(bare, thumb, self._bare), self._known | bare

    def changed(self, thumb: Thumb) -> Mask:
        """The cells that are known and do not look like the bare table, but for the light of the whole room."""
        if self._bare is None:
            return np.zeros(thumb.shape, np.uint8)
        return both(self._changed((thumb, self._bare), lambda two: differing(*two)), self._known)

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
        if cv2.countNonZero(telling) < _TELLING_SHARE * size:
            return False
        return cv2.countNonZero(both(place, self.bare(thumb))) >= _AS_BARE_SHARE * size


def differing(thumb: Thumb, before: Thumb) -> Mask:
    """The cells that are not as bright as they were, but for the light of the whole room; both of the same shape."""
    as_lit = before * np.float32(room_gain(thumb, before))
    return np.asarray(cv2.absdiff(thumb, as_lit) > CONTRAST).view(np.uint8)
