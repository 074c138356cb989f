"""A live camera is told what its pictures show, whatever is done at the table."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from engine.rules.track import Side
from firmware.cli.main import main
from firmware.table.camera.remembered_lens import EyesTold
from tests.fakes.fake_picamera2 import FakePi
from vision.board.calibration import calibrate
from vision.frame import Frame
from vision.printed.table import load_table
from vision.synthetic import PRESETS, Renderer, Scene, figure_at

pytestmark = pytest.mark.slow
TABLE = Path(__file__).parents[4] / "hardware" / "table.toml"
SMALL = ("width = 2304\nheight = 1296", "width = 1280\nheight = 720")


class ToldError(BaseException):
    """The camera was told."""


def camera_over_a_board(folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[FakePi, Path, float]:
    """A Pi camera in whose pictures the board is found, its table file, and how far the table is from the lens."""
    file = folder / "table.toml"
    file.write_text(TABLE.read_text(encoding="utf-8").replace(*SMALL), encoding="utf-8")
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
