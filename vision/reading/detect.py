"""Finds fencers' tags and cards' labels in a frame, in pixels, reading only where the picture changed.

What did not change since it was read is not read again: its detections stand. What changed is read as soon as it
holds still, and a few frames more, so that every agreement rests on looks of their own; now and then everything is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from engine.rules.track import Side
from vision.belief import READ, SURE
from vision.board.calibration import MOVED_PX
from vision.board.zones import Zones
from vision.cells import CELL_PX, Mask, Thumb, any_of, both, cells_under, grown, wide, without
from vision.change.arm import ArmWatch
from vision.change.gate import Steepness, ThumbChange, change, due_within, steepness
from vision.change.ground import GroundWatch
from vision.change.regions import boxes_around, worth_reading
from vision.frame import Picture
from vision.geometry import Camera, Floats
from vision.marks.labels import Label, LabelReader, as_before, same_code, same_place, same_tag
from vision.marks.markers import Marker, MarkerFinder, box_around
from vision.marks.tag_match import match_tags
from vision.printed.table import CardSize, Table
from vision.printed.tags import QR_MODULES
from vision.sights.card_cells import Lies, cells_at_cards, cells_of_marks
from vision.sights.observe import AT_REST_MM

READS_AFTER_CHANGE: Final = math.ceil(2 * SURE / READ) + 1  # one more than agreement on a card needs: one may fail
# A wait that nobody notices: between looks at what drifts as daylight does, and at tags that are not where they were;
# and for a hand that may hover for ever. A search of the strip costs as much as four gates. Chosen.
SELDOM_FRAMES: Final = 4
DRIFT_FRAMES: Final = SELDOM_FRAMES
STARVED_FRAMES: Final = SELDOM_FRAMES
_NEAR_MOTION_CELLS: Final = 2  # some 6 mm: fingers that move slowly show in fewer cells than they cover; chosen


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """One frame's findings. ``tags`` and ``labels`` are what can be vouched for in this frame.

    ``unread`` are outlines of codes that were seen but not read. ``near_hand`` marks the cells (8 by 8 px) near
    motion or an arm; ``hand`` says that there is either over the table, ``guessed`` that nothing moves and no outline
    of that arm shows, so that it may be light or a thing. ``shaken``: the picture as a whole moved
    since the last frame; ``changed`` are cells that differ from when they were read before this frame. ``idle``:
    nothing moves, differs or waits to be read. ``settled`` are cells that had changed and were read now, at rest.
    ``kept_back`` are the cells at something that rested too long to be called a hand and may be one: what is seen
    there is nothing to go by. ``restless``: the cells near motion or what surely is an arm, which are not read.
    ``lost`` are labels that were read before and could not be read now. ``unanswered``: neither reader of labels gave
    an answer where something was due, which it still is. ``arm``: the cells of what surely is an arm.
    """

    tags: tuple[Marker, ...]
    labels: tuple[Label, ...]
    unread: tuple[Floats, ...]
    near_hand: Mask
    hand: bool
    guessed: bool
    changed: Mask
    shaken: bool
    idle: bool
    settled: Mask
    kept_back: Mask
    restless: Mask
    lost: tuple[Label, ...] = ()
    unanswered: bool = False
    arm: Mask | None = None


class Detector:
    """Looks at frames one after the other. ``aim`` tells it where; nothing is found before."""

    def __init__(
        self, table: Table, finder: MarkerFinder, reader: LabelReader, ground: GroundWatch | None = None
    ) -> None:
        self._ids = {number: side for side, number in table.fencer_ids.items()}
        self._table = table
        self._finder = finder
        self._reader = reader
        self._arms = ArmWatch(ground)
        self._zones: Zones | None = None
        self._last: Thumb | None = None
        self._read_as: Thumb | None = None
        self._due: Mask = np.zeros((1, 1), np.uint8)  # so many reads
        self._passed: Mask = np.zeros((1, 1), np.uint8)  # looked otherwise at some time since it was read
        self._labels: tuple[Label, ...] = ()
        self._lost: tuple[Label, ...] = ()
        self._unread: tuple[Floats, ...] = ()
        self._tags: tuple[Marker, ...] = ()
        self._skipped = 0
        self._frames = 0
        self._differed = True
        self._gain: float | Thumb = 0.0
        self._missing = dict.fromkeys(Side, 0)

    def aim(self, zones: Zones, there: Floats | None = None) -> None:
        """Look here from now on; everything is read afresh.

        ``there`` (3, 3) takes pixels of the table from where they were to where they are now.
        """
        self._zones = zones
        cell = np.diag([1.0 / CELL_PX, 1.0 / CELL_PX, 1.0])
        cell[:2, 2] = 0.5 / CELL_PX - 0.5
        self._arms.moved(None if there is None else cell @ there @ np.linalg.inv(cell))
        # What moves right now is still told by the last frame: a hand may be coming in.
        self._read_as = None
        self._due = zones.table * np.uint8(READS_AFTER_CHANGE)
        self._passed = np.zeros_like(self._due)
        self._labels, self._unread, self._tags = (), (), ()
        self._missing = dict.fromkeys(Side, 0)

    def refine(self, zones: Zones) -> None:
        """Look here from now on, in a picture that did not move: reads stand, new cells are due."""
        assert self._zones is not None
        self._due = due_within(self._due, self._zones.table, zones.table, READS_AFTER_CHANGE)
        self._zones = zones

    def look(
        self,
        y: Picture,
        now: Thumb,
        t_s: float,
        camera: Camera,
        size: CardSize,
        lying: Iterable[Lies] = (),
        *,
        spare: bool = False,
    ) -> Detections:
        """Finds the tags and labels of this frame. Raises RuntimeError before the first ``aim``.

        ``now`` is the frame's thumbnail, ``size`` a card's. ``lying`` are cards that lay there in the last frame and
        are no hand. ``spare``: this frame has cost enough already, what is due is read in the next.
        """
        zones = self._zones
        if zones is None:
            raise RuntimeError("the detector was never told where to look: call aim with the calibration's zones first")
        cells_per_mm = zones.module_px * QR_MODULES / self._table.qr_mm / CELL_PX
        if self._last is None:
            self._last = now
        if self._read_as is None:
            self._read_as = now.copy()
        slope = steepness(now)
        moved = change(now, self._last, slope)
        moving = both(moved.cells, zones.table)
        self._last = now
        self._frames += 1
        changed = fresh = self._changed(now, moved, slope, zones)
        arm = self._arms.look(
            now,
            slope,
            t_s,
            zones.table,
            moving=moved.cells,
            quiet=not any_of(fresh),
            cards=cells_at_cards(lying, size, AT_REST_MM, camera, now.shape),
            # A card's diagonal, 108 mm of usual ones: no part of a card is longer.
            hand_cells=math.hypot(size.width_mm, size.height_mm) * cells_per_mm,
        )
        motion = any_of(wide(moving))
        if not motion:
            moving = np.zeros_like(moving)
        has_arm = any_of(arm)
        near_hand = grown(moving | arm, _NEAR_MOTION_CELLS)
        # What only may be a hand is read all the same: if it turns out to be cards, none was.
        restless = grown(moving, _NEAR_MOTION_CELLS) if self._arms.may_be_cards else near_hand
        settled, self._lost = np.zeros_like(fresh), ()
        if (any_of(self._due) or any_of(fresh)) and not spare:
            around = round(size.height_mm / 2 * cells_per_mm)
            fresh, settled = self._read_due(y, now, fresh, restless, zones, around)
        if not motion and not spare:
            self._search_tags(y, zones, camera)
        return Detections(
            tags=tuple(marker for marker in self._tags if not touched(fresh, marker.corners)),
            labels=tuple(label for label in self._labels if not touched(fresh, label.corners)),
            unread=self._unread,
            near_hand=near_hand,
            hand=motion or has_arm,
            guessed=not motion and has_arm and self._arms.untold,
            changed=changed,
            shaken=moved.shift_px > MOVED_PX,
            idle=not any(any_of(cells) for cells in (near_hand, moved.cells, fresh, self._due)),
            settled=settled,
            restless=restless,
            kept_back=grown(self._arms.absorbed, _NEAR_MOTION_CELLS),
            lost=self._lost,
            unanswered=self._reader.failed,
            arm=arm if has_arm and not self._arms.may_be_cards else None,
        )

    def also(self, found: Detections, labels: tuple[Label, ...], tags: tuple[Marker, ...], *, kept: bool) -> Detections:
        """Adds the finds of another look at the same frame; ``kept``: for the next frames, too."""
        more = tuple(label for label in labels if not any(same_place(label, other) for other in self._labels))
        new = (marker for marker in tags if not any(same_tag(marker, other) for other in self._tags))
        more_tags = tuple(marker for marker in new if marker.id in self._ids)
        if not more and not more_tags:
            return found
        unread = tuple(place for place in self._unread if not any(same_code(place, label.corners) for label in more))
        if kept:
            ids = {marker.id for marker in more_tags}
            for corners in (marker.corners for marker in self._tags if marker.id in ids):
                self._due[cells_under(corners, 1)] = 1  # it may have left there unseen
            self._labels, self._tags, self._unread = (*self._labels, *more), (*self._tags, *more_tags), unread
        return replace(found, labels=(*found.labels, *more), tags=(*found.tags, *more_tags), unread=unread)

    def doubt(self, y: Picture, camera: Camera, ids: Sequence[int]) -> None:
        """Tags with these numbers seem to lie: each stands where its modules match, if they do."""
        for tag in match_tags(y, camera, self._table, ids):
            self._tags = (*(other for other in self._tags if other.id != tag.id), tag)

    def _read_due(
        self, y: Picture, now: Thumb, fresh: Mask, near_hand: Mask, zones: Zones, around: int
    ) -> tuple[Mask, Mask]:
        """Reads what is due in this frame.

        Gives the cells that differ from when they were read after that, and those that did and were read now at rest.
        """
        assert self._read_as is not None
        self._due = np.maximum(self._due, fresh)
        self._passed |= fresh
        # Where a hand only passed, what it passed over looks as it did when it was read: one look makes sure, once the
        # hand is gone. Where so many cells ``around``, as a card has, look otherwise, something came or went.
        differs = grown(without(fresh, near_hand), around)
        region = self._to_read(zones, near_hand, differs)
        if not any_of(region):
            return fresh, np.zeros_like(fresh)
        before = self._due.copy(), self._passed.copy(), self._labels, self._unread
        here = both(region, self._passed)
        passed = both(without(here, differs), (self._due == 1).view(np.uint8))
        self._due = np.maximum(self._due, both(here, differs) * np.uint8(READS_AFTER_CHANGE)) - region
        self._passed = without(self._passed, region)
        self._reader.failed = False
        self._read(y, zones, region, passed)
        if self._reader.failed:
            self._due, self._passed, self._labels, self._unread = before
            self._lost = ()
            return fresh, np.zeros_like(fresh)
        # A hand that was read with the rest for want of a better moment is nothing to compare with later. What is kept
        # of several frames is kept as bright as in the first: light that flickers would make a patchwork of it.
        # The cells around were read with it: a cell counts as changed by its neighbours, which alone may not.
        cv2.copyTo(now / np.float32(1.0 + self._gain), without(grown(region, 1), near_hand), self._read_as)
        return without(fresh, region), without(both(fresh, region), near_hand)

    def _changed(self, now: Thumb, moved: ThumbChange, slope: Steepness, zones: Zones) -> Mask:
        """The cells that differ from when they were read; seldom asked while nothing moves and nothing did differ."""
        assert self._read_as is not None
        quiet = not self._differed and not any_of(moved.cells) and not any_of(self._due)
        if quiet and self._frames % DRIFT_FRAMES:
            return np.zeros_like(zones.table)
        found = change(now, self._read_as, slope, zones.table)
        self._differed = any_of(found.cells)
        self._gain = found.gain
        return found.cells

    def _to_read(self, zones: Zones, near_hand: Mask, differs: Mask) -> Mask:
        """The cells to read in this frame: those that are due and hold still, or have waited too long for that."""
        wanted = both(self._due, zones.table * np.uint8(255))
        waits = (wanted > 0).view(np.uint8)
        if not any_of(near_hand):
            self._skipped = 0
            return waits
        region = without((wanted > 1).view(np.uint8) | both(waits, differs), near_hand)
        self._skipped = self._skipped + 1 if any_of(both(waits, near_hand)) else 0
        if self._skipped >= STARVED_FRAMES:
            self._skipped = 0
            region = waits
        return region

    def _read(self, y: Picture, zones: Zones, region: Mask, passed: Mask) -> None:
        """Reads a region. What only was ``passed`` over holds what was found there before, and nothing else."""
        codes = cells_of_marks([*(label.corners for label in self._labels), *self._unread], region.shape)
        tags = cells_of_marks([marker.corners for marker in self._tags], region.shape)
        self._read_labels(y, zones, without(region, without(passed, codes)))
        self._read_tags(y, zones, without(region, without(passed, tags)))

    def _read_tags(self, y: Picture, zones: Zones, region: Mask) -> None:
        standing = [marker for marker in self._tags if not touched(region, marker.corners, 1)]
        if len(standing) == len(self._tags) and {marker.id for marker in standing} == self._ids.keys():
            return  # nothing changed where either of them stands, and there is no third
        known = [marker.corners for marker in self._tags]
        boxes = boxes_around(both(region, zones.strip), zones.strip_box, known)
        if boxes:
            tags = [
                marker for box in boxes for marker in self._finder.find_in(y, box, quick=True) if marker.id in self._ids
            ]
            seen = {marker.id for marker in tags}
            apart = [marker for marker in standing if not any(same_tag(marker, tag) for tag in tags)]
            kept = [marker for marker in apart if marker.id not in seen or self._finder.stands(y, marker)]
            self._tags = (*kept, *tags)

    def _read_labels(self, y: Picture, zones: Zones, region: Mask) -> None:
        if not any_of(both(region, zones.play)):
            return
        read: list[Label] = []
        unread: list[Floats] = []
        cells = worth_reading(y, both(region, zones.play), zones.module_px)
        known = [*(label.corners for label in self._labels), *self._unread]
        for box in boxes_around(cells, zones.play_box, known):
            found = self._reader.read(y, box, zones.module_px)
            # Boxes may overlap.
            read += [label for label in found.labels if not any(same_place(label, other) for other in read)]
            unread += [place for place in found.unread if not any(same_code(place, other) for other in unread)]
        before = self._labels
        read = [as_before(label, before) for label in read]
        kept = [
            label
            for label in before
            if not touched(region, label.corners, least=1) and not any(same_place(label, other) for other in read)
        ]
        self._lost = tuple(
            label for label in before if not any(label is other or same_place(label, other) for other in (*kept, *read))
        )
        for label in self._lost:
            # It may only have been half hidden by a hand: look there again once that holds still.
            self._look_again(label, READS_AFTER_CHANGE)
        for label in read:
            if not any(same_place(label, other) for other in before):
                self._look_again(label, READS_AFTER_CHANGE - 1)
        self._labels = (*kept, *read)
        still_unread = [
            place
            for place in self._unread
            if not touched(region, place, least=1)
            and not any(same_code(place, other) for other in (*unread, *(label.corners for label in read)))
        ]
        self._unread = (*still_unread, *unread)

    def _look_again(self, label: Label, times: int) -> None:
        assert self._zones is not None
        cells = cells_under(label.corners)
        self._due[cells] = np.maximum(self._due[cells], np.uint8(times) * self._zones.table[cells])

    def _search_tags(self, y: Picture, zones: Zones, camera: Camera) -> None:
        """A tag that is not where it was: the whole strip with every window, then by its modules, then the picture."""
        strays = [marker for marker in self._tags if not zones.table[cells_under(marker.corners)].all()]
        if strays:
            # Outside the zones no change is watched for: such a tag is looked for in every frame, its side around.
            size = (y.shape[1], y.shape[0])
            kept = [marker for marker in self._tags if not any(marker is stray for stray in strays)]
            for stray in strays:
                box = box_around(stray.corners, float(np.ptp(stray.corners, axis=0).max()), *size)
                kept += [marker for marker in self._finder.find_in(y, box, quick=True) if marker.id == stray.id][:1]
            self._tags = tuple(kept)
        seen = {marker.id for marker in self._tags}
        for number, side in self._ids.items():
            self._missing[side] = 0 if number in seen else self._missing[side] + 1
        longest = max(self._missing.values())
        if longest == 0:
            return
        found: tuple[Marker, ...] = ()
        # One search a frame: each of the three at once, then seldom, the strip as often as the two others together.
        again, rest = divmod(longest, SELDOM_FRAMES)
        turn = longest if longest < SELDOM_FRAMES else -1 if rest else (3, 1, 2, 1)[again % 4]
        if turn == 3:
            found = self._finder.find(y, quick=True)
        elif turn == 2:
            found = match_tags(y, camera, self._table, self._ids.keys() - seen)
        elif turn == 1:
            found = self._finder.find_in(y, zones.strip_box)
        self._tags += tuple(marker for marker in found if marker.id in self._ids and marker.id not in seen)


def touched(cells: Mask, corners: Floats, least: int = 3) -> bool:
    """Whether at least this many of these cells lie under a mark's box."""
    return cv2.countNonZero(cells[cells_under(corners)]) >= least
