"""A camera that is not there when the game begins."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from firmware.camera import waiting_camera
from firmware.camera.camera import CameraKind, CameraWanted, camera_spec
from firmware.camera.opening import opened_in_time
from firmware.camera.waiting_camera import LOOK_S, RETRY_S, WaitingCamera
from firmware.cli import main
from firmware.loop.moment import Moment
from firmware.panel.panel_audience import PanelAudience
from firmware.scorebook.modes import BY_HAND, PLAY
from firmware.sitting import cameras, sitting
from firmware.sitting.cameras import open_camera, open_with_table
from firmware.sitting.match_start import mode_at
from tests.fakes.fake_picamera2 import FakePi
from tests.firmware.conftest import SetClock
from vision.camera.sources import Source, SourceError
from vision.frame import Frame, Picture
from vision.printed.table import Table


class Plugged:
    """A camera with two frames, once it is there."""

    def __init__(self) -> None:
        self.index = 0
        self.closed = False

    def read(self) -> Frame | None:
        self.index += 1
        return None if self.index > 2 else Frame(self.index - 1, (self.index - 1) * 0.5, np.ones((4, 4), np.uint8))

    def close(self) -> None:
        self.closed = True


class Soon:
    """A camera that is waited for while twenty frames would have come, and that does not come."""

    def __init__(self, *_: object) -> None:
        self.index = 0

    def read(self) -> Frame | None:
        self.index += 1
        return None if self.index > 20 else Frame(self.index, self.index * 0.3, np.empty((0, 0), np.uint8))

    def close(self) -> None:
        pass


def test_it_is_asked_for_now_and_then_and_its_clock_goes_on() -> None:
    clock, camera, tries = SetClock(), Plugged(), []

    def opened() -> Source:
        tries.append(round(clock.now, 1))
        if len(tries) < 3:
            raise SourceError("not yet")
        return camera

    def sleep(for_s: float) -> None:
        clock.now = round(clock.now + for_s, 6)

    waiting = WaitingCamera(opened, clock.now_s, sleep)
    frames = []
    while (frame := waiting.read()) is not None:
        frames.append(frame)
    assert tries == [RETRY_S, 2 * RETRY_S, 3 * RETRY_S]
    empty = [frame for frame in frames if not frame.y.size]
    assert len(empty) == round(3 * RETRY_S / LOOK_S) - 1
    assert [frame.index for frame in frames] == list(range(len(frames)))
    assert [frame.t_s for frame in frames[-2:]] == pytest.approx([9.0, 9.5])
    assert all(one.t_s < other.t_s for one, other in pairwise(frames))
    waiting.close()
    assert camera.closed


@pytest.mark.parametrize(
    ("spec", "live"),
    [
        ("picamera2", True),
        ("picamera2:1", True),
        ("0", True),
        ("/dev/video0", True),
        ("synthetic", False),
        ("match.mp4", False),
        ("/tmp/frames", False),
    ],
)
def test_which_cameras_are_waited_for(spec: str, live: bool) -> None:
    assert camera_spec(spec).live is live


def test_a_name_is_read_by_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "match.mp4").write_bytes(b"a film")
    (tmp_path / "match.engarde").write_bytes(b"engarde recording, version 1, header of ...")
    (tmp_path / "webcam").symlink_to("/dev/null")
    os.mkfifo(tmp_path / "pipe")
    assert camera_spec("/dev/null").kind is CameraKind.NOTHING, "a device that is no camera"
    monkeypatch.setattr("firmware.camera.camera.VIDEO_DEVICES", os.major(os.stat("/dev/null").st_rdev))
    kinds = {
        "synthetic": CameraKind.SYNTHETIC,
        "picamera2": CameraKind.PI,
        "picamera2:1": CameraKind.PI,
        "0": CameraKind.DEVICE,
        "/dev/video99": CameraKind.DEVICE,
        str(tmp_path / "webcam"): CameraKind.DEVICE,
        str(tmp_path / "pipe"): CameraKind.NOTHING,
        "/dev/stdin/or/none": CameraKind.DEVICE,
        "9" * 20: CameraKind.NOTHING,
        str(tmp_path): CameraKind.FOLDER,
        str(tmp_path / "match.mp4"): CameraKind.VIDEO,
        str(tmp_path / "match.engarde"): CameraKind.RECORDING,
        str(tmp_path / "missing.mp4"): CameraKind.NOTHING,
    }
    assert {name: camera_spec(name).kind for name in kinds} == kinds


def test_only_a_folder_takes_its_clock_from_the_settings(tmp_path: Path) -> None:
    assert camera_spec(str(tmp_path), None, 4.0).fps == 4.0
    assert camera_spec(str(tmp_path), 7.0, 4.0).fps == 7.0
    assert camera_spec("match.mp4", None, 4.0).fps is None


@pytest.mark.parametrize("name", ["missing.mp4", "/dev/video99"])
def test_nothing_of_that_name_is_refused_with_what_could_be_there(name: str, table: Table) -> None:
    with pytest.raises(SourceError, match="a camera number, a device path, an address"):
        open_camera(camera_spec(name), table)


def test_a_pi_camera_is_counted(table: Table) -> None:
    with pytest.raises(SourceError, match="expected picamera2 or picamera2:N"):
        open_camera(camera_spec("picamera2:left"), table)


def test_a_pi_camera_that_is_busy_is_said_with_the_cure(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    pi = FakePi()
    pi.raises = {"open": RuntimeError("Camera __init__ sequence did not complete.")}
    monkeypatch.setitem(sys.modules, "picamera2", pi.module)
    with pytest.raises(SourceError, match=r"does not start \(Camera __init__ .*close other programs"):
        open_camera(camera_spec("picamera2"), table)


@pytest.mark.slow
def test_a_game_with_a_panel_goes_on_without_its_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The missing camera is said at the start and by the lamps; it is no end."""
    settings = tmp_path / "config.toml"
    settings.write_text('[panel]\npins = "mock"\n')
    lit: list[bool] = []

    class Lamps(PanelAudience):
        def attend(self, moment: Moment) -> None:
            super().attend(moment)
            lit.append(moment.view.lamps["refused"])

    monkeypatch.setattr(sitting, "WaitingCamera", Soon)
    monkeypatch.setattr(sitting, "PanelAudience", Lamps)
    words = ["play", "--camera", "/dev/video-of-nobody", "--headless", "--config", str(settings)]
    assert main([*words, "--scorebook", str(tmp_path / "book.sqlite")]) == 0
    said = capsys.readouterr().err
    assert "There is no camera yet: " in said
    assert "The panel's pins are pretended, as was asked for." in said
    assert all(lit[1:])
    assert len(lit) == 20


