"""The puzzles that come with the program, easiest first: endings, the middle of a round, openings and hidden hands, of
the advanced and of the classic game."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from engine.puzzles.puzzle import Puzzle
from engine.puzzles.text import parse_puzzles

_FILES: Final = ("data", "more_data", "middle_data", "classic_data", "hidden_data", "hidden_classic_data")
PUZZLES: Final[tuple[Puzzle, ...]] = tuple(
    sorted(
        (
            puzzle
            for name in _FILES
            for puzzle in parse_puzzles(files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8"))
        ),
        key=lambda puzzle: puzzle.grade,
    )
)


def puzzle_of_the_day(day: int) -> Puzzle:
    """The puzzle of this day, by its number in any calendar: the same for everybody, and none again before all."""
    return PUZZLES[day * _STRIDE % len(PUZZLES)]


_STRIDE: Final = 79
"""How far two days are apart in the collection: the grades change from day to day."""
