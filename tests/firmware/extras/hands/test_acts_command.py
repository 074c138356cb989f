"""``engarde play --camera synthetic --acts FILE``: a case that anybody can make, and hand in again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.rules.cards import DECK
from firmware.cli.main import main

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
