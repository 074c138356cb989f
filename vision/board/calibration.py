"""The lens and the board's pose, found from the corner markers. Source: READING.md, "Where is the figure?"."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

import numpy as np

from vision.board.fit import BoardFit, fit_board
from vision.board.lens_fit import LensBelief, lens_parameters, unit_square, usual_spread
from vision.frame import Frame, Picture
from vision.geometry import Camera, Floats
from vision.marks.foreign import Run, in_process
from vision.marks.markers import Marker, MarkerFinder
from vision.printed.table import Table
from vision.ranks import median

VERSION: Final = 1  # of its text: FORMATS.md, "Calibrations"
WORST_RMS_PX: Final = 4.0
WORST_MM: Final = 7.5
"""A calibration that may be further off than this on a space is none: a figure is told to be on a space within 8 mm."""
WORST_OF_MANY_MM: Final = 10.0
"""The same where three markers or more agree: from very low, only their height over the track is in doubt."""
MIN_IN_VIEW: Final = 2
"""As many corner markers must be readable, or one and both fencers' tags."""
STILL_SD_PX: Final = 0.7  # each way; a still picture was seen to shift by 2.3 in hard light: READING.md, "At rest"
MOVED_PX: Final = 3.0  # more than that: STILL_SD_PX by the root of UNLIKELY
SURE_SIDE_PX: Final = 40.0  # measured: READING.md, "Markers"


class CalibrationError(ValueError):
    """No calibration can be made or read; the message says what was missing and what to change.

    ``rough`` is one that was found and is too uncertain at some spaces to be worked with.
    """

    def __init__(self, message: str, rough: Calibration | None = None) -> None:
        super().__init__(message)
        self.rough = rough


class MirroredError(CalibrationError):
    """The pictures are mirrored: the board's markers can be read in their mirror images alone."""


class SpaceView(NamedTuple):
    """How a fencer's tag on one space would appear: wholly in the picture or not, and its mean side in pixels."""

    space: int
    visible: bool
    tag_side_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A camera over the board, and how well the corner markers fit it: root mean squares in pixels and on the board.

    What all the squares' sides have in common, light that bleeds into black, is no part of the misfit, nor is what was
    left out. ``off_mm`` says how far off a tag may be read on each space, ``worst_mm`` on the worst one in view, 95 in
    100 times; None where nobody has told. ``used`` are the ids that were believed, ``left_out`` the corner markers in
    view that were not, or not wholly. ``lens_covariance`` (5, 5) is how well the lens is known, as in ``LensBelief``.
    ``expected_px`` has the corners (4, 2) of each square that was fitted where they should be seen, by its id.
    ``worst_mm`` is told as if one of them lay a little off its place; ``likely_mm`` is the same by how likely that is.
    """

    camera: Camera
    rms_px: float
    rms_mm: float
    version: int = VERSION
    worst_mm: float | None = None
    off_mm: tuple[float, ...] = ()
    used: frozenset[int] = frozenset()
    left_out: tuple[int, ...] = ()
    lens_covariance: Floats | None = None
    expected_px: Mapping[int, Floats] = field(default_factory=dict)
    likely_mm: float | None = None

    @property
    def unsure_mm(self) -> float | None:
        """By what it is good enough to be worked with: ``likely_mm``, or ``worst_mm`` where that was not told."""
        return self.worst_mm if self.likely_mm is None else self.likely_mm

    @property
    def lens(self) -> LensBelief:
        """The lens, as well as this calibration knows it."""
        known = self.lens_covariance
        mean = lens_parameters(self.camera.K, self.camera.dist)
        return LensBelief(mean, usual_spread(self.camera.width) if known is None else known)

    def spaces(self, table: Table) -> tuple[SpaceView, ...]:
        """How the camera would see a tag on each of the 23 spaces."""
        views = []
        for space in range(1, len(table.spaces_mm) + 1):
            corners = np.array(table.tag_mm(space)) + unit_square() * table.fencer_size_mm / 2
            px = self.camera.project(corners)
            ahead = float(self.camera.depth_mm(corners).min()) > 0
            side_px = float(np.linalg.norm(px - np.roll(px, 1, axis=0), axis=1).mean())
            views.append(SpaceView(space, bool(self.camera.holds(px).all() and ahead), side_px))
        return tuple(views)


def marker_corners_mm(table: Table) -> dict[int, Floats]:
    """Every corner marker's black square: id to (4, 3) mm, in the order in which a detector gives its corners."""
    square = unit_square() * table.board_size_mm / 2
    return {corner.id: np.array([corner.x, corner.y, corner.z]) + square for corner in table.corners}


