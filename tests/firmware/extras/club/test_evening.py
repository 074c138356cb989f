"""An evening: pools and a tableau, fenced by bots over a real broker too, and what is shown of it."""

from __future__ import annotations

import csv
import io
import json
import urllib.error
import urllib.request
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pypdfium2 import PdfDocument

from display.draw.fonts import font_files
from display.i18n import LANGUAGES, words
from engine.competition.bouts import CompetitionError, Entrant, Terms
from engine.competition.events import (
    CompetitionEvent,
    Entered,
    LotsDrawn,
    MatchFenced,
    Opened,
    PoolsBegun,
    TableauBegun,
    TakenBack,
)
from firmware.cli.main import main
from firmware.extras.club.broker import mosquitto
from firmware.extras.club.card import JoinCard
from firmware.extras.club.evening import Evening
from firmware.extras.club.hall import Hall
from firmware.extras.club.results import SELF, lettered, results_csv, results_html, results_pdf, tables
from firmware.extras.club.server import WallServer
from tests.engine.competition.conftest import replay
from tests.firmware.extras.club.conftest import ended, evening_of, numbered, take
from tests.waiting import HANG_S
from vision.sheets.lettering import REGULAR, fall_back_on, letters_of

if TYPE_CHECKING:
    pass


def begun(path: Path, fencers: int = 6) -> Evening:
    return evening_of(path, numbered(fencers), PoolsBegun(1))


