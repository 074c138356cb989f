"""Glare: where the light burns out what should be read, and when a hand was there last.

What a sensor cannot show brighter is light. It is looked for where something must be, at the fencers' tags and the
corner markers; whether it hides a card that is held, that card's own modules say (``still_there``).

Light that burns out what lies there burns out whatever is laid on it, and nothing looks otherwise than before. All that
can be known is that somebody reached there since: ``Doubt`` of the table's ``outshone``. What came to lie on the
bare table and burns is the same: a code that sparkles in its sleeve looks like none, and like no glare either.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change.gate import CELL_PX, CLIPPED, Mask, Thumb, both, cells_under, grown
from vision.geometry import Floats
from vision.why.sharpness import share_from

_SHARE: Final = 0.2  # of a label, tag or marker: so much must burn to hide it. From 0.12 to 0.24 nothing differs


def is_burnt(thumb: Thumb, corners_px: Floats) -> bool:
    """Whether the light burns out a tag, a marker or a label that should be at these corners (4, 2) px."""
    cells = thumb[cells_under(corners_px)]
    return share_from(CLIPPED, cells) >= _SHARE


def markers_are_burnt(thumb: Thumb, outlines_px: Sequence[Floats]) -> bool:
    """Whether the light burns out at least half of the markers that should be at these corners, if there are any."""
    burnt = sum(is_burnt(thumb, outline) for outline in outlines_px)
    return 0 < len(outlines_px) <= 2 * burnt


def hides_label(cells: Mask, label_px: float) -> bool:
    """Whether so many cells burn that a label with this side, in px, may be hidden."""
    return cv2.countNonZero(cells) >= _SHARE * (label_px / CELL_PX) ** 2


class Light(NamedTuple):
    """Light on what may be a card that nobody reads: its middle in cells (8 by 8 px), and when a hand was there last.

    ``since_s`` is minus infinity where none was since the view is known.
    """

    x: float
    y: float
    since_s: float


class LightWatch:
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

    def found(self, burnt: Mask, cards: Mask, label_px: float) -> tuple[Light, ...]:
        """Light that burns on what may be ``cards``, in pieces that may hide a label with this side, in px."""
        assert self._handed_s is not None
        count, names, _, middles = cv2.connectedComponentsWithStats(both(burnt, cards))
        found = []
        for number in range(1, count):
            piece = np.asarray((names == number).view(np.uint8))
            if hides_label(piece, label_px):
                around = grown(piece, 1)  # a hand is known to the cell
                x, y = (float(value) for value in middles[number])
                found.append(Light(x, y, float(self._handed_s[around > 0].max())))
        return tuple(found)