def calibrate(
    frames: Iterable[Frame], table: Table, lens: LensBelief | None = None, run: Run = in_process
) -> Calibration:
    """The calibration from some frames of a still camera; their markers are taken together by the median.

    Any two corner markers suffice where they, with the fencers' tags in view, tell the spaces well enough. ``lens`` is
    what is known of it beforehand; None: the table file's field of view. ``run`` as in ``MarkerFinder``; a picture that
    it gives no answer on counts for nothing. Raises CalibrationError, saying what to change, when too little was seen
    or fits no camera, and on how many pictures there was no answer; MirroredError where the pictures are mirrored.
    """
    answers: list[object] = []

    def heard(name: str, y: Picture, *how: object) -> Any | None:
        answers.append(run(name, y, *how))
        return answers[-1]

    finder = MarkerFinder(table.dictionary, heard)
    looks: list[tuple[Marker, ...]] = []
    size = (table.camera.width, table.camera.height)
    asked, last = 0, None
    for frame in frames:
        asked, last = asked + 1, frame.y
        found = finder.find(frame.y)
        size = (frame.y.shape[1], frame.y.shape[0])
        if answers[-1] is not None:
            looks.append(found)
    own = [corner.id for corner in table.corners]
    unseen = bool(looks) and not any(marker.id in own for look in looks for marker in look)
    if unseen and last is not None and finder.is_mirrored(last, own):
        raise MirroredError(
            "the picture: expected it as the camera sees the table, found it mirrored, so that no code can be read; "
            "switch mirroring off where the camera is set up"
        )
    if len(looks) == asked:
        return calibrate_markers(looks, table, *size, lens)
    late = f"the reader of markers gave no answer in time on {asked - len(looks)} of {asked} pictures"
    late += ": let this machine do nothing else meanwhile, and try again"
    if not looks:
        raise CalibrationError(late)
    try:
        return calibrate_markers(looks, table, *size, lens)
    except CalibrationError as error:
        raise CalibrationError(f"{error}; besides, {late}", error.rough) from error


def calibrate_markers(
    looks: Sequence[Iterable[Marker]], table: Table, width: int, height: int, lens: LensBelief | None = None
) -> Calibration:
    """The same from markers already found, one collection for each frame of ``width`` by ``height`` pixels."""
    return calibrate_corners(median_corners(looks, table), table, width, height, lens)


def calibrate_corners(
    corners: Mapping[int, Floats],
    table: Table,
    width: int,
    height: int,
    lens: LensBelief | None = None,
    near: Camera | None = None,
) -> Calibration:
    """The same from one place for each marker or tag, id to (4, 2) px; ``near`` is a camera known to be about right."""
    own = [corner.id for corner in table.corners]
    seen = sorted(number for number in corners if number in own)
    missing = ", ".join(str(number) for number in own if number not in seen)
    cure = f"bring marker {missing} into the picture, flat, lit and uncovered" if missing else "measure the board again"
    if not seen or len(corners) < MIN_IN_VIEW:
        raise CalibrationError(
            f"corner markers: expected at least {MIN_IN_VIEW} of {len(own)} in view, found "
            f"{', '.join(map(str, seen)) or 'none'}; {cure}, or move the camera further away"
        )
    belief = lens or LensBelief.of_field(table.camera.hfov_deg, width, height)
    fitted = fit_board(corners, table, belief, (width, height), near)
    if fitted is None:
        raise CalibrationError(
            f"corner markers {seen}: expected a camera in front of the board, found none that sees them so; "
            "check that each lies at its own corner, its top away from the players"
        )
    told = _measured(fitted, corners, table)
    believed = len(told.used.intersection(own))
    if not believed or len(told.used) < MIN_IN_VIEW + (believed == 1) or told.rms_px > WORST_RMS_PX:
        raise CalibrationError(
            f"corner markers {seen}: expected at least {MIN_IN_VIEW} that lie where the table file says, found "
            f"{believed}; measure [board] corners and size_mm again, and hfov_deg of [camera]",
            rough=None if told.rms_px > WORST_RMS_PX else told,
        )
    bearable_mm = WORST_OF_MANY_MM if believed > MIN_IN_VIEW else WORST_MM
    if told.unsure_mm is not None and told.unsure_mm > bearable_mm:
        raise CalibrationError(
            f"corner markers: expected them to tell every space to {bearable_mm:g} mm, found "
            f"{told.unsure_mm:.1f} mm from {', '.join(map(str, seen))}; {cure}, or put both figures on their spaces",
            rough=told,
        )
    return told


