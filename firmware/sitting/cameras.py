"""From ``--camera`` to a source of frames and the buttons that go with it. Source: FORMATS.md, "Cameras"."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.camera.camera import CameraWanted, OpenCamera
from firmware.camera.patient_camera import PatientCamera
from firmware.camera.recorded import RecordedCamera
from firmware.camera.setup import Setup, table_in_force, table_of
from firmware.config import Config
from firmware.panel.buttons import LivePresses, load_presses
from firmware.simulation.camera import unwatched_table
from vision.board.calibration import load_calibration
from vision.camera.sources import Source, SourceError, open_source
from vision.printed.table import Table
from vision.recording.recording import is_recording

DEFAULT_MAINS_HZ: Final = 50


def open_with_table(wanted: CameraWanted) -> tuple[OpenCamera, Setup]:
    """The camera, and what to look at its frames with: a recording brings what it was made with.

    Raises SourceError, EngardeError, TableError, CalibrationError or OSError for what cannot be opened or used.
    """
    setup = setup_of(wanted)
    camera = open_camera(wanted.spec, setup.table, wanted.fps, wanted.seed, wanted.mains_hz)
    if camera.recorded is None:
        return camera, setup
    own = camera.recorded.setup
    if wanted.table_file is not None:
        own = replace(own, table=setup.table, table_text=setup.table_text)
    if wanted.calibration_file is not None:
        own = replace(own, calibration=setup.calibration)
    return camera, own


def setup_of(wanted: CameraWanted) -> Setup:
    """The table and the calibration that were asked for. Raises EngardeError, TableError, CalibrationError, OSError."""
    path = table_in_force(wanted.table_file)
    setup = Setup(table_of(path), path.read_text(encoding="utf-8"))
    if wanted.calibration_file is None:
        return setup
    return replace(setup, calibration=load_calibration(wanted.calibration_file))


def open_camera(
    spec: str, table: Table, fps: float | None = None, seed: int = 1, mains_hz: int = DEFAULT_MAINS_HZ
) -> OpenCamera:
    """The camera of this name: ``synthetic``, ``picamera2[:N]``, a V4L2 number or path, a video, a folder of images,
    or a recording of ours, known by what is in it.

    A video's or folder's presses lie beside it in ``NAME.buttons.json``, a recording's in it. ``synthetic`` is a
    match of two bots who play what they have in hand whatever the referee says: nobody hands them a screen. Raises
    SourceError.
    """
    if spec == "synthetic":
        simulated = unwatched_table(table, seed)
        return OpenCamera(simulated, simulated, live=False)
    name, _, number = spec.partition(":")
    if name == "picamera2":
        if number and not (number.isascii() and number.isdigit()):
            raise SourceError(f"--camera {spec}: expected picamera2 or picamera2:N with N a camera's number, such as 0")
        return OpenCamera(PatientCamera(_pi_camera(int(number or 0), table, mains_hz)), LivePresses(), live=True)
    path = Path(spec)
    if is_recording(path):
        if fps is not None:
            raise SourceError(f"--fps {fps:g}: {spec} is a recording with times of its own; leave --fps out")
        recorded = RecordedCamera(path)
        return OpenCamera(recorded, recorded, live=False, recorded=recorded)
    source = open_source(spec, fps, (table.camera.width, table.camera.height))
    if path.is_dir() or path.is_file():
        return OpenCamera(source, load_presses(path), live=False)
    return OpenCamera(PatientCamera(source), LivePresses(), live=True)


def is_live(spec: str) -> bool:
    """Whether this names a camera that may come and go, and not a recording or a simulation."""
    name, _, _ = spec.partition(":")
    return name == "picamera2" or (spec.isascii() and spec.isdigit()) or Path(spec).parts[:2] == ("/", "dev")


def folder_fps(spec: str, asked: float | None, config: Config) -> float | None:
    """A recording's clock as asked for, else a folder's as in the settings; a video keeps its own."""
    if asked is not None:
        return asked
    return config.fps if Path(spec).is_dir() else None


def _pi_camera(number: int, table: Table, mains_hz: int) -> Source:
    from vision.camera.picamera import PiCamera

    try:
        return PiCamera(number, table.camera, mains_hz=mains_hz)
    except RuntimeError as error:  # what libcamera says of a camera that is busy or does not answer
        raise SourceError(
            f"camera picamera2:{number} cannot be used ({error}); close other programs that use it, then look at both "
            "ends of its cable"
        ) from error
