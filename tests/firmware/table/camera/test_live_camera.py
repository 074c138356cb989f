"""A camera that comes late, hangs, goes away and comes back; and the game that goes on meanwhile."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import cast
from urllib.parse import quote

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cli.main import main
from firmware.cli.sitting import sitting
from firmware.cli.sitting.cameras import open_camera
from firmware.table.camera import camera, live_camera
from firmware.table.camera.camera import CameraKind, CameraWanted, camera_spec, own_camera
from firmware.table.camera.live_camera import FreshCamera, LiveCamera, Meanwhile
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import RULES, Part, Watched
from firmware.table.panel import devices
from firmware.table.panel.patterns import PanelAudience
from tests.fakes.fake_picamera2 import FakePi
from tests.waiting import HANG_S
from vision.camera.sources import LiveSource, Source, SourceError
from vision.frame import GONE, Frame, Picture
from vision.printed.table import Table

RULE = RULES[Part.CAMERA]
ANYTHING = [
    SourceError("gone"),
    OSError(19, "no such device"),
    AttributeError("allocator"),
    KeyError("main"),
    TypeError(),
]


class Clock:
    """Time that passes while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def now_s(self) -> float:
        return self.now

    def sleep(self, for_s: float) -> None:
        self.now += for_s
        time.sleep(0.0002)  # for the camera's thread


