"""The lens and the board's pose, found from corner markers and fencers' tags, whoever of them is wrong.

Source: READING.md, "Where is the figure?".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.belief import DOUBT, UNLIKELY
from vision.board.lens_fit import (
    FIGURE_SD_MM,
    LENS,
    MARKER_SD_MM,
    STILL_SD_PX,
    Fit,
    LensBelief,
    Square,
    centre_of,
    first_poses,
    fit_camera,
    lens_parameters,
    parameters_about,
    unit_square,
    usual_spread,
)
from vision.board.worst_case import apart_mm, spread_mm, weighed, worst_case
from vision.cells import median
from vision.frame import Frame
from vision.geometry import Camera, Floats, mean_side
from vision.marks.foreign import Run, in_process
from vision.marks.markers import Marker, MarkerFinder, diagonals_meet
from vision.printed.table import MIN_CORNERS, Table

VERSION: Final = 1  # of its text: FORMATS.md, "Calibrations"
WORST_MM: Final = 10.0
"""A calibration that is likely to be further off than this on a space is none: the next space begins at 14 mm."""
MOVED_PX: Final = STILL_SD_PX * math.sqrt(UNLIKELY)  # more than that
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
            views.append(SpaceView(space, bool(self.camera.holds(px).all() and ahead), mean_side(px)))
        return tuple(views)


def marker_corners_mm(table: Table) -> dict[int, Floats]:
    """Every corner marker's black square: id to (4, 3) mm, in the order in which a detector gives its corners."""
    square = unit_square() * table.board_size_mm / 2
    return {corner.id: np.array(corner[1:]) + square for corner in table.corners}


def calibrate(
    frames: Iterable[Frame], table: Table, lens: LensBelief | None = None, run: Run = in_process
) -> Calibration:
    """The calibration from some frames of a still camera; their markers are taken together by the median.

    Any two corner markers suffice where they, with the fencers' tags in view, tell the spaces well enough. ``lens`` is
    what is known of it beforehand; None: the table file's field of view. ``run`` as in ``MarkerFinder``; a picture that
    it gives no answer on counts for nothing. Raises CalibrationError, saying what to change, when too little was seen
    or fits no camera, and on how many pictures there was no answer; MirroredError where the pictures are mirrored.
    """
    finder = MarkerFinder(table.dictionary, run)
    looks: list[tuple[Marker, ...]] = []
    size = (table.camera.width, table.camera.height)
    asked, last = 0, None
    for frame in frames:
        asked, last, finder.failed = asked + 1, frame.y, False
        found = finder.find(frame.y)
        size = (frame.y.shape[1], frame.y.shape[0])
        if not finder.failed:
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
    """The same from one place for each marker or tag, id to (4, 2) px; ``near`` is a camera known to be about right.

    The table file's field of view is let go where what is seen refutes it and nobody knows the lens better.
    """
    own = [corner.id for corner in table.corners]
    seen = sorted(number for number in corners if number in own)
    missing = ", ".join(str(number) for number in own if number not in seen)
    cure = f"bring marker {missing} into the picture, flat, lit and uncovered" if missing else "measure the board again"
    if not seen or len(corners) < MIN_CORNERS:
        raise CalibrationError(
            f"corner markers: expected at least {MIN_CORNERS} of {len(own)} in view, found "
            f"{', '.join(map(str, seen)) or 'none'}; {cure}, or move the camera further away"
        )
    size = (width, height)
    belief = lens or LensBelief.of_field(table.camera.hfov_deg, *size)
    fits = _fits(corners, table, (belief,), size, near)
    if lens is None and not (fits and all(belief.allows(fit.parameters[LENS]) for fit in fits)):
        fits = _fits(corners, table, belief.starts, size, near) or fits
    if not fits:
        raise CalibrationError(
            f"corner markers {seen}: expected a camera in front of the board, found none that sees them so; "
            "check that each lies at its own corner, its top away from the players"
        )
    told = _told(fits, table)
    believed = len(told.used.intersection(own))
    if not believed or len(told.used) < MIN_CORNERS + (believed == 1) or told.rms_px > MOVED_PX:
        raise CalibrationError(
            f"corner markers {seen}: expected at least {MIN_CORNERS} that lie where the table file says, found "
            f"{believed}; measure [board] corners and size_mm again, and hfov_deg of [camera]",
            rough=None if told.rms_px > MOVED_PX else told,
        )
    if told.unsure_mm is not None and told.unsure_mm > WORST_MM:
        raise CalibrationError(
            f"corner markers: expected them to tell every space to {WORST_MM:g} mm, found "
            f"{told.unsure_mm:.1f} mm from {', '.join(map(str, seen))}; {cure}, or put both figures on their spaces",
            rough=told,
        )
    return told


