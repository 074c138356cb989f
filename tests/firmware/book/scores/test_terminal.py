"""Tables that fit, what a stream can show, and plots in which every value is where it belongs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from display.i18n import words
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow, open_scorebook
from firmware.book.scores.export import CSV_HEAD, match_json, matches_csv
from firmware.book.scores.history import Summary
from firmware.book.scores.players import house
from firmware.book.scores.summaries import read_summaries
from firmware.book.scores.telling import match_story, overview, portrait
from firmware.book.scores.terminal import (
    BLOCKS,
    NEEDED,
    PLAIN_BLOCKS,
    Terminal,
    columns_of,
    printable,
    sparkline,
    table,
    terminal_of,
)
from tests.firmware.conftest import bot_match, fill

CELLS = st.text(max_size=12)
PLAIN = Terminal()


class Tty(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def tty(encoding: str) -> Tty:
    return Tty(io.BytesIO(), encoding=encoding)


@pytest.mark.parametrize(
    ("stream", "environment", "expected"),
    [
        (io.StringIO(), {}, Terminal(None, False, False)),
        (io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), {}, Terminal(None, False, True)),
        (tty("utf-8"), {}, Terminal(44, True, True)),
        (tty("utf-8"), {"NO_COLOR": "1"}, Terminal(44, False, True)),
        (tty("utf-8"), {"NO_COLOR": ""}, Terminal(44, True, True)),
        (tty("utf-8"), {"TERM": "dumb"}, Terminal(44, False, True)),
        (tty("latin-1"), {}, Terminal(44, True, False)),
        (tty("ascii"), {}, Terminal(44, True, False)),
        (None, {}, Terminal(None, False, False)),
    ],
)
def test_what_a_stream_can_show(
    stream: io.TextIOWrapper | None, environment: Mapping[str, str], expected: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    assert terminal_of(stream, environment) == expected


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=6))
def test_columns_stand_under_each_other(rows: list[tuple[str, str, str]]) -> None:
    lines = table(PLAIN, ("a", "b", "c"), [(*row[:2], "|") for row in rows], right=(1,))
    assert len(lines) == len(rows) + 2
    width = columns_of(lines[1])
    assert all(columns_of(line) == width for line in lines[2:])
    assert all(line.isprintable() for line in lines)


def test_a_wide_letter_takes_two_columns_and_an_accent_of_its_own_none() -> None:
    assert columns_of("\u674e\u5c0f") == 4
    assert columns_of("Zoe\u0308") == 3
    lines = table(PLAIN, ("name", "n"), [("\u674e\u5c0f", "1"), ("Zoe\u0308", "2")])
    assert lines == ["name  n", "----  -", "\u674e\u5c0f  1", "Zoe\u0308   2"]


def test_columns_that_can_be_spared_go_one_by_one() -> None:
    def heads(width: int) -> str:
        return table(Terminal(width), ("one", "two", "three"), [("1", "2", "3")], spare=(1, 2))[0]

    assert [heads(width) for width in (15, 14, 10, 9, 1)] == [
        "one  two  three",
        "one  three",
        "one  three",
        "one",
        "one",
    ]


def test_a_name_cannot_move_the_cursor() -> None:
    assert printable("Ana\x1b[2J\n\u202e") == "Ana?[2J??"


VALUES = st.lists(st.floats(500, 2500), min_size=1, max_size=60)


@given(VALUES, st.integers(1, 80), st.booleans())
def test_a_sparkline_is_as_long_as_it_may_be_and_ends_with_the_newest(
    values: list[float], width: int, signs: bool
) -> None:
    blocks = BLOCKS if signs else PLAIN_BLOCKS
    line = sparkline(values, min(values), max(values), width, signs=signs)
    assert len(line) == min(width, len(values))
    assert set(line) <= set(blocks)
    if len(set(values)) > 1:
        assert (line[-1] == blocks[-1]) or values[-1] < max(values)
        assert (line[-1] == blocks[0]) or values[-1] > min(values)


@given(VALUES)
def test_a_higher_value_never_has_a_lower_bar(values: list[float]) -> None:
    line = sparkline(values, min(values), max(values), len(values))
    bars = sorted(zip(values, (BLOCKS.index(sign) for sign in line), strict=True))
    assert [bar for _, bar in bars] == sorted(bar for _, bar in bars)


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


def test_a_terminal_without_blocks_keeps_the_letters_that_it_has() -> None:
    """Such as one of Windows in Western Europe: plots want Unicode's blocks, names and sentences do not."""
    told = match_story(Terminal(signs=False), words("de"), named("Žofie", "Dörte"))
    assert told.splitlines()[0] == "Žofie (Weiß) 3 : 5 Dörte (Schwarz)"
    assert "für Fortgeschrittene" in told
    assert told.encode("cp1252")


def test_who_has_no_name_is_called_by_the_colour_once() -> None:
    told = match_story(Terminal(), words("de"), named("White", "Ana"))
    assert told.splitlines()[0] == "Weiß 3 : 5 Ana (Schwarz)"


@pytest.mark.slow
def test_a_narrow_terminal_without_signs_or_with_colour(tmp_path: Path) -> None:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        for seed in range(3):
            fill(book, BySide("Ana", "Bo"), bot_match(seed, points=1))
        whole = house(read_summaries(book)[0])
    ana = whole.player("Ana")
    assert ana is not None
    narrow = Terminal(48, False, False)
    assert overview(narrow, whole, None).isascii()
    assert not set(NEEDED) & set(portrait(narrow, words("en"), ana, whole))
    lines = overview(narrow, whole, None).splitlines()
    assert max(len(line) for line in lines if "  " in line) <= 48
    assert "begun" not in lines[0]
    assert "Ana" in lines[2]
    plain, coloured = (portrait(Terminal(80, on), words("en"), ana, whole) for on in (False, True))
    assert "\x1b" not in plain
    assert "\x1b[1mAna\x1b[0m" in coloured
    assert table(Terminal(None, True), ("a",), [("1",)]) == ["\x1b[1ma\x1b[0m", "\x1b[2m-\x1b[0m", "1"]
