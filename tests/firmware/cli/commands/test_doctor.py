"""``engarde doctor`` as its user meets it, and the same from the panel when the menu button is held at the start."""

from __future__ import annotations

import io
import json
import socket
import sys
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from display.i18n import words as catalogue
from engine.rules.events import MatchEvent
from engine.rules.referee import judge
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.commands import doctor as doctor_command
from firmware.cli.doctor import checkup
from firmware.cli.doctor.checkup import look_at_all
from firmware.cli.doctor.findings import CHECKS
from firmware.cli.main import main
from firmware.cli.sitting import sitting
from firmware.table.camera.live_camera import LiveCamera

pytestmark = pytest.mark.slow


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The command with a scorebook and settings of its own, pretended pins, and no screen."""
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    settings = tmp_path / "config.toml"
    settings.write_text('[players]\nwhite = "Annegret"\n[panel]\npins = "mock"\n')
    return ["doctor", "--scorebook", str(tmp_path / "book.sqlite"), "--config", str(settings), "--camera", "synthetic"]


def test_every_check_that_can_be_made_here_in_the_order_of_its_number(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["verdict"] == "warn"  # no screen
    numbers = [finding["number"] for finding in told["findings"]]
    assert numbers == sorted(numbers)
    verdicts = {finding["name"]: finding["verdict"] for finding in told["findings"]}
    assert {"disk", "programs", "camera sharp", "spaces in view", "pins", "languages", "scorebook"} <= set(verdicts)
    assert set(verdicts) <= set(CHECKS.values())
    assert verdicts["screen"] == "warn"
    assert verdicts["sound"] == verdicts["board found"] == verdicts["pins"] == "pass"
    assert told["programs"]["numpy"]["path"]
    by_id = {finding["id"]: finding for finding in told["findings"]}
    assert len(by_id) == len(told["findings"])
    assert {"blas", "libcamera", "picamera2", "lgpio", "opencv", "numpy", "camera_sharp"} <= set(by_id)
    assert all(finding["ok"] is not bool(finding["cure"]) for finding in told["findings"])


def test_at_a_terminal_it_speaks_the_players_language_and_to_programs_english(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    language, blind = "fr", "Impossible de jouer ici\u00a0: aucune caméra ne donne d’image. "
    (tmp_path / "config.toml").write_text(f'[players]\nlanguage = "{language}"\n[panel]\npins = "mock"\n')
    words[words.index("--camera") + 1] = str(tmp_path / "no-such-camera")
    report = tmp_path / "report.txt"
    looked = MagicMock(side_effect=look_at_all)
    monkeypatch.setattr(doctor_command, "look_at_all", looked)
    assert main([*words, "--report", str(report)]) == 1
    looked.assert_called_once()
    told = capsys.readouterr()
    assert told.out.splitlines()[-1].startswith(blind)
    assert catalogue(language).say("doctor.camera_seen.look") in told.out
    assert catalogue(language).say("doctor.told.written", file=report) in told.err
    assert " ".join(told.err.splitlines()[-1].split()).startswith(" ".join(f"engarde doctor: {blind}".split()))
    assert "Cannot play here: no camera gives a picture. 1 of " in report.read_text()
    assert main([*words, "--json"]) == 1
    told = capsys.readouterr()
    seen = next(each for each in json.loads(told.out)["findings"] if each["name"] == "camera seen")
    assert seen["expected"].startswith("pictures from ")
    assert told.err.startswith("engarde doctor: Cannot play here: ")
    (tmp_path / "config.toml").write_text("[panel]\nlamp = true\n")
    words[words.index("--camera") + 1] = "synthetic"
    for language, mark in (("fr", "5-2  ERREUR     Réglages\u00a0: "), ("en", "5-2  FAIL  Settings: ")):
        assert main([*words, "--language", language]) == 1
        told = capsys.readouterr()
        assert mark in told.out
    cure = "What helps: Have them put right; the ones set in the menu are kept apart."
    assert f"{cure} [firmware/REFERENCE.md has every setting]" in told.out
    assert told.err.splitlines()[-1].startswith("engarde doctor: 1 of ")
    assert told.err.splitlines()[-1].endswith("checks failed: Settings (5-2).")


def test_the_report_names_nobody(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home" / "bartholomew"
    home.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("LOGNAME", "bartholomew")
    monkeypatch.setattr(socket, "gethostname", lambda: "barts-pi")
    book = home / "Zebedee.sqlite"
    with open_scorebook(book) as opened:
        event = MatchEvent("ferti-classic")
        opened.begin(BySide("Zebedee", "Ottokar"), mode="play").append(event, judge(None, event)[1], 0.0)
    words[words.index("--scorebook") + 1] = str(book)
    report = tmp_path / "report.txt"
    assert main([*words, "--report", str(report)]) == 0
    said = capsys.readouterr()
    assert str(book) in said.out
    text = report.read_text()
    assert "1 match in ~/(a player).sqlite" in text
    assert "Programs\npython" in text
    for name in ("bartholomew", "barts-pi", "Zebedee", "Ottokar", "Annegret"):
        assert name.lower() not in text.lower()


def test_asked_for_all_that_needs_eyes_fingers_and_ears(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.cli.doctor.panel.PRESS_WITHIN_S", 0.0)
    monkeypatch.setattr("firmware.cli.doctor.panel.BUZZ_S", 0.0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" * 22 + "no\nyes\n"))
    assert main([*words, "--ask"]) == 1
    told = capsys.readouterr()
    assert "4-3  FAIL  Lamps: dark: lamp turn_right (register 3 QF)" in told.out
    assert "4-4  FAIL  Buttons: not felt: button white (GPIO 5)" in told.out
    assert "4-5  pass  Buzzer: " in told.out
    assert "Press the button white now." in told.err

    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert main([*words, "--ask", "--language", "de"]) == 1
    said = capsys.readouterr().err
    assert "Leuchtet die Lampe touch_left (red), und keine andere? [J/n] " in said
    assert "run it in a terminal" in said


def test_the_panel_shows_the_findings(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(
        doctor_command, "read_out", lambda panel, findings, *_: shown.append([each.number for each in findings])
    )
    assert main([*words, "--panel", "--language", "nl"]) == 0
    assert "2-3" in shown[0]
    assert catalogue("nl").say("doctor.told.shown") in capsys.readouterr().err
    (tmp_path / "config.toml").write_text('[panel]\npins = "off"\n')
    assert main([*words, "--panel"]) == 1
    assert "no panel is in use here" in capsys.readouterr().err


def test_holding_the_menu_button_at_the_start_examines_first_and_plays_then(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr(sitting, "menu_is_held", lambda *_: True)
    monkeypatch.setattr(
        checkup, "read_out", lambda panel, findings, *_: shown.append([each.number for each in findings])
    )
    monkeypatch.setattr(LiveCamera, "read", lambda _: None)
    words[0] = "play"
    words[words.index("--camera") + 1] = "/dev/video-of-nobody"
    assert main([*words, "--headless"]) == 0
    said = capsys.readouterr().err
    assert "  Camera: it gives no picture" in said
    assert "3-1" in shown[0]
