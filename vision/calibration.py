"""The lens and the board's pose, found from the corner markers. Source: VISION, "Where is the figure?"."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from vision.frame import Frame
from vision.geometry import Camera, Floats
from vision.lens_fit import bleed_px, fit_camera, outwards, refit_pose
from vision.markers import Marker, MarkerFinder
from vision.table import FEWEST_CORNERS, Table

VERSION: Final = 1
WORST_RMS_PX: Final = 4.0
SURE_SIDE_PX: Final = 40.0
_EDGE_PX: Final = 2.0


class CalibrationError(ValueError):
    """No calibration can be made or read; the message says what was missing and what to change."""


class SpaceView(NamedTuple):
    """How a fencer's tag on one space would appear: wholly in the picture or not, and its mean side in pixels."""

    space: int
    visible: bool
    tag_side_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """A camera over the board, and how well the corner markers fit it: root mean squares in pixels and on the board.

    What all the squares' sides have in common, light that bleeds into black, is no part of the misfit.
    """

    camera: Camera
    rms_px: float
    rms_mm: float
    version: int = VERSION

    def spaces(self, table: Table) -> tuple[SpaceView, ...]:
        """What the camera would see of a tag on each of the 23 spaces."""
        half = table.fencer_size_mm / 2
        views = []
        for space in range(1, len(table.spaces_mm) + 1):
            corners = np.array(table.tag_mm(space)) + _square(half)
            px = self.camera.project(corners)
            inside = (px > _EDGE_PX).all() and (
                px < (self.camera.width - _EDGE_PX, self.camera.height - _EDGE_PX)
            ).all()
            ahead = float(self.camera.depth_mm(corners).min()) > 0
            side_px = float(np.linalg.norm(px - np.roll(px, 1, axis=0), axis=1).mean())
            views.append(SpaceView(space, bool(inside and ahead), side_px))
        return tuple(views)

    def moved_to(self, corners: Mapping[int, Floats], table: Table) -> Calibration | None:
        """The same lens where these markers (id to (4, 2) px) now say it is; None when they fit no pose."""
        points, px = _matched(corners, table)
        camera = refit_pose(self.camera, points, px)
        if camera is None:
            return None
        px = px - bleed_px(camera.project(points), px) * outwards(px)
        camera = refit_pose(camera, points, px)
        return None if camera is None else _measured(camera, points, px)


def marker_corners_mm(table: Table) -> dict[int, Floats]:
    """Every corner marker's black square: id to (4, 3) mm, in the order in which a detector gives its corners."""
    square = _square(table.board_size_mm / 2)
    return {corner.id: np.array([corner.x, corner.y, corner.z]) + square for corner in table.corners}


def calibrate(frames: Iterable[Frame], table: Table) -> Calibration:
    """The calibration from some frames of a still camera; their markers are taken together by the median.

    Three corner markers suffice. Raises CalibrationError, saying what to change, when fewer were seen or they fit
    no camera.
    """
    finder = MarkerFinder(table.dictionary)
    looks: list[tuple[Marker, ...]] = []
    size = (table.camera.width, table.camera.height)
    for frame in frames:
        looks.append(finder.find(frame.y))
        size = (frame.y.shape[1], frame.y.shape[0])
    return calibrate_markers(looks, table, *size)


def calibrate_markers(looks: Sequence[Iterable[Marker]], table: Table, width: int, height: int) -> Calibration:
    """The same from markers already found, one collection for each frame of ``width`` by ``height`` pixels."""
    corners = median_corners(looks, table)
    if len(corners) < FEWEST_CORNERS:
        seen = ", ".join(str(number) for number in sorted(corners)) or "none"
        missing = ", ".join(str(corner.id) for corner in table.corners if corner.id not in corners)
        raise CalibrationError(
            f"corner markers: expected at least {FEWEST_CORNERS} of {len(table.corners)} in view, found {seen}; bring "
            f"marker {missing} into the picture, flat, lit and uncovered, or move the camera further away"
        )
    points, px = _matched(corners, table)
    fit = fit_camera(points, px, table.camera.hfov_deg, width, height)
    if fit is None:
        raise CalibrationError(
            f"corner markers {sorted(corners)}: expected a camera in front of the board, found none that sees them so; "
            "check that each lies at its own corner, its top away from the players"
        )
    camera, bleed = fit
    calibration = _measured(camera, points, px - bleed * outwards(px))
    if calibration.rms_px > WORST_RMS_PX:
        raise CalibrationError(
            f"corner markers: expected them to fit within {WORST_RMS_PX:g} px, found {calibration.rms_px:.1f} px "
            f"({calibration.rms_mm:.1f} mm); measure [board] corners and size_mm again, and hfov_deg of [camera]"
        )
    return calibration


