"""The Pi camera against a stand-in with picamera2's surface."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import cv2
import numpy as np
import pytest

from vision.picamera import SETTLE_S, CameraMissingError, PiCamera, steady_exposure
from vision.table import CameraFrame

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
        return {"ExposureTime": 23_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "LensPosition": 1.8}

    def release(self) -> None:
        assert not self.released
        self.released = True
        self.camera.released += 1


class Camera:
    """Keeps what it was told."""

    found: ClassVar[list[dict[str, Any]]] = [{"Num": 0}]

    def __init__(self, number: int) -> None:
        self.told: list[Any] = [("open", number)]
        self.camera_controls = {"AeEnable": 1, "ExposureTime": 1, "AnalogueGain": 1, "AwbEnable": 1, "ColourGains": 1}
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

    def capture_request(self) -> Request:
        return Request(self)

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


made: list[Camera] = []
MODULE = SimpleNamespace(Picamera2=Camera, MappedArray=Mapped)


def open_camera(times: list[float]) -> tuple[PiCamera, Camera]:
    clock = iter([0.0, *times])
    camera = PiCamera(0, SIZE, module=MODULE, clock=lambda: next(clock))
    return camera, made[-1]


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
    controls = [told[1] for told in stand_in.told if told[0] == "controls"]
    assert controls == [
        {
            "AeEnable": False,
            "ExposureTime": 20_000,
            "AnalogueGain": 2.3,
            "AwbEnable": False,
            "ColourGains": (1.5, 1.7),
        }
    ]


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
