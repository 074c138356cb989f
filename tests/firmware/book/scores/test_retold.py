"""``engarde scores --retell``: a round of a recorded match, as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from tests.firmware.conftest import bot_match, keep_match


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book with one whole match, and one whose first round has only begun."""
    file = tmp_path / "book.sqlite"
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(file))
    return file


@pytest.fixture
def filled(path: Path) -> Path:
    with open_scorebook(path) as book:
        keep_match(book, "Ana", "Bo", bot_match(3))
        keep_match(book, "Ana", "Bo", (MatchEvent("ferti-classic"), RoundEvent()))
    return path


def rounds_of(events: tuple[Event, ...]) -> list[int]:
    """How many entries each round has."""
    counts: list[int] = []
    for event in events[1:]:
        if isinstance(event, RoundEvent):
            counts.append(0)
        else:
            counts[-1] += 1
    return counts


def test_the_last_round_or_any_other(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = rounds_of(bot_match(3))
    for words, number in ((), len(counts)), (("--round", "1"), 1):
        assert main(["scores", "--retell", "1", "--language", "en", *words]) == 0
        out = capsys.readouterr().out
        assert out.startswith(f"Replay of round {number}: Ana ")
        assert out.rstrip().splitlines()[0].endswith(" Bo")
        numbered = [line for line in out.splitlines() if line[3:4] == "." and line[:3].strip().isdigit()]
        assert len(numbered) == counts[number - 1]
        assert "The distance goes from 22 to" in out
    assert main(["scores", "--retell", "1", "--language", "de"]) == 0
    assert capsys.readouterr().out.startswith(f"Rückblick auf Runde {len(counts)}")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--retell", "1", "--round", "99"], "match 1 has no round 99 that is over: its rounds are 1 to"),
        (["--retell", "2"], "match 2 has no round that is over"),
        (["--retell", "7"], "has no match 7"),
    ],
)
def test_what_is_not_there_is_said(
    filled: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main(["scores", *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1


def test_wrong_use(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as leaving:
        main(["scores", "--round", "1"])
    assert leaving.value.code == 2
    assert "--round N needs --retell NO" in capsys.readouterr().err
    assert main(["scores", "--retell", "1"]) == 1
    assert "there is no scorebook" in capsys.readouterr().err


def test_names_are_those_of_the_match(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open_scorebook(path) as book:
        keep_match(book, "Zo\u00eb", "Bo", bot_match(4))
        assert book.matches()[0].names == BySide("Zo\u00eb", "Bo")
    assert main(["scores", "--retell", "1", "--language", "fr"]) == 0
    assert "Zo\u00eb" in capsys.readouterr().out
