"""A webcam against a stand-in for its driver: what it is asked for, and what it survives."""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.fakes.reopened import EMPTY_FRAMES, Reopened
from vision.camera.settling import CameraFeedback
from vision.camera.sources import SourceError
from vision.camera.webcam import WebCamera, set_mains_hz


class FakeCapture:
    """A camera that delivers until it is unplugged, and again once it is back."""

    def __init__(self, world: FakeWorld) -> None:
        self._world = world
        self.asked: list[int] = []

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._world.plugged_in

    def grab(self) -> bool:
        self._world.now_s += self._world.period_s
        self._world.grabbed += 1
        return self._world.plugged_in

    def retrieve(self) -> tuple[bool, np.ndarray | None]:
        if not self._world.plugged_in:
            return False, None
        picture = self._world.picture
        if isinstance(picture, cv2.error):
            raise picture
        return True, picture

    def set(self, what: int, value: float) -> bool:
        """As OpenCV's V4L2 backend: false for a control that the driver has not, or that cannot be that."""
        self.asked.append(what)
        world = self._world
        if what not in world.has or (what == cv2.CAP_PROP_AUTO_EXPOSURE and value not in world.modes):
            return False
        world.controls[what] = value
        return True

    def get(self, what: int) -> float:
        return self._world.controls.get(what, -1.0)

    def release(self) -> None:
        self._world.released += 1


FORMAT = (
    cv2.CAP_PROP_FOURCC,
    cv2.CAP_PROP_FRAME_WIDTH,
    cv2.CAP_PROP_FRAME_HEIGHT,
    cv2.CAP_PROP_FPS,
    cv2.CAP_PROP_BUFFERSIZE,
)
EXPOSURE = (cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_WB)
FOCUS = (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)
UVC_MODES, OTHER_MODES = (1, 3), (0, 1)
"""V4L2_CID_EXPOSURE_AUTO of a USB webcam knows manual and aperture priority; of others, automatic and manual."""


class FakeWorld:
    """``has``: the controls of its driver; ``modes``: of its exposure. ``mains``: what it was told of the lamps."""

    def __init__(self) -> None:
        self.plugged_in = True
        self.picture: np.ndarray | cv2.error | None = np.full((8, 12, 3), 77, np.uint8)
        self.released = self.grabbed = 0
        self.now_s = 100.0
        self.period_s = 0.0
        self.captures: list[FakeCapture] = []
        self.has: tuple[int, ...] = (*FORMAT, *EXPOSURE, *FOCUS)
        self.modes: tuple[int, ...] = UVC_MODES
        self.controls: dict[int, float] = {}
        self.mains: list[tuple[int | str, int]] = []
        self.feedback = CameraFeedback()

    def open_capture(self, device: int | str) -> FakeCapture:
        self.captures.append(FakeCapture(self))
        return self.captures[-1]

    def camera(self) -> WebCamera:
        return WebCamera(
            0,
            (640, 480),
            open_capture=self.open_capture,
            clock=lambda: self.now_s,
            mains_hz=60,
            tell_mains_hz=lambda device, mains_hz: self.mains.append((device, mains_hz)),
            feedback=self.feedback,
        )

    def reopened(self) -> Reopened:
        return Reopened(self.camera(), lambda: self.now_s, self._sleep)

    def _sleep(self, for_s: float) -> None:
        self.now_s += for_s

    @property
    def automatic(self) -> tuple[bool, bool, bool]:
        """Whether exposure, white balance and focus are the camera's own."""
        exposure = self.controls.get(cv2.CAP_PROP_AUTO_EXPOSURE) in (0, 3)
        return exposure, self.controls.get(cv2.CAP_PROP_AUTO_WB) == 1, self.controls.get(cv2.CAP_PROP_AUTOFOCUS) == 1


def test_a_camera_without_these_controls_is_read_as_it_is() -> None:
    world = FakeWorld()
    world.has, world.period_s = FORMAT, 0.1
    camera = world.camera()
    frames = [camera.read() for _ in range(300)]
    assert all(frame is not None and frame.y.size for frame in frames)
    assert world.feedback.settling is None
    camera.close()


@pytest.mark.parametrize("fps", [5, 8, 10, 15, 25, 30, 60])
def test_at_most_ten_pictures_a_second_are_decoded_and_none_is_waited_for_in_vain(fps: float) -> None:
    world = FakeWorld()
    world.period_s = 1 / fps
    camera = world.camera()
    frames = [frame for _ in range(100) if (frame := camera.read()) is not None]
    taken_a_second = 99 / (frames[-1].t_s - frames[0].t_s)
    assert taken_a_second == pytest.approx(min(fps, 10), rel=0.05)
    assert max(b.t_s - a.t_s for a, b in pairwise(frames)) < 1 / min(fps, 10) + 1 / fps


def test_a_camera_that_hangs_upside_down_is_turned() -> None:
    world = FakeWorld()
    picture = np.zeros((8, 12, 3), np.uint8)
    picture[0, 0] = (0, 0, 200)
    world.picture = picture
    camera = world.camera()
    world.feedback.turned = True
    frame = camera.read()
    assert frame is not None
    assert frame.y[7, 11] > 0
    assert frame.y[0, 0] == 0
    assert frame.bgr()[7, 11].tolist() == [0, 0, 200]