@pytest.mark.slow
def test_a_service_waits_for_the_camera_with_neither_screen_nor_panel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would only be started again every few seconds; its journal says what it waits for."""
    monkeypatch.setattr(sitting, "WaitingCamera", Soon)
    monkeypatch.chdir(tmp_path)  # a socket's path may not be long
    monkeypatch.setenv("NOTIFY_SOCKET", "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("notify")
        manager.settimeout(5.0)
        words = ["play", "--camera", "/dev/video-of-nobody", "--headless", "--scorebook", "book.sqlite"]
        assert main(words) == 0
        assert manager.recv(100).startswith(b"READY=1")
    assert "There is no camera yet: " in capsys.readouterr().err


def test_without_screen_and_panel_nobody_would_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "--camera", "/dev/video-of-nobody", "--headless", "--scorebook", str(tmp_path / "book.sqlite")]
    assert main(words) == 1
    assert "found nothing" in capsys.readouterr().err


class HungDriver:
    """Stands in for OpenCV: it does not come back from opening its camera until it is let go."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.asked = 0

    def __call__(self, device: object) -> HungDriver:
        self.asked += 1
        assert self.goes_on.wait(30.0)
        return self

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, *given: object) -> bool:
        return True

    def grab(self) -> bool:
        time.sleep(0.01)
        return True

    def retrieve(self) -> tuple[bool, Picture]:
        return True, np.random.default_rng().integers(0, 255, (8, 8), np.uint8)

    def release(self) -> None:
        pass


@pytest.mark.slow
def test_a_camera_whose_opening_does_not_return_holds_nobody_up_and_is_there_when_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    driver, said = HungDriver(), list[str]()
    monkeypatch.setattr("cv2.VideoCapture", driver)
    monkeypatch.setattr(waiting_camera, "RETRY_S", 0.1)
    wanted = CameraWanted(camera_spec("7"), opens_within_s=0.2)
    began_s = time.monotonic()
    camera, _ = sitting._camera(wanted, said.append, open_with_table, somebody_waits=True)
    assert said == [
        "There is no camera yet: camera 7: expected it to open within seconds, its driver has not answered yet; unplug "
        "it and plug it in again, or start the machine anew. It is waited for."
    ]
    for _ in range(10):
        frame = camera.source.read()
        assert frame is not None
        assert frame.y.size == 0
        assert mode_at(camera, CameraKind.DEVICE) == BY_HAND
    assert time.monotonic() - began_s < 10.0
    assert driver.asked == 1, "a driver that hangs is asked once"
    driver.goes_on.set()
    while frame is not None and not frame.y.size:
        frame = camera.source.read()
        assert time.monotonic() - began_s < 30.0
    assert frame is not None
    assert mode_at(camera, CameraKind.DEVICE) == PLAY
    assert driver.asked == 1
    camera.source.close()


@pytest.mark.slow
def test_a_hung_driver_is_one_plain_sentence_where_nobody_waits(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    driver = HungDriver()
    monkeypatch.setattr("cv2.VideoCapture", driver)
    monkeypatch.setattr(cameras, "opened_in_time", partial(_in_no_time, opened_in_time))
    assert main(["watch", "--camera", "8", "--headless", "--frames", "1"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("engarde watch: camera 8: expected it to open within seconds")
    driver.goes_on.set()


def _in_no_time(
    opens_in_time: Callable[..., Source], name: str, opens: Callable[[], Source], within_s: float
) -> Source:
    return opens_in_time(name, opens, min(within_s, 0.2))
