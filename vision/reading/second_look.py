"""The plain way beside ours: both readers over the whole of a picture, as anybody would use them.

Looking only where something changed saves nearly all of the work; what it passes over, a label where the picture
seemed too even, a tag that one window of thresholds missed, it never finds. So once the table has come to rest, and
now and then while nobody moves, the readers get the whole picture: no verdict falls before they had it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.rules.track import Side
from vision.board.zones import Zones
from vision.change.gate import wide
from vision.frame import Picture
from vision.marks.foreign import ARUCO
from vision.marks.labels import Label, LabelReader
from vision.marks.markers import Marker, MarkerFinder
from vision.marks.work import PER_MEGAPIXEL, PLAIN_PER_MEGAPIXEL, Work
from vision.reading.detections import Detections

# Costs as much as fifteen frames behind the gate (READING.md, "What a frame costs"): seldom.
AGAIN_AFTER_S: Final = 10.0


class Plain(NamedTuple):
    """What the plain way read in a frame; ``looked`` says whether it was asked at all."""

    labels: tuple[Label, ...] = ()
    tags: tuple[Marker, ...] = ()
    looked: bool = False


class SecondLook:
    """Says when the plain way is due and takes it: in one frame the labels, in the next the tags, for time's sake."""

    def __init__(self, finder: MarkerFinder, reader: LabelReader, work: Work) -> None:
        self._finder = finder
        self._reader = reader
        self._work = work
        self.is_next = False
        """Whether it waited in the last frame: the next one is for it alone, and shows it all that others read."""
        self._labels_due = self._tags_due = True
        self._last_s = 0.0

    @property
    def waiting(self) -> bool:
        """Whether something changed since the plain way was last taken."""
        return self._labels_due or self._tags_due

    def again(self) -> None:
        """Everything is to be looked at anew."""
        self._labels_due = self._tags_due = True

    def labels(self, y: Picture) -> tuple[Label, ...]:
        """The labels in a picture, wherever they lie."""
        return self._reader.plain(y)

    def look(
        self, y: Picture, t_s: float, found: Detections, known: Sequence[Marker], zones: Zones, *, at_once: bool = False
    ) -> Plain:
        """What the plain way reads in this frame, if it is due and the table is at rest. ``at_once``: all in one.

        ``known`` are the fencers' tags that were found in the same frame.
        """
        if found.hand or wide(found.changed).any() or t_s - self._last_s >= AGAIN_AFTER_S:
            self.again()
        if found.hand or found.shaken:
            self.is_next = False
            return Plain()
        if not at_once and self.waiting and self._waits(y, zones):
            return Plain()
        labels: tuple[Label, ...] = ()
        tags: tuple[Marker, ...] = ()
        looked = self.waiting
        if self._labels_due:
            labels, self._labels_due, self._last_s = self.labels(y), False, t_s
            if not at_once:
                return Plain(labels, tags, looked)
        if self._tags_due:
            # Where both tags are known only a third one is missing, and that is nobody's.
            both_known = len({marker.id for marker in known}) >= len(Side)
            tags, self._tags_due = self._finder.find_in(y, zones.strip_box, quick=both_known), False
        return Plain(labels, tags, looked)

    def _waits(self, y: Picture, zones: Zones) -> bool:
        """Whether this frame has cost so much already that the next one is looked at instead, whatever that costs."""
        part = PLAIN_PER_MEGAPIXEL * y.size if self._labels_due else PER_MEGAPIXEL[ARUCO] * zones.strip_box.area
        self.is_next = not (self.is_next or self._work.allows(part / 1e6))
        return self.is_next
