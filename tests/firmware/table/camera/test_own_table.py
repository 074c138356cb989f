"""The owner's own table file, ``table.toml`` beside his settings, and who goes by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware.cli.main import main, parse
from firmware.cli.sitting.cameras import setup_of
from firmware.table.camera.camera import CameraWanted, camera_spec
from firmware.table.camera.setup import TABLE_FILE, table_in_force


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


def test_the_owners_own_is_in_force_where_it_is_there_and_none_is_named(own: Path, tmp_path: Path) -> None:
    assert table_in_force(None) == TABLE_FILE
    own.write_text("")
    assert table_in_force(None) == own
    assert table_in_force(tmp_path / "other.toml") == tmp_path / "other.toml"


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