class Driver:
    """A camera that does as it is told: it may be missing, raise anything, give nothing, and hang in any call."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.raises: Exception | None = None
        self.empty = False
        self.hangs_in = ""
        self.hung, self.goes_on = threading.Event(), threading.Event()
        self.opened_s: list[float] = []
        self.reads = 0
        self.closed = False

    def opens(self) -> Driver:
        self.reopen()
        return self

    def reopen(self) -> None:
        self.opened_s.append(self._clock.now)
        self._do("open")

    def read(self) -> Frame | None:
        self.reads += 1
        self._do("read")
        y: Picture = GONE if self.empty else np.full((4, 6), self.reads % 250 + 1, np.uint8)
        return Frame(self.reads, self._clock.now, y)

    def close(self) -> None:
        self._do("close")
        self.closed = True

    def _do(self, what: str) -> None:
        if self.hangs_in == what:
            self.hung.set()
            assert self.goes_on.wait(HANG_S)
        if self.raises is not None and what != "close":
            raise self.raises


def _live(driver: Driver, clock: Clock, deadline_s: float = 5.0) -> LiveCamera:
    return LiveCamera("0", driver.opens, deadline_s, clock.now_s, clock.sleep)


def _frames(camera: LiveCamera, count: int) -> list[Frame]:
    return [frame for _ in range(count) if (frame := camera.read()) is not None]


def _until(camera: LiveCamera, picture: bool) -> Frame:
    for _ in range(20_000):
        frame = camera.read()
        assert frame is not None
        if bool(frame.y.size) is picture:
            return frame
    raise AssertionError("it never came")


@pytest.mark.parametrize("error", [None, *ANYTHING], ids=lambda each: type(each).__name__)
def test_a_camera_that_comes_late_and_goes_away_is_opened_ever_less_often_and_its_clock_goes_on(
    error: Exception | None,
) -> None:
    """It raises this, or opens and gives no picture."""
    clock = Clock()
    driver = Driver(clock)
    driver.raises, driver.empty = error, True
    camera = _live(driver, clock)
    if error is not None:
        with pytest.raises(SourceError, match=r"gone|cannot be used"):
            camera.wait()
    for lost_until_s in (60.0, 160.0):
        gone, opened = _until(camera, picture=False), len(driver.opened_s)
        while clock.now < lost_until_s:
            assert not any(frame.y.size for frame in _frames(camera, 1))
        assert camera.watched(clock.now).is_missing
        assert camera.found is (lost_until_s > 60.0)
        gaps = np.diff(driver.opened_s[opened:])
        assert len(gaps) > 4
        assert (np.diff(gaps) > -0.5).all(), "it is asked for less and less often"
        assert RULE.longest_s - 0.5 < gaps[-1] < RULE.longest_s + 1.0
        driver.raises, driver.empty = None, False
        back = _until(camera, picture=True)
        assert (gone.t_s, gone.index) < (back.t_s, back.index)
        assert not camera.watched(clock.now).is_missing
        assert not camera.watched(clock.now).ends_program(clock.now + 1e3, restarted=True)
        driver.raises, driver.empty = error, True
    driver.raises = None
    camera.close()
    assert driver.closed


@pytest.mark.slow
@pytest.mark.parametrize("where", ["open", "read"])
def test_a_call_that_hangs_holds_nobody_up_and_what_it_brings_in_the_end_is_used(where: str) -> None:
    clock = Clock()
    driver = Driver(clock)
    camera = _live(driver, clock, deadline_s=0.1)
    camera.wait()
    _until(camera, picture=True)
    driver.hangs_in = where
    driver.empty = True
    for _ in range(200):
        _frames(camera, 1)
        clock.now += 0.2
        if driver.hung.is_set():
            break
    driver.empty = False
    called, asked = len(driver.opened_s), driver.reads
    for _ in range(4):
        clock.now += 1.0
        assert not any(frame.y.size for frame in _frames(camera, 1))
    state = camera.watched(clock.now)
    assert state.looking_since_s is not None
    assert not state.ends_program(clock.now, restarted=False)
    assert state.ends_program(clock.now + 61.0, restarted=False), "only another start of the program helps"
    assert (len(driver.opened_s), driver.reads) == (called, asked), "a driver that hangs is asked once"
    driver.hangs_in = ""
    driver.goes_on.set()
    _until(camera, picture=True)
    camera.close()


@pytest.mark.slow
@pytest.mark.parametrize("where", ["read", "close"])
def test_a_camera_that_hangs_for_ever_keeps_nobody_from_ending(where: str) -> None:
    clock = Clock()
    driver = Driver(clock)
    camera = _live(driver, clock, deadline_s=0.05)
    camera.wait()
    driver.hangs_in = where
    _frames(camera, 3)
    began_s = time.monotonic()
    camera.close()
    assert time.monotonic() - began_s < HANG_S / 2
    assert not driver.closed
    driver.goes_on.set()


class Soon(LiveCamera):
    """A camera that is waited for while twenty frames would have come, and that does not come."""

    def __init__(self, *given: object) -> None:
        self.index, self.problem = 0, "there is none"

    def wait(self, within_s: float = 0.0) -> None:
        raise SourceError(self.problem)

    def watched(self, now_s: float) -> Watched:
        return Watched(RULES[Part.CAMERA]).lost(0.0)

    def read(self) -> Frame | None:
        self.index += 1
        return None if self.index > 20 else Frame(self.index, self.index * 0.3, GONE)

    @property
    def found(self) -> bool:
        return False

    def close(self) -> None:
        pass


def test_a_name_is_read_by_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "match.mp4").write_bytes(b"a film")
    (tmp_path / "match.engarde").write_bytes(b"engarde recording, version 1, header of ...")
    (tmp_path / "webcam").symlink_to("/dev/null")
    os.mkfifo(tmp_path / "pipe")
    assert camera_spec("/dev/null").kind is CameraKind.NOTHING, "a device that is no camera"
    monkeypatch.setattr("firmware.table.camera.camera.VIDEO_DEVICES", os.major(os.stat("/dev/null").st_rdev))
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
    waited_for = (CameraKind.PI, CameraKind.DEVICE)
    assert all(camera_spec(name).live is (kind in waited_for) for name, kind in kinds.items())
    assert camera_spec(str(tmp_path), None, 4.0).fps == 4.0, "a folder takes its clock from the settings"
    assert camera_spec(str(tmp_path), 7.0, 4.0).fps == 7.0
    assert camera_spec("match.mp4", None, 4.0).fps is None


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing.mp4", "a camera number, a device path, an address"),
        ("/dev/video99", "a camera number, a device path, an address"),
        ("picamera2:left", "expected picamera2 or picamera2:N"),
    ],
)
def test_what_is_no_camera_is_refused_with_what_could_be_one(name: str, said: str, table: Table) -> None:
    with pytest.raises(SourceError, match=said):
        open_camera(CameraWanted(camera_spec(name)), table)


def test_a_pi_camera_that_is_busy_is_said_with_the_cure(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    pi = FakePi()
    pi.raises = {"open": RuntimeError("Camera __init__ sequence did not complete.")}
    monkeypatch.setitem(sys.modules, "picamera2", pi.module)
    with pytest.raises(SourceError, match=r"does not start \(Camera __init__ .*close other programs"):
        open_camera(CameraWanted(camera_spec("picamera2")), table)


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

    monkeypatch.setattr("firmware.cli.sitting.cameras.LiveCamera", Soon)
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
    monkeypatch.setattr("firmware.cli.sitting.cameras.LiveCamera", Soon)
    monkeypatch.chdir(tmp_path)  # a socket's path may not be long
    monkeypatch.setenv("NOTIFY_SOCKET", "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind("notify")
        manager.settimeout(HANG_S)
        words = ["play", "--camera", "/dev/video-of-nobody", "--headless", "--scorebook", "book.sqlite"]
        assert main(words) == 0
        assert manager.recv(100).startswith(b"READY=1")
    assert "There is no camera yet: " in capsys.readouterr().err


def test_without_screen_and_panel_nobody_would_know(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["play", "--camera", "/dev/video-of-nobody", "--headless", "--scorebook", str(tmp_path / "book.sqlite")]
    assert main(words) == 1
    assert "found nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("pi", "has_picamera2", "kind"),
    [
        (True, False, CameraKind.PI),  # what is missing there is told with its cure
        (True, True, CameraKind.PI),
        (False, True, CameraKind.PI),
        (False, False, CameraKind.DEVICE),
    ],
)
def test_a_pi_takes_its_own_camera_and_a_laptop_its_webcam(
    monkeypatch: pytest.MonkeyPatch, pi: bool, has_picamera2: bool, kind: CameraKind
) -> None:
    monkeypatch.setattr(devices, "is_a_pi", lambda: pi)
    monkeypatch.setattr(camera, "find_spec", lambda name: object() if has_picamera2 else None)
    assert camera_spec(own_camera("auto")).kind is kind
    assert own_camera("/dev/video3") == "/dev/video3"


@pytest.mark.parametrize(
    ("nodes", "tried"),
    [
        ({}, 0),
        ({"video0": "0", "video1": "1"}, 0),
        ({"video0": "1", "video1": "1", "video2": "0", "video10": "0"}, 2),
        ({"video10": "0", "v4l-subdev0": "0"}, 10),
    ],
)
def test_at_a_laptop_its_own_webcam_is_tried_by_itself(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    nodes: dict[str, str],
    tried: int,
) -> None:
    """The first node may be one of metadata, which gives no pictures."""
    opened: list[object] = []

    class Capture:
        def __init__(self, device: object) -> None:
            opened.append(device)

        def isOpened(self) -> bool:  # noqa: N802 - OpenCV calls it so
            return False

        def release(self) -> None:
            pass

    for name, index in nodes.items():
        (tmp_path / "v4l" / name).mkdir(parents=True)
        (tmp_path / "v4l" / name / "index").write_text(f"{index}\n")
    monkeypatch.setattr(camera, "WEBCAMS", tmp_path / "v4l")
    monkeypatch.setattr(devices, "is_a_pi", lambda: False)
    monkeypatch.setattr(camera, "find_spec", lambda name: None)
    monkeypatch.setattr(cv2, "VideoCapture", Capture)
    assert main(["play", "--headless", "--scorebook", str(tmp_path / "book.sqlite")]) == 1
    assert f"camera {tried}: expected a camera, found none that opens" in capsys.readouterr().err
    assert set(opened) == {tried}


SECRET = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=20)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("http://phone:4747/video", "http://phone:4747/…"),
        ("https://192.168.1.5", "https://192.168.1.5"),
        ("rtsp://ana:p%40ss@192.168.1.5:554/user=ana_password=x_stream=0.sdp", "rtsp://192.168.1.5:554/…"),
        ("RTSP://[fe80::1]/", "RTSP://[fe80::1]"),
        ("http://ana:p@ss@phone/video", "http://phone/…"),
        ("http://phone?password=x", "http://phone/…"),
    ],
)
def test_an_address_is_a_live_camera_told_by_its_host(name: str, told: str) -> None:
    spec = camera_spec(name)
    assert (spec.kind, spec.name, spec.url, spec.live) == (CameraKind.STREAM, told, name, True)


@pytest.mark.parametrize(
    "name", ["http://", "htp://ana:geheim@phone/", "http://ana:ge/heim@phone", "http://phone:geheim/", "://geheim"]
)
def test_what_is_no_address_is_refused_without_a_word_of_it(name: str, table: Table) -> None:
    spec = camera_spec(name)
    assert spec.kind is CameraKind.NOTHING
    with pytest.raises(SourceError, match="--camera ://…") as refused:
        open_camera(CameraWanted(spec), table)
    assert not any(part in str(refused.value) for part in ("geheim", "heim", "ana"))


@given(SECRET, SECRET, SECRET)
def test_no_secret_is_told_wherever_it_stands(user: str, password: str, path: str) -> None:
    for written in (lambda text: text, lambda text: quote(text, safe="")):
        spec = camera_spec(f"rtsp://{written(user)}:{written(password)}@camera.lan:554/{written(path)}?{written(user)}")
        assert spec.name in ("rtsp://camera.lan:554/…", "://…")
        assert password not in repr(spec)


def noise(seed: int) -> Picture:
    return np.random.default_rng(seed).integers(0, 256, (6, 8), np.uint8)


A, B, DARK = noise(0), noise(1), np.full((6, 8), 3, np.uint8)


@pytest.mark.parametrize(
    ("pictures", "taken_ns", "fresh"),
    [
        ([noise(number) for number in range(6)], [None] * 6, "######"),
        ([A, GONE, GONE, GONE, GONE, A, B], [None] * 7, "#.....#"),
        ([A] * 6, [None] * 6, "###..."),
        ([A] * 6, [1, 2, 3, 4, 5, 6], "######"),  # a sensor that tells its time is believed
        ([noise(number) for number in range(6)], [1, 2, 2, 2, 2, 3], "####.#"),
        ([DARK] * 6, [None] * 6, "######"),  # a covered lens
    ],
)
def test_an_old_picture_is_none_after_half_a_second(
    pictures: list[Picture], taken_ns: list[int | None], fresh: str
) -> None:
    """Five pictures a second."""
    frames = [
        Frame(number, 0.2 * number, y, None, ns) for number, (y, ns) in enumerate(zip(pictures, taken_ns, strict=True))
    ]
    driver = SimpleNamespace(read=lambda: frames.pop(0) if frames else None)
    read = list(iter(FreshCamera(cast(LiveSource, driver)).read, None))
    assert "".join("#" if frame.y.size else "." for frame in read) == fresh
    assert [frame.t_s for frame in read] == [0.2 * number for number in range(len(fresh))]


@pytest.mark.parametrize("fails", [False, True])
def test_the_move_is_drawn_here_and_the_frame_is_waited_for_elsewhere(
    fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_camera, "PICTURE_S", 0.001)
    here, free = threading.get_ident(), threading.Event()
    drawn: list[int] = []

    class Screen:
        """A move of four pictures; after the last one the camera is let go."""

        moving = True

        def go_on(self) -> None:
            drawn.append(threading.get_ident())
            self.moving = len(drawn) < 4
            if not self.moving:
                free.set()

    def read() -> Frame:
        assert free.wait(HANG_S)
        if fails:
            raise SourceError("the camera is gone")
        return Frame(threading.get_ident(), 0.0, GONE)

    with closing(Meanwhile(cast(Source, SimpleNamespace(read=read)), Screen())) as source:
        if fails:
            with pytest.raises(SourceError, match="the camera is gone"):
                source.read()
        else:
            frame = source.read()
            assert frame is not None
            assert frame.index != here
    assert drawn == [here] * 4
