"""The puzzles that come with the program, easiest first: endings, the middle of a round, openings and hidden hands, of
the advanced and of the classic game.

How hard each is was measured: ``grades.txt`` shares them out by how often bots of every strength find the answer
(``tests/bench/puzzle_grades.py``).
"""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from typing import Final

from engine.puzzles.puzzle import Puzzle
from engine.puzzles.text import parse_puzzles

_FILES: Final = ("data", "more_data", "middle_data", "classic_data", "hidden_data", "hidden_classic_data")


def _text(name: str) -> str:
    return files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")


def _collected() -> tuple[Puzzle, ...]:
    """Every puzzle with its measured grade, in the order of ``grades.txt``."""
    written = {puzzle.id: puzzle for name in _FILES for puzzle in parse_puzzles(_text(name))}
    grades = [line.split(":") for line in _text("grades").splitlines() if not line.startswith(";")]
    return tuple(replace(written[name], grade=int(grade)) for grade, names in grades for name in names.split())


PUZZLES: Final[tuple[Puzzle, ...]] = _collected()


def puzzle_of_the_day(day: int) -> Puzzle:
    """The puzzle of this day, by its number in any calendar: the same for everybody, and none again before all."""
    return PUZZLES[day * _STRIDE % len(PUZZLES)]


_STRIDE: Final = 79
"""How far two days are apart in the collection: the grades change from day to day."""
