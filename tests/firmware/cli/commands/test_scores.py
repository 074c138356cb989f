"""``engarde scores``: its table, its JSON, and what it says when the book cannot be read."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.rules.events import Event, MatchEvent, RoundEvent, UndoEvent, YieldEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import Scorebook, open_scorebook
from firmware.book.scorebook.sums import seal
from firmware.book.scores.history import How
from firmware.cli.main import main
from tests.firmware.conftest import SetClock

NEW_YEAR_2027_S = 1_798_761_600.0
LOST = (RoundEvent(), YieldEvent())
NOTHING = {how.value: 0 for how in How}


TABLE = """\
no.  begun             white  black    score  winner        rules           rounds  turns  rounds ended by
---  ----------------  -----  -------  -----  ------------  --------------  ------  -----  ---------------
  1  2027-01-01 00:00  Ana    Bo       1:2    Bo            ferti-classic        3      3  no move 3
  2  no clock          Bo     Ana?[2J  0:1    not finished  ferti-advanced       1      1  no move 1

Demo matches
no.  begun             white  black  score  winner        rules                  rounds  turns  rounds ended by
---  ----------------  -----  -----  -----  ------------  ---------------------  ------  -----  ---------------
  3  2027-01-01 00:00  White  Black  0:0    not finished  brettspielnetz demo 7       0      0  -

player  rating        matches  won  lost  points  form  streak
------  ------------  -------  ---  ----  ------  ----  ------
Bo      1662 ± 569 ?        1    1     0     2:1  W     1 won
Ana     1338 ± 569 ?        1    0     1     1:2  L     1 lost
±: the range that holds the true strength in 95 of 100 cases; ?: too few matches to say much yet.

1 match played to the end, 3.0 rounds a match, 1.0 turns a round; whoever began a round won it 0% of the time.
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A book of our own, in a time zone of our own."""
    with monkeypatch.context() as changed:
        changed.setenv("ENGARDE_SCOREBOOK", str(tmp_path / "book.sqlite"))
        changed.setenv("TZ", "UTC")
        time.tzset()
        yield tmp_path / "book.sqlite"
    time.tzset()


def _play(book: Scorebook, names: BySide[str], *events: Event, mode: str = "play", seed: int | None = None) -> None:
    journal = book.begin(names, mode=mode, seed=seed)
    state: PublicState | None = None
    for event in events:
        state, ruling = judge(state, event)
        assert ruling.ok
        journal.append(event, ruling, 0.0)


@pytest.fixture
def book(path: Path) -> Path:
    """Three matches: one won, one with an undone turn and no clock, one demo."""
    clock = SetClock(wall=NEW_YEAR_2027_S)
    with open_scorebook(path, clock) as book:
        _play(book, BySide("Ana", "Bo"), MatchEvent("ferti-classic", Side.WHITE, 2), *LOST, *LOST, *LOST)
        clock.wall = 60.0
        _play(book, BySide("Bo", "Ana\x1b[2J"), MatchEvent("ferti-advanced"), *LOST, UndoEvent(), YieldEvent())
        clock.wall = NEW_YEAR_2027_S
        _play(book, BySide("White", "Black"), MatchEvent("brettspielnetz"), mode="demo", seed=7)
    return path


def test_the_table(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert captured.out == TABLE


def test_json_has_everything(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["scorebook"] == str(book)
    first, second, third = told["matches"]
    assert first.pop("begun").startswith("2027-01-01T")
    assert first == {
        "id": 1,
        "mode": "play",
        "seed": None,
        "white": "Ana",
        "black": "Bo",
        "rules": "ferti-classic",
        "points": 2,
        "starter": "white",
        "score": {"white": 1, "black": 2},
        "winner": "black",
        "finished": True,
        "rounds": 3,
        "turns": 3,
        "reasons": {"no_legal_move": 3},
        "points_by": {
            "white": {**NOTHING, "stuck": 1},
            "black": {**NOTHING, "stuck": 2},
        },
        "readable": True,
    }
    assert (second["turns"], second["reasons"], second["winner"]) == (1, {"no_legal_move": 1}, None)
    assert (third["mode"], third["seed"], third["rounds"], third["reasons"]) == ("demo", 7, 0, {})
    bo = told["players"][0]
    assert (bo["name"], bo["played"], bo["won"], bo["points_for"], bo["points_against"]) == ("Bo", 1, 1, 2, 1)


def test_only_the_last_ones(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, expected in ((["--last", "2"], [2, 3]), (["--last", "1", "--all"], [1, 2, 3])):
        assert main(["scores", "--json", *words]) == 0
        assert [match["id"] for match in json.loads(capsys.readouterr().out)["matches"]] == expected


def test_no_book_yet(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores"]) == 0
    assert capsys.readouterr().out == f"No matches yet in {path}: engarde play begins one, engarde demo shows one.\n"
    assert not path.exists()
    assert main(["scores", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "scorebook": str(path),
        "preset": None,
        "matches": [],
        "players": [],
    }


def test_a_match_that_cannot_be_read_to_its_end(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    connection = sqlite3.connect(book)
    connection.execute("UPDATE events SET event = '?' WHERE match_id = 1 AND seq = 4")
    seal(connection, (1,))
    connection.commit()
    connection.close()
    assert main(["scores"]) == 0
    captured = capsys.readouterr()
    assert "match 1, event 4" in captured.err
    assert captured.out.splitlines()[2].split()[6:] == ["?", "ferti-classic", "1", "1", "no", "move", "1"]


def test_a_damaged_book_stays_where_it_is(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path.write_bytes(b"no book" * 100)
    assert main(["scores"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"engarde scores: the scorebook {path} is damaged")
    assert said.count("\n") == 1
    assert path.read_bytes() == b"no book" * 100


def test_another_book_is_named(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scores", "--scorebook", str(tmp_path / "other.sqlite")]) == 0
    assert "No matches yet" in capsys.readouterr().out


def test_a_match_is_printed_as_a_record_and_refereed_to_the_same_end(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scores", "--record", "1"]) == 0
    text = capsys.readouterr().out
    assert '[White "Ana"]' in text
    record = tmp_path / "match.record"
    record.write_text(text, encoding="utf-8")
    assert main(["judge", "--record", str(record)]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer["ok"] for answer in answers] == [True] * 7
    assert answers[-1]["state"]["score"] == {"white": 1, "black": 2}
    record.write_text('[Rules "ferti-advanced"]\n\nRound 1\n1. +5a -2a\n', encoding="utf-8")
    assert main(["judge", "--record", str(record)]) == 1
    told = capsys.readouterr().err
    assert (told.count("\n"), "Round 1, move 2" in told) == (1, True)


@pytest.mark.parametrize(("number", "told"), [("4", "no match 4"), ("77", "no match 77")])
def test_a_match_that_is_not_in_the_book_is_said(
    book: Path, number: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scores", "--record", number]) == 1
    assert told in capsys.readouterr().err
    assert main(["scores", "--scorebook", f"{book}-of-nobody", "--record", number]) == 1
    assert "no scorebook" in capsys.readouterr().err
