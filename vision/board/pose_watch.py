"""Keeps the calibration true while people play: the board is knocked, the camera bumped, and found again.

Begun from whatever the first frames show, it is refined whenever a marker comes into view that had not counted, or not
wholly; and handed on only when that moves a space, as a new calibration makes the eyes read everything afresh.

Whether a marker is in its place is a chi-squared test that a marker in its place fails once in ten thousand looks. The
board, or the camera, moved if the middle one of the markers in view fails it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final

import numpy as np

from vision.belief import UNLIKELY
from vision.board.calibration import (
    MOVED_PX,
    Calibration,
    CalibrationError,
    calibrate_corners,
    marker_corners_mm,
    scaled_to,
)
from vision.board.lens_fit import MARKER_SD_MM, STILL_SD_PX, LensBelief
from vision.board.worst_case import apart_mm
from vision.board.zones import Zones, zones_of
from vision.cells import median
from vision.frame import Picture
from vision.geometry import Floats, mean_side
from vision.marks.markers import Marker, MarkerFinder
from vision.printed.table import MIN_CORNERS, Table

CHECK_EVERY_S: Final = 1.0  # measured to be enough: READING.md, "What a frame costs"
FIRST_LOOKS: Final = 8  # the mean of more is hardly more exact; chosen
REFINE_EVERY_S: Final = FIRST_LOOKS * CHECK_EVERY_S  # by then all looks at a marker are new ones
WORTH_MM: Final = MARKER_SD_MM / 2
"""A refined calibration is handed on when it moves a space by more than this: less is lost in how markers are laid."""


class BoardSeen(Enum):
    """Where the board is, by its corner markers."""

    UNKNOWN = "unknown"  # not found yet
    FOUND = "found"
    MOVED = "moved"  # found elsewhere, not agreed on yet
    LOST = "lost"


class _Looks:
    """The latest looks at each corner marker and fencer's tag, as far back as they agree.

    A hand at a marker's edge pulls a corner: once it is gone, the looks at the marker begin anew. So do those at the
    tag of a fencer who was moved; as nothing else moved, the old place is still worth knowing. ``began`` are those that
    began since they counted last.
    """

    def __init__(self) -> None:
        self._looks: dict[int, list[Floats]] = {}
        self.began: set[int] = set()

    def add(self, markers: Iterable[Marker]) -> None:
        """One look: each marker once."""
        for marker in markers:
            looks = self._looks.get(marker.id, [])
            if looks and float(np.abs(_middle(looks) - marker.corners).max()) > MOVED_PX:
                looks = []
            if not looks:
                self.began.add(marker.id)
            self._looks[marker.id] = [*looks, marker.corners][-FIRST_LOOKS:]

    def corners(self, *, agreed: bool = False) -> dict[int, Floats]:
        """The median place (4, 2) px of each. ``agreed``: seen there again, as a board that is moving is not."""
        return {number: _middle(looks) for number, looks in sorted(self._looks.items()) if len(looks) > agreed}


class PoseWatch:
    """Finds the board in the first frames and looks after its corner markers from then on.

    ``look`` at every frame; ``calibration`` and ``zones`` are what to work with, None until the board was found,
    and new values whenever it was found elsewhere or more exactly. ``best`` is what was found most exactly, so near to
    ``calibration`` that it was not worth handing on. ``lens`` is what is known of the lens beforehand. While nothing
    can be worked with, ``rough`` is what is too uncertain for that, and ``loose_tags`` are the fencers' tags in view.
    ``mirrored``: the board was not found, and in the picture's mirror image its markers are. ``places``: how many
    places the board was found at; a calibration that is only more exact than the one before leaves that as it is.
    """

    def __init__(
        self, table: Table, calibration: Calibration | None, finder: MarkerFinder, lens: LensBelief | None = None
    ) -> None:
        self._table = table
        self._finder = finder
        self._given = calibration
        self._lens = lens
        self._here, self._elsewhere = _Looks(), _Looks()
        self._first = 0 if calibration is None else FIRST_LOOKS  # looks at everything so far, that many in all
        self._places: dict[int, tuple[Floats, float]] = {}  # corners (4, 2) px and their variance, by a marker's id
        self._checked_s = -math.inf
        self._refined_s = -REFINE_EVERY_S
        self._due_s: float | None = None  # since when a fit waits for a frame at rest, REFINE_EVERY_S at most
        self._own = [corner.id for corner in table.corners]
        self._tags = [number for _, number in table.fencer_ids.items()]
        self._seen: set[int] = set()
        self._turn = 0
        self._in_vain = 0
        self.calibration: Calibration | None = None
        self.best: Calibration | None = None
        self.zones: Zones | None = None
        self.rough: Calibration | None = None
        self.loose_tags: tuple[Marker, ...] = ()
        self.corners: tuple[Marker, ...] = ()
        self.board = BoardSeen.UNKNOWN
        self.mirrored = False
        self.places = 0

    def must_look(self, t_s: float) -> bool:
        """Whether the markers are to be looked at in a frame of this time, however it looks."""
        begins = self.calibration is None or self._first < FIRST_LOOKS
        return begins or not 0.0 <= t_s - self._checked_s < CHECK_EVERY_S

    def look(self, y: Picture, t_s: float, *, suspicious: bool) -> None:
        """One frame. ``suspicious``: the picture as a whole may have moved, so look at once."""
        if self.calibration is None and self._given is not None:
            self._use(scaled_to(self._given, y.shape[1], y.shape[0]))
        self._in_vain = self._in_vain + 1 if self.board is BoardSeen.LOST and not self.corners else 0
        if self._in_vain % FIRST_LOOKS == 1:
            # Now and then the mirror image is searched instead of the picture.
            self.mirrored = self._finder.is_mirrored(y, self._own)
            return
        self.mirrored = self.mirrored and self._in_vain > 0
        if self.must_look(t_s) or self.board is not BoardSeen.FOUND or suspicious:
            self._checked_s = t_s
            if self.calibration is None:
                self._begin(y)
            else:
                self._check(y, t_s, suspicious=suspicious)

    def refine_at_rest(self, t_s: float) -> None:
        """Fit again, if that is due, in a frame that costs nothing else: a fit takes as long as two or three frames."""
        if self._due_s is not None:
            self._refine(t_s)

    def _begin(self, y: Picture) -> None:
        """Nothing is known yet: a calibration as soon as there is one."""
        found = self._finder.find_soon(y)
        # The costly way only where the other one does not find enough to begin with.
        if sum(marker.id in self._own for marker in found) < MIN_CORNERS or len(found) < MIN_CORNERS + len(self._tags):
            found = self._finder.find(y)
        self.loose_tags = _once(found, self._tags)
        self.corners = _once(found, self._own)
        before = self._here.corners()
        off = [_off_px(marker, before[marker.id]) for marker in self.corners if marker.id in before]
        if off and float(median(off)) > MOVED_PX:
            self._here, self._first = _Looks(), 0
        if not self.corners:
            self.board = BoardSeen.LOST
            return
        self._first += 1
        self._seen |= {marker.id for marker in self.corners}
        self._here.add((*self.corners, *self.loose_tags))
        # What did not suffice will hardly do so in the next frame, and a fit takes its time.
        if self._first & (self._first - 1) and self._first % FIRST_LOOKS:
            return
        corners = self._here.corners(agreed=self._first > 1)
        try:
            found_there = calibrate_corners(corners, self._table, y.shape[1], y.shape[0], self._lens)
        except CalibrationError as error:
            self.board = BoardSeen.LOST
            self.rough = error.rough
            return
        self._here.began -= corners.keys()
        self._use(found_there)

    def _use(self, calibration: Calibration, *, elsewhere: bool = True) -> None:
        self.calibration, self.board = calibration, BoardSeen.FOUND
        self.places += elsewhere
        self.zones = zones_of(calibration, self._table)
        self._refer(calibration)

    def _refer(self, calibration: Calibration) -> None:
        """From now on the markers are expected where this calibration has them."""
        self.best = calibration
        for number, corners in marker_corners_mm(self._table).items():
            px, variance = calibration.expected_px.get(number), STILL_SD_PX**2
            if px is None:
                px = calibration.camera.project(corners)
                variance += (MARKER_SD_MM * mean_side(px) / self._table.board_size_mm) ** 2
            self._places[number] = px, variance

    def _refine(self, t_s: float) -> None:
        """Fit again with all that was seen since nothing moved, and hand that on where it makes a difference."""
        assert self.calibration is not None
        assert self.best is not None
        camera = self.calibration.camera
        lens = self._given.lens if self._given is not None else self._lens
        self._here.began.clear()
        self._refined_s, self._due_s = t_s, None
        seen, near = self._here.corners(), self.best.camera
        try:
            found = calibrate_corners(seen, self._table, camera.width, camera.height, lens, near)
        except CalibrationError:
            return
        if _unsure_mm(found) > _unsure_mm(self.best) + WORTH_MM and found.used <= self.best.used:
            return
        if float(apart_mm(camera, found.camera, self._table).max()) > WORTH_MM:
            self._use(found, elsewhere=False)
        else:
            self._refer(found)

    def _check(self, y: Picture, t_s: float, *, suspicious: bool) -> None:
        """Are the markers where they were? One after the other is asked; two, when there is reason to ask; in the first
        looks all of them.

        Of a board that was turned about one of them the other one tells. When not all asked are there, all are looked
        for: one in its place is enough then, as no hand hides all four. Now and then those are asked that have not
        counted yet.
        """
        self._turn += 1
        begins = self._first < FIRST_LOOKS
        known = [number for number in self._own if number in self._seen] or self._own
        asked = known[self._turn % 2 :: 2] if suspicious else known[self._turn % len(known) :][:1]
        asked = self._own if begins or self.board is not BoardSeen.FOUND else asked or known
        markers = self._near(y, asked)
        if asked is not self._own:
            if len(markers) < len(asked) or any(self._misfit(marker) > UNLIKELY for marker in markers):
                asked = self._own
                markers = self._near(y, asked)
            elif wanted := self._wanted([number for number in self._own if number not in asked]):
                asked = [*asked, *wanted]
                markers = (*markers, *self._near(y, wanted))
        if not markers or self._has_moved(markers):
            found = self._finder.find(y, quick=True)
            markers, asked = _once(found, self._own), self._own
            if self._has_moved(markers):
                self._look_elsewhere(y, (*markers, *_once(found, self._tags)))
                return
        self._elsewhere = _Looks()
        self._first += begins
        if not markers:
            self.board = BoardSeen.LOST
            self.corners = ()
            return
        self.board = BoardSeen.FOUND
        self._seen = (self._seen - set(asked)) | {marker.id for marker in markers}
        self.corners = (*(marker for marker in self.corners if marker.id not in asked), *markers)
        self._here.add(marker for marker in markers if self._misfit(marker) <= UNLIKELY)
        if begins:
            assert self.zones is not None
            self.loose_tags = _once(self._finder.find_in(y, self.zones.strip_box, quick=True), self._tags)
            self._here.add(self.loose_tags)
            if self._first == FIRST_LOOKS:
                self._refine(t_s)
        elif not self._here.began & self._here.corners(agreed=True).keys() or t_s - self._refined_s < REFINE_EVERY_S:
            self._due_s = None
        elif self._due_s is None:
            self._due_s = t_s
        elif t_s - self._due_s >= REFINE_EVERY_S:
            self._refine(t_s)

    def _wanted(self, others: Sequence[int]) -> list[int]:
        """Those that have not counted yet, or not wholly; and, now and then, one that was not to be seen."""
        assert self.best is not None
        counted = self.best.used - set(self.best.left_out) - self._here.began
        wanted = [number for number in others if number in self._seen and number not in counted]
        unseen = [number for number in others if number not in self._seen]
        turns, now = divmod(self._turn, 2)
        return [*wanted, unseen[turns % len(unseen)]] if unseen and now else wanted

    def _misfit(self, marker: Marker) -> float:
        """Chi-squared with two degrees of freedom, of how far a marker is from its place."""
        place, variance = self._places[marker.id]
        return _off_px(marker, place) ** 2 / variance

    def _has_moved(self, markers: Sequence[Marker]) -> bool:
        """Whether these say that the board, or the camera, moved: fewer are in their places than are not.

        Of one that is off while as many stay, all corners have to be: a hand pulls one or two.
        """
        return bool(markers) and float(median([self._misfit(marker) for marker in markers])) > UNLIKELY

    def _look_elsewhere(self, y: Picture, markers: tuple[Marker, ...]) -> None:
        """The board was found at another place: believed when looks agree on where. The lens is the same, or, where
        that does not fit, the one known beforehand.
        """
        assert self.calibration is not None
        self.corners = _once(markers, self._own)
        self.board = BoardSeen.MOVED
        self._elsewhere.add(markers)
        corners = self._elsewhere.corners(agreed=True)
        corners = {marker.id: corners[marker.id] for marker in markers if marker.id in corners}
        for lens in (self.calibration.lens, self._lens):
            try:
                found = calibrate_corners(corners, self._table, y.shape[1], y.shape[0], lens)
            except CalibrationError:
                continue
            self._given, self._first, self._due_s = found, FIRST_LOOKS, None
            self._here, self._elsewhere = _Looks(), _Looks()
            self._use(found)
            return

    def _near(self, y: Picture, ids: list[int]) -> tuple[Marker, ...]:
        """Those of these corner markers that are within a little of where they should be."""
        assert self.zones is not None
        found = []
        for number in ids:
            box = self.zones.marker_boxes[number]
            found += [marker for marker in self._finder.find_in(y, box, quick=True) if marker.id == number][:1]
        return tuple(found)


def _once(markers: Iterable[Marker], wanted: Sequence[int]) -> tuple[Marker, ...]:
    """Those of these ids that are in view once: of two alike nobody knows which is the board's."""
    found = list(markers)
    ids = [marker.id for marker in found]
    return tuple(marker for marker in found if marker.id in wanted and ids.count(marker.id) == 1)


def _middle(looks: list[Floats]) -> Floats:
    return median(np.stack(looks), axis=0)


def _off_px(marker: Marker, place_px: Floats) -> float:
    """How far a marker is from a place: its second nearest corner is, as a hand may pull one or two."""
    return float(np.partition(np.linalg.norm(marker.corners - place_px, axis=1), 1)[1])


def _unsure_mm(calibration: Calibration) -> float:
    """How far off it may be; a calibration that does not say, as an old file, may be anything."""
    return math.inf if calibration.unsure_mm is None else calibration.unsure_mm
