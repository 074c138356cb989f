"""The puzzle maker: what it takes from bots' rounds is a puzzle, and it keeps to its numbers."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from random import Random

import puzzle_maker
import pytest
from puzzle_maker import MAX_PILE, MIN_TURNS, Search, main, positions, puzzle_of

from engine.puzzles.collection import parse_puzzles
from engine.puzzles.puzzle import CLEAR, Puzzle, solutions
from engine.rules.state import Phase


def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small piles alone: they are solved in no time."""
    monkeypatch.setattr(puzzle_maker, "SMALL", Search(most_pile=3))


@pytest.mark.slow
def test_puzzles_stand_where_the_bots_came_to(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    found = []
    for full, moves in islice(positions(Random(4), "brettspielnetz"), 90):
        assert full.public.pile <= MAX_PILE
        puzzle = puzzle_of(full, moves)
        if puzzle is None:
            continue
        found.append(puzzle)
        assert puzzle.public == full.public._replace(points=5)
        assert puzzle.side is full.public.to_act
        solved = solutions(puzzle)
        assert solved[0].value - solved[1].value >= CLEAR
        assert len(solved) >= (2 if full.public.phase is Phase.FINAL else MIN_TURNS)
    assert len(found) >= 5


def test_the_script_writes_a_file_of_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    monkeypatch.setattr(puzzle_maker, "GRADES", (1,))
    out = tmp_path / "data.txt"
    monkeypatch.setattr(
        sys,
        "argv",
        [
            "puzzle_maker",
            *["--of-grade", "1", "--about", "--seed", "3", "--pile", "0", "3", "--prefix", "x", "--out"],
            str(out),
        ],
    )
    assert main() == 0
    (puzzle,) = parse_puzzles(out.read_text(encoding="utf-8"))
    assert isinstance(puzzle, Puzzle)
    assert puzzle.id == "x1-01"
