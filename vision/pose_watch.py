"""Keeps the calibration true while people play: the board is knocked, the camera bumped, and found again."""

from __future__ import annotations

from enum import Enum
from typing import Final

import cv2
import numpy as np

from vision.calibration import (
    WORST_RMS_PX,
    Calibration,
    CalibrationError,
    calibrate_markers,
    marker_corners_mm,
    median_corners,
    scaled_to,
)
from vision.frame import Picture
from vision.geometry import Floats
from vision.markers import Marker, MarkerFinder
from vision.ranks import at_share
from vision.table import FEWEST_CORNERS, Table
from vision.zones import Zones, zones_of

CHECK_EVERY_S: Final = 1.0
FIRST_LOOKS: Final = 8
RESTS_FRAMES: Final = 3  # between looks that are only suspected to be needed, as while hands move
AGREEING_LOOKS: Final = 2
MOVED_PX: Final = 3.0
AGREE_PX: Final = 2.5
_SHARPNESS_KEPT: Final = 0.32
_LEGIBLE_SHARPNESS: Final = 0.5  # times the pixels of a label's module: below this they run into one another


class Board(Enum):
    """What the corner markers say."""

    UNKNOWN = "unknown"  # not found yet
    FOUND = "found"
    MOVED = "moved"  # found elsewhere, not agreed on yet
    LOST = "lost"


