"""``engarde play --bot`` and ``engarde demo --bot`` as commands, and the companion in the menu."""

from __future__ import annotations

import re
from pathlib import Path

import cv2
import pytest

from engine.companion.backs import DeckBacks
from engine.companion.companion import name_of
from engine.rules.track import BySide, Side
from firmware.cli.commands import play as play_command
from firmware.cli.commands.play import unready
from firmware.cli.main import main
from firmware.core.errors import EngardeError
from firmware.extras.simulation.camera import backs_by_lot
from firmware.table.loop.moment import People
from firmware.ui.companion.deck_file import save_deck
from tests.tables import SMALL_TABLE as TABLE
from vision.synthetic import Renderer, Scene, figure_at

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENGARDE_DECKS", str(tmp_path / "decks"))


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table set up for a round, for four seconds."""
    folder = tmp_path_factory.mktemp("frames")
    scene = Scene(white=figure_at(TABLE, Side.WHITE, 1), black=figure_at(TABLE, Side.BLACK, 23))
    frame = Renderer(TABLE).render(scene, 0, 0.0)
    for number in range(20):
        assert cv2.imwrite(str(folder / f"{number:03}.jpg"), frame.y)
    return folder


def play(frames: Path, tmp_path: Path, *options: str) -> int:
    (tmp_path / "config.toml").write_text("", encoding="utf-8")
    camera = ["play", "--camera", str(frames), "--fps", "5", "--headless", "--config", str(tmp_path / "config.toml")]
    return main([*camera, "--scorebook", str(tmp_path / "book.sqlite"), *options])


def test_the_companion_takes_its_side_and_says_what_it_needs(
    frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(frames, tmp_path, "--bot", "black", "--strength", "master", "--white", "Ana") == 0
    said = capsys.readouterr()
    assert "The companion knows 0 of the 25 backs of deck A" in said.err
    assert "engarde register" in said.err
    assert "En garde! Round 1" in said.out
    assert main(["scores", "--scorebook", str(tmp_path / "book.sqlite"), "--match", "1"]) == 0
    told = capsys.readouterr().out
    assert "Companion (master)" in told
    assert "Ana" in told


def test_with_a_registered_deck_nothing_is_missing(
    frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save_deck(DeckBacks("A", backs_by_lot(1)))
    assert play(frames, tmp_path, "--bot", "white") == 0
    said = capsys.readouterr()
    assert "The companion knows" not in said.err


def test_where_robots_play_both_sides_there_is_no_companion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.sqlite"
    command = ["play", "--camera", "synthetic", "--headless", "--scorebook", str(book), "--points", "1"]
    assert main([*command, "--bot", "black"]) == 1
    said = capsys.readouterr()
    assert "robots play both sides" in said.err
    assert "engarde demo --bot" in said.err
    assert "Allowed" not in said.out


def test_nobody_has_two_seats(frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(frames, tmp_path, "--bot", "black", "--black", "Ben") == 1
    assert "is to be played by Ben" in capsys.readouterr().err
    seated = play_command._seated(BySide(None, name_of("maestro")), "black", "novice")
    assert seated == BySide(None, name_of("novice"))
    with pytest.raises(EngardeError):
        play_command._seated(BySide("Ana", None), "white", "novice")


def test_a_strength_without_a_side_is_not_passed_over(
    frames: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(frames, tmp_path, "--strength", "master") == 1
    assert "say which side it plays, with --bot" in capsys.readouterr().err


def test_without_a_strength_a_fencer_plays() -> None:
    assert play_command._seated(BySide(None, None), "black", None).black == name_of("fencer")


def test_a_match_of_two_people_goes_on_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    people = People(BySide("Ana", "Ben"), "en")
    assert "--new begins one against the companion" in unready(people, "A")


def test_help_of_both_commands_names_the_strengths(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("play", "demo"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        told = capsys.readouterr().out
        assert re.search(r"--bot \{white,black\}", told)
        assert "maestro" in told
