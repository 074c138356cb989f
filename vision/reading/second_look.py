"""The plain way beside ours: both readers over the whole of a picture, as anybody would use them.

Looking only where something changed saves nearly all of the work; what it passes over, a label where the picture
seemed too even, a tag that one window of thresholds missed, it never finds. So once the table has come to rest, and
now and then while nobody moves, the readers get the whole picture: no verdict falls before.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.rules.track import Side
from vision.belief import LONG_S
from vision.board.zones import Zones
from vision.cells import wide
from vision.frame import Picture
from vision.marks.foreign import ARUCO, ZXING
from vision.marks.labels import Label, LabelReader
from vision.marks.markers import Marker, MarkerFinder
from vision.marks.work import PER_MEGAPIXEL, Work
from vision.reading.detect import Detections


class SecondLook:
    """Says when the plain way is due and takes it."""

    def __init__(self, finder: MarkerFinder, reader: LabelReader, work: Work) -> None:
        self._finder = finder
        self._reader = reader
        self._work = work
        self.is_next = False
        """Whether it waited in the last frame: the next one is for it alone, and shows it all that others read."""
        self._due = True
        self._last_s = 0.0

    @property
    def waiting(self) -> bool:
        """Whether something changed since the plain way was last taken."""
        return self._due

    def again(self) -> None:
        """Everything is to be looked at anew."""
        self._due = True

    def look(
        self, y: Picture, t_s: float, found: Detections, known: Sequence[Marker], zones: Zones, *, at_once: bool = False
    ) -> tuple[tuple[Label, ...], tuple[Marker, ...]] | None:
        """Reads this frame plainly; None unless that is due and the table at rest. ``at_once``: whatever it costs.

        ``known`` are the fencers' tags that were found in the same frame.
        """
        if found.hand or wide(found.changed).any() or t_s - self._last_s >= LONG_S:
            self.again()
        if found.hand or found.shaken or not self.waiting:
            self.is_next = False
            return None
        cost = PER_MEGAPIXEL[ZXING] * y.size + PER_MEGAPIXEL[ARUCO] * zones.strip_box.area
        # Where this frame has cost so much already, the next one is looked at instead, whatever that costs.
        self.is_next = not (at_once or self.is_next or self._work.allows(cost / 1e6))
        if self.is_next:
            return None
        self._due, self._last_s = False, t_s
        # Where both tags are known only a third one is missing, and that is nobody's.
        both_known = len({marker.id for marker in known}) >= len(Side)
        tags = self._finder.find_in(y, zones.strip_box, quick=both_known)
        return self._reader.plain(y), tags
