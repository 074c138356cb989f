"""A calibration as text, and read again: TOML, with the lens in pixels and the pose in board millimetres."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeAlias

import numpy as np

from engine.strict.text import NOTHING, MalformedError, shown, toml_of
from engine.strict.values import Range, read
from vision.board.calibration import VERSION, Calibration, CalibrationError
from vision.geometry import Camera
from vision.printed.table import MOST


def calibration_text(calibration: Calibration) -> str:
    """The camera, how well it is known and how far off it may be, as TOML that a person can read."""
    camera = calibration.camera

    def numbers(values: Iterable[float]) -> str:
        return "[" + ", ".join(repr(float(value)) for value in values) + "]"

    rows = ",\n    ".join(numbers(row) for row in camera.R)
    known = calibration.lens_covariance
    spread = "" if known is None else f"covariance = [{', '.join(numbers(row) for row in known)}]\n"
    told = calibration.worst_mm
    worst = "" if told is None else f"worst_mm = {told!r}\noff_mm = {numbers(calibration.off_mm)}\n"
    return (
        "# Written by `engarde calibrate`. Lens in pixels; pose takes board millimetres into the camera's frame.\n"
        f"version = {VERSION}\n"
        f"rms_px = {float(calibration.rms_px)!r}\n"
        f"rms_mm = {float(calibration.rms_mm)!r}\n"
        f"{worst}\n"
        "[lens]\n"
        f"width = {camera.width}\n"
        f"height = {camera.height}\n"
        f"focal_px = {numbers((camera.K[0, 0], camera.K[1, 1]))}\n"
        f"middle_px = {numbers((camera.K[0, 2], camera.K[1, 2]))}\n"
        f"distortion = {numbers(camera.dist)}\n"
        f"{spread}\n"
        "[pose]\n"
        f"rotation = [\n    {rows}\n]\n"
        f"translation_mm = {numbers(camera.t)}\n"
    )


def read_calibration(text: str | bytes) -> Calibration:
    """The calibration in this TOML text. Raises CalibrationError for anything else."""
    cure = "run engarde calibrate --out again"
    try:
        document = toml_of(text)
    except MalformedError as error:
        raise CalibrationError(f"a calibration was expected, found text that is not TOML ({error}); {cure}") from error
    if document.get("version") != VERSION:
        found = shown(document.get("version", NOTHING))
        raise CalibrationError(f"a calibration of version {VERSION} was expected, found {found}; {cure}")
    try:
        return _calibration(read(_File, document, others=True))
    except ValueError as error:
        raise CalibrationError(f"a calibration was expected, found one with a fault: {error}; {cure}") from error


# Beyond these no camera is: what followed from it would be infinite, or never ready.
_Number: TypeAlias = Annotated[float, Range(-MOST, MOST)]
_Pixels: TypeAlias = Annotated[int, Range(1, MOST)]
_Focal: TypeAlias = Annotated[float, Range(1, MOST)]
_Misfit: TypeAlias = Annotated[float, Range(0, MOST)]
_Three: TypeAlias = tuple[_Number, _Number, _Number]
_Five: TypeAlias = tuple[_Number, _Number, _Number, _Number, _Number]


@dataclass(frozen=True, slots=True)
class _Lens:
    width: _Pixels
    height: _Pixels
    focal_px: tuple[_Focal, _Focal]
    middle_px: tuple[_Number, _Number]
    distortion: _Five
    covariance: tuple[_Five, _Five, _Five, _Five, _Five] | None = None


@dataclass(frozen=True, slots=True)
class _Pose:
    rotation: tuple[_Three, _Three, _Three]
    translation_mm: _Three


@dataclass(frozen=True, slots=True)
class _File:
    rms_px: _Misfit
    rms_mm: _Misfit
    lens: _Lens
    pose: _Pose
    worst_mm: _Misfit | None = None
    off_mm: tuple[float, ...] = ()


def _calibration(file: _File) -> Calibration:
    """Raises ValueError for a camera that cannot be."""
    (fx, fy), (cx, cy) = file.lens.focal_px, file.lens.middle_px
    camera = Camera(
        K=np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]]),
        dist=np.array(file.lens.distortion),
        R=np.array(file.pose.rotation),
        t=np.array(file.pose.translation_mm),
        width=file.lens.width,
        height=file.lens.height,
    )
    if not np.allclose(camera.R @ camera.R.T, np.eye(3), atol=1e-6):
        raise ValueError("its rotation is impossible")
    covariance = None if file.lens.covariance is None else np.array(file.lens.covariance)
    if covariance is not None and float(np.linalg.eigvalsh((covariance + covariance.T) / 2).min()) <= 0:
        raise ValueError("the lens's covariance is impossible")
    return Calibration(
        camera, file.rms_px, file.rms_mm, worst_mm=file.worst_mm, off_mm=file.off_mm, lens_covariance=covariance
    )


def load_calibration(path: Path | str) -> Calibration:
    """The calibration in this file. Raises CalibrationError that names the file; OSError when it cannot be read."""
    try:
        return read_calibration(Path(path).read_bytes())
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error
