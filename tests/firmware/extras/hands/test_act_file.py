"""A sitting as a file: what is read is what was written, what cannot be done is told, and the schema says the same."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.rules.cards import DECK
from engine.rules.track import SPACES, Side
from engine.table.presses import Button
from firmware.cli.main import main
from firmware.core.errors import EngardeError
from firmware.extras.hands.table_top import (
    ActWriter,
    Clear,
    Cover,
    Deal,
    Lay,
    MoveFigure,
    MoveTo,
    PressButton,
    Take,
    TimedAct,
    act_from_json,
    act_to_json,
    open_new,
    read_acts,
)

SCHEMA: Final = json.loads((Path(__file__).parents[4] / "firmware" / "schemas" / "act.json").read_text())
places = st.floats(-2000, 2000)
cards = st.sampled_from(DECK)
sides = st.sampled_from(Side)
acts = st.one_of(
    st.permutations(DECK).map(lambda deck: Deal(tuple(deck))),
    st.builds(Lay, cards, places, places, st.floats(-360, 360), st.booleans()),
    st.builds(Take, cards),
    st.builds(MoveFigure, sides, places, places),
    st.builds(MoveTo, sides, st.integers(1, SPACES)),
    st.builds(Cover, places, places, st.floats(0, 60), st.none() | cards),
    st.builds(Cover, places, places, st.floats(0, 60), st.none(), sides),
    st.builds(PressButton, st.sampled_from(Button)),
    st.just(Clear()),
)
timed = st.builds(TimedAct, st.floats(0, 3600), acts)

FAULTS: Final = {
    "[]": "expected an object, found []",
    "nonsense": 'expected JSON, found "nonsense"',
    '{"t": 1}': "do: expected one of deal, lay, take, move, cover, press, clear, found nothing",
    '{"t": 1, "do": "lya"}': "did you mean lay?",
    '{"do": "clear"}': "t: expected a number from 0 to 86400, found nothing",
    '{"t": -1, "do": "clear"}': "found -1",
    '{"t": NaN, "do": "clear"}': "expected a finite number",
    '{"t": true, "do": "clear"}': "found true",
    '{"t": 1, "do": "deal", "deck": ["1a", "1a"]}': "expected all 25 cards",
    '{"t": 1, "do": "lay", "card": "6a", "x_mm": 0, "y_mm": 0}': 'card: expected a card such as 3b, found "6a"',
    '{"t": 1, "do": "lay", "card": "3b", "x_mm": "0", "y_mm": 0}': "x_mm: expected a number from -2000 to 2000",
    '{"t": 1, "do": "lay", "card": "3b", "x_mm": 0, "y_mm": 0, "face_up": 1}': "face_up: expected true or false",
    '{"t": 1, "do": "move", "side": "red", "space": 3}': 'side: expected one of white, black, found "red"',
    '{"t": 1, "do": "move", "side": "white", "space": 24}': "space: expected a whole number from 1 to 23, found 24",
    '{"t": 1, "do": "move", "side": "white"}': "space: expected a whole number from 1 to 23, found nothing",
    '{"t": 1, "do": "cover", "x_mm": 0, "y_mm": 0, "s": 1, "card": "1a", "side": "white"}': "leave card or side out",
    '{"t": 1, "do": "press", "button": "red"}': "button: expected one of white, black, act, undo, menu",
}
"""Lines that cannot be acted, with what is said of each."""


def conforms(said: Any) -> bool:
    return bool(Draft202012Validator(SCHEMA).is_valid(said))


@given(timed)
def test_what_is_written_is_read_and_as_the_schema_has_it(done: TimedAct) -> None:
    said = json.loads(json.dumps(act_to_json(done)))
    assert act_from_json(said) == done
    assert conforms(said)


@pytest.mark.parametrize(("line", "told"), FAULTS.items())
def test_a_line_that_cannot_be_acted_is_told_with_file_and_number(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "acts.jsonl"
    path.write_text('{"t": 0, "do": "clear"}\n\n' + line + "\n")
    with pytest.raises(EngardeError) as caught:
        read_acts(path)
    assert f"--acts {path}, line 3: " in str(caught.value)
    assert told in str(caught.value)


def test_what_the_reader_refuses_the_schema_refuses() -> None:
    for line in FAULTS:
        if line not in ("nonsense", '{"t": NaN, "do": "clear"}'):
            assert not conforms(json.loads(line)), line
    without = {"t": 1.0, "do": "take", "card": "1a"}
    for member in without:
        assert not conforms({name: value for name, value in without.items() if name != member})


def test_acts_are_done_in_the_order_of_their_times(tmp_path: Path) -> None:
    path = tmp_path / "acts.jsonl"
    path.write_text('{"t": 3, "do": "take", "card": "1a"}\n{"t": 1, "do": "clear", "why": "anything"}\n')
    assert read_acts(path) == (TimedAct(1.0, Clear()), TimedAct(3.0, Take(DECK[0])))


def test_a_line_is_in_the_file_at_once_and_no_file_is_written_over(tmp_path: Path) -> None:
    out = io.StringIO()
    ActWriter(out)(TimedAct(1.2, PressButton(Button.WHITE)))
    assert json.loads(out.getvalue()) == {"t": 1.2, "do": "press", "button": "white"}
    path = tmp_path / "out.jsonl"
    writer = ActWriter(open_new(path))
    writer.close()
    writer = ActWriter(open_new(path))  # nothing was in it
    writer(TimedAct(1.0, Clear()))
    writer.close()
    with pytest.raises(EngardeError, match="name another one"):
        open_new(path)


CASE = (
    {"t": 0, "do": "deal", "deck": [str(card) for card in DECK]},
    {"t": 2, "do": "lay", "card": "3b", "x_mm": 210, "y_mm": -150, "turn_deg": 12},
    {"t": 2.6, "do": "move", "side": "white", "space": 5},
    {"t": 4, "do": "press", "button": "white"},
    {"t": 6, "do": "move", "side": "white", "x_mm": 85, "y_mm": 1},
    {"t": 7, "do": "cover", "x_mm": 300, "y_mm": -100, "s": 1.5, "card": "5e"},
    {"t": 10, "do": "press", "button": "white"},
)


"""A step too far, refused; put right, accepted, whatever was held over the table meanwhile."""


def rulings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], small_table: list[str], acts: Path, *more: str
) -> list[dict[str, Any]]:
    book = ["--scorebook", str(tmp_path / "book.sqlite"), "--starter", "white"]
    assert main(["play", *small_table, "--acts", str(acts), "--headless", "--json", *book, *more]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.slow
def test_a_case_is_ruled_on_and_what_was_done_gives_the_same_rulings_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], small_table: list[str]
) -> None:
    acts, out = tmp_path / "acts.jsonl", tmp_path / "out.jsonl"
    acts.write_text("".join(json.dumps(act) + "\n" for act in CASE))
    first = rulings(tmp_path, capsys, small_table, acts, "--acts-out", str(out))
    turns = [line for line in first if line["event"]["event"] == "turn"]
    assert [line["ruling"].get("code", "ok") for line in turns] == ["wrong_distance", "ok"]
    assert turns[1]["event"] == {"event": "turn", "cards": ["3b"], "white": 4, "black": 23}
    assert [json.loads(line) for line in out.read_text().splitlines()] == [*CASE]
    assert rulings(tmp_path, capsys, small_table, out) == first


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--camera", "synthetic", "--acts", "nowhere.jsonl"], "--acts nowhere.jsonl"),
        (["--camera", "synthetic", "--watch", "--acts", "any.jsonl"], "--watch: two bots play there"),
        (["--camera", "0", "--acts", "any.jsonl"], "--acts is of the simulated table"),
        (["--camera", "0", "--acts-out", "any.jsonl"], "--acts-out is of the simulated table"),
        (["--camera", "0", "--watch"], "--watch is of the simulated table"),
    ],
)
def test_what_cannot_be_is_told(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["play", "--headless", "--scorebook", str(tmp_path / "book.sqlite"), *options]) == 1
    assert told in capsys.readouterr().err
