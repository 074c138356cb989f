"""A webcam against a stand-in for its driver: what it is asked for, and what it survives."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.camera.sources import GONE_FRAME_S, REOPEN_AFTER_S, SourceError
from vision.camera.webcam import WebCamera


class FakeCapture:
    """A camera that delivers until it is unplugged, and again once it is back."""

    def __init__(self, world: FakeWorld) -> None:
        self._world = world
        self.settings: list[tuple[int, float]] = []

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._world.plugged_in

    def read(self) -> tuple[bool, np.ndarray | None]:
        if not self._world.plugged_in:
            return False, None
        picture = self._world.picture
        if isinstance(picture, cv2.error):
            raise picture
        return True, picture

    def set(self, what: int, value: float) -> None:
        self.settings.append((what, value))

    def release(self) -> None:
        self._world.released += 1


class FakeWorld:
    def __init__(self) -> None:
        self.plugged_in = True
        self.picture: np.ndarray | cv2.error | None = np.full((8, 12, 3), 77, np.uint8)
        self.released = 0
        self.now_s = 100.0
        self.captures: list[FakeCapture] = []

    def open_capture(self, device: int | str) -> FakeCapture:
        self.captures.append(FakeCapture(self))
        return self.captures[-1]

    def camera(self) -> WebCamera:
        return WebCamera(0, (640, 480), open_capture=self.open_capture, clock=lambda: self.now_s, sleep=self._sleep)

    def _sleep(self, for_s: float) -> None:
        self.now_s += for_s


def test_a_camera_is_asked_for_its_size_and_gives_luminance_on_a_clock_from_its_start() -> None:
    world = FakeWorld()
    camera = world.camera()
    assert {(cv2.CAP_PROP_FRAME_WIDTH, 640), (cv2.CAP_PROP_FRAME_HEIGHT, 480)} <= set(world.captures[0].settings)
    world.now_s += 0.5
    frame = camera.read()
    assert frame is not None
    assert (frame.index, frame.t_s) == (0, 0.5)
    assert frame.y.shape == (8, 12)
    assert int(frame.y[0, 0]) == 77
    camera.close()
    assert world.released == 1


def test_a_camera_that_vanishes_is_waited_for_and_comes_back() -> None:
    world = FakeWorld()
    camera = world.camera()
    camera.read()
    world.plugged_in = False
    gone = [frame for _ in range(4) if (frame := camera.read()) is not None]
    assert [frame.y.size for frame in gone] == [0, 0, 0, 0]
    assert gone[-1].t_s - gone[1].t_s < 0.2  # the screen goes on, fingers are not kept waiting
    tries = len(world.captures)
    world.plugged_in = True
    later = [frame for _ in range(round(REOPEN_AFTER_S / GONE_FRAME_S) + 2) if (frame := camera.read()) is not None]
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
    camera, picture = world.camera(), world.picture
    frames = [camera.read()]
    world.picture = NO_PICTURES[kind]
    frames += [camera.read() for _ in range(3)]
    assert world.released == 1
    world.picture = picture
    frames += [camera.read() for _ in range(round(REOPEN_AFTER_S / GONE_FRAME_S) + 2)]
    sizes = [frame.y.size for frame in frames if frame is not None]
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
    camera = world.camera()
    camera.read()
    world.picture = np.full((*size, *colours), 99, np.uint8)
    frames = [camera.read() for _ in range(round(REOPEN_AFTER_S / GONE_FRAME_S) + 4)]
    gone, back = [[frame for frame in frames if frame and bool(frame.y.size) is there] for there in (False, True)]
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
