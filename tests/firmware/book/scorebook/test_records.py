"""Matches as game records, out of the book and into it: a match taken in twice is one match, and all are or none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from display.i18n import words
from display.words.verdicts import step_text
from engine.record.corrections import Correction, Replace, Setting, Won
from engine.record.course import follow
from engine.record.notation import RecordError, parse_record
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import Played, Scorebook, open_scorebook
from firmware.book.scorebook.correction import change_text
from firmware.book.scorebook.file import ScorebookError
from firmware.book.scorebook.records import ExchangeError, record_of, record_text, take_in
from firmware.cli.main import main
from tests.firmware.conftest import fill, whole_match

pytestmark = pytest.mark.slow

CORRECTED_MATCH = (
    MatchEvent("ferti-advanced", Side.WHITE, 3),
    RoundEvent(),
    TurnEvent((CARD_BY_NAME["3a"],), 4, 23),
    TurnEvent((CARD_BY_NAME["4a"],), 4, 19),
    UndoEvent(),
    TurnEvent((CARD_BY_NAME["4b"],), 4, 19),
    Correction((Replace(1, TurnEvent((CARD_BY_NAME["3e"],), 4, 23)),), "it was the 3e"),
    Correction((Setting(BySide(5, 18), BySide(1, 0)),), "the table is right"),
)


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Scorebook]:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        fill(book, BySide("Änne", 'B"o\u2028'), whole_match(1))
        fill(book, BySide("Cy", "Di"), whole_match(2)[:9])
        fill(book, BySide("Cy", "Di"), CORRECTED_MATCH)
        yield book


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Scorebook]:
    with open_scorebook(tmp_path / "other.sqlite") as book:
        yield book


def taken(book: Scorebook, *texts: str) -> tuple[int | None, ...]:
    return take_in(book, [record_of(text) for text in texts])


def states(played: Played) -> list[object]:
    assert played.course is not None
    assert played.problem == ""
    return [step.state for step in played.course.steps]


def test_a_record_is_taken_in_once_and_its_own_match_is_known(full: Scorebook, empty: Scorebook) -> None:
    for number in (1, 3):
        text = record_text(full.replay(number))
        assert taken(full, text) == (None,), "it is here already"
        (added,) = taken(empty, text)
        assert added is not None
        assert taken(empty, text, text.replace("\n", "\r\n")) == (None, None)
        assert states(empty.replay(added)) == states(full.replay(number))
    assert len(empty.matches()) == 2


def test_the_same_match_twice_in_one_import_is_one_match(full: Scorebook, empty: Scorebook) -> None:
    first, second = (record_text(full.replay(number)) for number in (1, 2))
    dateless = re.sub(r'\[Date ".*"\]\n', "", first)
    assert taken(empty, first, second, first, dateless) == (1, 2, None, None)


def test_a_corrected_match_says_so_in_its_record(full: Scorebook) -> None:
    text = record_text(full.replay(3))
    assert "; Corrected as event 7 (2027-01-15" in text
    assert "turn 1 was really 3e, White on 4, Black on 23. Why: it was the 3e." in text
    assert "White stands on 5 and Black on 18, the score is 1:0. Why: the table is right." in text
    assert "1. +3e +4b\n2. !5/18,1-0\n" in text
    assert parse_record(text).rounds[0].moves


def test_the_same_moves_on_another_day_are_another_match(full: Scorebook, empty: Scorebook) -> None:
    text = record_text(full.replay(1))
    assert '[Date "2027-01-15"]' in text
    assert taken(empty, text) == (1,)
    assert taken(empty, text.replace("2027-01-15", "2027-02-20")) == (2,)
    assert taken(empty, text.replace("2027-01-15", "")) == (None,), "nobody wrote the day down"


@pytest.mark.parametrize("date", ["0001-01-01", "9999-12-31", "1969-12-31"])
def test_a_day_that_no_clock_here_could_have_had_is_taken_all_the_same(
    date: str, full: Scorebook, empty: Scorebook
) -> None:
    text = record_text(full.replay(1)).replace("2027-01-15", date)
    assert taken(empty, text) == (1,)
    assert taken(empty, text) == (None,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it is empty; a game record is expected"),
        ("\ufeff\r\n", "it is empty; a game record is expected"),
        ('{"engarde":"scorebook","version":1}\n', "the text of a whole scorebook, which is read no more"),
        ("Round 1\n1. +5a -2a\n", "Round 1, move 2"),
        ("hello", "hello"),
    ],
)
def test_what_is_no_record_is_told(text: str, said: str) -> None:
    with pytest.raises((ExchangeError, RecordError), match=said):
        record_of(text)


def test_one_bad_file_among_several_keeps_all_of_them_out(
    full: Scorebook, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad, other = (tmp_path / name for name in ("good", "bad", "other.sqlite"))
    good.write_text(record_text(full.replay(1)), encoding="utf-8")
    bad.write_text("Round 1\n1. +5a -2a\n")
    assert main(["book", "import", str(good), str(bad), "--scorebook", str(other)]) == 1
    assert capsys.readouterr().err.startswith(f"engarde book: {bad}: Round 1, move 2: ")
    assert not other.exists()
    assert main(["book", "import", str(good), str(good), "--scorebook", str(other)]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{good}: added as match 1.", f"{good}: already there."]


@pytest.mark.parametrize("after", [0, 1])
def test_an_import_that_is_cut_off_left_nothing(
    after: int, full: Scorebook, empty: Scorebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a disk that is full once so many matches were written."""
    texts = [record_text(full.replay(number)) for number in (2, 1, 3)]
    written, add = iter(range(3)), Scorebook._add

    def adds(book: Scorebook, *match: Any) -> int:
        if next(written) == after:
            book.connection.execute("PRAGMA max_page_count = 1")
        return add(book, *match)

    monkeypatch.setattr(Scorebook, "_add", adds)
    with pytest.raises(ScorebookError, match="the disk is full"):
        taken(empty, *texts)
    assert empty.counts() == (0, 0)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("An\x1b[2Ja", "is no quoted text"),
        ("Ana\u202eoB", r"U\+202E"),
        ("A" * 41, "at most 40"),
        ("\u200b", "is empty"),
    ],
)
def test_names_are_cleaned_on_their_way_in_like_typed_ones(name: str, said: str, tmp_path: Path) -> None:
    with open_scorebook(tmp_path / "from.sqlite") as book:
        fill(book, BySide("Cy", "Bo"), whole_match(1))
        text = record_text(book.replay(1))
    with pytest.raises(ValueError, match=said):
        record_of(text.replace("Bo", name))
    with open_scorebook(tmp_path / "to.sqlite") as book:
        assert taken(book, text.replace("Bo", "B\u200bo")) == (1,)
        assert taken(book, text.replace("Bo", "Bo\ufeff")) == (None,)


@pytest.mark.parametrize(
    ("won", "told"),
    [(Won.WHITE, "White won the round"), (Won.BLACK, "Black won the round"), (Won.NOBODY, "the round was drawn")],
)
def test_the_scorebook_tells_it(won: Won, told: str) -> None:
    assert change_text(Setting(won=won)) == told
    course, _ = follow(None, MatchEvent("ferti-advanced"))
    for entry in (RoundEvent(), Correction((Setting(won=won),))):
        course, _ = follow(course, entry)
    assert course is not None
    assert ("wins the round" in step_text(words("en"), course.steps[-1])) is (won.side is not None)
