"""A camera as it was asked for and as it was opened, with the buttons that go with it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from engine.rules.events import MatchEvent
from engine.table.presses import Presses
from firmware.table.camera.recorded import RecordedCamera
from vision.camera.files import DEFAULT_FPS
from vision.camera.settling import CameraFeedback
from vision.camera.sources import Source
from vision.frame import Frame
from vision.recording.recording import is_recording

VIDEO_DEVICES: Final = 81
"""The number the kernel gives to all devices of Video4Linux."""
MAX_DIGITS: Final = 4
"""Of a camera's number."""


AUTO: Final = "auto"
"""The setting that leaves it to the machine which camera looks at the table."""
WEBCAMS: Final = Path("/sys/class/video4linux")
"""What Linux has of cameras; ``index`` counts the nodes of one, of which the first gives pictures (sysfs)."""
_SCHEME_END: Final = "://"
_ADDRESS: Final = re.compile(
    r"(?P<scheme>https?|rtsps?)://([^/?#\s]*@)?(?P<host>[\w.-]+|\[[0-9a-f:.]+\])(?P<port>:\d{1,5})?(?P<more>[/?#]\S*)?",
    re.IGNORECASE | re.ASCII,
)


class CameraKind(Enum):
    """A kind of camera, by its name."""

    SYNTHETIC = "synthetic"
    PI = "picamera2"
    DEVICE = "device"
    STREAM = "stream"  # an address in the network
    FOLDER = "folder"
    VIDEO = "video"
    RECORDING = "recording"
    NOTHING = "nothing"  # there is no file of that name


@dataclass(frozen=True, slots=True)
class CameraSpec:
    """The camera that ``--camera`` named. ``fps`` is the clock of its pictures; None: they have their own.

    ``name`` is what was written, as it may be told (``told_name``); ``url`` is a stream's whole address.
    """

    name: str
    kind: CameraKind
    fps: float | None = None
    url: str = field(default="", repr=False)

    @property
    def live(self) -> bool:
        """Whether it may come and go, and is no recording or simulation."""
        return self.kind in (CameraKind.PI, CameraKind.DEVICE, CameraKind.STREAM)


def own_camera(setting: str) -> str:
    """The camera that the settings mean; for ``auto`` the Pi's own where there is one, else the first webcam."""
    if setting != AUTO:
        return setting
    from firmware.table.panel.devices import is_a_pi  # loads the panel, which a named camera does without

    has_own = is_a_pi() or find_spec("picamera2") is not None
    return CameraKind.PI.value if has_own else _first_webcam()


def _first_webcam() -> str:
    """The number of the first webcam; 0, which is waited for, where there is none."""
    found = []
    for node in WEBCAMS.glob("video*"):
        number = node.name.removeprefix("video")
        with suppress(OSError):  # unplugged meanwhile
            if number.isdigit() and (node / "index").read_text(encoding="ascii").strip() == "0":
                found.append(int(number))
    return str(min(found, default=0))


def camera_spec(name: str, fps: float | None = None, folder_fps: float = DEFAULT_FPS) -> CameraSpec:
    """The camera of this name: ``synthetic``, ``picamera2[:N]``, a V4L2 number or path, a video, a folder of images,
    a recording of ours, known by what is in it, or the address of a stream.

    ``fps`` was asked for; where it was not, ``folder_fps`` is a folder's clock. Raises OSError for a file that cannot
    be read.
    """
    if _SCHEME_END in name:
        kind = CameraKind.STREAM if _ADDRESS.fullmatch(name) else CameraKind.NOTHING
        return CameraSpec(told_name(name), kind, fps, name)
    kind = _kind_of(name)
    return CameraSpec(name, kind, folder_fps if fps is None and kind is CameraKind.FOLDER else fps)


def told_name(name: str) -> str:
    """A camera's name without what may be secret in an address: cameras have passwords in its path and query, too."""
    if _SCHEME_END not in name:
        return name
    address = _ADDRESS.fullmatch(name)
    if address is None or "@" in (more := address["more"] or ""):  # perhaps a password with a slash in it
        return f"{_SCHEME_END}…"
    return f"{address['scheme']}{_SCHEME_END}{address['host']}{address['port'] or ''}{'/…' if more.strip('/') else ''}"


