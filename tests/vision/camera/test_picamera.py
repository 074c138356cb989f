"""The Pi camera against a stand-in that speaks as old and as new picamera2 and libcamera do."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fakes.fake_picamera2 import AUTOFOCUS, FIXED_FOCUS, GENERATIONS, MONO, SIZE_PX, FakePi
from tests.fakes.reopened import EMPTY_FRAMES, Reopened
from vision.camera.picamera import CameraMissingError, PiCamera, steady_exposure
from vision.camera.settling import DIMMED_S, SETTLE_S, CameraFeedback, Shown
from vision.frame import Frame
from vision.printed.table import CameraFrame

SIZE = CameraFrame(*SIZE_PX, 66.0)


def opened(pi: FakePi, feedback: CameraFeedback | None = None, mains_hz: int = 50) -> PiCamera:
    return PiCamera(0, SIZE, module=pi.module, clock=pi.clock, mains_hz=mains_hz, patience_s=0.01, feedback=feedback)


def reopened(pi: FakePi) -> Reopened:
    return Reopened(opened(pi), pi.clock, pi.sleep)


def read_for(pi: FakePi, camera: PiCamera | Reopened, for_s: float) -> list[Frame]:
    frames, end_s = [], pi.now_s + for_s
    while pi.now_s < end_s:
        frames.append(camera.read())
    return frames


@pytest.fixture(params=GENERATIONS)
def pi(request: pytest.FixtureRequest) -> FakePi:
    return FakePi(request.param)


def test_a_picture_has_its_colours_until_the_next_one_and_is_grey_after(pi: FakePi) -> None:
    camera = opened(pi)
    frame = camera.read()
    blue, green, red = frame.bgr()[2, 32].astype(int)
    assert red > 80
    assert max(blue, green) < 20
    camera.read()
    blue, green, red = frame.bgr()[2, 32].astype(int)
    assert blue == green == red == frame.y[2, 32]
    last = camera.read()
    camera.close()
    assert last.bgr().shape == (32, 64, 3)
    assert pi.camera.out == 0


@pytest.mark.parametrize("controls", [AUTOFOCUS, FIXED_FOCUS, MONO], ids=["autofocus", "fixed focus", "mono"])
def test_only_what_the_camera_has_is_set(pi: FakePi, controls: tuple[str, ...]) -> None:
    pi.controls = controls
    camera, feedback = opened(pi, feedback := CameraFeedback()), feedback
    assert all(frame.y.size for frame in read_for(pi, camera, 4.0))
    feedback.settle_again()
    assert all(frame.y.size for frame in read_for(pi, camera, 6.0))
    assert not pi.camera.ae


def test_where_focus_fails_the_lens_is_put_at_the_tables_distance_as_far_as_it_is_known(pi: FakePi) -> None:
    pi.sharp_at = None
    feedback = CameraFeedback(expected_mm=800.0)
    camera = opened(pi, feedback)
    read_for(pi, camera, 4.0)
    assert pi.camera.af_mode == 0
    assert pi.camera.lens == pytest.approx(1.25)
    feedback.shown = Shown(distance_mm=790.0)
    read_for(pi, camera, 1.0)
    assert pi.camera.lens == pytest.approx(1.25)  # as good as the same
    feedback.shown = Shown(distance_mm=500.0)
    read_for(pi, camera, 1.0)
    assert pi.camera.lens == pytest.approx(2.0)


@pytest.mark.parametrize("light", [0.3, 4.0], ids=["dusk", "a lamp"])
def test_another_light_unlocks_the_exposure_for_a_moment(pi: FakePi, light: float) -> None:
    camera = opened(pi)
    read_for(pi, camera, 5.0)
    before = pi.camera.brightness
    pi.light = light
    dull = read_for(pi, camera, DIMMED_S - 0.5)
    assert not pi.camera.ae
    assert abs(float(np.median(dull[-1].y)) - before) > 20
    read_for(pi, camera, SETTLE_S + 3)
    assert not pi.camera.ae
    assert pi.camera.brightness == pytest.approx(before, abs=12)
    assert pi.camera.lens == 1.8


def test_focus_again_scans_where_cards_lie_and_keeps_what_it_finds(pi: FakePi) -> None:
    feedback = CameraFeedback()
    camera = opened(pi, feedback)
    read_for(pi, camera, 5.0)
    assert feedback.settling is not None
    assert (feedback.settling.exposure_locked, feedback.settling.focus_locked) == (True, True)
    feedback.shown = Shown(hand=False, area=(0.25, 0.5, 0.75, 1.0))
    camera.read()
    pi.sharp_at = 2.5
    feedback.settle_again()
    read_for(pi, camera, 1.5)
    assert pi.camera.ae
    read_for(pi, camera, 4.0)
    assert (pi.camera.af_mode, pi.camera.lens, pi.camera.ae) == (0, 2.5, False)
    assert pi.camera.windows == [(1152, 1296, 2304, 1296)]


@pytest.mark.parametrize("how", ["raises", "hangs"])
def test_a_camera_that_vanishes_comes_back_once_it_is_reopened(pi: FakePi, how: str) -> None:
    camera = reopened(pi)
    read_for(pi, camera, 4.0)
    pi.there, pi.frozen = how == "hangs", how == "hangs"
    gone = [camera.read() for _ in range(5)]
    assert [frame.y.size for frame in gone] == [0] * 5
    assert len(pi.made) == 1
    pi.there, pi.frozen = True, False
    later = [camera.read() for _ in range(EMPTY_FRAMES)]
    assert pi.made[0].calls[-2:] == ["stop", "close"]
    back = next(frame for frame in later if frame.y.size)
    assert back.y.shape == (32, 64)
    assert back.t_s > gone[-1].t_s
    assert [frame.index for frame in later] == [gone[-1].index + 1 + number for number in range(len(later))]
    assert len(pi.made) == 2
    assert pi.camera.ae
    read_for(pi, camera, 4.0)
    assert not pi.camera.ae  # the light may be another by now
    camera.close()
    assert pi.camera.calls[-2:] == ["stop", "close"]


ERRORS = [KeyError("main"), RuntimeError("Camera __init__ sequence did not complete."), TimeoutError()]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("where", ["open", "create_video_configuration", "configure", "set_controls", "start"])
def test_whatever_is_raised_at_opening_is_a_camera_that_is_missing_and_let_go_of(
    where: str, error: BaseException, pi: FakePi
) -> None:
    pi.raises = {where: error}
    with pytest.raises(CameraMissingError, match=r"picamera2:0 \(imx708\) is connected but does not start .*programs"):
        opened(pi)
    assert not pi.camera.held


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("where", ["capture_request", "set_controls"])
@pytest.mark.parametrize("closing", ["", "stop", "close"])
def test_whatever_is_raised_later_is_a_camera_that_is_gone(
    where: str, error: BaseException, closing: str, pi: FakePi
) -> None:
    camera = reopened(pi)
    read_for(pi, camera, 1.0)
    pi.raises = {where: error, closing: error}
    assert not read_for(pi, camera, 4.0)[-1].y.size
    pi.raises = {}
    assert read_for(pi, camera, 4.0)[-1].y.size


def test_no_list_of_cameras_is_a_camera_that_is_missing(pi: FakePi) -> None:
    pi.raises = {"global_camera_info": OSError("no media device")}
    with pytest.raises(CameraMissingError, match=r"no media device.*rpicam-hello"):
        opened(pi)


def test_a_missing_camera_is_said_with_its_cure(pi: FakePi) -> None:
    with pytest.raises(CameraMissingError, match=r"picamera2:3 was asked for, but 1 cameras are connected.*cable"):
        PiCamera(3, SIZE, module=pi.module)


def test_a_usb_camera_among_them_is_said_with_its_cure(pi: FakePi) -> None:
    pi.found = [{"Num": 0, "Model": "HD Webcam", "Id": "\\_SB_.PCI0-1:1.0"}]
    pi.raises = {"configure": RuntimeError("Configuration failed")}
    with pytest.raises(CameraMissingError, match=r"HD Webcam.*USB camera choose it by its number: --camera 0"):
        opened(pi)


def test_a_camera_that_hangs_upside_down_is_turned_by_its_sensor(pi: FakePi) -> None:
    feedback = CameraFeedback(turned=True)
    camera = Reopened(opened(pi, feedback), pi.clock, pi.sleep)
    assert pi.camera.configuration["transform"] == ("transform", {"hflip": 1, "vflip": 1})
    read_for(pi, camera, 1.0)
    feedback.turned = False  # set otherwise in the menu: it is opened anew
    assert read_for(pi, camera, 3.0)[-1].y.size
    assert "transform" not in pi.camera.configuration


@pytest.mark.parametrize(
    ("exposure_us", "mains_hz", "steady_us"),
    [(23_000, 50, 20_000), (26_000, 50, 30_000), (9_000, 60, 8_333), (3_000, 50, 3_000), (10_000, 50, 10_000)],
)
def test_exposures_hold_whole_pulses_of_the_lamps(exposure_us: int, mains_hz: int, steady_us: int) -> None:
    found_us, gain = steady_exposure(exposure_us, 4.0, mains_hz)
    assert found_us == steady_us
    assert found_us * gain == pytest.approx(exposure_us * 4.0)