@pytest.mark.parametrize(("mains_hz", "value"), [(50, 1), (60, 2)])
def test_the_lamps_rhythm_is_written_into_the_drivers_control(
    mains_hz: int, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "video7"
    device.touch()
    calls: list[tuple[int, bytes]] = []
    monkeypatch.setattr("fcntl.ioctl", lambda _, request, argument: calls.append((request, argument)))
    set_mains_hz(str(device), mains_hz)
    # VIDIOC_S_CTRL of V4L2_CID_POWER_LINE_FREQUENCY (linux/videodev2.h, v4l2-controls.h)
    assert calls == [(0xC008561C, struct.pack("=Ii", 0x00980918, value))]


@pytest.mark.parametrize("refuses", [True, False], ids=["a driver without it", "no such device"])
def test_a_driver_that_knows_nothing_of_lamps_is_left_alone(refuses: bool, tmp_path: Path) -> None:
    device = tmp_path / "video7"
    if refuses:
        device.touch()  # ioctl of a plain file: ENOTTY
    set_mains_hz(str(device), 50)
    assert device.exists() is refuses


def test_a_camera_is_asked_for_its_size_and_gives_luminance_on_a_clock_from_its_start() -> None:
    world = FakeWorld()
    camera = world.camera()
    assert world.controls[cv2.CAP_PROP_FRAME_WIDTH] == 640
    assert world.controls[cv2.CAP_PROP_FRAME_HEIGHT] == 480
    world.now_s += 0.5
    frame = camera.read()
    assert frame is not None
    assert (frame.index, frame.t_s) == (0, 0.5)
    assert frame.y.shape == (8, 12)
    assert int(frame.y[0, 0]) == 77
    camera.close()
    assert world.released == 1


def test_a_camera_that_vanishes_comes_back_once_it_is_reopened() -> None:
    world = FakeWorld()
    camera = world.reopened()
    camera.read()
    world.plugged_in = False
    gone = [camera.read() for _ in range(4)]
    assert [frame.y.size for frame in gone] == [0, 0, 0, 0]
    tries = len(world.captures)
    world.plugged_in = True
    later = [camera.read() for _ in range(EMPTY_FRAMES + 2)]
    back = next(frame for frame in later if frame.y.size > 0)
    assert len(world.captures) == tries + 1  # it was looked for once, not at every frame
    assert back.t_s > gone[-1].t_s
    assert [frame.index for frame in later] == [*range(5, 5 + len(later))]


NO_PICTURES: dict[str, np.ndarray | cv2.error | None] = {
    "nothing": None,
    "another size": np.zeros((6, 8, 3), np.uint8),
    "no columns": np.zeros((8, 0, 3), np.uint8),
    "one row of numbers": np.zeros(96, np.uint8),
    "sixteen bits": np.zeros((8, 12), np.uint16),
    "numbers that are none": np.full((8, 12, 3), np.nan, np.float32),
    "two colours": np.zeros((8, 12, 2), np.uint8),
    "larger than any camera's": np.broadcast_to(np.zeros(3, np.uint8), (9000, 9000, 3)),
    "an error": cv2.error("the driver says no"),
}


@pytest.mark.parametrize("kind", NO_PICTURES)
def test_what_is_no_picture_of_this_camera_is_a_camera_that_is_gone_and_opened_again(kind: str) -> None:
    world = FakeWorld()
    camera, picture = world.reopened(), world.picture
    frames = [camera.read()]
    world.picture = NO_PICTURES[kind]
    frames += [camera.read() for _ in range(3)]
    world.picture = picture
    frames += [camera.read() for _ in range(EMPTY_FRAMES + 2)]
    assert world.released == 1
    sizes = [frame.y.size for frame in frames]
    assert sizes[0] == sizes[-1] == 96
    assert sizes[1:4] == [0, 0, 0]
    assert len(world.captures) == 2


@pytest.mark.parametrize(
    ("size", "lit"),
    [((4, 6), (0, 8)), ((16, 24), (0, 8)), ((9, 12), (0, 8)), ((3, 6), (1, 7)), ((2, 12), (3, 5))],
    ids=["half as large", "twice as large", "higher", "lower", "a strip"],
)
@pytest.mark.parametrize("colours", [(3,), ()])
def test_a_camera_that_gives_another_size_from_now_on_is_there_again(
    size: tuple[int, int], lit: tuple[int, int], colours: tuple[int, ...]
) -> None:
    """What its first pictures measured is what everything after it was told of, the calibration first of all."""
    world = FakeWorld()
    camera = world.reopened()
    camera.read()
    world.picture = np.full((*size, *colours), 99, np.uint8)
    frames = [camera.read() for _ in range(EMPTY_FRAMES + 4)]
    gone, back = [[frame for frame in frames if bool(frame.y.size) is there] for there in (False, True)]
    assert len(gone) > 2
    assert len(back) > 1
    for frame in back:
        assert frame.y.shape == (8, 12)
        assert frame.bgr().shape == (8, 12, 3)
        assert (frame.y[lit[0] : lit[1]] == 99).all()
        assert not frame.y[: lit[0]].any()
        assert not frame.y[lit[1] :].any()


def test_a_camera_that_is_not_there_is_refused_with_the_cure() -> None:
    world = FakeWorld()
    world.plugged_in = False
    with pytest.raises(SourceError, match=r"camera 0: .*`v4l2-ctl --list-devices`"):
        world.camera()
