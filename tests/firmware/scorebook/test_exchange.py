"""The whole book as text and matches back in: nothing changes on the way, and a match taken in twice is one match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.record.corrections import Correction, Replace, Setting
from engine.record.notation import RecordError, parse_record
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.track import BySide, Side
from firmware.cli import main
from firmware.scorebook.book import Played, Scorebook, open_scorebook
from firmware.scorebook.exchange import ExchangeError, TakenIn, export_lines, record_text, take_in

pytestmark = pytest.mark.slow

Fill = Callable[..., int]
Whole = Callable[..., tuple[Event, ...]]
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
def full(tmp_path: Path, fill: Fill, whole_match: Whole) -> Iterator[Scorebook]:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        fill(book, BySide("Änne", 'B"o\u2028'), whole_match(1))
        fill(book, BySide("Cy", "Di"), whole_match(2)[:9])
        fill(book, BySide("Cy", "Di"), CORRECTED_MATCH)
        yield book


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Scorebook]:
    with open_scorebook(tmp_path / "other.sqlite") as book:
        yield book


def text_of(book: Scorebook) -> str:
    return "".join(f"{line}\n" for line in export_lines(book))


def content(book: Scorebook) -> list[object]:
    return [(played.match.names, played.match.uid, played.match.wall_s, played.rows) for played in book.replay_all()]


def test_a_book_goes_through_text_and_back(full: Scorebook, empty: Scorebook) -> None:
    text = text_of(full)
    assert take_in(empty, text) == TakenIn(added=(1, 2, 3))
    assert content(empty) == content(full)
    assert text_of(empty) == text
    assert take_in(empty, text) == TakenIn(known=3)
    assert take_in(full, text) == TakenIn(known=3)
    assert text_of(empty) == text


def test_a_match_that_was_played_on_goes_on_here_too(full: Scorebook, empty: Scorebook) -> None:
    early = text_of(full)
    take_in(empty, early)
    play_on(full, UndoEvent())
    assert take_in(empty, text_of(full)) == TakenIn(extended=(3,), known=2)
    assert content(empty) == content(full)
    assert take_in(empty, early) == TakenIn(known=3), "an older copy takes nothing back"
    assert content(empty) == content(full)


def play_on(book: Scorebook, *events: Event) -> None:
    from engine.record.course import follow

    played = book.replay(3)
    journal, course = book.resume(played), played.course
    for event in events:
        course, ruling = follow(course, event)
        journal.append(event, ruling, 0.0)


def test_two_copies_that_went_different_ways_are_both_kept(full: Scorebook, empty: Scorebook) -> None:
    take_in(empty, text_of(full))
    play_on(full, UndoEvent())
    play_on(empty, TurnEvent((CARD_BY_NAME["5a"],), 10, 18))
    text = text_of(full)
    assert take_in(empty, text) == TakenIn(added=(4,), known=2, different=1)
    assert take_in(empty, text) == TakenIn(known=3)
    assert len(empty.matches()) == 4


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text[: len(text) // 2], "not whole"),
        (lambda text: "".join(text.splitlines(keepends=True)[:-1]), "not whole"),
        (lambda text: text.replace('"white":4', '"white":5', 1), "not whole"),
        (lambda text: text.replace('"version":1', '"version":2'), "version 2, this program knows 1"),
        (lambda text: text.replace('"engarde":"scorebook"', '"engarde":"recipes"'), "line 1"),
        (lambda text: "{", "line 1: expected a JSON object"),
        (lambda text: '{"a":1}', "line 1"),
    ],
)
def test_a_text_that_is_not_whole_changes_nothing(
    full: Scorebook, empty: Scorebook, spoil: Callable[[str], str], words: str
) -> None:
    with pytest.raises(ExchangeError, match=words):
        take_in(empty, spoil(text_of(full)))
    assert empty.matches() == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda match: match["entries"].pop(2), "line 2: the referee refuses it"),
        (lambda match: match["entries"].pop(0), "match event is the first"),
        (lambda match: match.pop("seed"), "'seed' is missing"),
        (lambda match: match.update(mode="dream"), "mode is one of demo, play, by_hand, simulated"),
        (lambda match: match.update(white=5), "text is expected, not 5"),
        (lambda match: match.update(entries=3), "line 2"),
        (lambda match: match["entries"][1].update(entry={"event": "sing"}), "'sing'"),
    ],
)
def test_a_text_that_was_made_by_hand_is_judged_too(
    full: Scorebook, empty: Scorebook, change: Callable[[dict[str, object]], object], words: str
) -> None:
    import hashlib

    lines = text_of(full).split("\n")[:-2]
    match = json.loads(lines[1])
    change(match)
    lines[1] = json.dumps(match)
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    lines.append(json.dumps({"end": len(lines) - 1, "sha256": digest}))
    with pytest.raises(ExchangeError, match=words):
        take_in(empty, "\n".join(lines))
    assert empty.matches() == ()


def record_of_match(path: Path, number: int, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["scores", "--scorebook", str(path), "--record", str(number)]) == 0
    return capsys.readouterr().out


def test_a_record_is_taken_in_once_and_its_own_match_is_known(
    full: Scorebook, empty: Scorebook, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 3):
        text = record_of_match(full.path, number, capsys)
        assert take_in(full, text) == TakenIn(known=1), "it is here already"
        (added,) = take_in(empty, text).added
        assert take_in(empty, text) == TakenIn(known=1)
        assert take_in(empty, text.replace("\n", "\r\n")) == TakenIn(known=1)
        assert states(empty.replay(added)) == states(full.replay(number))
        assert record_of_match(empty.path, added, capsys).replace("; Corrected", ";") != ""
    assert len(empty.matches()) == 2


def states(played: Played) -> list[object]:
    assert played.course is not None
    assert played.problem == ""
    return [step.state for step in played.course.steps]


def test_a_corrected_match_says_so_in_its_record(full: Scorebook, capsys: pytest.CaptureFixture[str]) -> None:
    text = record_of_match(full.path, 3, capsys)
    assert "; Corrected as event 7 (2027-01-15" in text
    assert "turn 1 was really 3e, White on 4, Black on 23. Why: it was the 3e." in text
    assert "White stands on 5 and Black on 18, the score is 1:0. Why: the table is right." in text
    assert "1. +3e +4b\n2. !5/18,1-0\n" in text
    assert parse_record(text).rounds[0].moves


def test_the_same_moves_on_another_day_are_another_match(
    full: Scorebook, empty: Scorebook, capsys: pytest.CaptureFixture[str]
) -> None:
    text = record_of_match(full.path, 1, capsys)
    assert '[Date "2027-01-15"]' in text
    take_in(empty, text)
    assert take_in(empty, text.replace("2027-01-15", "2027-02-20")).added == (2,)
    assert take_in(empty, text.replace("2027-01-15", "")) == TakenIn(known=1), "nobody wrote the day down"


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff\r\n"])
def test_an_empty_text_is_no_match_that_nobody_played(empty: Scorebook, text: str) -> None:
    with pytest.raises(ExchangeError, match="it is empty; a game record or an export is expected"):
        take_in(empty, text)
    assert empty.counts() == (0, 0)


def test_a_record_the_referee_refuses_changes_nothing(empty: Scorebook) -> None:
    for text in ("Round 1\n1. +5a -2a\n", "hello"):
        with pytest.raises(RecordError):
            take_in(empty, text)
    assert empty.matches() == ()


def test_the_commands_export_and_import(full: Scorebook, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book, target = str(full.path), tmp_path / "book.txt"
    assert main(["book", "export", str(target), "--scorebook", book]) == 0
    assert target.read_text(encoding="utf-8") == text_of(full)
    assert main(["book", "export", "--scorebook", book]) == 0
    assert capsys.readouterr().out == text_of(full)
    assert main(["book", "export", str(target), "--scorebook", book]) == 1
    assert "File exists" in capsys.readouterr().err, "nothing is overwritten"
    record = tmp_path / "match.record"
    record.write_text(record_of_match(full.path, 1, capsys), encoding="utf-8")
    other = ["--scorebook", str(tmp_path / "third.sqlite")]
    assert main(["book", "import", str(record), str(target), str(target), *other]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{record}: added as match 1.",
        f"{target}: added as match 2, 3; 1 already there.",
        f"{target}: 3 already there.",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [("An\x1b[2Ja", r"U\+001B"), ("Ana\u202eoB", r"U\+202E"), ("A" * 41, "at most 40"), ("\u200b", "is empty")],
)
def test_names_are_cleaned_on_their_way_in_like_typed_ones(
    name: str, said: str, tmp_path: Path, fill: Fill, whole_match: Whole
) -> None:
    with open_scorebook(tmp_path / "from.sqlite") as book:
        fill(book, BySide("Cy", "Bo"), whole_match(1))
        texts = ["\n".join(export_lines(book)), record_text(book.replay(1))]
    with open_scorebook(tmp_path / "to.sqlite") as book:
        for text in texts:
            with pytest.raises(ValueError, match=said):
                take_in(book, _summed(text.replace("Bo", json.dumps(name)[1:-1] if text.startswith("{") else name)))
        assert book.matches() == ()
        assert len(take_in(book, _summed(texts[0].replace("Bo", "B\u200bo"))).added) == 1
        assert take_in(book, texts[1].replace("Bo", "Bo\ufeff")).known == 1
        assert book.matches()[0].names == BySide("Cy", "Bo")


def _summed(text: str) -> str:
    """An export that was changed, with the sum it has now."""
    if not text.startswith("{"):
        return text
    *lines, last = text.split("\n")
    digest = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    return "\n".join([*lines, json.dumps({**json.loads(last), "sha256": digest})])
