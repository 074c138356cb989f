"""Keeps the calibration true while people play: the board is knocked, the camera bumped, and found again.

Begun from whatever the first frames show, it is refined whenever a marker comes into view that had not counted, or not
wholly; and handed on only when that moves a space, as a new calibration makes the eyes read everything afresh.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from typing import Final

import numpy as np

from vision.board.calibration import (
    MIN_IN_VIEW,
    Calibration,
    CalibrationError,
    calibrate_corners,
    marker_corners_mm,
    median_corners,
    scaled_to,
)
from vision.board.evidence import KEPT_LOOKS, MOVED_PX, Evidence
from vision.board.fit import MARKER_SD_MM
from vision.board.lens_fit import LensBelief
from vision.board.worst_case import apart_mm
from vision.board.zones import Zones, zones_of
from vision.frame import Picture
from vision.geometry import Floats
from vision.marks.markers import Marker, MarkerFinder
from vision.printed.table import Table
from vision.ranks import median

CHECK_EVERY_S: Final = 1.0  # measured to be enough: READING.md, "What a frame costs"
FIRST_LOOKS: Final = KEPT_LOOKS
RESTS_FRAMES: Final = 3  # between looks that are only suspected to be needed, as while hands move
AGREEING_LOOKS: Final = 2  # one look may be of a board that is still moving
COVERED_PX: Final = 15.0
"""A hand at a marker's edge pulls its corners no further than this."""
REFINE_EVERY_S: Final = 5.0
WORTH_MM: Final = 0.5
"""A refined calibration is handed on when it moves a space by more than this."""
_UNSURE_MM: Final = 3.0  # told by a calibration of a known lens: then the lens may be another


