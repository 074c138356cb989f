"""A camera as it was asked for and as it was opened, with the buttons that go with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.table.presses import Presses
from firmware.camera.recorded import RecordedCamera
from vision.camera.sources import Source


@dataclass(frozen=True, slots=True)
class OpenCamera:
    """A camera with its buttons. ``live``: it has no end of its own, and its clock is the clock on the wall.

    ``recorded`` is the recording of ours it is, None for any other camera.
    """

    source: Source
    presses: Presses
    live: bool
    recorded: RecordedCamera | None = None


@dataclass(frozen=True, slots=True)
class CameraWanted:
    """What was asked for.

    ``table_file`` and ``calibration_file`` None: a recording's own, else the table in force and no calibration.
    ``fps`` is the clock of a video or a folder, ``seed`` the synthetic camera's, ``mains_hz`` that of the lamps.
    """

    spec: str
    table_file: Path | None = None
    calibration_file: Path | None = None
    fps: float | None = None
    seed: int = 1
    mains_hz: int = 50
