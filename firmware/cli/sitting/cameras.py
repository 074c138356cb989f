"""The devices that a command wants, and its camera opened, with the buttons that go with it.

Source: FORMATS.md, "Cameras".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from firmware.core.config import Config, load_config
from firmware.core.io.files import expect_file, read_text
from firmware.table.camera.camera import MAX_DIGITS, CameraKind, CameraSpec, CameraWanted, OpenCamera
from firmware.table.camera.live_camera import FreshCamera, LiveCamera
from firmware.table.camera.recorded import RecordedCamera
from firmware.table.camera.remembered_lens import expected_distance_mm
from firmware.table.camera.setup import Setup, table_in_force, table_of
from firmware.table.panel.buttons import LivePresses, load_presses
from firmware.table.readers.apart import Decoders
from firmware.table.service.extras import extra
from vision.board.calibration_text import load_calibration
from vision.camera.files import DEFAULT_FPS, Decoder, ImageFolder, VideoFile
from vision.camera.settling import CameraFeedback
from vision.camera.sources import LiveSource, Source, SourceError
from vision.camera.webcam import WebCamera
from vision.printed.table import Table


@dataclass(frozen=True, slots=True)
class TableWish:
    """The devices to sit at. ``settings`` are those in force, those ``given`` with the command among them.

    ``pictures`` is where those of the moments that matter go, None for nowhere; ``settings_file`` the one named
    instead of the owner's.
    """

    settings: Config
    camera: CameraWanted
    scorebook: Path
    headless: bool = False
    pictures: Path | None = None
    settings_file: Path | None = None
    given: Mapping[str, str | bool] = field(default_factory=dict)

    def reread(self) -> TableWish:
        """The same with what was set in the menu meanwhile. Raises ConfigError."""
        return replace(self, settings=settings_with(self.given, self.settings_file))


def settings_with(given: Mapping[str, str | bool], file: Path | None) -> Config:
    """The settings in force, those ``given`` over them. Raises ConfigError."""
    over: dict[str, Any] = dict(given)
    return replace(load_config(file), **over)


def open_with_table(wanted: CameraWanted) -> tuple[OpenCamera, Setup]:
    """The camera, and what to look at its frames with: a recording brings what it was made with.

    Raises SourceError, EngardeError, TableError, CalibrationError or OSError for what cannot be opened or used.
    """
    setup = setup_of(wanted)
    camera = open_camera(wanted, setup.table)
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
    setup = Setup(table_of(path), read_text(path))
    if wanted.calibration_file is None:
        return setup
    expect_file(wanted.calibration_file)
    return replace(setup, calibration=load_calibration(wanted.calibration_file))


def open_camera(wanted: CameraWanted, table: Table) -> OpenCamera:
    """This camera, with the presses that go with it.

    A video's or folder's presses lie beside it in ``NAME.buttons.json``, a recording's in it. At ``synthetic`` two
    bots play their cards whatever the referee says, for they have no screen to look at; if ``hands`` are wanted,
    people may play there instead. Raises SourceError, and EngardeError or OSError for files of acts.
    """
    spec, waits = wanted.spec, wanted.waits
    wanted.feedback.expected_mm = expected_distance_mm(table)
    name, path = spec.name, Path(spec.name)
    match spec.kind:
        case CameraKind.SYNTHETIC:
            simulated: OpenCamera = extra("hands.played_table").open_simulated(table, wanted.seed, wanted.hands)
            return simulated
        case CameraKind.PI:
            number = _pi_number(name)
            return _live(name, lambda: _pi_camera(number, table, wanted), waits=waits)
        case CameraKind.RECORDING if spec.fps is not None:
            raise SourceError(f"--fps {spec.fps:g}: {name} is a recording with times of its own; leave --fps out")
        case CameraKind.RECORDING:
            recorded = RecordedCamera(path)
            return OpenCamera(recorded, recorded, live=False, recorded=recorded)
        case CameraKind.FOLDER:
            images = _decoded(lambda decoder: ImageFolder(path, spec.fps or DEFAULT_FPS, wanted.told, decoder))
            return OpenCamera(images, load_presses(path), live=False)
        case CameraKind.VIDEO:
            video = _decoded(lambda decoder: VideoFile(path, spec.fps, wanted.told, decoder))
            return OpenCamera(video, load_presses(path), live=False)
        case CameraKind.DEVICE:
            return _live(name, lambda: _web_camera(name, table, wanted), waits=waits)
        case CameraKind.STREAM:
            return _live(name, lambda: _stream(spec, wanted.feedback), waits=waits)
        case CameraKind.NOTHING if spec.url:
            raise SourceError(
                f"--camera {name}: expected an address such as http://HOST:8080/video or "
                "rtsp://USER:PASSWORD@HOST/stream, found one that is none; in user and password write @ as %40, / as "
                "%2F, : as %3A"
            )
        case CameraKind.NOTHING:
            raise _nothing(name)


def _nothing(name: str) -> SourceError:
    return SourceError(
        f"--camera {name}: expected a camera number, a device path, an address, a video file or a folder of images, "
        "found nothing of that name that is one of these; check the spelling"
    )


def _live(name: str, opens: Callable[[], LiveSource], *, waits: bool) -> OpenCamera:
    """A camera that may hang, be stuck, come and go. Raises SourceError for one that is not there, unless it waits."""
    camera = LiveCamera(name, lambda: FreshCamera(opens()))
    try:
        camera.wait()
    except SourceError:
        if not waits:
            camera.close()
            raise
    return OpenCamera(camera, LivePresses(), live=True)


def _decoded(opens: Callable[[Decoder], Source]) -> Source:
    """The source that ``opens`` gives, decoded in another process: a damaged file stops no game."""
    decoder = Decoders()
    try:
        return opens(decoder)
    except BaseException:
        decoder.close()
        raise


def _stream(spec: CameraSpec, feedback: CameraFeedback) -> LiveSource:
    from firmware.table.camera.stream import StreamCamera

    return StreamCamera(spec.url, spec.name, feedback=feedback)


def _web_camera(name: str, table: Table, wanted: CameraWanted) -> LiveSource:
    if not name.isdigit() and not Path(name).exists():
        raise _nothing(name)
    device, size = int(name) if name.isdigit() else name, (table.camera.width, table.camera.height)
    return WebCamera(device, size, mains_hz=wanted.mains_hz, feedback=wanted.feedback)


def _pi_number(name: str) -> int:
    number = name.partition(":")[2] or "0"
    if not (number.isascii() and number.isdigit() and len(number) <= MAX_DIGITS):
        raise SourceError(f"--camera {name}: expected picamera2 or picamera2:N with N a camera's number, such as 0")
    return int(number)


def _pi_camera(number: int, table: Table, wanted: CameraWanted) -> LiveSource:
    from vision.camera.picamera import PiCamera

    return PiCamera(number, table.camera, mains_hz=wanted.mains_hz, feedback=wanted.feedback)
