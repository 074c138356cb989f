"""The tables of one fixed book, word for word, and what is said where there is little to say."""

from __future__ import annotations

import codecs
import csv
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.i18n import LANGUAGES, words
from display.words.sentences import with_capital
from engine.rules.cards import CARD_BY_NAME
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, YieldEvent
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow, open_scorebook
from firmware.book.scores.export import CSV_HEAD, match_json, matches_csv
from firmware.book.scores.history import How, Summary
from firmware.book.scores.players import house
from firmware.book.scores.telling import overview, portrait
from firmware.book.scores.terminal import Terminal
from firmware.cli.main import main
from tests.firmware.conftest import SetClock, keep_match


def laid(names: str, white: int, black: int) -> TurnEvent:
    return TurnEvent(tuple(CARD_BY_NAME[name] for name in names.split()), white, black)


MEET = (RoundEvent(), laid("5a", 6, 23), laid("5b", 6, 18), laid("5c", 11, 18))
MEET_BLACK = (RoundEvent(), laid("5a", 1, 18), laid("5b", 6, 18), laid("5c", 6, 13))
STUCK = (RoundEvent(), YieldEvent())
"""Whoever begins gives up at once."""
TOUCHED = (*MEET, laid("3a 4a", 11, 15), YieldEvent())
"""White begins, and is hit by Black's indirect attack."""
TOUCHED_BLACK = (*MEET_BLACK, laid("3a", 9, 13), laid("4a", 9, 13), YieldEvent())
"""Black begins, and hits White directly."""


def events(rules: str, starter: Side, points: int, *rounds: tuple[Event, ...]) -> tuple[Event, ...]:
    return (MatchEvent(rules, starter, points), *(event for each in rounds for event in each))


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Six matches of three people under two presets, one cut off, one on a machine without a clock."""
    path = tmp_path / "book.sqlite"
    clock = SetClock(wall=1_798_761_600.0)
    with monkeypatch.context() as changed:
        changed.setenv("ENGARDE_SCOREBOOK", str(path))
        changed.setenv("TZ", "UTC")
        time.tzset()
        with open_scorebook(path, clock) as book:
            keep_match(book, "Ana", "Bo", events("ferti-advanced", Side.WHITE, 2, TOUCHED, STUCK, TOUCHED))
            clock.wall = 100.0
            keep_match(book, "Bo", "Ana", events("ferti-advanced", Side.BLACK, 1, STUCK))
            clock.wall = 1_798_800_000.0
            keep_match(book, "Cem", "ana", events("ferti-classic", Side.BLACK, 1, TOUCHED_BLACK))
            keep_match(book, "Ana", "Cem", events("ferti-advanced", Side.BLACK, 2, TOUCHED_BLACK, STUCK))
            keep_match(book, "Ana", "Cem", events("ferti-advanced", Side.WHITE, 2, STUCK))
            keep_match(book, "Ana", "Bo", events("ferti-advanced", Side.BLACK, 1, STUCK))
        yield path
    time.tzset()


OVERVIEW = """\
no.  begun             white  black  score  winner        rules           rounds  turns  rounds ended by
---  ----------------  -----  -----  -----  ------------  --------------  ------  -----  ------------------
  1  2027-01-01 00:00  Ana    Bo     1:2    Bo            ferti-advanced       3     11  touch 2, no move 1
  2  no clock          Bo     Ana    1:0    Bo            ferti-advanced       1      1  no move 1
  3  2027-01-01 10:40  Cem    ana    0:1    ana           ferti-classic        1      6  touch 1
  4  2027-01-01 10:40  Ana    Cem    0:2    Cem           ferti-advanced       2      7  touch 1, no move 1
  5  2027-01-01 10:40  Ana    Cem    0:1    not finished  ferti-advanced       1      1  no move 1
  6  2027-01-01 10:40  Ana    Bo     1:0    Ana           ferti-advanced       1      1  no move 1

player  rating        matches  won  lost  points  form   streak
------  ------------  -------  ---  ----  ------  -----  ------
Bo      1473 ± 476 ?        3    2     1     3:2  WWL    1 lost
Ana     1455 ± 402 ?        5    2     3     3:5  LLWLW  1 won
Cem     1433 ± 485 ?        2    1     1     2:1  LW     1 won
±: the range that holds the true strength in 95 of 100 cases; ?: too few matches to say much yet.

Rating after each match, from 1233 to 1720
Bo   ██▄  1473
Ana  ▂▁▄▁▄  1455
Cem  ▁▄  1433

5 matches played to the end, 1.6 rounds a match, 3.2 turns a round; whoever began a round won it 25% of the time.
"""

PORTRAIT = """\
Ana

