"""Devices of an open table: a live camera is told what it shows, and a busy pin is found when it is free."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from display.view import MissingPart, Situation
from engine.rules.track import Side
from engine.table.desk import Desk
from firmware.cli.commands.declared import parsed
from firmware.cli.commands.play import Play
from firmware.cli.main import main
from firmware.cli.sitting.cameras import setup_of
from firmware.cli.sitting.sitting import open_sitting
from firmware.table.camera.camera import CameraWanted, OpenCamera
from firmware.table.camera.remembered_lens import EyesTold
from firmware.table.camera.setup import TABLE_FILE, Setup
from firmware.table.loop import watched
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.table.panel import devices
from firmware.table.panel.buttons import LivePresses
from tests.fakes.fake_picamera2 import FakePi
from tests.firmware.table.panel.fake_lgpio import CHIPS, Kernel, install
from tests.waiting import until
from vision.board.calibration import calibrate
from vision.frame import Frame
from vision.printed.table import load_table
from vision.synthetic import PRESETS, Renderer, Scene, figure_at

pytestmark = pytest.mark.slow
SMALL = ("width = 2304\nheight = 1296", "width = 1280\nheight = 720")


class ToldError(BaseException):
    """The camera was told."""


def camera_over_a_board(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[FakePi, Path, float]:
    """A Pi camera in whose pictures the board is found, its table file, and how far the table is from the lens."""
    file = folder / "table.toml"
    file.write_text(TABLE_FILE.read_text(encoding="utf-8").replace(*SMALL), encoding="utf-8")
    table = load_table(file)
    scene = Scene(white=figure_at(table, Side.WHITE, 3), black=figure_at(table, Side.BLACK, 20))
    renderer = Renderer(table, None, PRESETS["typical"], 1)
    frames = [renderer.render(scene, index, index / 10) for index in range(8)]
    pi, taken = FakePi(), iter(frames * 1000)
    pi.paints = lambda: next(taken).y
    monkeypatch.setitem(sys.modules, "picamera2", pi.module)
    camera = calibrate(frames, table).camera
    return pi, file, float(camera.depth_mm([(*table.play_area.middle, 0.0)])[0])


def test_where_its_focus_fails_the_lens_is_put_at_the_board_that_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi, file, distance_mm = camera_over_a_board(tmp_path, monkeypatch)
    pi.sharp_at = None
    monkeypatch.setattr("vision.camera.settling.SETTLE_S", 0.5)
    shown: list[Frame] = []
    see = EyesTold.see

    def seen(told: EyesTold, frame: Frame, look: object) -> None:
        shown.append(frame)
        see(told, frame, look)  # type: ignore[arg-type]
        if pi.camera.af_mode == 0:
            raise ToldError

    monkeypatch.setattr(EyesTold, "see", seen)
    with pytest.raises(ToldError):
        main(["watch", "--camera", "picamera2", "--table", str(file), "--headless", "--frames", "300"])
    assert pi.camera.lens == pytest.approx(1000 / distance_mm, rel=0.05)
    assert not pi.camera.held  # and the camera is let go of


@pytest.mark.parametrize("command", ["play", "teach", "register"])
def test_every_loop_tells_it(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGARDE_DECKS", str(tmp_path / "decks"))
    _, file, _ = camera_over_a_board(tmp_path, monkeypatch)

    def told(*_: object) -> None:
        raise ToldError

    monkeypatch.setattr(EyesTold, "attend", told)
    with pytest.raises(ToldError):
        main([command, "--camera", "picamera2", "--table", str(file), "--headless"])


LAMP, BUTTON = 17, 4


def test_a_busy_pin_is_told_and_found_when_it_is_free(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(dict(CHIPS["Pi 5, kernel 6.12.96"]))
    kernel.hold(LAMP, "spi0 CS1")
    kernel.hold(BUTTON, "onewire@4")
    install(kernel, monkeypatch)
    monkeypatch.setattr(devices, "is_a_pi", lambda: True)
    monkeypatch.setitem(cast(Any, watched.RULES), Part.PIN, watched.Rule(0.01, 0.02))
    wish = parsed(Play, ["--camera", "0", "--headless", "--scorebook", str(tmp_path / "book.sqlite")]).wish()

    def opens(wanted: CameraWanted) -> tuple[OpenCamera, Setup]:
        source: Any = SimpleNamespace(close=lambda: None)
        return OpenCamera(source, LivePresses(), live=True), setup_of(wanted)

    said: list[str] = []
    with ExitStack() as held:
        sitting = open_sitting(wish.table, held, said.append, opens)
        moment = cast(Moment, SimpleNamespace(frame=Frame(0, 0.0, np.zeros((2, 2), np.uint8)), held=False))

        def shown() -> set[MissingPart]:
            sitting.watch.attend(moment)
            told = sitting.watch.advise(Situation(None), cast(Any, None), Desk()).devices.missing
            return {each for each in told if each.part == Part.PIN.value}

        assert shown() == {MissingPart("pin", str(LAMP)), MissingPart("pin", str(BUTTON))}
        assert any("GPIO 17 (lamp touch_left) is held by spi0 CS1" in each for each in said)
        kernel.free(BUTTON)
        assert until(lambda: shown() == {MissingPart("pin", str(LAMP))})
        assert kernel.lines[BUTTON].ours
    assert kernel.opened == []
