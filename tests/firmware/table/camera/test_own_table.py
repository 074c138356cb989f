"""The owner's own table file, ``table.toml`` beside his settings, and who goes by it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from display.i18n import LANGUAGES, words
from display.view import Situation
from display.words.present import present
from engine.table.desk import Desk
from engine.table.observation import CameraTurn, Sight, TableObservation, Why
from engine.table.presses import Button, Press
from firmware.cli.main import main, parse
from firmware.cli.sitting.cameras import setup_of
from firmware.extras.simulation.camera import unwatched_table
from firmware.table.camera.aiming import Aiming
from firmware.table.camera.camera import CameraWanted, camera_spec
from firmware.table.camera.remembered_lens import (
    GOOD_MM,
    EyesTold,
    RememberedLens,
    expected_distance_mm,
    remembered_lens,
)
from firmware.table.camera.setup import TABLE_FILE
from firmware.table.loop.moment import Moment
from firmware.table.loop.requests import AIM, Hold, Release
from tests.tables import TABLE
from vision.board.calibration import Calibration, CalibrationError, calibrate_markers, marker_corners_mm
from vision.board.lens_fit import LensBelief
from vision.board.worst_case import apart_mm
from vision.camera.settling import CameraFeedback
from vision.eyes import Eyes
from vision.frame import Frame
from vision.geometry import Camera, look_at
from vision.look import Drawn, Look, Seen
from vision.marks.markers import Marker
from vision.printed.table import CameraFrame, Table


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where it would be, in a home of our own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(tmp_path / "book.sqlite"))
    path = tmp_path / "config" / "engarde" / "table.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture
def measured(own: Path) -> Path:
    """It is there, with another letter and pitch."""
    text = TABLE_FILE.read_text(encoding="utf-8")
    own.write_text(text.replace('letter = "A"', 'letter = "M"').replace("pitch_mm = 28.0", "pitch_mm = 28.5"))
    return own


def test_what_looks_at_a_table_goes_by_it(measured: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    setup = setup_of(CameraWanted(camera_spec("synthetic")))  # of play, watch, calibrate, teach and register
    assert setup.table.space_mm(2).x == 28.5
    assert setup.table_text == measured.read_text()
    assert main(["register", "--list"]) == 0
    assert "Deck M" in capsys.readouterr().out
    assert main(["print", "--only", "start", "--paper", "a4", "--out", str(tmp_path)]) == 0
    assert f"Deck M, {measured}. " in capsys.readouterr().out


def test_the_demos_table_is_the_same_everywhere(measured: Path) -> None:
    assert parse(["demo"]).table == TABLE_FILE


@pytest.mark.slow
@pytest.mark.parametrize("broken", [False, True])
def test_the_doctor_names_it(
    measured: Path, broken: bool, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    if broken:
        measured.write_text("[deck")
    words = ["doctor", "--json", "--camera", str(tmp_path / "none.mp4")]
    main(words)
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)["findings"]}["table file"]
    assert found["verdict"] == ("fail" if broken else "pass")
    assert str(measured) in found["found"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["play", "watch", "calibrate", "teach", "register", "print"])
@pytest.mark.parametrize("fault", ["no toml", "a value", "a folder", "no target"])
def test_a_broken_one_is_told_and_never_passed_over(
    command: str, fault: str, own: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    if fault == "no toml":
        own.write_text("[deck")
    elif fault == "a value":
        own.write_text(TABLE_FILE.read_text(encoding="utf-8").replace("pitch_mm = 28.0", "pitch_mm = -1"))
    elif fault == "a folder":
        own.mkdir()
    else:
        own.symlink_to(tmp_path / "stick" / "table.toml")
    words = [command, "--out", str(tmp_path / "out")] + (["--camera", "synthetic"] if command != "print" else [])
    headless = ["--headless"] if command in ("play", "teach", "register") else []
    assert main([*words, *headless]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(own) in said


CAMERA = look_at((308, -390, 590), (305, -95, 0), 1.0, 69.0, dist=(0.05, -0.05, 0.0, 0.0, 0.0))
AFTER = look_at((330, -370, 600), (300, -90, 0), -1.0, 69.0, dist=(0.05, -0.05, 0.0, 0.0, 0.0))


def seen_by(camera: Camera, ids: tuple[int, ...], lens: LensBelief | None = None) -> Calibration:
    rng = np.random.default_rng(1)
    markers = [
        Marker(number, camera.project(corners) + rng.normal(0.0, 0.2, (4, 2)))
        for number, corners in marker_corners_mm(TABLE).items()
        if number in ids
    ]
    return calibrate_markers([markers], TABLE, camera.width, camera.height, lens)


def remembered(folder: Path, camera: str = "picamera2:0", text: str = "table", width: int = 2304) -> RememberedLens:
    return remembered_lens(folder, camera, width, 1296, text)


def test_a_lens_that_was_found_helps_two_markers_at_the_next_start(tmp_path: Path) -> None:
    assert (remembered(tmp_path).lens, remembered(tmp_path).notice) == (None, "")
    remembered(tmp_path).keep(seen_by(CAMERA, (0, 1, 2, 3)))
    lens = remembered(tmp_path).lens
    assert lens is not None
    with_lens, without = seen_by(AFTER, (2, 3), lens), seen_by(AFTER, (2, 3))
    assert with_lens.likely_mm is not None
    assert without.likely_mm is not None
    off_mm, off_without_mm = (float(apart_mm(AFTER, each.camera, TABLE).max()) for each in (with_lens, without))
    assert off_mm < off_without_mm
    assert off_mm < with_lens.likely_mm


def test_another_camera_size_or_table_has_a_lens_of_its_own(tmp_path: Path) -> None:
    remembered(tmp_path).keep(seen_by(CAMERA, (0, 1, 2, 3)))
    assert remembered(tmp_path, text="another").lens is None
    assert remembered(tmp_path, camera="/dev/video0").lens is None
    assert remembered(tmp_path, width=1152).lens is None
    assert remembered(tmp_path).lens is not None


def test_a_doubtful_calibration_is_not_kept_nor_a_worse_one_after_a_better(tmp_path: Path) -> None:
    kept = remembered(tmp_path)
    kept.keep(None)
    kept.keep(Calibration(CAMERA, 0.1, 0.1))
    kept.keep(Calibration(CAMERA, 0.1, 0.1, worst_mm=GOOD_MM + 1))
    assert not kept.path.exists()
    kept.keep(Calibration(CAMERA, 0.1, 0.1, worst_mm=GOOD_MM + 1, likely_mm=1.5))
    first = kept.path.read_bytes()
    kept.keep(Calibration(AFTER, 0.2, 0.2, worst_mm=2.5))
    assert kept.path.read_bytes() == first
    assert list(kept.path.parent.glob("*.part")) == []


@pytest.mark.parametrize("damage", ["", "version = 1\n[lens", "\0\0\0", "[pose]\n"])
def test_a_damaged_file_counts_for_nothing_and_is_named(tmp_path: Path, damage: str) -> None:
    kept = remembered(tmp_path)
    kept.keep(seen_by(CAMERA, (0, 1, 2, 3)))
    kept.path.write_text(f"{kept.heading}\n{damage}", encoding="utf-8")
    found = remembered(tmp_path)
    assert found.lens is None
    assert str(found.path) in found.notice
    kept.path.write_bytes(b"\xff\xfe\xff")
    assert str(kept.path) in remembered(tmp_path).notice


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    in_the_way = tmp_path / "lenses"
    in_the_way.write_text("a file", encoding="utf-8")
    kept = remembered(in_the_way)
    kept.keep(Calibration(CAMERA, 0.1, 0.1, worst_mm=1.0))
    assert in_the_way.read_text(encoding="utf-8") == "a file"


def test_a_remembered_lens_that_is_another_one_now_is_found_out() -> None:
    """The camera was exchanged for one with a longer lens: four markers say so, and nothing is misread."""
    lens = seen_by(CAMERA, (0, 1, 2, 3)).lens
    other = look_at((308, -390, 590), (305, -95, 0), 1.0, 61.0)
    try:
        found = seen_by(other, (0, 1, 2, 3), lens)
    except CalibrationError:
        return
    assert found.worst_mm is not None
    assert float(apart_mm(other, found.camera, TABLE).max()) < found.worst_mm


@pytest.mark.slow
@pytest.mark.parametrize(("hfov_deg", "range_mm"), [(66.0, (620, 840)), (102.0, (320, 440))])
def test_the_expected_distance_is_among_those_in_which_a_camera_module_is_used(
    table: Table, hfov_deg: float, range_mm: tuple[float, float]
) -> None:
    """hardware/camera.md, above the board: Camera Module 3, and its wide one."""
    expected_mm = expected_distance_mm(replace(table, camera=CameraFrame(2304, 1296, hfov_deg)))
    assert range_mm[0] < expected_mm < range_mm[1]


@pytest.mark.slow
def test_a_table_that_is_found_is_told_of_and_a_blind_look_is_not(table: Table) -> None:
    source, eyes, feedback = unwatched_table(table, seed=1), Eyes(table), CameraFeedback()
    told = EyesTold(feedback)
    before = feedback.shown
    for frame in filter(None, (source.read() for _ in range(10))):
        look = eyes.look(frame)
        told.see(frame, look)
        assert feedback.shown.hand is (look.table.why is Why.HAND or look.arm is not None)
    source.close()
    shown = feedback.shown
    assert shown is not before
    assert shown.distance_mm is not None
    assert 400 < shown.distance_mm < 900
    assert shown.area is not None
    left, top, right, bottom = shown.area
    assert 0 <= left < 0.5 < right <= 1
    assert 0 <= top < bottom <= 1
    dark = eyes.look(replace(frame, t_s=frame.t_s + 0.1, y=np.zeros_like(frame.y)))
    assert dark.table.sight is Sight.BLIND
    told.see(frame, dark)
    assert feedback.shown is shown


SHAPE = (1296, 2304)


class AtTheCamera:
    """Somebody who shows a new camera more or less of the board."""

    def __init__(self, table: Table) -> None:
        self.table, self.aiming, self.now_s = table, Aiming(), 0.0

    def looks(
        self, off_px: float, for_s: float = 2.0, *, gone: bool = False, mirrored: bool = False
    ) -> tuple[object, ...]:
        """Show the board this far to the right of where it should be in the picture; what is asked of the loop."""
        asked: list[object] = []
        seen = [
            Marker(number, (corners[:, :2] * (2.6, -2.6) + (351 + off_px, 648)))
            for number, corners in marker_corners_mm(self.table).items()
        ]
        inside = tuple(each for each in seen if (each.corners[:, 0] > 0).all() and (each.corners[:, 0] < 2304).all())
        until_s = self.now_s + for_s
        while self.now_s < until_s:
            self.now_s += 0.1
            frame = Frame(0, self.now_s, np.zeros((0, 0) if gone else SHAPE, np.uint8))
            drawn = Drawn(() if gone else inside)
            look = Look(Seen(), cast(TableObservation, None), drawn, None, self.table, mirrored=mirrored)
            self.aiming.attend(Moment(frame, look, *cast(Any, (None,) * 8)))
            asked += self.aiming.asks()
        return tuple(asked)

    def told(self, language: str = "en") -> Situation:
        return self.aiming.advise(Situation(None, language=language), cast(Look, None), Desk())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mirrored_picture_is_said_to_be_one(table: Table, language: str) -> None:
    camera = AtTheCamera(table)
    assert camera.looks(-5000, mirrored=True) == (Hold(AIM),)
    told = present(camera.told(language)).trouble
    assert told is not None
    assert told.cure == words(language).say("cure.mirrored")


def test_a_camera_that_looks_beside_the_board_is_turned_until_all_is_seen(table: Table) -> None:
    camera = AtTheCamera(table)
    assert camera.looks(-700) == (Hold(AIM),)
    told = camera.told()
    assert told.devices.aim is not None
    assert told.devices.aim.turn is CameraTurn.LEFT
    view = present(told)
    assert view.verdict.headline == view.heard.spoken == "Turn the camera a little to the left."
    assert view.trouble is not None
    assert (view.trouble.text, view.trouble.cure) == ("2 of 4 corner markers seen", view.heard.spoken)
    assert camera.looks(0, for_s=0.5) == ()
    assert camera.told().devices.aim == told.devices.aim  # not yet: it may still be turned
    assert camera.looks(0) == (Release(AIM),)
    assert camera.told().devices.aim is None
    assert camera.looks(-700) == ()  # it was right once: what comes later is trouble like any other


def test_whoever_presses_plays_all_the_same(table: Table) -> None:
    camera = AtTheCamera(table)
    press = (Press(1.0, Button.WHITE),)
    assert camera.aiming.hear(press, 1.0) == press
    camera.looks(-700)
    assert camera.aiming.hear((), 1.0) == ()
    assert camera.aiming.hear(press, 1.0) == ()
    assert camera.aiming.asks() == (Release(AIM),)
    assert camera.aiming.hear(press, 1.0) == press


def test_a_camera_that_is_right_or_not_there_holds_nobody(table: Table) -> None:
    assert AtTheCamera(table).looks(0) == ()
    assert AtTheCamera(table).looks(0, gone=True) == ()


@pytest.mark.parametrize("language", ["de", "fr", "nl"])
def test_it_is_said_in_every_language(table: Table, language: str) -> None:
    camera = AtTheCamera(table)
    camera.looks(700)
    english, said = present(camera.told()).verdict, present(camera.told(language)).verdict
    assert "right" in english.headline
    assert said.headline != english.headline
    assert said.hint != english.hint
