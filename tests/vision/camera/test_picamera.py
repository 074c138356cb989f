"""The Pi camera against a stand-in with picamera2's surface."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from vision.camera.picamera import LATEST_LOCK_S, SETTLE_S, CameraMissingError, PiCamera, steady_exposure
from vision.camera.sources import GONE_FRAME_S, REOPEN_AFTER_S
from vision.printed.table import CameraFrame

SIZE = CameraFrame(64, 32, 66.0)
STRIDE = 96


class Request:
    def __init__(self, camera: Camera) -> None:
        self.camera, self.released = camera, False
        picture = np.zeros((32, 64, 3), np.uint8)
        picture[:, :, 2] = 200
        packed = cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420)
        planes = np.full((48, STRIDE), 7, np.uint8)
        planes[:32, :64] = packed[:32]
        chroma = packed[32:].reshape(2, 16, 32)
        planes[32:].reshape(2, 16, STRIDE // 2)[:, :, :32] = chroma
        self.array = planes

    def get_metadata(self) -> dict[str, Any]:
        settled = {"ExposureTime": 23_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "LensPosition": 1.8}
        return settled | self.camera.metadata

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.camera.released += 1


class Camera:
    """Keeps what it was told."""

    found: ClassVar[list[dict[str, Any]]] = [{"Num": 0}]

    there: ClassVar[bool] = True
    hangs: ClassVar[bool] = False
    metadata: ClassVar[dict[str, Any]] = {}

    def __init__(self, number: int) -> None:
        if not self.there:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.told: list[Any] = [("open", number)]
        self.camera_controls = dict.fromkeys(CONTROLS, 1)
        self.released = 0
        made.append(self)

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return cls.found

    def create_video_configuration(self, **given: Any) -> dict[str, Any]:
        return given

    def configure(self, given: dict[str, Any]) -> None:
        self.told.append(("configure", given["main"]))

    def start(self) -> None:
        self.told.append("start")

    def capture_request(
        self, wait: bool | None = None, signal_function: Callable[[object], None] | None = None
    ) -> object:
        assert wait is False, "waiting without end would hang with a camera that is gone"
        assert signal_function is not None
        if not self.there:
            raise RuntimeError("the camera has been disconnected")
        job = Request(self)
        if not self.hangs:
            signal_function(job)
        return job

    def wait(self, job: Request) -> Request:
        assert not self.hangs
        return job

    def set_controls(self, controls: dict[str, Any]) -> None:
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.told.append(("controls", controls))

    def stop(self) -> None:
        self.told.append("stop")

    def close(self) -> None:
        self.told.append("close")


class Mapped:
    def __init__(self, request: Request, stream: str) -> None:
        assert stream == "main"
        self.array = request.array

    def __enter__(self) -> Mapped:
        return self

    def __exit__(self, *_: object) -> None:
        self.array = np.zeros((0, 0), np.uint8)


CONTROLS = ("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains")
made: list[Camera] = []
MODULE = SimpleNamespace(Picamera2=Camera, MappedArray=Mapped)


@pytest.fixture(autouse=True)
def plugged_in() -> Iterator[None]:
    """Every test begins with a camera that works."""
    made.clear()
    Camera.there, Camera.hangs, Camera.metadata = True, False, {}
    yield
    made.clear()


def open_camera(times: list[float], mains_hz: int = 50) -> tuple[PiCamera, Camera]:
    clock = iter(sorted([0.0, *times, *times]))  # asked twice a frame: for its time and for the camera's age
    camera = PiCamera(
        0,
        SIZE,
        module=MODULE,
        clock=lambda: next(clock, 9.0),
        mains_hz=mains_hz,
        patience_s=0.01,
        sleep=lambda _: None,
        aside=lambda run: run(),
    )
    return camera, made[-1]


def controls_of(stand_in: Camera) -> list[dict[str, Any]]:
    return [told[1] for told in stand_in.told if told[0] == "controls"]


def test_the_luminance_is_the_y_plane_without_its_padding() -> None:
    camera, stand_in = open_camera([0.1, 0.2])
    frame = camera.read()
    assert frame.y.shape == (32, 64)
    assert len(np.unique(frame.y)) == 1
    assert (frame.index, frame.t_s) == (0, 0.1)
    assert camera.read().index == 1
    assert stand_in.released == 2


def test_the_picture_for_people_has_its_colours() -> None:
    camera, _ = open_camera([0.1])
    picture = camera.read().picture
    assert picture is not None
    blue, green, red = picture()[16, 32].astype(int)
    assert red > 180
    assert max(blue, green) < 20


def test_the_automatics_are_locked_once_after_settling_with_known_controls_only() -> None:
    camera, stand_in = open_camera([0.5, SETTLE_S + 0.1, SETTLE_S + 0.2])
    for _ in range(3):
        camera.read()
    assert controls_of(stand_in) == [
        {
            "AeEnable": False,
            "ExposureTime": 20_000,
            "AnalogueGain": 2.3,
            "AwbEnable": False,
            "ColourGains": (1.5, 1.7),
        }
    ]


def test_while_it_settles_it_focuses_and_avoids_the_lamps_flicker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        f"{__name__}.CONTROLS", (*CONTROLS, "AfMode", "LensPosition", "AeFlickerMode", "AeFlickerPeriod")
    )
    camera, stand_in = open_camera([0.5, SETTLE_S + 0.1], mains_hz=60)
    assert controls_of(stand_in) == [{"AfMode": 2, "AeFlickerMode": 1, "AeFlickerPeriod": 8333}]
    assert stand_in.told.index("start") > stand_in.told.index(("controls", controls_of(stand_in)[0]))
    for _ in range(2):
        camera.read()
    locked = controls_of(stand_in)[1]
    assert (locked["AfMode"], locked["LensPosition"]) == (0, 1.8)
    assert locked["ExposureTime"] == 25_000


@pytest.mark.parametrize("under_way", [{"AeLocked": False}, {"AfState": 1}])
def test_automatics_still_under_way_are_waited_for_but_not_for_ever(under_way: dict[str, Any]) -> None:
    camera, stand_in = open_camera([SETTLE_S + 1, LATEST_LOCK_S - 0.1, LATEST_LOCK_S + 0.1])
    Camera.metadata = under_way
    for expected in (0, 0, 1):
        camera.read()
        assert len(controls_of(stand_in)) == expected


@pytest.mark.parametrize("how", ["raises", "hangs"])
def test_a_camera_that_vanishes_is_waited_for_and_comes_back(how: str) -> None:
    now_s = [0.0]
    slept: list[float] = []

    def sleep(for_s: float) -> None:
        slept.append(for_s)
        now_s[0] += for_s

    camera = PiCamera(
        0, SIZE, module=MODULE, clock=lambda: now_s[0], patience_s=0.01, sleep=sleep, aside=lambda run: run()
    )
    now_s[0] = SETTLE_S + 1
    assert camera.read().y.size
    assert len(controls_of(made[0])) == 1
    Camera.there, Camera.hangs = False, how == "hangs"
    if how == "hangs":
        Camera.there = True
        assert camera.read().y.size == 0
        Camera.there = False
    gone = [camera.read() for _ in range(4)]
    assert [frame.y.size for frame in gone] == [0, 0, 0, 0]
    assert made[0].told[-2:] == ["stop", "close"]
    assert len(made) == 1
    assert len(slept) >= 3  # it is not asked for without a pause
    Camera.there, Camera.hangs = True, False
    assert max(slept) <= GONE_FRAME_S  # and the screen goes on meanwhile
    later = [camera.read() for _ in range(round(REOPEN_AFTER_S / GONE_FRAME_S))]
    back = next(frame for frame in later if frame.y.size)
    assert back.y.shape == (32, 64)
    assert back.t_s > gone[-1].t_s
    assert [frame.index for frame in later] == [gone[-1].index + 1 + number for number in range(len(later))]
    assert len(made) == 2
    now_s[0] += SETTLE_S + 1
    camera.read()
    assert len(controls_of(made[1])) == 1  # the light may be another by now
    camera.close()
    assert made[1].told[-2:] == ["stop", "close"]


@pytest.mark.slow
def test_a_camera_that_hangs_even_in_stopping_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    camera, stand_in = open_camera([0.1 * number for number in range(20)])
    camera._aside = lambda run: threading.Thread(target=run, daemon=True).start()
    monkeypatch.setattr("vision.camera.picamera.REOPEN_AFTER_S", 0.01)
    monkeypatch.setattr(stand_in, "stop", released.wait, raising=False)
    Camera.hangs = True
    assert [camera.read().y.size for _ in range(3)] == [0, 0, 0]
    assert len(made) == 1  # the old one still has it
    assert camera.stuck_since_s is not None
    Camera.hangs = False
    released.set()
    frames = [camera.read().y.size for _ in range(10)]
    assert frames[-1] > 0
    assert len(made) == 2
    assert camera.stuck_since_s is None
    camera.close()


def test_a_camera_that_does_not_start_is_said_with_its_cure() -> None:
    Camera.there = False
    with pytest.raises(CameraMissingError, match=r"picamera2:0 is connected but does not start .*other programs"):
        open_camera([])


def test_the_camera_is_let_go_of() -> None:
    camera, stand_in = open_camera([])
    camera.close()
    assert stand_in.told[-2:] == ["stop", "close"]


def test_a_missing_camera_is_said_with_its_cure() -> None:
    with pytest.raises(CameraMissingError, match=r"picamera2:3 was asked for, but 1 cameras are connected.*cable"):
        PiCamera(3, SIZE, module=MODULE)


@pytest.mark.parametrize(
    ("exposure_us", "mains_hz", "steady_us"),
    [(23_000, 50, 20_000), (26_000, 50, 30_000), (9_000, 60, 8_333), (3_000, 50, 3_000), (10_000, 50, 10_000)],
)
def test_exposures_hold_whole_pulses_of_the_lamps(exposure_us: int, mains_hz: int, steady_us: int) -> None:
    found_us, gain = steady_exposure(exposure_us, 4.0, mains_hz)
    assert found_us == steady_us
    assert found_us * gain == pytest.approx(exposure_us * 4.0)
