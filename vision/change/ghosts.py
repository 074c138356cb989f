"""Ghosts: what differs from the older picture because an arm lay in that one, as far as outlines tell.

How far an outline shows before and not now is evidence, look by look, and a clear one is enough alone. A faint one may
deceive: a dark sleeve on dark planks hides an edge of the ground, and looks like the bare table then. So what it made
believed is taken back once the picture from before is seen again, cell by cell: an arm never comes to lie exactly as
it lay, the table that it left does.

An arm that is drawn away shows the outline that it left while it still moves, when nothing is believed yet; a lamp that
comes on meanwhile may drown it, and then what was seen counts.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.belief import MISSED, STANDS, SURE, weighed
from vision.change.gate import Mask, Steepness, Thumb, both, change

# Of outlines, see vision.change.outline. Arms that the first frame had, in path-traced films: -0.5 to -1. A sleeve that
# looked like the planks under it: -0.38 and -0.46, in two looks between two movements.
_CLEAR: Final = -0.6
_SAME_PART: Final = 0.8  # of the cells: an arm that moves changes more of its own, cards laid there less; chosen
MIN_OVER_TABLE: Final = 40


class GhostWatch:
    """Which ghosts are believed, in nats, and how the table looked before one was."""

    def __init__(self) -> None:
        self._seen: list[tuple[Mask, float]] = []
        self._before: Thumb | None = None
        self._cells: Mask = np.zeros((1, 1), np.uint8)

    def begin(self) -> None:
        """A look begins: ghosts that it does not show as well are believed less."""
        less = ((cells, weighed(nats, -MISSED)) for cells, nats in self._seen)
        self._seen = [(cells, nats) for cells, nats in less if nats > -SURE]

    def moved(self) -> None:
        """The view is another: nothing that was believed can be compared with it."""
        self._seen, self._before = [], None

    def is_believed(self, outlined: float, cells: Mask, empty: Thumb, *, at_rest: bool) -> bool:
        """Whether the table is seen in these cells, where the picture ``empty`` has the outline of an arm.

        Not before they are ``at_rest``.
        """
        area = cv2.countNonZero(cells)
        known = [one for one in self._seen if _are_same(cells, one[0], area)]
        share = outlined / _CLEAR
        evidence = 2 * SURE if share >= 1.0 else STANDS * share + MISSED * bool(known)  # it was not missed
        nats = weighed(max((nats for _, nats in known), default=-SURE), evidence)
        self._seen = [one for one in self._seen if all(one is not other for other in known)]
        self._seen.append((cells, nats))
        if not at_rest or nats < SURE or share >= 1.0:
            return at_rest and nats >= SURE
        if self._before is None:
            self._before, self._cells = empty, np.zeros_like(cells)
        self._before = np.where(self._cells > 0, self._before, empty)
        self._cells = np.asarray(cv2.bitwise_or(self._cells, cells), dtype=np.uint8)
        return True

    def taken_back(self, now: Thumb, slope: Steepness, cards: Mask) -> tuple[Mask, Thumb] | None:
        """The cells of faint ghosts that were none, and the table there; None while nothing speaks for that.

        ``cards`` are cells that cards explain, now or in the picture from before.
        """
        if self._before is None:
            return None
        cells = self._cells & (cards == 0)
        area = cv2.countNonZero(cells)
        if area < MIN_OVER_TABLE:
            return None
        changed = cv2.countNonZero(both(change(now, self._before, slope).cells, cells))
        if changed > (1.0 - _SAME_PART) * area:
            return None
        found, self._before = (self._cells, self._before), None
        return found


def _are_same(cells: Mask, other: Mask, area: int) -> bool:
    return cv2.countNonZero(both(cells, other)) >= _SAME_PART * max(area, cv2.countNonZero(other))