class PoseWatch:
    """Finds the board in the first frames and looks after its corner markers from then on.

    ``look`` at every frame; ``calibration`` and ``zones`` are what to work with, None until the board was found,
    and new values whenever it was found elsewhere. ``blurred``: the markers are much less sharp than they once were.
    """

    def __init__(self, table: Table, calibration: Calibration | None, finder: MarkerFinder) -> None:
        self._table = table
        self._finder = finder
        self._given = calibration
        self._first: list[tuple[Marker, ...]] = []
        self._agreeing: list[tuple[Marker, ...]] = []
        self._reference: dict[int, Floats] = {}
        self._checked_s: float | None = None
        self._sharpest = 0.0
        self._rested = 0
        self._own = [corner.id for corner in table.corners]
        self._turn = 0
        self.calibration: Calibration | None = None
        self.zones: Zones | None = None
        self.corners: tuple[Marker, ...] = ()
        self.board = Board.UNKNOWN
        self.blurred = False

    def is_due(self, t_s: float) -> bool:
        """Whether the markers are to be looked at in a frame of this time, however it looks."""
        return self._begins or self._checked_s is None or not 0.0 <= t_s - self._checked_s < CHECK_EVERY_S

    def look(self, y: Picture, t_s: float, *, suspicious: bool) -> None:
        """One frame. ``suspicious``: the picture as a whole may have moved, so look at once."""
        if self.calibration is None and self._given is not None:
            self._use(scaled_to(self._given, y.shape[1], y.shape[0]))
            self._reference = self._expected()
        if self._begins:
            self._begin(y)
            self._checked_s = t_s
            return
        self._rested += 1
        if self.is_due(t_s) or self.board is not Board.FOUND or (suspicious and self._rested >= RESTS_FRAMES):
            self._checked_s, self._rested = t_s, 0
            self._check(y, suspicious=suspicious)

    @property
    def _begins(self) -> bool:
        return self.calibration is None or (self._given is None and len(self._first) < FIRST_LOOKS)

    def _begin(self, y: Picture) -> None:
        """The first looks: a calibration as soon as there is one, a better one when all of them are in."""
        markers = self._board_markers(self._finder.find(y)) if self.zones is None else self._near(y, self._own)
        self.corners = markers
        if len(markers) < FEWEST_CORNERS:
            if self.calibration is None:
                self.board = Board.LOST
            else:
                self._check(y)
            return
        if self._first and _shift(_by_id(markers), _by_id(self._first[-1])) > MOVED_PX:
            # Bumped while beginning: go on as if this calibration had been given.
            self._given = self.calibration
            self._check(y)
            return
        self._first.append(markers)
        if self.calibration is not None and len(self._first) < FIRST_LOOKS:
            return
        try:
            calibration = calibrate_markers(self._first, self._table, y.shape[1], y.shape[0])
        except CalibrationError:
            if self.calibration is None:
                self._first.clear()
                self.board = Board.LOST
            return
        self._use(calibration)
        self._reference = median_corners(self._first, self._table)
        self._sharpest = max(self._sharpest, sharpness(y, markers))

    def _use(self, calibration: Calibration) -> None:
        self.calibration = calibration
        self.zones = zones_of(calibration, self._table)
        self.board = Board.FOUND

    def _check(self, y: Picture, *, suspicious: bool = True) -> None:
        """Are the markers where they were? One after the other is asked; two, when there is reason to ask.

        Of a board that was turned about one of them the other one tells. When not all asked are there, all are looked
        for: one in its place is enough then, as no hand hides all four.
        """
        self._turn += 1
        asked = self._own[self._turn % 2 :: 2] if suspicious else self._own[self._turn % len(self._own) :][:1]
        markers = self._near(y, asked)
        if (
            self.board is not Board.FOUND
            or len(markers) < len(asked)
            or any(_shift({marker.id: marker.corners}, self._reference) > MOVED_PX for marker in markers)
        ):
            asked = self._own
            markers = self._near(y, asked)
        moved_px = _shift(_by_id(markers), self._reference)
        if not markers or moved_px > MOVED_PX:
            markers = self._board_markers(self._finder.find(y, quick=True))
            moved_px = _shift(_by_id(markers), self._reference)
        if not markers:
            self._agreeing = []
            self.board = Board.LOST
            return
        if moved_px <= MOVED_PX:
            self.corners = (*(marker for marker in self.corners if marker.id not in asked), *markers)
            self._in_place(y, markers)
            return
        self.corners = markers
        self.board = Board.MOVED
        if self._agreeing and _shift(_by_id(markers), _by_id(self._agreeing[-1])) > AGREE_PX:
            self._agreeing = []
        self._agreeing.append(markers)
        if len(self._agreeing) >= AGREEING_LOOKS and len(markers) >= FEWEST_CORNERS:
            self._settle(y)

    def _in_place(self, y: Picture, markers: tuple[Marker, ...]) -> None:
        assert self.zones is not None
        self._agreeing = []
        self.board = Board.FOUND
        crispness = sharpness(y, markers)
        self._sharpest = max(self._sharpest, crispness)
        self.blurred = (
            crispness < _SHARPNESS_KEPT * self._sharpest and crispness * self.zones.module_px < _LEGIBLE_SHARPNESS
        )

    def _settle(self, y: Picture) -> None:
        """The markers hold still again: find the pose, or, where that does not fit, the lens as well."""
        assert self.calibration is not None
        corners = median_corners(self._agreeing, self._table)
        moved = self.calibration.moved_to(corners, self._table)
        if moved is None or moved.rms_px > WORST_RMS_PX:
            try:
                moved = calibrate_markers(self._agreeing, self._table, y.shape[1], y.shape[0])
            except CalibrationError:
                self.board = Board.LOST
                self._agreeing = []
                return
        self._agreeing = []
        self._given = moved
        self._use(moved)
        self._reference = corners

    def _near(self, y: Picture, ids: list[int]) -> tuple[Marker, ...]:
        """Those of these corner markers that are within a little of where they should be."""
        assert self.zones is not None
        found = []
        for number in ids:
            box = self.zones.marker_boxes[number]
            found += [marker for marker in self._finder.find_in(y, box, quick=True) if marker.id == number][:1]
        return tuple(found)

    def _board_markers(self, markers: tuple[Marker, ...]) -> tuple[Marker, ...]:
        """Corner markers that are in view once: of two alike nobody knows which is the board's."""
        ids = [marker.id for marker in markers]
        return tuple(marker for marker in markers if marker.id in self._own and ids.count(marker.id) == 1)

    def _expected(self) -> dict[int, Floats]:
        assert self.calibration is not None
        return {
            number: self.calibration.camera.project(corners)
            for number, corners in marker_corners_mm(self._table).items()
        }


def sharpness(y: Picture, markers: tuple[Marker, ...]) -> float:
    """How steep the markers' edges are, relative to their contrast: independent of how bright the light is."""
    values = []
    for marker in markers:
        low, high = np.floor(marker.corners.min(axis=0)).astype(int), np.ceil(marker.corners.max(axis=0)).astype(int)
        part = y[max(low[1], 0) : high[1], max(low[0], 0) : high[0]].astype(np.float32)
        if part.size == 0:
            continue
        contrast = float(cv2.meanStdDev(part)[1].item())
        if contrast > 1.0:
            values.append(at_share(np.abs(np.diff(part, 2, axis=1)), 0.9) / contrast)
    return float(np.median(values)) if values else 0.0


def _by_id(markers: tuple[Marker, ...]) -> dict[int, Floats]:
    return {marker.id: marker.corners for marker in markers}


def _shift(now: dict[int, Floats], before: dict[int, Floats]) -> float:
    """The median distance in px between corners of markers that are in both; 0 when none is."""
    apart = [np.linalg.norm(now[number] - before[number], axis=1) for number in now if number in before]
    return float(np.median(np.concatenate(apart))) if apart else 0.0
