"""What was seen of the markers while neither board nor camera moved: the looks at each that agree."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from vision.geometry import Floats
from vision.marks.markers import Marker
from vision.printed.table import Table
from vision.ranks import median

KEPT_LOOKS: Final = 8  # the mean of more is hardly more exact; chosen
MOVED_PX: Final = 3.0  # more than a still picture was seen to shift in hard light, 2.3: READING.md, "At rest"


class Evidence:
    """The latest looks at each corner marker and fencer's tag, as far back as they agree.

    A hand at a marker's edge pulls a corner: once it is gone, the looks at the marker begin anew. So do those at the
    tag of a fencer who was moved; as nothing else moved, the old place is still worth knowing.
    """

    def __init__(self, table: Table) -> None:
        self._own = {corner.id for corner in table.corners} | {number for _, number in table.fencer_ids.items()}
        self._looks: dict[int, list[Floats]] = {}
        self._began: set[int] = set()

    def add(self, markers: Iterable[Marker]) -> None:
        """One look: each marker once."""
        for marker in markers:
            if marker.id not in self._own:
                continue
            looks = self._looks.get(marker.id, [])
            if looks and float(np.abs(_median(looks) - marker.corners).max()) > MOVED_PX:
                looks = []
            if not looks:
                self._began.add(marker.id)
            self._looks[marker.id] = [*looks, marker.corners][-KEPT_LOOKS:]

    def corners(self, least: int = 1) -> dict[int, Floats]:
        """The median place (4, 2) px of each that was looked at so often."""
        return {number: _median(looks) for number, looks in sorted(self._looks.items()) if len(looks) >= least}

    def fresh(self, least: int) -> set[int]:
        """Those with so many looks of which none counted when ``settled`` was called last."""
        return {number for number in self._began if len(self._looks[number]) >= least}

    def settled(self, numbers: Iterable[int]) -> None:
        """These have been taken into account."""
        self._began -= set(numbers)

    def clear(self) -> None:
        """Something moved: nothing of it holds any more."""
        self._looks.clear()
        self._began.clear()


def _median(looks: list[Floats]) -> Floats:
    return median(np.stack(looks), axis=0)
