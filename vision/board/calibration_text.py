"""A calibration as text, and read again: TOML, with the lens in pixels and the pose in board millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from engine.strict.text import MalformedError, toml_of
from vision.board.calibration import VERSION, Calibration, CalibrationError
from vision.board.limits import impossible
from vision.geometry import Camera, Floats


def calibration_text(calibration: Calibration) -> str:
    """The calibration as TOML that a person can read; ``read_calibration`` gives the same value back."""
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
        f"version = {calibration.version}\n"
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


def read_calibration(text: str) -> Calibration:
    """The calibration in this TOML text. Raises CalibrationError for anything else."""
    cure = "run engarde calibrate --out again"
    try:
        document = toml_of(text)
    except MalformedError as error:
        raise CalibrationError(f"a calibration was expected, found text that is not TOML ({error}); {cure}") from error
    version = document.get("version")
    if version != VERSION:
        raise CalibrationError(f"a calibration of version {VERSION} was expected, found {version!r:.40}; {cure}")
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
        misfit = float(document["rms_px"]), float(document["rms_mm"])
        if fault := impossible(camera, misfit):
            raise ValueError(fault)
        return Calibration(
            camera,
            *misfit,
            worst_mm=_told(document),
            off_mm=tuple(float(value) for value in document.get("off_mm", ())),
            lens_covariance=_lens_covariance(lens),
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise CalibrationError(f"a calibration was expected, found one with a fault: {error}; {cure}") from error


def _told(document: Mapping[str, object]) -> float | None:
    worst = document.get("worst_mm")
    if worst is None:
        return None
    if not isinstance(worst, int | float) or not 0.0 <= worst < math.inf:
        raise ValueError(f"worst_mm is no length: {worst!r}")
    return float(worst)


def _lens_covariance(lens: Mapping[str, object]) -> Floats | None:
    rows = lens.get("covariance")
    if rows is None:
        return None
    covariance = np.array(rows, dtype=np.float64)
    if covariance.shape != (5, 5) or not np.isfinite(covariance).all():
        raise ValueError("the lens's covariance must be 5 rows of 5 numbers")
    if float(np.linalg.eigvalsh((covariance + covariance.T) / 2).min()) <= 0:
        raise ValueError("the lens's covariance is impossible")
    return covariance


def load_calibration(path: Path | str) -> Calibration:
    """The calibration in this file. Raises CalibrationError that names the file; OSError when it cannot be read."""
    try:
        return read_calibration(Path(path).read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise CalibrationError(f"{path}: expected text in UTF-8, found other bytes; save it as UTF-8") from error
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}") from error
