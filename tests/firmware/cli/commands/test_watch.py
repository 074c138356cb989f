"""``engarde watch`` and ``engarde calibrate``: the lines others read."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from firmware.cli.commands.calibrate import run_calibrate
from firmware.cli.commands.watch import run_watch
from firmware.cli.main import main
from firmware.core.config import load_config
from firmware.table.camera.camera import FRAMES, some_frames
from tests.fakes.pictured import Pictured
from tests.tables import TABLE, renderer_of
from vision.board.calibration import CalibrationError
from vision.board.calibration_text import load_calibration
from vision.frame import GONE, Frame, Picture
from vision.marks.foreign import Run, in_process
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow

SCENE = Scene(
    (SceneCard(Card.parse("3b"), 200.0, -150.0),), figure_at(TABLE, Side.WHITE, 4), figure_at(TABLE, Side.BLACK, 19)
)


def shown(scene: Scene, count: int) -> Pictured:
    """A camera that shows one scene for some frames."""
    renderer = renderer_of(TABLE, "typical", 2)
    return Pictured(lambda number: renderer.render(scene, number, number / 10) if number < count else None)


def watched(source: Pictured, *, as_json: bool = True, frames: int | None = None) -> Any:
    """What is told of these frames: an object each, or for people the last line of all."""
    out = io.StringIO()
    assert run_watch(source, TABLE, None, out, as_json=as_json, frames=frames) == 0
    assert source.closed
    lines = out.getvalue().splitlines()
    return [json.loads(line) for line in lines] if as_json else lines


def test_json_is_one_object_a_frame_as_the_contract_has_it() -> None:
    lines = watched(shown(SCENE, 6))
    assert [line["frame"] for line in lines] == list(range(6))
    assert list(lines[0]) == ["frame", "t", "seen", "table", "state", "why"]
    assert lines[0]["table"] == {"white": None, "black": None, "cards": []}
    assert lines[5] == {
        "frame": 5,
        "t": 0.5,
        "seen": {"white": 4, "black": 19, "cards": ["3b"]},
        "table": {"white": 4, "black": 19, "cards": ["3b"]},
        "state": "steady",
        "why": None,
    }


def test_for_people_a_line_is_written_when_something_changes() -> None:
    lines = watched(shown(SCENE, 12), as_json=False, frames=10)
    assert len(lines) < 6
    assert lines[-1].endswith("White on 4, Black on 19, cards: 3b  [steady]")


def test_calibrate_reports_all_spaces_and_writes_a_file_that_can_be_used(tmp_path: Path) -> None:
    out, path = io.StringIO(), tmp_path / "calibration.toml"
    assert run_calibrate(shown(SCENE, 4), TABLE, out, as_json=True, file=path) == 0
    report = json.loads(out.getvalue())
    assert report["rms_px"] < 1.0
    assert report["rms_mm"] < 0.5
    assert [view["space"] for view in report["spaces"]] == list(range(1, 24))
    assert all(view["visible"] and view["tag_side_px"] > 40 for view in report["spaces"])
    assert 0.5 < report["worst_mm"] < 3.5
    assert max(view["off_mm"] for view in report["spaces"]) <= report["worst_mm"] + 0.01
    assert (report["used"], report["left_out"]) == ([0, 1, 2, 3, 4, 5], [])
    calibration = load_calibration(path)
    assert calibration.rms_px == pytest.approx(report["rms_px"], abs=1e-4)
    assert calibration.worst_mm == pytest.approx(report["worst_mm"], abs=0.01)


def test_calibrate_for_people_says_what_to_do() -> None:
    first, *others = TABLE.corners
    elsewhere = replace(TABLE, corners=(first._replace(y=first.y + 40.0), *others))
    good, bad = io.StringIO(), io.StringIO()
    run_calibrate(shown(SCENE, 2), TABLE, good, as_json=False, file=None)
    run_calibrate(shown(SCENE, 2), elsewhere, bad, as_json=False, file=None)
    assert "All 23 spaces are in view and large enough." in good.getvalue()
    off = r"A figure may be read up to [123]\.\d mm off .* from markers and tags 0, 1, 2, 3, 4, 5\."
    assert re.search(off, good.getvalue())
    assert "Left out" not in good.getvalue()
    assert "Left out, wholly or in part: marker 0. " in bad.getvalue()


def test_a_camera_without_frames_cannot_be_calibrated() -> None:
    with pytest.raises(CalibrationError, match="no frame"):
        run_calibrate(shown(SCENE, 0), TABLE, io.StringIO(), as_json=True, file=None)


def answering(*answers: bool) -> Run:
    """Reads a picture where that is said of its number, gives no answer on the others, and reads all that follow."""
    left = chain(answers, repeat(True))

    def run(name: str, y: Picture, *how: object) -> object:
        return in_process(name, y, *how) if next(left) else None

    return run


def test_pictures_that_nobody_read_are_told_and_count_for_nothing() -> None:
    out = io.StringIO()
    run_calibrate(shown(SCENE, 4), TABLE, out, as_json=True, file=None, run=answering(True, False, False, False))
    assert json.loads(out.getvalue())["used"] == [0, 1, 2, 3, 4, 5]
    with pytest.raises(CalibrationError, match=r"gave no answer in time on 4 of 4 pictures: let this machine"):
        run_calibrate(shown(SCENE, 4), TABLE, out, as_json=True, file=None, run=answering(*[False] * 4))
    bare = replace(TABLE, corners=tuple(corner._replace(id=corner.id + 40) for corner in TABLE.corners))
    with pytest.raises(CalibrationError, match=r"found none; .*; besides, the reader of markers .* on 1 of 4 pictures"):
        # Four pictures, and the mirror image of the last.
        run_calibrate(shown(SCENE, 4), bare, out, as_json=True, file=None, run=answering(True, False, True, True, True))


def slow(y: Picture) -> Pictured:
    """A live camera that shows this picture in every eighth try alone."""
    return Pictured(lambda number: Frame(number, number / 2, GONE if number % 8 else y))


def test_few_pictures_of_a_slow_camera_are_said_so() -> None:
    dark, out = np.zeros((1296, 2304), np.uint8), io.StringIO()
    with pytest.raises(CalibrationError, match=r"found none; .*; besides, 4 pictures came in 30 tries.*15 were wanted"):
        run_calibrate(slow(dark), TABLE, out, as_json=False, file=None, live=True)
    with pytest.raises(CalibrationError, match=r"no frame .*; no picture came in 30 tries"):
        run_calibrate(slow(GONE), TABLE, out, as_json=False, file=None, live=True)
    frame = shown(SCENE, 1).read()
    assert frame is not None
    run_calibrate(slow(frame.y), TABLE, out, as_json=False, file=None, live=True)
    assert "This is from too little: 4 pictures came in 30 tries" in out.getvalue()


def counted() -> Pictured:
    """A camera of ten frames a second that is gone in every third of them."""
    dark = np.zeros((8, 8), np.uint8)
    return Pictured(lambda number: Frame(number, 7.0 + number / 10, GONE if number % 3 == 2 else dark))


def test_a_live_camera_settles_before_it_is_measured() -> None:
    assert [frame.index for frame in some_frames(counted(), live=False)][:3] == [0, 1, 3]
    settled = some_frames(counted(), live=True)
    assert len(settled) == FRAMES
    assert [frame.index for frame in settled][:3] == [30, 31, 33]


def test_both_commands_run_on_a_folder_of_images(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = shown(SCENE, 4)
    while (frame := source.read()) is not None:
        assert frame.picture is not None
        cv2.imwrite(str(tmp_path / f"{frame.index:03d}.png"), frame.picture())
    assert main(["calibrate", "--camera", str(tmp_path), "--out", str(tmp_path / "c.toml")]) == 0
    capsys.readouterr()
    drawn = tmp_path / "drawn"
    asked = ["--json", "--camera", str(tmp_path), "--calibration", str(tmp_path / "c.toml"), "--out", str(drawn)]
    assert main(["watch", *asked]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert json.loads(lines[-1])["table"] == {"white": 4, "black": 19, "cards": ["3b"]}
    assert len(list(drawn.iterdir())) == 4


def test_what_is_not_said_is_as_in_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    for number in range(2):
        cv2.imwrite(str(folder / f"{number}.png"), np.full((96, 128), 120, np.uint8))
    config = tmp_path / "config.toml"
    config.write_text(f'[table]\ncamera = "{folder}"\nfps = 4.0\n', encoding="utf-8")
    assert main(["watch", "--config", str(config), "--json"]) == 0
    assert [json.loads(line)["t"] for line in capsys.readouterr().out.splitlines()] == [0.0, 0.25]
    assert main(["watch", "--config", str(config), "--json", "--fps", "2"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["t"] == 0.5
    monkeypatch.setattr("firmware.cli.commands.options.load_config", lambda: load_config(config))
    assert main(["calibrate"]) == 1
    assert "corner markers" in capsys.readouterr().err


def test_without_a_screen_it_says_so_and_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert main(["watch", "--camera", "synthetic", "--frames", "1"]) == 0
    told = capsys.readouterr()
    assert told.err == "There is no screen here: what is seen is printed.\n"
    assert "White" in told.out
    assert main(["watch", "--camera", "synthetic", "--frames", "1", "--headless"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--camera /nowhere/at/all", "expected a camera number"),
        ("--headless --camera film.mp4", "expected a video"),
        ("--camera synthetic --turns", "need a recording"),
    ],
)
def test_what_cannot_be_watched_is_told(
    words: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "film.mp4").write_text("no film at all")
    assert main(["watch", *words.split()]) == 1
    said = capfd.readouterr().err
    assert (told in said, said.count("\n")) == (True, 1)
    with pytest.raises(SystemExit):
        main(["watch", "--camera", "game.engarde", "--turn", "1"])
    assert "say where with --out" in capfd.readouterr().err


def test_a_mirrored_picture_is_told_as_one() -> None:
    def mirrored(number: int) -> Frame | None:
        frame = camera.read()
        return None if frame is None else replace(frame, y=np.ascontiguousarray(frame.y[:, ::-1]))

    camera = shown(SCENE, 10)
    first, *_, last = watched(Pictured(mirrored))
    assert "mirrored" not in first
    assert (last["state"], last["why"], last["mirrored"]) == ("blind", "board_lost", True)
    camera = shown(SCENE, 10)
    assert "[blind: board lost, the picture is mirrored]" in watched(Pictured(mirrored), as_json=False)[-1]


def test_a_table_with_a_card_that_nobody_can_read_is_not_steady() -> None:
    fan = replace(
        SCENE, cards=(SceneCard(Card.parse("2c"), 300.0, -150.0), SceneCard(Card.parse("4a"), 315.5, -150.0, 0.0, 1))
    )
    last = watched(shown(fan, 30))[-1]
    assert (last["table"]["cards"], last["state"], last["why"]) == (["4a"], "checking", None)
    ((x_mm, y_mm),) = last["unread"]
    assert abs(x_mm - 279.0) < 5.0
    assert abs(y_mm + 150.0) < 45.0
    assert "[checking: a card is half hidden]" in watched(shown(fan, 30), as_json=False)[-1]
