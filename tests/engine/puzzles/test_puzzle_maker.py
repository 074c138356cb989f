"""The puzzle maker: what it takes from bots' rounds is a puzzle, and it keeps to its numbers."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import puzzle_maker
import pytest
from puzzle_maker import MAX_PILE, MIN_TURNS, Search, find, main, positions, puzzle_of

from engine.puzzles.collection import parse_puzzles
from engine.puzzles.puzzle import CLEAR, Puzzle, PuzzleTheme, solutions
from engine.rules.state import Phase
from engine.rules.track import BySide, Side


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


@pytest.mark.slow
def test_grades_and_themes_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch)
    found = find(Random(1), "ferti-advanced", (1, 2), 2, 1)
    assert [puzzle.id for puzzle in found] == ["1-01", "1-02", "2-01", "2-02"]
    assert [puzzle.grade for puzzle in found] == [1, 1, 2, 2]
    themes = [(puzzle.grade, puzzle.theme) for puzzle in found]
    assert max(themes.count(theme) for theme in themes) == 1


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


def test_what_puzzles_are_to_be_about_is_looked_for_in_the_place_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    hit, card, stuck = PuzzleTheme.SURE_HIT, PuzzleTheme.LAST_CARD, PuzzleTheme.STUCK
    bots_came_to = [(1, hit), (2, card), (1, hit), (2, stuck), (1, card), (2, hit), (1, stuck)]

    def found(*about: Any) -> list[tuple[str, ...]]:
        made = iter(
            Puzzle("", grade, theme, "ferti-advanced", Side.WHITE, str(number), BySide((), ()))
            for number, (grade, theme) in enumerate(bots_came_to)
        )
        monkeypatch.setattr(puzzle_maker, "positions", lambda rng, rules, search: ((None, None) for _ in bots_came_to))
        monkeypatch.setattr(puzzle_maker, "puzzle_of", lambda full, moves, search: next(made))
        return [(puzzle.id, puzzle.moves) for puzzle in find(Random(1), "ferti-advanced", (1, 2), 2, 2, about)]

    assert found() == [("1-01", "0"), ("1-02", "2"), ("2-01", "1"), ("2-02", "3")]
    bots_came_to[3] = (2, card)
    assert found() == [("1-01", "0"), ("1-02", "2"), ("2-01", "1"), ("2-02", "3")]
    assert found(hit, card, stuck) == [("1-01", "0"), ("1-02", "6"), ("2-01", "1"), ("2-02", "3")]
    bots_came_to[0] = (1, card)  # each of its grade is the only one of its theme: nothing makes way
    bots_came_to[1] = bots_came_to[3] = (2, PuzzleTheme.INDIRECT)
    assert found(hit, card, stuck) == [("1-01", "0"), ("1-02", "2"), ("2-01", "1"), ("2-02", "3")]