def median_corners(looks: Sequence[Iterable[Marker]], table: Table) -> dict[int, Floats]:
    """Each corner marker's and standing figure's tag's place over several looks, (4, 2) px.

    One seen in fewer than half of them is left out, and so is a tag that moved.
    """
    own = {corner.id for corner in table.corners} | {number for _, number in table.fencer_ids.items()}
    found: dict[int, list[Floats]] = {}
    for marker in chain.from_iterable(looks):
        if marker.id in own:
            found.setdefault(marker.id, []).append(marker.corners)
    medians = {number: median(np.stack(places), axis=0) for number, places in sorted(found.items())}
    return {
        number: middle
        for number, middle in medians.items()
        if 2 * len(found[number]) >= len(looks)
        and (table.side_of(number) is None or np.abs(np.stack(found[number]) - middle).max() <= MOVED_PX)
    }


def scaled_to(calibration: Calibration, width: int, height: int) -> Calibration:
    """The same camera delivering pictures of another size (the whole field of view, more or fewer pixels)."""
    camera = calibration.camera
    if (camera.width, camera.height) == (width, height):
        return calibration
    across, down = width / camera.width, height / camera.height
    matrix = np.diag([across, down, 1.0]) @ camera.K
    matrix[:2, 2] += ((across - 1.0) / 2, (down - 1.0) / 2)  # a pixel's middle, not its corner, is a whole number
    known = calibration.lens_covariance
    if known is not None:
        scale = np.array([1.0, across, down, 1.0, 1.0])
        known = known * scale[:, None] * scale
    scaled = Camera(matrix, camera.dist, camera.R, camera.t, width, height)
    return replace(calibration, camera=scaled, lens_covariance=known, expected_px={})


def _told(fits: Sequence[Fit], table: Table) -> Calibration:
    """The likeliest of these fits, and how far off it may be: by what it does not know itself, and by its rivals.

    The misfit is that of the corners that count, of those markers that are believed, each where it was found to lie.
    """
    best, board = fits[0], {corner.id for corner in table.corners}
    cameras = weighed(best)
    fit = cameras.fit
    off_mm, worst_mm = worst_case(cameras, cameras.careful, table)
    likely_mm = worst_case(cameras, cameras.likely, table)[1]
    believed = frozenset[int]()
    for rival in fits:
        if rival.cost >= best.cost - DOUBT:
            break
        believed |= {square.id for square, right in zip(rival.squares, rival.lies_right, strict=True) if right}
        if rival is not best:
            # Either may be right: as far as they differ, nobody knows.
            other = weighed(rival)
            apart = apart_mm(fit.camera, rival.camera, table)
            either_mm = apart + worst_case(other, other.likely, table)[0]
            off_mm, worst_mm = np.maximum(off_mm, either_mm), max(worst_mm, float(either_mm.max()))
            likely_mm = max(likely_mm, float(apart.max()))
    counts = fit.counts(fit.factor)
    whole = {square.id for square, corners in zip(fit.squares, counts, strict=True) if corners.all()}
    seen = board.intersection(square.id for square in fit.squares)
    at = [number for number, square in enumerate(fit.squares) if square.id in board & believed]
    px = fit.misses_px[at]
    mm = px * np.array([[table.board_size_mm / mean_side(each)] for each in fit.expected_px[at]]).reshape(-1, 1)
    rms_px, rms_mm = (
        float(np.sqrt((misses[counts[at]] ** 2).mean())) if counts[at].any() else math.inf for misses in (px, mm)
    )
    return Calibration(
        fit.camera,
        rms_px,
        rms_mm,
        worst_mm=worst_mm,
        off_mm=tuple(off_mm.tolist()),
        used=believed,
        left_out=tuple(sorted(seen - (whole & believed))),
        lens_covariance=fit.known[LENS, LENS] * fit.factor,
        expected_px={square.id: px for square, px in zip(fit.squares, fit.expected_px, strict=True)},
        likely_mm=likely_mm,
    )


