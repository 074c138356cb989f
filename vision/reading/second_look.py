"""The plain way beside ours: both readers over the whole of a picture, as anybody would use them.

Looking only where something changed saves nearly all of the work; what it passes over, a label where the picture
seemed too even, a tag that one window of thresholds missed, it never finds. So once the table has come to rest, and
now and then while nobody moves, the readers get one half of the picture and then the other: no verdict falls before.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.rules.track import Side
from vision.board.zones import Zones
from vision.change.arm import ABSORBED_AFTER_S
from vision.change.gate import wide
from vision.frame import Picture
from vision.geometry import Box
from vision.marks.foreign import ARUCO
from vision.marks.labels import Label, LabelReader
from vision.marks.markers import Marker, MarkerFinder
from vision.marks.work import PER_MEGAPIXEL, PLAIN_PER_MEGAPIXEL, Work
from vision.printed.tags import QR_MODULES
from vision.reading.detect import Detections


class SecondLook:
    """Says when the plain way is due and takes it, in two frames for time's sake: half of the picture in each."""

    def __init__(self, finder: MarkerFinder, reader: LabelReader, work: Work) -> None:
        self._finder = finder
        self._reader = reader
        self._work = work
        self.is_next = False
        """Whether it waited in the last frame: the next one is for it alone, and shows it all that others read."""
        self._halves_due = 2
        self._last_s = 0.0

    @property
    def waiting(self) -> bool:
        """Whether something changed since the plain way was last taken."""
        return self._halves_due > 0

    def again(self) -> None:
        """Everything is to be looked at anew."""
        self._halves_due = 2

    def labels(self, y: Picture) -> tuple[Label, ...]:
        """The labels in a picture, wherever they lie."""
        return self._reader.plain(y, _whole(y))

    def look(
        self, y: Picture, t_s: float, found: Detections, known: Sequence[Marker], zones: Zones, *, at_once: bool = False
    ) -> tuple[tuple[Label, ...], tuple[Marker, ...]] | None:
        """Reads this frame plainly; None unless that is due and the table at rest. ``at_once``: the whole of it.

        ``known`` are the fencers' tags that were found in the same frame.
        """
        if found.hand or wide(found.changed).any() or t_s - self._last_s >= ABSORBED_AFTER_S:
            self.again()
        if found.hand or found.shaken or not self.waiting:
            self.is_next = False
            return None
        last = at_once or self._halves_due == 1
        part = _whole(y) if at_once else _half(y, zones, right=last)
        cost = PLAIN_PER_MEGAPIXEL * part.area + last * PER_MEGAPIXEL[ARUCO] * zones.strip_box.area
        # Where this frame has cost so much already, the next one is looked at instead, whatever that costs.
        self.is_next = not (at_once or self.is_next or self._work.allows(cost / 1e6))
        if self.is_next:
            return None
        self._halves_due, self._last_s = 0 if last else 1, t_s
        # Where both tags are known only a third one is missing, and that is nobody's.
        both_known = len({marker.id for marker in known}) >= len(Side)
        tags = self._finder.find_in(y, zones.strip_box, quick=both_known) if last else ()
        return self._reader.plain(y, part), tags


def _whole(y: Picture) -> Box:
    return Box(0, 0, y.shape[1], y.shape[0])


def _half(y: Picture, zones: Zones, *, right: bool) -> Box:
    """The left or the right half of a picture, and as much of the other as a label that lies across may need."""
    height, width = y.shape
    reach = round(QR_MODULES * zones.module_px)
    return Box(max(0, width // 2 - reach), 0, width, height) if right else Box(0, 0, width // 2 + reach, height)