Rating 1455 ± 402: too few matches to say much
Last matches: --+-+
5 matches: 2 won, 3 lost, 1 not finished
1 won in a row now; the longest streak: 1
3 points won, 5 lost
1.6 rounds a match, 3.2 turns a round; 0 of 8 rounds drawn
Matches begun: 3. Rounds begun: 5, 20% of them won; of the others 67%
Touch by a direct attack: 1 won, 1 lost
Touch by an indirect attack: 0 won, 2 lost
No turn was left: 2 won, 2 lost
Ferti, classic: Rating 1662 ± 569: too few matches to say much, 1 of 1 won
Ferti, advanced: Rating 1421 ± 444: too few matches to say much, 1 of 4 won
Bo · 1 : 2
Cem · 1 : 1
Bo: 2 points won, 3 lost
Cem: 1 points won, 2 lost
Ferti, classic: 1 points won, 0 lost
Ferti, advanced: 2 points won, 5 lost

Rating after each match
+  ███▇█  1857
   ▄▄▅▄▅  1455
-  ▁▁▂▁▃  1054
"""


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["scores", *words]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def test_the_overview(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys) == OVERVIEW


def test_one_player(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "  ANA") == PORTRAIT


def test_one_preset_only(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, "--preset", "ferti-classic", "--json"))
    assert [match["id"] for match in told["matches"]] == [3]
    assert [(player["name"], player["won"]) for player in told["players"]] == [("ana", 1), ("Cem", 0)]
    assert told["preset"] == "ferti-classic"
    assert "ferti-advanced" not in said(capsys, "--preset", "ferti-classic")
    assert said(capsys, "--preset", "brettspielnetz") == f"No matches under brettspielnetz yet in {book}.\n"


def test_the_json_of_a_player_says_what_the_tables_say(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ana = json.loads(said(capsys, "ana", "--json"))
    assert ana == next(
        player for player in json.loads(said(capsys, "--last", "1", "--json"))["players"] if player["name"] == "Ana"
    )
    rating = ana.pop("rating")
    assert (int(rating["points"]), rating["unsure"]) == (1455, True)
    assert rating["high_95"] - rating["low_95"] == pytest.approx(2 * 1.96 * rating["deviation"], abs=0.3)
    assert ana["ratings"][-1]["points"] == rating["points"]
    assert [after["match"] for after in ana.pop("ratings")] == [1, 2, 3, 4, 6]
    assert {name: int(each["points"]) for name, each in ana.pop("presets").items()} == {
        "ferti-classic": 1662,
        "ferti-advanced": 1420,
    }
    nothing = {how.value: 0 for how in How}
    assert ana == {
        "name": "Ana",
        "played": 5,
        "won": 2,
        "lost": 3,
        "points_for": 3,
        "points_against": 5,
        "unfinished": 1,
        "form": ["L", "L", "W", "L", "W"],
        "streak": 1,
        "longest_streak": 1,
        "points_by": {**nothing, "touch_direct": 1, "stuck": 2},
        "conceded_by": {**nothing, "touch_direct": 1, "touch_indirect": 2, "stuck": 2},
        "against": [
            {"name": "Bo", "played": 3, "won": 1, "lost": 2, "points_for": 2, "points_against": 3},
            {"name": "Cem", "played": 2, "won": 1, "lost": 1, "points_for": 1, "points_against": 2},
        ],
        "starts": {"matches": 3, "rounds": 5, "rounds_won": 1, "other_rounds": 3, "other_rounds_won": 2},
        "rounds": 8,
        "drawn_rounds": 0,
        "turns": 26,
    }


def test_a_match_round_by_round(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "--match", "1").splitlines() == [
        "Ana 1 : 2 Bo",
        "Jan 1, 2027",
        "00:00 · Ferti, advanced · First to 2",
        "Rounds: 3. Turns: 11.",
        "",
        "Round 1 · 0 : 1  Ana began. Bo won after 5 turns: touch by an indirect attack, not parried.",
        "Round 2 · 1 : 1  Bo began. Ana won after 1 turn: Bo gave up.",
        "Round 3 · 1 : 2  Ana began. Bo won after 5 turns: touch by an indirect attack, not parried.",
    ]
    assert said(capsys, "--match", "5").startswith("Ana 0 : 1 Cem (not finished)\n")


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_and_matches_are_told_in_every_language(
    language: str, book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say = words(language)
    player = said(capsys, "ana", "--language", language)
    assert say.say("home.form") in player
    assert with_capital(say.say("home.how.stuck")) in player
    match = said(capsys, "--match", "1", "--language", language)
    assert match.count(say.say("past.not_parried", how=say.say("home.how.touch_indirect"))) == 2
    assert "?" not in match


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (("Anna",), 1, "has no player 'Anna', did you mean Ana?"),
        (("--match", "7"), 1, "has no match 7; engarde scores --all lists them."),
        (("--match", "3", "--preset", "ferti-advanced"), 1, "has no match 3 under ferti-advanced"),
        (("--html", "page.html"), 2, "--html FILE needs --match NO"),
        (("--json", "--csv"), 2, "--json goes with PLAYER"),
        (("--match", "0"), 2, "a whole number from 1 is expected"),
        (("--preset", "chess"), 2, "invalid choice"),
    ],
)
def test_wrong_use_and_what_is_not_there(
    book: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, sentence: str
) -> None:
    try:
        found = main(["scores", *words])
    except SystemExit as exit_:
        found = int(exit_.code or 0)
    captured = capsys.readouterr()
    assert (found, captured.out) == (status, "")
    assert sentence in captured.err
    assert "Traceback" not in captured.err


def test_csv_here_and_in_a_file(book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "--csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["id"] for row in rows] == ["1", "2", "3", "4", "5", "6"]
    assert (rows[0]["black"], rows[0]["black_points"], rows[0]["black_touch_indirect"]) == ("Bo", "2", "2")
    assert (rows[4]["finished"], rows[4]["winner"]) == ("no", "")
    file = tmp_path / "matches.csv"
    assert said(capsys, "--csv", str(file)) == f"6 matches written to {file}.\n"
    assert file.read_bytes() == codecs.BOM_UTF8 + text.encode()  # Excel takes it for Windows-1252 otherwise
    assert [row["id"] for row in csv.DictReader(io.StringIO(said(capsys, "Cem", "--csv")))] == ["3", "4"]


def named(white: str, black: str) -> Summary:
    row = MatchRow(7, BySide(white, black), "play", None, 1_798_761_600.0)
    return Summary(row, "ferti-advanced", 5, Side.WHITE, BySide(3, 5), Side.BLACK, True, 9, 99, (), "")


@given(st.text(max_size=12), st.text(max_size=12))
def test_names_come_back_out_of_csv_and_json(white: str, black: str) -> None:
    """Whatever commas, quotes and line ends they have; only what would be a formula is marked as text."""
    summary = named(white, black)
    (head, row) = csv.reader(io.StringIO(matches_csv([summary]), newline=""))
    assert tuple(head) == CSV_HEAD
    assert len(row) == len(head)
    for column, name in (("white", white), ("black", black)):
        found = row[head.index(column)]
        assert found == (f"'{name}" if name[:1] in {*"=+-@\t\r"} else name)
    told = json.loads(json.dumps(match_json(summary)))
    assert (told["white"], told["black"], told["score"]) == (white, black, {"white": 3, "black": 5})


def test_a_narrow_terminal_without_signs_or_with_colour(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from firmware.book.scorebook.book import read_scorebook
    from firmware.book.scores.summaries import read_summaries

    opened = read_scorebook(book)
    assert opened is not None
    with opened:
        whole = house(read_summaries(opened)[0])
    ana = whole.player("Ana")
    assert ana is not None
    narrow = Terminal(48, False, False)
    for text in (overview(narrow, whole, None), portrait(narrow, words("en"), ana, whole)):
        assert text.isascii()
    lines = overview(narrow, whole, None).splitlines()
    assert max(len(line) for line in lines if "  " in line) <= 48
    assert "begun" not in lines[0]
    assert "Ana" in lines[2]
    plain, coloured = (portrait(Terminal(80, on), words("en"), ana, whole) for on in (False, True))
    assert "\x1b" not in plain
    assert "\x1b[1mAna\x1b[0m" in coloured


def test_where_there_is_little_to_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "small.sqlite"
    with open_scorebook(path) as book:
        keep_match(book, "Ana", "Bo", events("ferti-advanced", Side.WHITE, 2, STUCK))
    overview_text = said(capsys, "--scorebook", str(path))
    assert "Nobody has played a match to its end yet" in overview_text
    assert said(capsys, "ana", "--scorebook", str(path)).splitlines()[2:] == [
        "No rating yet",
        "0 matches: 0 won, 0 lost, 1 not finished",
    ]
    with open_scorebook(path) as book:
        keep_match(book, "Ana", "Bo", events("ferti-advanced", Side.WHITE, 1, STUCK))
    one = said(capsys, "ana", "--scorebook", str(path))
    assert "1 match: 0 won, 1 lost, 1 not finished" in one
    assert "Rating after" not in one, "one match is no curve"
