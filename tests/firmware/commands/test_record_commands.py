"""Game records at the command line: printed from the scorebook, refereed again from a file."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.players.players import RandomBot, choice_event
from engine.players.simulation import play, reveal, start_round
from engine.rules.events import Event, MatchEvent, RoundEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from firmware.cli import main
from firmware.scorebook.book import open_scorebook


def match_events(seed: int) -> tuple[list[Event], PublicState]:
    """A whole random match to two points."""
    rng = random.Random(seed)
    events: list[Event] = [MatchEvent("ferti-advanced", Side.BLACK, 2)]
    state, _ = judge(None, events[0])
    assert state is not None
    while state.phase is not Phase.MATCH_OVER:
        full = start_round(state, rng)
        events.append(RoundEvent())
        while full.public.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL):
            side = full.public.to_act
            event = (
                reveal(full) if side is None else choice_event(full.public, RandomBot().choose(full.view(side), rng))
            )
            full, ruling = play(full, event)
            assert ruling.ok
            events.append(event)
        state = full.public
    return events, state


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.sqlite"
    with open_scorebook(path) as scorebook:
        journal = scorebook.begin(BySide("Anna", "Ben"), mode="play")
        state = None
        for number, event in enumerate(match_events(5)[0]):
            state, ruling = judge(state, event)
            journal.append(event, ruling, float(number))
    return path


def test_a_match_is_printed_as_a_record_and_refereed_to_the_same_end(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events, state = match_events(5)
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
    assert answers[-1]["state"]["score"] == {"white": state.score.white, "black": state.score.black}
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