def median_corners(looks: Sequence[Iterable[Marker]], table: Table) -> dict[int, Floats]:
    """Each corner marker's place over several looks, (4, 2) px; one seen in fewer than half of them is left out."""
    own = {corner.id for corner in table.corners}
    found: dict[int, list[Floats]] = {}
    for look in looks:
        for marker in look:
            if marker.id in own:
                found.setdefault(marker.id, []).append(marker.corners)
    return {
        number: np.asarray(np.median(np.stack(places), axis=0))
        for number, places in sorted(found.items())
        if 2 * len(places) >= len(looks)
    }


def calibration_text(calibration: Calibration) -> str:
    """The calibration as TOML that a person can read; ``read_calibration`` gives the same value back."""
    camera = calibration.camera

    def numbers(values: Iterable[float]) -> str:
        return "[" + ", ".join(repr(float(value)) for value in values) + "]"

    rows = ",\n    ".join(numbers(row) for row in camera.R)
    return (
        "# Written by `engarde calibrate`. Lens in pixels; pose takes board millimetres into the camera's frame.\n"
        f"version = {calibration.version}\n"
        f"rms_px = {float(calibration.rms_px)!r}\n"
        f"rms_mm = {float(calibration.rms_mm)!r}\n\n"
        "[lens]\n"
        f"width = {camera.width}\n"
        f"height = {camera.height}\n"
        f"focal_px = {numbers((camera.K[0, 0], camera.K[1, 1]))}\n"
        f"middle_px = {numbers((camera.K[0, 2], camera.K[1, 2]))}\n"
        f"distortion = {numbers(camera.dist)}\n\n"
        "[pose]\n"
        f"rotation = [\n    {rows}\n]\n"
        f"translation_mm = {numbers(camera.t)}\n"
    )


def read_calibration(text: str) -> Calibration:
    """The calibration in this TOML text. Raises CalibrationError for anything else."""
    cure = "run engarde calibrate --out again"
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CalibrationError(f"a calibration was expected, found text that is not TOML ({error}); {cure}") from error
    version = document.get("version")
    if version != VERSION:
        raise CalibrationError(f"a calibration of version {VERSION} was expected, found {version!r}; {cure}")
    try:
        lens, pose = document["lens"], document["pose"]
        (fx, fy), (cx, cy) = lens["focal_px"], lens["middle_px"]
        camera = Camera(
            K=np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]),
            dist=np.array(lens["distortion"], dtype=np.float64),
            R=np.array(pose["rotation"], dtype=np.float64),
            t=np.array(pose["translation_mm"], dtype=np.float64),
            width=int(lens["width"]),
            height=int(lens["height"]),
        )
        if not np.allclose(camera.R @ camera.R.T, np.eye(3), atol=1e-6) or fx <= 0 or fy <= 0:
            raise ValueError("its rotation or focal length is impossible")
        if camera.width < 1 or camera.height < 1:
            raise ValueError(f"no picture is {camera.width} by {camera.height} pixels")
        misfit = float(document["rms_px"]), float(document["rms_mm"])
        if not all(np.isfinite(value).all() for value in (camera.K, camera.dist, camera.t, misfit)):
            raise ValueError("one of its numbers is none")
        return Calibration(camera, *misfit)
    except (KeyError, TypeError, ValueError) as error:
        raise CalibrationError(f"a calibration was expected, found one with a fault: {error}; {cure}") from error


def load_calibration(path: Path | str) -> Calibration:
    """The calibration in this file. Raises CalibrationError that names the file; OSError when it cannot be read."""
    try:
        return read_calibration(Path(path).read_text(encoding="utf-8"))
    except (CalibrationError, UnicodeDecodeError) as error:
        raise CalibrationError(f"{path}: {error}") from error


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
    return replace(calibration, camera=Camera(matrix, camera.dist, camera.R, camera.t, width, height))


def _square(half_mm: float) -> Floats:
    """Corners of a level square around the origin: top left, top right, bottom right, bottom left, (4, 3)."""
    return np.array(
        [[-half_mm, half_mm, 0.0], [half_mm, half_mm, 0.0], [half_mm, -half_mm, 0.0], [-half_mm, -half_mm, 0.0]]
    )


def _matched(corners: Mapping[int, Floats], table: Table) -> tuple[Floats, Floats]:
    """Board points (N, 3) and their pixels (N, 2) of the markers in view."""
    places = marker_corners_mm(table)
    shared = [number for number in sorted(corners) if number in places]
    return np.vstack([places[number] for number in shared]), np.vstack([corners[number] for number in shared])


def _measured(camera: Camera, points: Floats, px: Floats) -> Calibration:
    miss_px = np.linalg.norm(camera.project(points) - px, axis=1)
    on_board = np.vstack(
        [camera.at_height(seen[None], float(point[2])) for seen, point in zip(px, points, strict=True)]
    )
    miss_mm = np.linalg.norm(on_board - points[:, :2], axis=1)
    return Calibration(camera, float(np.sqrt((miss_px**2).mean())), float(np.sqrt((miss_mm**2).mean())))