class BoardSeen(Enum):
    """What the corner markers say."""

    UNKNOWN = "unknown"  # not found yet
    FOUND = "found"
    MOVED = "moved"  # found elsewhere, not agreed on yet
    LOST = "lost"


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
        self._evidence = Evidence(table)
        self._looks = 0
        self._last: dict[int, Floats] = {}
        self._agreeing: list[tuple[Marker, ...]] = []
        self._reference: dict[int, Floats] = {}
        self._slack_px: dict[int, float] = {}
        self._checked_s: float | None = None
        self._refined_s = -REFINE_EVERY_S
        self._due_s: float | None = None  # since when a fit waits for a frame at rest, REFINE_EVERY_S at most
        self._rested = 0
        self._own = [corner.id for corner in table.corners]
        self._tags = [number for _, number in table.fencer_ids.items()]
        self._seen: set[int] = set()
        self._turn = 0
        self.calibration: Calibration | None = None
        self.best: Calibration | None = None
        self.zones: Zones | None = None
        self.rough: Calibration | None = None
        self.loose_tags: tuple[Marker, ...] = ()
        self.corners: tuple[Marker, ...] = ()
        self.board = BoardSeen.UNKNOWN
        self.mirrored = False
        self.places = 0
        self._in_vain = 0

    def is_due(self, t_s: float) -> bool:
        """Whether the markers are to be looked at in a frame of this time, however it looks."""
        return self._begins or self._checked_s is None or not 0.0 <= t_s - self._checked_s < CHECK_EVERY_S

    def look(self, y: Picture, t_s: float, *, suspicious: bool) -> None:
        """One frame. ``suspicious``: the picture as a whole may have moved, so look at once."""
        if self.calibration is None and self._given is not None:
            self._use(scaled_to(self._given, y.shape[1], y.shape[0]))
        self._in_vain = self._in_vain + 1 if self.board is BoardSeen.LOST and not self.corners else 0
        if self._in_vain % FIRST_LOOKS == AGREEING_LOOKS:
            # Now and then the mirror image is searched instead of the picture.
            self.mirrored = self._finder.is_mirrored(y, self._own)
            return
        self.mirrored = self.mirrored and self._in_vain > 0
        if self._begins:
            self._begin(y, t_s)
            self._checked_s = t_s
            return
        self._rested += 1
        if self.is_due(t_s) or self.board is not BoardSeen.FOUND or (suspicious and self._rested >= RESTS_FRAMES):
            self._checked_s, self._rested = t_s, 0
            self._check(y, t_s, suspicious=suspicious)

    @property
    def _begins(self) -> bool:
        return self.calibration is None or (self._given is None and self._looks < FIRST_LOOKS)

    def _begin(self, y: Picture, t_s: float) -> None:
        """The first looks: a calibration as soon as there is one, a better one when all of them are in."""
        if self.zones is None:
            markers = self._once(self._sought(y), [*self._own, *self._tags])
        else:
            markers = (*self._near(y, self._own), *self._standing(y))
        self.loose_tags = self._once(markers, self._tags)
        self.corners = board = self._once(markers, self._own)
        here = _by_id(board)
        if _shift(here, self._last) > MOVED_PX:
            if self.calibration is not None:
                # Bumped while beginning: go on as if this calibration had been given.
                self._given = self.calibration
                self._check(y, t_s)
                return
            self._evidence.clear()
            self._looks = 0
        if not board:
            if self.calibration is None:
                self.board = BoardSeen.LOST
            else:
                self._looks += 1
                self._check(y, t_s)
            return
        self._last = here
        self._seen |= set(here)
        self._looks += 1
        self._evidence.add(markers)
        if self.calibration is not None and self._looks < FIRST_LOOKS:
            return
        if self.calibration is not None:
            self._refine(t_s)
        elif self._looks & (self._looks - 1) == 0 or self._looks % FIRST_LOOKS == 0:
            # What did not suffice will hardly do so in the next frame, and a fit takes its time.
            self._first_fit(y)

    def _sought(self, y: Picture) -> tuple[Marker, ...]:
        """All markers in the picture; the costly way only where the other one does not find enough to begin with."""
        found = self._finder.find_soon(y)
        board = [marker for marker in found if marker.id in self._own]
        enough = len(board) >= MIN_IN_VIEW and len(found) >= MIN_IN_VIEW + len(self._tags)
        return found if enough else self._finder.find(y)

    def _first_fit(self, y: Picture) -> None:
        least = 1 if self._looks == 1 else 2
        corners = self._evidence.corners(least)
        try:
            found = calibrate_corners(corners, self._table, y.shape[1], y.shape[0], self._lens)
        except CalibrationError as error:
            self.board = BoardSeen.LOST
            self.rough = error.rough
            return
        self._evidence.settled(corners)
        self._use(found)

    def _use(self, calibration: Calibration, *, elsewhere: bool = True) -> None:
        self.calibration = calibration
        self.places += elsewhere
        self.zones = zones_of(calibration, self._table)
        self.board = BoardSeen.FOUND
        self._refer(calibration)

    def _refer(self, calibration: Calibration) -> None:
        """From now on the markers are expected where this calibration has them."""
        assert self.zones is not None
        self.best = calibration
        px_per_mm = {}
        for number, corners in marker_corners_mm(self._table).items():
            px = calibration.camera.project(corners)
            self._reference[number] = calibration.expected_px.get(number, px)
            px_per_mm[number] = float(np.linalg.norm(px[1] - px[0])) / self._table.board_size_mm
        self._slack_px = {
            number: MOVED_PX + (0.0 if number in calibration.expected_px else 2.5 * MARKER_SD_MM * px_per_mm[number])
            for number in self._own
        }

    def _refine(self, t_s: float) -> None:
        """Fit again with all that was seen since nothing moved, and hand that on where it makes a difference."""
        assert self.calibration is not None
        assert self.best is not None
        corners = self._evidence.corners()
        camera = self.calibration.camera
        lens = self._given.lens if self._given is not None else self._lens
        self._evidence.settled(corners)
        self._refined_s, self._due_s = t_s, None
        try:
            near = self.best.camera if _told(self.best) < _UNSURE_MM else None
            found = calibrate_corners(corners, self._table, camera.width, camera.height, lens, near)
        except CalibrationError:
            return
        # A file says of itself how good it is only if it was told.
        told, before = found.unsure_mm, self.best.unsure_mm
        if told is not None and before is not None and told > before + WORTH_MM and found.used <= self.best.used:
            return
        if float(apart_mm(camera, found.camera, self._table).max()) > WORTH_MM:
            self._use(found, elsewhere=False)
        else:
            self._refer(found)

    def _check(self, y: Picture, t_s: float, *, suspicious: bool = True) -> None:
        """Are the markers where they were? One after the other is asked; two, when there is reason to ask.

        Of a board that was turned about one of them the other one tells. When not all asked are there, all are looked
        for: one in its place is enough then, as no hand hides all four. Now and then those are asked that have not
        counted yet.
        """
        self._turn += 1
        known = [number for number in self._own if number in self._seen] or self._own
        asked = known[self._turn % 2 :: 2] if suspicious else known[self._turn % len(known) :][:1]
        asked = asked or known
        markers = self._near(y, asked)
        if (
            self.board is not BoardSeen.FOUND
            or len(markers) < len(asked)
            or any(not self._is_in_place(marker) for marker in markers)
        ):
            asked = self._own
            markers = self._near(y, asked)
        else:
            wanted = self._wanted([number for number in self._own if number not in asked])
            if wanted:
                asked = [*asked, *wanted]
                markers = (*markers, *self._near(y, wanted))
        if not markers or self._has_moved(markers):
            found = self._finder.find(y, quick=True)
            markers = self._once(found, self._own)
            asked = self._own
            if markers and self._has_moved(markers):
                self._elsewhere(y, self._once(found, [*self._own, *self._tags]))
                return
        if not markers:
            self._agreeing = []
            self.board = BoardSeen.LOST
            self.corners = ()
            return
        self._seen = (self._seen - set(asked)) | {marker.id for marker in markers}
        self.corners = (*(marker for marker in self.corners if marker.id not in asked), *markers)
        self._in_place(t_s, markers)

    def _wanted(self, others: Sequence[int]) -> list[int]:
        """Those that have not counted yet, or not wholly; and, now and then, one that was not to be seen."""
        assert self.best is not None
        fresh = self._evidence.fresh(1)
        wanted = [
            number
            for number in others
            if number in self._seen
            and (number not in self.best.used or number in self.best.left_out or number in fresh)
        ]
        unseen = [number for number in others if number not in self._seen]
        turns, left = divmod(self._turn, RESTS_FRAMES)
        return [*wanted, unseen[turns % len(unseen)]] if unseen and left == 0 else wanted

    def _is_in_place(self, marker: Marker) -> bool:
        return self._off_px(marker) <= self._slack_px[marker.id]

    def _off_px(self, marker: Marker) -> float:
        """How far a marker is from its place: the median of its corners, as a hand may pull one of them."""
        return float(median(np.linalg.norm(marker.corners - self._reference[marker.id], axis=1)))

    def _has_moved(self, markers: Sequence[Marker]) -> bool:
        """Whether these say that the board, or the camera, moved.

        One that is a little off while another is in its place is half covered: a hand pulls its corners.
        """
        off = [marker for marker in markers if not self._is_in_place(marker)]
        staying = len(markers) - len(off)
        if len(off) == staying:
            return bool(off) and any(self._off_px(marker) > COVERED_PX for marker in off)
        return len(off) > staying

    def _elsewhere(self, y: Picture, markers: tuple[Marker, ...]) -> None:
        """The board was found at another place: it is believed when two looks in a row agree on where."""
        board = self._once(markers, self._own)
        self.corners = board
        self.board = BoardSeen.MOVED
        if self._agreeing and _shift(_by_id(board), _by_id(self._agreeing[-1])) > MOVED_PX:
            self._agreeing = []
        self._agreeing.append(markers)
        if len(self._agreeing) >= AGREEING_LOOKS:
            self._settle(y)

    def _in_place(self, t_s: float, markers: tuple[Marker, ...]) -> None:
        self._agreeing = []
        self.board = BoardSeen.FOUND
        self._evidence.add(marker for marker in markers if self._is_in_place(marker))
        if not self._evidence.fresh(AGREEING_LOOKS) or t_s - self._refined_s < REFINE_EVERY_S:
            self._due_s = None
        elif self._due_s is None:
            self._due_s = t_s
        elif t_s - self._due_s >= REFINE_EVERY_S:
            self._refine(t_s)

    def refine_at_rest(self, t_s: float) -> None:
        """Fit again, if that is due, in a frame that costs nothing else: a fit takes as long as two or three frames."""
        if self._due_s is not None:
            self._refine(t_s)

    def _settle(self, y: Picture) -> None:
        """The markers hold still again: find the pose, or, where that does not fit, the lens as well."""
        assert self.calibration is not None
        corners = median_corners(self._agreeing[-AGREEING_LOOKS:], self._table)
        moved: Calibration | None = None
        for lens in (self.calibration.lens, self._lens):
            if moved is None or _told(moved) > _UNSURE_MM:
                with suppress(CalibrationError):
                    found = calibrate_corners(corners, self._table, y.shape[1], y.shape[0], lens)
                    moved = found if moved is None or _told(found) < _told(moved) else moved
        if moved is None:
            self._agreeing = self._agreeing[-AGREEING_LOOKS:]
            return
        self._agreeing = []
        self._given = moved
        self._evidence.clear()
        self._due_s = None
        self._use(moved)

    def _near(self, y: Picture, ids: list[int]) -> tuple[Marker, ...]:
        """Those of these corner markers that are within a little of where they should be."""
        assert self.zones is not None
        found = []
        for number in ids:
            box = self.zones.marker_boxes[number]
            found += [marker for marker in self._finder.find_in(y, box, quick=True) if marker.id == number][:1]
        return tuple(found)

    def _standing(self, y: Picture) -> tuple[Marker, ...]:
        """The fencers' tags on the track."""
        assert self.zones is not None
        return self._once(self._finder.find_in(y, self.zones.strip_box, quick=True), self._tags)

    def _once(self, markers: Iterable[Marker], wanted: Sequence[int]) -> tuple[Marker, ...]:
        """Those of these ids that are in view once: of two alike nobody knows which is the board's."""
        found = list(markers)
        ids = [marker.id for marker in found]
        return tuple(marker for marker in found if marker.id in wanted and ids.count(marker.id) == 1)


def _by_id(markers: tuple[Marker, ...]) -> dict[int, Floats]:
    return {marker.id: marker.corners for marker in markers}


def _shift(now: dict[int, Floats], before: dict[int, Floats]) -> float:
    """The median distance in px between corners of markers that are in both; 0 when none is."""
    apart = [np.linalg.norm(now[number] - before[number], axis=1) for number in now if number in before]
    return float(median(np.concatenate(apart))) if apart else 0.0


def _told(calibration: Calibration) -> float:
    """How far off it may be; a calibration that does not say may be anything."""
    return float("inf") if calibration.unsure_mm is None else calibration.unsure_mm