def _fits(
    corners: Mapping[int, Floats],
    table: Table,
    starts: Sequence[LensBelief],
    size: tuple[int, int],
    near: Camera | None,
) -> list[Fit]:
    """The cameras that may see corner markers and fencers' tags so, the likeliest first; none where no camera does.

    ``near`` is a camera to start from; without one it is found.
    """
    markers = [
        Square(
            corner.id,
            np.asarray(corners[corner.id], dtype=np.float64),
            np.array(corner[1:]),
            table.board_size_mm,
            MARKER_SD_MM,
            on_board=True,
        )
        for corner in table.corners
        if corner.id in corners
    ]
    belief = starts[0]
    if near is None:
        poses = [np.concatenate([pose, lens.mean]) for lens in starts for pose in first_poses(markers, lens)]
    else:
        poses = [parameters_about(near, centre_of(markers))]
    fits = _all_fits([fit_camera(markers, belief, size, pose) for pose in poses], markers, belief, size)
    tags = {number: px for number, px in corners.items() if table.side_of(number) is not None}
    for number, px in tags.items():
        tried = []
        for fit in fits:
            for space in _spaces_near(fit, px, table):
                squares = (*fit.squares, _tag(number, px, space, table))
                tried.append(fit_camera(squares, belief, size, parameters_about(fit.camera, centre_of(squares))))
        fits = _likely(tried)
    if tags:
        standing = {tuple(square.pivot_mm[0] for square in fit.squares): fit for fit in reversed(fits)}
        fits = [fit for one in standing.values() for fit in _all_fits([one], one.squares, belief, size)]
    return _likely(fits)


def _tag(number: int, px: Floats, space: int, table: Table) -> Square:
    return Square(
        number,
        np.asarray(px, dtype=np.float64),
        np.array(table.space_mm(space)),
        table.fencer_size_mm,
        FIGURE_SD_MM,
        np.array(table.fencer_offset_mm),
    )


def _likely(found: Iterable[Fit | None]) -> list[Fit]:
    """The likeliest first, without those that are far less likely: their rank may change with what is still to come."""
    ranked = sorted((fit for fit in found if fit is not None), key=lambda fit: fit.cost)
    return [fit for fit in ranked if fit.cost < 2 * ranked[0].cost - DOUBT]


def _all_fits(
    begun: Sequence[Fit | None], squares: Sequence[Square], belief: LensBelief, size: tuple[int, int]
) -> list[Fit]:
    """These and the other cameras that may see the squares so, each once.

    Where a marker is quite elsewhere, or a corner pulled, a start without that square leads to the camera that says so.
    """
    fits: list[Fit] = []
    others = (
        [fit_camera(squares, belief, size, _moved(pose, centre_of(squares) - centre_of(rest))) for pose in poses]
        for out in squares
        if (rest := [square for square in squares if square is not out])
        for poses in [first_poses(rest, belief)]
    )
    for found in chain([begun], others):
        for fit in found:
            if fit is not None and not any(fit.is_about(each) for each in fits):
                fits.append(fit)
        if any(fit.agrees for fit in fits):
            break
    return fits


def _moved(pose: Floats, by_mm: Floats) -> Floats:
    """A pose about a point that lies so far from the one that it was about."""
    turn, _ = cv2.Rodrigues(pose[:3])
    return np.concatenate([pose[:3], pose[3:6] + turn @ by_mm])


def _spaces_near(fit: Fit, px: Floats, table: Table) -> list[int]:
    """The spaces on which a tag may lie by what is known so far, the nearest and others about as near."""
    tags = np.array(table.tags_mm)
    middle = np.repeat(diagonals_meet(px)[None], len(tags), axis=0)
    apart = np.linalg.norm(fit.camera.at_height(middle, tags[:, 2]) - tags[:, :2], axis=1)
    apart = np.nan_to_num(apart, nan=np.inf)
    nearest = int(apart.argmin())
    reach = math.sqrt(UNLIKELY) * math.hypot(float(spread_mm(fit, table)[nearest]), FIGURE_SD_MM)
    return [int(number) + 1 for number in np.flatnonzero(apart < apart[nearest] + reach)]