def _kind_of(name: str) -> CameraKind:
    path, first = Path(name), name.partition(":")[0]
    if name == CameraKind.SYNTHETIC.value or first == CameraKind.PI.value:
        return CameraKind(first)
    if name.isascii() and name.isdigit() and len(name) <= MAX_DIGITS:
        return CameraKind.DEVICE
    if path.is_dir():
        return CameraKind.FOLDER
    if path.is_file():
        return CameraKind.RECORDING if is_recording(path) else CameraKind.VIDEO
    if path.exists():  # reading from a pipe, or from another device, might never end
        return CameraKind.DEVICE if os.major(path.stat().st_rdev) == VIDEO_DEVICES else CameraKind.NOTHING
    # One in /dev that is not there may be plugged in yet.
    return CameraKind.DEVICE if path.parts[:2] == ("/", "dev") else CameraKind.NOTHING


@dataclass(frozen=True, slots=True)
class OpenCamera:
    """A camera with its buttons. ``live``: it has no end of its own, and its clock is the clock on the wall.

    ``recorded`` is the recording of ours it is, None for any other camera. ``agree`` tells those who play there what
    match is played: robots, for others read it off the screen. ``played``: people act at it, a simulated table.
    """

    source: Source
    presses: Presses
    live: bool
    recorded: RecordedCamera | None = None
    agree: Callable[[MatchEvent], None] = lambda match: None
    played: bool = False


@dataclass(frozen=True, slots=True)
class HandsWanted:
    """Whose hands act at a simulated table that may be played at.

    ``watch``: those of two bots, and people look on. ``acts`` is a file of what is done there, ``acts_out`` one to be
    written. ``shown``: a window shows it, at which people can act. Cards are
    ``dealt`` by this seed, None: as nobody can know.
    """

    watch: bool = False
    acts: Path | None = None
    acts_out: Path | None = None
    shown: bool = False
    dealt: int | None = None


@dataclass(frozen=True, slots=True)
class CameraWanted:
    """A camera that is wanted.

    ``table_file`` and ``calibration_file`` None: a recording's own, else the table in force and no calibration.
    ``seed`` is the synthetic camera's, ``mains_hz`` that of the lamps. ``told`` hears of pictures that are left out.
    ``hands`` None: at a simulated table two bots play, whoever looks. A live camera that is not
    there is waited for if it ``waits``, and reads ``feedback``.
    """

    spec: CameraSpec
    table_file: Path | None = None
    calibration_file: Path | None = None
    seed: int = 1
    mains_hz: int = 50
    told: Callable[[str], None] = lambda sentence: None
    hands: HandsWanted | None = None
    waits: bool = False
    feedback: CameraFeedback = field(default_factory=CameraFeedback, compare=False)


# The frames a camera is first known by: for calibrating it, and for the doctor.

FRAMES: Final = 15
FEW: Final = 5
"""With fewer pictures than that a marker that flickers is found or missed by chance."""

SETTLED_S: Final = 3.0


def some_frames(source: Source, *, live: bool) -> list[Frame]:
    """Up to 15 frames that have a picture; a camera that is gone for long is not waited for.

    A ``live`` camera is given three seconds first: until then it finds its exposure and focus, and a lens that focuses
    changes its focal length.
    """
    frames: list[Frame] = []
    began_s: float | None = None
    left = 2 * FRAMES
    while left and len(frames) < FRAMES and (frame := source.read()) is not None:
        began_s = frame.t_s if began_s is None else began_s
        if live and frame.t_s - began_s < SETTLED_S:
            continue
        left -= 1
        if frame.y.size:
            frames.append(frame)
    return frames


def too_few(frames: Sequence[Frame], *, live: bool) -> str:
    """A sentence where hardly a picture came from a ``live`` camera that was asked for fifteen; else empty."""
    if not live or len(frames) >= FEW:
        return ""
    came = {0: "no picture", 1: "one picture"}.get(len(frames), f"{len(frames)} pictures")
    return (
        f"{came} came in {2 * FRAMES} tries, each waited for up to a second, where {FRAMES} were wanted: let this "
        "machine do nothing else meanwhile, give the camera more light, look at its cable and its plug, and try again"
    )
