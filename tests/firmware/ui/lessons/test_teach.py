"""``engarde teach``: from the first lesson to a finished first game, and what else the command says and keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.lessons.lesson import LESSONS, PracticeRound
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.commands import teach as teach_command
from firmware.cli.main import main
from firmware.cli.sitting import sitting
from firmware.ui.lessons.progress import FILE, Progress
from tests.firmware.ui.scene_table import SceneTable

MISTAKES = sum(
    len(getattr(step, "mistakes", ("wrong",)))
    for lesson in LESSONS
    for step in lesson.steps
    if not isinstance(step, PracticeRound)
)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return tmp_path / "book.sqlite"


@pytest.fixture
def words(book: Path, tmp_path: Path) -> list[str]:
    """The command at the simulated table, with settings of nobody."""
    settings = tmp_path / "config.toml"
    settings.write_text("")
    return ["teach", "--camera", "synthetic", "--headless", "--scorebook", str(book), "--config", str(settings)]


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is read off the stage itself: nothing is rendered and nothing has to be made out."""
    sights: list[Any] = []

    def at_the_table(table: Any, players: Any, *_: object) -> Any:
        sights.append(SceneTable(table, players))
        return sights[-1]

    monkeypatch.setattr(teach_command, "simulated_table", at_the_table)
    monkeypatch.setattr(sitting, "Eyes", lambda *_: sights[-1])


@pytest.mark.slow
@pytest.mark.usefixtures("no_pictures")
def test_a_newcomers_path_from_the_first_lesson_to_a_finished_game_with_every_mistake_on_the_way(
    words: list[str], book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    who = ["--player", "Ana", "--player", "Ben"]
    assert main([*words, *who, "--mistakes", "1", "--points", "1", "--seed", "5"]) == 0
    told = capsys.readouterr()
    assert f"{MISTAKES} mistakes made on purpose, {MISTAKES} answered as they should be." in told.out
    assert "And now the first game." in told.err
    for number in range(1, len(LESSONS) + 1):
        assert f"Lesson {number}: " in told.out
    assert "wins the match" in told.out
    assert not book.exists(), "what robots play is nobody's"
    assert not book.with_name(FILE).exists(), "what robots learn is nobody's"


@pytest.mark.slow
def test_a_lesson_is_seen_by_the_camera(
    words: list[str], book: Path, small_table: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *small_table, "--lesson", "curious", "--no-game", "--mistakes", "0.5", "--seed", "2"]) == 0
    assert "Lesson done!" in capsys.readouterr().out
    assert not book.exists(), "nothing was played"


@pytest.mark.slow
@pytest.mark.usefixtures("no_pictures")
def test_pictures_of_what_was_said(words: list[str], tmp_path: Path) -> None:
    out = tmp_path / "pictures"
    out.mkdir()
    (out / "001-old.png").write_bytes(b"an earlier run's")
    assert main([*words, "--lesson", "16", "--no-game", "--mistakes", "0", "--out", str(out)]) == 0
    names = sorted(path.name for path in out.iterdir())
    assert names[0] == "001-curious-proof-setup.png"
    assert "001-old.png" not in names
    assert any(name.endswith("curious-nobody_attacked-done.png") for name in names)
    assert len(names) >= 9


def test_the_list_says_who_has_learned_what(words: list[str], book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Progress(book.with_name(FILE)).learned(["Ana"], "ends")
    assert main([*words, "--list", "--player", "Ana", "--player", "Ben", "--language", "de"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(LESSONS)
    assert lines[0].split() == ["1", "first", "Der", "erste", "Treffer"]
    assert lines[2].endswith("(learned: Ana)")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--player", "A", "--player", "B", "--player", "C"], "two learn at one table"),
        (["--player", "Ana", "--player", "ANA"], "two who learn at one table have two names"),
        (["--camera", "no-such-folder"], "found nothing"),
    ],
)
def test_wrong_wishes_are_said_in_one_sentence(
    words: list[str], more: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *more]) == 1
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""


@pytest.mark.parametrize(("lesson", "sentence"), [("parri", "did you mean parry?"), ("99", "a number from 1 to 16")])
def test_a_lesson_there_is_none_of_is_wrong_use(
    words: list[str], lesson: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, "--lesson", lesson])
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("points", ["0", "-3", "five", "100"])
@pytest.mark.parametrize("command", ["teach", "play"])
def test_points_nobody_can_play_to_are_wrong_use_before_anything_begins(
    command: str, points: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--camera", "synthetic", "--headless", "--points", points])
    assert ended.value.code == 2
    assert f"points from 1 to 99 are expected, not '{points}'" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("no_pictures")
def test_damaged_progress_is_said_and_lessons_go_on(
    words: list[str], book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book.with_name(FILE).write_text("{")
    assert main([*words, "--lesson", "score", "--no-game", "--mistakes", "0"]) == 0
    assert "it is kept as lessons.damaged-1.json" in capsys.readouterr().err
    assert not book.with_name(FILE).exists()


@pytest.mark.slow
def test_who_is_forgotten_is_forgotten_as_a_pupil_too(
    book: Path, capsys: pytest.CaptureFixture[str], keep_match: Any, bot_match: Any
) -> None:
    path = book.with_name(FILE)
    with open_scorebook(book) as kept:
        keep_match(kept, "Ana", "Ben", bot_match(1, points=1))
    progress = Progress(path)
    progress.learned(["Ana", "Ben", "Cleo"], "moving")
    scores = ["scores", "--scorebook", str(book), "--yes"]
    assert main([*scores, "--forget", "ana"]) == 0
    assert main([*scores, "--rename", "Ben", "Bo"]) == 0
    assert main([*scores, "--forget", "Cleo"]) == 0
    assert "in no match" in capsys.readouterr().out
    left = Progress(path)
    assert [left.knows(name) for name in ("Ana", "Ben", "Bo", "Cleo")] == [False, False, True, False]
    assert main([*scores, "--forget", "Cleo"]) == 1
