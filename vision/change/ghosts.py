"""Ghosts: what differs from the older picture because an arm lay in that one, as far as outlines tell.

A clear outline is believed at once. A faint one may deceive: a dark sleeve on dark planks hides an edge of the ground,
and looks like the bare table then. So it has to last; and what was believed is taken back once the picture from before
is seen again, cell by cell: an arm never comes to lie exactly as it lay, the table that it left does.

An arm that is drawn away shows the outline that it left while it still moves, when nothing is believed yet; a lamp that
comes on meanwhile may drown it. So what was clear then counts once it is at rest, if it is faint by then.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.change.gate import Mask, Steepness, Thumb, both, change

# Of outlines, see vision.change.outline. Arms that the first frame had, in path-traced films: -0.5 to -1. A sleeve that
# looked like the planks under it: -0.38 and -0.46, in two looks between two movements.
GHOST: Final = -0.25
_CLEAR: Final = -0.6
_LASTS_S: Final = 0.6  # an arm on its way rests for less; chosen
_REMEMBERED_S: Final = 3.0  # an arm is drawn away in less; chosen
_SAME_PART: Final = 0.8  # of the cells: an arm that moves changes more of its own, cards laid there less; chosen
MIN_OVER_TABLE: Final = 40


class GhostWatch:
    """Which ghosts are believed, and how the table looked before a faint one was."""

    def __init__(self) -> None:
        self._last: list[tuple[Mask, float]] = []  # the faint ones of the last look, and since when
        self._now: list[tuple[Mask, float]] = []
        self._clear: list[tuple[Mask, float]] = []  # those that were clear of late, and when
        self._before: Thumb | None = None
        self._cells: Mask = np.zeros((1, 1), np.uint8)

    def begin(self) -> None:
        """A look begins: what was no ghost in the last one begins anew."""
        self._last, self._now = self._now, []

    def moved(self) -> None:
        """The view is another: nothing that was believed can be compared with it."""
        self._last, self._now, self._clear, self._before = [], [], [], None

    def is_believed(self, outlined: float, cells: Mask, empty: Thumb, t_s: float, *, at_rest: bool) -> bool:
        """Whether the table is seen in these cells, where the picture ``empty`` has the outline of an arm.

        Not before they are ``at_rest``.
        """
        if outlined <= _CLEAR:
            recent = [ghost for ghost in self._clear if t_s - ghost[1] <= _REMEMBERED_S]
            self._clear = [*recent, (cells, t_s)]
            return at_rest
        area = cv2.countNonZero(cells)
        was_clear = any(
            cv2.countNonZero(both(cells, other)) >= _SAME_PART * max(area, cv2.countNonZero(other))
            for other, seen_s in self._clear
            if t_s - seen_s <= _REMEMBERED_S
        )
        if not at_rest or not (was_clear or outlined <= GHOST):
            return False
        known = (since_s for other, since_s in self._last if 2 * cv2.countNonZero(both(cells, other)) > area)
        since_s = min(known, default=t_s)
        self._now.append((cells, since_s))
        if t_s - since_s < _LASTS_S and not was_clear:
            return False
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