@pytest.mark.parametrize("sign", ["\x1b", "\0", "\n", "\x9b", "\u2028", "\u202e", "\u2066", "\u200f"])
def test_no_sign_that_steers_or_turns_a_line_comes_out_of_a_log(tmp_path: Path, sign: str) -> None:
    begun(tmp_path / "log.jsonl")
    path = tmp_path / "log.jsonl"
    lines = [line.partition("\t")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    lines[1] = lines[1].replace("Given1", f"Given{json.dumps(sign)[1:-1]}")
    path.write_text("\n".join((*lines, "")), encoding="utf-8")
    evening = Evening(path)
    assert "line 2" in evening.skipped[0]
    assert evening.now is not None
    assert "Family2" in results_html(evening.now, "en")
    assert "Family1" not in results_html(evening.now, "en")


def to_the_end(evening: Evening) -> None:
    while evening.now is not None and evening.now.due():
        evening.place(["1", "2"])
        for table in [*evening.placed]:
            take(evening, ended(evening, table))


def test_nobody_stands_at_two_tables_and_the_log_is_the_evening(tmp_path: Path) -> None:
    evening = begun(tmp_path / "evening.jsonl")
    given = evening.place(["1", "2", "3", "4"])
    people = [fencer for bout in given.values() for fencer in (bout.first, bout.second)]
    assert len(people) == len({*people}) == 6
    assert evening.place(["4"]) == {}
    call = evening.call_of("1")
    assert call is not None
    for wrong in (
        {"names": {"white": "Somebody", "black": "Else"}},
        {"bout": ""},
        {"bout": "1P1-9x9"},
        {"points": 1},
        {"phase": "turn"},
        {"table": "4"},
    ):
        assert evening.result_of({**ended(evening, "1"), **wrong}) is None
    again = Evening(tmp_path / "evening.jsonl")
    assert again.placed == evening.placed
    to_the_end(again)
    assert again.now is not None
    assert again.now.over
    assert replay(again.log.events).standing == again.now
    with open(tmp_path / "evening.jsonl", "ab") as stream:
        stream.write(b'{"event":"left","fen')  # the power went
    torn = Evening(tmp_path / "evening.jsonl")
    assert torn.now == again.now
    torn.add(TableauBegun())
    assert Evening(tmp_path / "evening.jsonl").now == torn.now


def spoiled(content: bytes, line: int, how: str) -> bytes:
    lines = content.splitlines(keepends=True)
    if how == "flipped":
        lines[line] = lines[line][:12] + bytes([lines[line][12] ^ 1]) + lines[line][13:]
    elif how == "rubbish":
        lines[line] = b"\xff\x00{[\n"
    elif how == "surrogate":
        lines[line] = b'{"event":"entered","fencer":{"id":"x","name":"\\ud800"}}\n'
    elif how == "cut":
        lines[line] = lines[line][: len(lines[line]) // 2] + b"\n"
    return b"".join(lines)


@pytest.mark.parametrize("how", ["flipped", "rubbish", "surrogate", "cut"])
def test_a_bad_line_of_the_log_costs_itself_and_what_needs_it(tmp_path: Path, how: str) -> None:
    path = tmp_path / "evening.jsonl"
    evening = begun(path)
    whole = path.read_bytes()
    assert evening.skipped == []
    path.write_bytes(spoiled(whole, 3, how))  # the third fencer's
    again = Evening(path)
    assert again.now is not None
    assert list(again.now.fencers) == ["1", "2", "4", "5", "6"]
    assert len(again.skipped) == 1
    assert "line 4" in again.skipped[0]
    assert len(again.log.events) == len(evening.log.events), "numbers that back takes stay what they were"
    again.add(TakenBack(5))
    assert again.now is not None
    assert list(again.now.fencers) == ["1", "2", "5", "6"]
    assert Evening(path).now == again.now
    path.write_bytes(spoiled(whole, 0, how))  # without the opening nothing has a place
    empty = Evening(path)
    assert (empty.now, len(empty.skipped)) == (None, len(evening.log.events))
    empty.add(Opened("Anew"))
    assert Evening(path).now == empty.now


def test_a_log_without_checksums_is_read_and_goes_on_with_them(tmp_path: Path) -> None:
    path = tmp_path / "evening.jsonl"
    evening = begun(path)
    path.write_bytes(b"".join(line.partition(b"\t")[0] + b"\n" for line in path.read_bytes().splitlines()))
    old = Evening(path)
    assert (old.now, old.skipped) == (evening.now, [])
    old.add(Entered(Entrant("7", "Given7 Family7")))
    assert Evening(path).now == old.now


def test_a_match_counts_once_and_is_fenced_at_its_colours(tmp_path: Path) -> None:
    evening = begun(tmp_path / "evening.jsonl")
    evening.place(["1"])
    event = ended(evening, "1", 1, 3)
    result = evening.result_of(event)
    assert isinstance(result, MatchFenced)
    assert (result.first, result.second, result.first_won) == (1, 3, False)
    evening.add(result)
    assert evening.result_of(event) is None
    with pytest.raises(CompetitionError, match="counts already"):
        evening.add(replace(result, bout="1P1-2x3"))
    told = evening.fencer_told("1")
    assert told is not None
    assert [bout["won"] for bout in told["bouts"]] == [False]
    assert evening.fencer_told("nobody") is None


def test_results_in_four_forms(tmp_path: Path) -> None:
    evening = begun(tmp_path / "evening.jsonl", 7)
    to_the_end(evening)
    assert evening.now is not None
    for group in evening.now.level():
        evening.add(LotsDrawn(group))
    evening.add(TableauBegun(third=True))
    to_the_end(evening)
    now = evening.now
    rows = list(csv.reader(io.StringIO(results_csv(now))))
    assert len(rows) == 1 + 21 + 7
    for language in ("en", "de", "fr", "nl"):
        page = results_html(now, language)
        assert page.count("<table>") == 1 + 1 + 1 + 3 + 1
        assert "Given7 Family7" in page
    pdf = results_pdf(now, "de")
    assert pdf.startswith(b"%PDF")
    assert b"Helvetica" not in pdf, "its letters are in it"
    title, (heading, *sheet), _ = tables(now, "en")[1]
    assert (title, heading[-4:]) == ("Pool 1", ["V/M", "Ind.", "Given", "Received"])
    for at, row in enumerate(sheet):
        cells, (victories_of, indicator, given, received) = row[2:-4], row[-4:]
        assert [number for number, cell in enumerate(cells) if cell == SELF] == [at]
        assert victories_of == f"{sum(cell.startswith('V') for cell in cells)}/6"
        assert int(given) == sum(int(cell[1:]) for cell in cells if cell != SELF)
        assert int(received) == sum(int(other[2 + at][1:]) for other in sheet if other is not row)
        assert int(indicator) == int(given) - int(received)
    Evening(tmp_path / "none.jsonl")
    assert results_html(None, "en").count("<table>") == 0


def test_a_name_is_printed_in_the_letters_that_there_are() -> None:
    (wide_font,) = fall_back_on(font_files())
    for name, usual, wide in (
        ("Goran Petrović", "Goran Petrović", "Goran Petrović"),
        ("Őrs Kő", "Őrs Kő", "Őrs Kő"),
        ("Анна", "Анна", "Анна"),
        ("Ӱна", "Уна", "Ӱна"),
        ("Ελένη", "Ελένη", "Ελένη"),
        ("→ Zoë", "> Zoë", "> Zoë"),
        ("דוד", "???", "???"),
        ("李", "?", "?"),
    ):
        assert (lettered(name, letters_of(REGULAR)), lettered(name, letters_of(wide_font))) == (usual, wide)


@pytest.mark.parametrize(
    ("people", "font", "shown", "told"),
    [
        ({"a": "Zoë", "b": "Ben", "c": "Cleo"}, b"SourceSansPro", ("Zoë", "Ben"), False),
        (
            {"a": "Анна Котова", "b": "Ελένη", "c": "Őrs Kő"},
            b"SourceSansPro",
            ("Анна Котова", "Ελένη", "Őrs Kő"),
            False,
        ),
        ({"wei": "李伟", "b": "Борис", "c": "Cleo"}, b"SourceSansPro", ("wei", "Борис"), True),
        ({"李": "李伟", "b": "Ben", "c": "Cleo"}, b"SourceSansPro", ("1.", "Ben"), True),
    ],
)
def test_every_name_can_be_read_in_print(
    tmp_path: Path, people: dict[str, str], font: bytes, shown: tuple[str, ...], told: bool
) -> None:
    fencers = (Entrant(key, name) for key, name in people.items())
    evening = evening_of(tmp_path / "evening.jsonl", fencers, PoolsBegun(1))
    to_the_end(evening)
    for language in LANGUAGES:
        pdf = results_pdf(evening.now, language)
        assert font in pdf
        assert b"Helvetica" not in pdf, "its letters are in it"
        text = PdfDocument(pdf)[0].get_textpage().get_text_range()
        assert "?" not in text
        assert all(name in text for name in shown)
        assert (" ".join(words(language).say("club.other_letters").split()[:4]) in text) == told


def test_a_name_is_no_formula(tmp_path: Path) -> None:
    fencers = (Entrant(key, name) for key, name in (("a", "=1+1"), ("b", "<script>"), ("c", "Cleo")))
    evening = evening_of(tmp_path / "evening.jsonl", fencers, PoolsBegun(1), name="<b>")
    to_the_end(evening)
    assert "'=1+1" in results_csv(evening.now)
    assert "<script>" not in results_html(evening.now, "en")


def test_what_the_hall_answers_browsers(tmp_path: Path) -> None:
    hall = Hall(JoinCard("fk", "hall", "127.0.0.1"), tmp_path / "hall")
    events: list[CompetitionEvent] = [Opened("Evening", Terms(3)), *map(Entered, numbered(4)), PoolsBegun(1)]
    for event in events:
        hall.ask(event)
    hall.turn(0.0)
    with closing(hall), closing(WallServer(hall, "de", port=0, names=["wall.club.example"])) as server:

        def got(path: str, host: str = "wall.club.example") -> str:
            asked = urllib.request.Request(f"{server.url}{path}", headers={"Host": host})
            with urllib.request.urlopen(asked, timeout=HANG_S) as answer:
                return str(answer.read().decode("utf-8", "replace"))

        assert json.loads(got("words.json"))["language"] == "de"
        assert [each["id"] for each in json.loads(got("fencers.json"))["fencers"]] == ["1", "2", "3", "4"]
        assert json.loads(got("fencer/1.json"))["name"] == "Given1 Family1"
        assert len(json.loads(got("wall.json"))["coming"]) == 6
        for path, says in (("", "<main"), ("fencers", "<ul"), ("fencer/1", "<ul"), ("results.html", "<table>")):
            assert says in got(path)
        assert got("results.csv").startswith("\ufeffbout,")
        with pytest.raises(urllib.error.HTTPError, match="404"):
            got("fencer/9")
        with pytest.raises(urllib.error.HTTPError, match="421"):
            got("fencers", "other.club.example")


@pytest.mark.slow
@pytest.mark.skipif(not mosquitto(), reason="there is no Mosquitto on this machine")
def test_a_whole_evening(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.extras.club.demo.browser", lambda: "")
    words = ["club", "demo", "--tables", "3", "--headless", "--pace", "0.002", "--web", "0", "--most", "100"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 0
    told = capsys.readouterr()
    assert "The evening is over" in told.out
    counts = [int(word) for word in told.err.split() if word.isdigit()]
    assert counts[-3] == counts[-1] > 300
    assert (tmp_path / "out" / "results.csv").read_text(encoding="utf-8-sig").startswith("bout,")
