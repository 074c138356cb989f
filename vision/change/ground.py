"""The table as it was last without a card: what looks like that again holds none.

A lamp may burn out the bare table as well as a card, and a card may hide what nobody ever read: how a place looked
while something lay there says nothing of what lies there once it is gone.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.change.gate import CLIPPED, CONTRAST, Mask, Thumb, both
from vision.change.light import room_gain
from vision.memo import Latest

_TELLING_SHARE: Final = 0.5  # of a card's place must be darker than that, or it tells nothing. Chosen
_AS_BARE_SHARE: Final = 0.97  # of a card's place: a card leaves no more than its shadow's edge. Chosen


class GroundWatch:
    """Keeps one thumbnail of the table without a card."""

    def __init__(self) -> None:
        self._bare: Thumb | None = None
        self._other: Latest[Thumb, Mask] = Latest()

    def forget(self) -> None:
        """The view changed, or the light: what the table looks like is not known."""
        self._bare = None

    def learn(self, thumb: Thumb) -> None:
        """Nothing moves, and neither a card nor a code lies on the table."""
        self._bare = thumb

    def other_than(self, thumb: Thumb) -> Mask | None:
        """The cells that do not look like the bare table, 1; None while it is not known."""
        bare = self._bare
        return None if bare is None else self._other((thumb, bare), lambda both_of: differing(*both_of))

    def is_bare(self, thumb: Thumb, place: Mask) -> bool:
        """Whether a card's place, some cells, surely looks as it did without any card."""
        bare, other = self._bare, self.other_than(thumb)
        if bare is None or other is None:
            return False
        size = cv2.countNonZero(place)
        telling = both(place, (bare < CLIPPED).view(np.uint8))
        if not size or cv2.countNonZero(telling) < _TELLING_SHARE * size:
            return False
        return cv2.countNonZero(both(place, other)) <= (1.0 - _AS_BARE_SHARE) * size


def differing(thumb: Thumb, before: Thumb) -> Mask:
    """The cells that are not as bright as they were, but for the light of the whole room; both of the same shape."""
    as_lit = before * np.float32(room_gain(thumb, before))
    return np.asarray(cv2.absdiff(thumb, as_lit) > CONTRAST).view(np.uint8)