def median_corners(looks: Sequence[Iterable[Marker]], table: Table) -> dict[int, Floats]:
    """Each corner marker's and standing figure's tag's place over several looks, (4, 2) px.

    One seen in fewer than half of them is left out, and so is a tag that moved.
    """
    own = {corner.id for corner in table.corners} | set(dict(table.fencer_ids.items()).values())
    found: dict[int, list[Floats]] = {}
    for look in looks:
        for marker in look:
            if marker.id in own:
                found.setdefault(marker.id, []).append(marker.corners)
    medians = {
        number: median(np.stack(places), axis=0)
        for number, places in sorted(found.items())
        if 2 * len(places) >= len(looks)
    }
    return {
        number: middle
        for number, middle in medians.items()
        if table.side_of(number) is None or np.abs(np.stack(found[number]) - middle).max() <= MOVED_PX
    }


def scaled_to(calibration: Calibration, width: int, height: int) -> Calibration:
    """The same camera delivering pictures of another size (the whole field of view, more or fewer pixels)."""
    camera = calibration.camera
    if (camera.width, camera.height) == (width, height):
        return calibration
    across, down = width / camera.width, height / camera.height
    matrix = camera.K.copy()
    matrix[0, 0] *= across
    matrix[1, 1] *= down
    matrix[0, 2] = (matrix[0, 2] + 0.5) * across - 0.5
    matrix[1, 2] = (matrix[1, 2] + 0.5) * down - 0.5
    known = calibration.lens_covariance
    if known is not None:
        scale = np.array([1.0, across, down, 1.0, 1.0])
        known = known * scale[:, None] * scale
    scaled = Camera(matrix, camera.dist, camera.R, camera.t, width, height)
    return replace(calibration, camera=scaled, lens_covariance=known, expected_px={})


def _measured(fitted: BoardFit, corners: Mapping[int, Floats], table: Table) -> Calibration:
    """How well the corners that count fit those markers that are believed, each where it was found to lie."""
    fit = fitted.fit
    board = {corner.id for corner in table.corners}
    at = [number for number, square in enumerate(fitted.squares) if square.id in board & fitted.believed]
    count = fit.counts(fit.factor)[at]
    sides_px = [np.linalg.norm(each - np.roll(each, 1, axis=0), axis=1).mean() for each in fit.expected_px[at]]
    px = fit.misses_px[at][count]
    mm = (fit.misses_px[at] * (table.board_size_mm / np.array(sides_px))[:, None])[count]
    return Calibration(
        fit.camera,
        float(np.sqrt((px**2).mean())) if px.size else math.inf,
        float(np.sqrt((mm**2).mean())) if mm.size else math.inf,
        worst_mm=fitted.worst.worst_mm,
        off_mm=fitted.worst.off_mm,
        likely_mm=fitted.likely_mm,
        used=fitted.believed,
        left_out=tuple(sorted((board & corners.keys()) - fitted.whole)),
        lens_covariance=fit.lens.covariance * fit.factor,
        expected_px={square.id: px for square, px in zip(fitted.squares, fit.expected_px, strict=True)},
    )
