"""Game records at the command line: printed from the scorebook, refereed again from a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.rules.events import Event
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main


@pytest.fixture
def events(bot_match: Callable[..., tuple[Event, ...]]) -> tuple[Event, ...]:
    """A whole random match to two points."""
    return bot_match(5, starter=Side.BLACK)


@pytest.fixture
def end(tmp_path: Path, events: tuple[Event, ...], keep: Callable[..., PublicState]) -> PublicState:
    """The same in a scorebook, `book.sqlite`; how it ends."""
    with open_scorebook(tmp_path / "book.sqlite") as scorebook:
        return keep(scorebook.begin(BySide("Anna", "Ben"), mode="play"), events)


@pytest.fixture
def book(tmp_path: Path, end: PublicState) -> Path:
    return tmp_path / "book.sqlite"


@pytest.mark.slow
def test_a_match_is_printed_as_a_record_and_refereed_to_the_same_end(
    book: Path, end: PublicState, events: tuple[Event, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scores", "--scorebook", str(book), "--record", "1"]) == 0
    text = capsys.readouterr().out
    assert '[White "Anna"]' in text
    assert '[Starter "black"]' in text
    record = tmp_path / "match.record"
    record.write_text(text, encoding="utf-8")
    assert main(["judge", "--record", str(record)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == len(events)
    assert all(answer["ok"] for answer in answers)
    assert answers[-1]["state"]["score"] == {"white": end.score.white, "black": end.score.black}
    assert answers[-1]["state"]["phase"] == "match_over"


def test_a_record_the_referee_refuses_is_said_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "match.record"
    record.write_text('[Rules "ferti-advanced"]\n\nRound 1\n1. +5a -2a\n', encoding="utf-8")
    assert main(["judge", "--record", str(record)]) == 1
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert "Round 1, move 2" in told


@pytest.mark.parametrize("number", ["2", "77"])
def test_a_match_that_is_not_in_the_book_is_said(book: Path, capsys: pytest.CaptureFixture[str], number: str) -> None:
    assert main(["scores", "--scorebook", str(book), "--record", number]) == 1
    assert f"no match {number}" in capsys.readouterr().err


def test_without_a_book_there_is_no_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores", "--scorebook", str(tmp_path / "none.sqlite"), "--record", "1"]) == 1
    assert "no scorebook" in capsys.readouterr().err
