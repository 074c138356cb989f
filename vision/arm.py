"""An arm that rests over the table: a large change that reaches in from the picture's edge and then holds still."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.gate import Mask, Steepness, Thumb, change

ABSORBED_AFTER_S: Final = 12.0
LEARNED_AFTER_LOOKS: Final = 2
_LEAST_CELLS: Final = 250
_LEAST_OVER_TABLE: Final = 40
_LEAST_CONTRAST: Final = 18.0
_LIGHT_SHARE: Final = 0.6
_EDGE_CELLS: Final = 2


class ArmWatch:
    """Compares thumbnails with the last one that had no arm in it."""

    def __init__(self) -> None:
        self._empty: Thumb | None = None
        self._since_s: float | None = None
        self._arm: Mask | None = None
        self._still = 0

    def look(self, now: Thumb, slope: Steepness, t_s: float, table: Mask, *, moving: bool, quiet: bool) -> Mask:
        """The cells of an arm over the table, all 0 when there is none.

        ``moving``: something moves anywhere in the picture, so this is no time to learn what it looks like empty.
        ``quiet``: nothing differs from when it was last read, so what was found last time still holds.
        """
        if self._empty is None:
            self._empty = now
        self._still = 0 if moving else self._still + 1
        if quiet and not moving and self._arm is None:
            if self._still >= LEARNED_AFTER_LOOKS:
                self._empty = now
            return np.zeros_like(table)
        arm = self._found(now, slope, table)
        if arm is None:
            self._since_s = self._arm = None
            if self._still >= LEARNED_AFTER_LOOKS:
                self._empty = now
            return np.zeros_like(table)
        if self._since_s is None or moving:
            self._since_s = t_s
        if t_s - self._since_s > ABSORBED_AFTER_S:
            self._empty, self._since_s, self._arm = now, None, None
            return np.zeros_like(table)
        self._arm = arm
        return arm

    def _found(self, now: Thumb, slope: Steepness, table: Mask) -> Mask | None:
        assert self._empty is not None
        cells = change(now, self._empty, slope).cells
        joined = cv2.morphologyEx(cells, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, names, stats, _ = cv2.connectedComponentsWithStats(joined)
        height, width = cells.shape
        arm = np.zeros_like(cells)
        for number in range(1, count):
            x, y, across, down, area = (int(value) for value in stats[number])
            inside = x > _EDGE_CELLS and y > _EDGE_CELLS
            inside = inside and x + across < width - _EDGE_CELLS and y + down < height - _EDGE_CELLS
            if inside or not _LEAST_CELLS <= area <= _LIGHT_SHARE * cells.size:
                continue
            box = (slice(y, y + down), slice(x, x + across))
            part = names[box] == number
            if cv2.countNonZero(cv2.bitwise_and(part.view(np.uint8), table[box])) < _LEAST_OVER_TABLE:
                continue
            if float(np.abs(now[box] - self._empty[box])[part].mean()) >= _LEAST_CONTRAST:
                arm[box][part] = 1
        return arm if arm.any() else None
