"""The film of a match: as long as promised, showing what happened, there whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from display.draw.theme import DEFAULT
from display.page.story import Story, story
from display.screens.camera import CameraPicture
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.core.errors import EngardeError
from firmware.extras import film as film_command
from firmware.extras.film import RATE, length_s, pictures, scenes, write_film
from tests.firmware.conftest import bot_match, keep_match
from vision.frame import Picture

SMALL = (320, 180)


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(path))
    with open_scorebook(path) as opened:
        keep_match(opened, "Ana", "Bo", bot_match(1))
    return path


@pytest.fixture
def told(book: Path) -> Story:
    with open_scorebook(book) as opened:
        played = opened.replay(1)
    assert played.course is not None
    return story(((step.entry, step.state, step.ruling) for step in played.course.steps), played.match.names, "en")


def test_a_recorded_table_is_seen_under_the_title_too(told: Story) -> None:
    # The match begins before its recording does, which holds nothing of entry 0.
    seen = {number: CameraPicture(bytes([number] * 3), 1, 1) for number in (1, 2)}
    cut = scenes(told, "Ana against Bo", "", seen)
    assert [scene.seen for scene in cut[:4]] == [seen[1], seen[1], seen[2], None]
    assert scenes(told, "Ana against Bo", "", {2: seen[2]})[0].seen is None


@pytest.mark.slow
def test_every_scene_is_seen_and_the_last_picture_stands(told: Story) -> None:
    cut = scenes(told, "Ana against Bo", "")
    drawn = list(pictures(cut, DEFAULT, SMALL, rate=4))
    assert len(drawn) == pytest.approx(length_s(cut) * 4, abs=1)
    assert {picture.shape for picture in drawn} == {(180, 320, 3)}
    assert len({picture.tobytes() for picture in drawn}) > len(cut) // 2
    assert np.array_equal(drawn[-1], drawn[-2])


def _few(count: int) -> Iterator[Picture]:
    for number in range(count):
        yield np.full((90, 160, 3), 10 * number, np.uint8)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["mp4", "gif"])
def test_a_film_can_be_played(tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"film.{ending}"
    told: list[int] = []
    write_film(file, _few(20), 20, told.append)
    assert told == [*range(0, 100, 5), 100]
    film = cv2.VideoCapture(str(file))
    found = 0
    while film.read()[0]:
        found += 1
    assert found == 20
    if ending == "mp4":
        assert film.get(cv2.CAP_PROP_FPS) == RATE
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_film_has_an_ending_that_says_what_it_is(tmp_path: Path) -> None:
    with pytest.raises(EngardeError, match=r"film.avi: a film is a file named .mp4 or .gif"):
        write_film(tmp_path / "film.avi", _few(1), 1, lambda _: None)


def test_a_film_that_is_stopped_leaves_nothing(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*_: object) -> Iterator[Picture]:
        yield np.zeros((90, 160, 3), np.uint8)
        raise KeyboardInterrupt

    monkeypatch.setattr(film_command, "pictures", stopped)
    file = tmp_path / "fight.mp4"
    assert main(["scores", "--match", "1", "--film", str(file)]) == film_command.STOPPED
    assert capsys.readouterr().err == f"Stopped: {file} was not written.\n"
    assert not file.exists()


def test_a_recording_of_another_match_is_left_out_only_for_who_may_not_know_it(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def of_another(*_: object) -> None:
        raise EngardeError("evening.engarde: entry 1 of it is not that of the match; it records another one.")

    seen: list[object] = []

    def noted(told: Story, title: str, facts: str, pictured: object) -> list[object]:
        seen.append(pictured)
        return []

    monkeypatch.setattr(film_command, "pictures_of", of_another)
    monkeypatch.setattr(film_command, "scenes", noted)
    monkeypatch.setattr(film_command, "pictures", lambda *_: _few(2))
    words = ["scores", "--match", "1", "--film", str(tmp_path / "fight.gif"), "--recording", "evening.engarde"]
    assert main(words) == 1
    assert "it records another one" in capsys.readouterr().err
    assert main([*words, "--percents"]) == 0
    assert seen == [None]


@pytest.mark.slow
def test_the_command_makes_the_film(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(film_command, "SIZE", SMALL)
    monkeypatch.setattr("firmware.extras.film.RATE", 2)
    file = tmp_path / "fight.mp4"
    assert main(["scores", "--match", "1", "--film", str(file)]) == 0
    assert capsys.readouterr().out.startswith("Match 1 was filmed: ")
    film = cv2.VideoCapture(str(file))
    assert film.get(cv2.CAP_PROP_FRAME_COUNT) > 50
