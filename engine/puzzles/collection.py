"""The puzzles that come with the program, easiest first."""

from __future__ import annotations

from typing import Final

from engine.puzzles.data import TEXT
from engine.puzzles.puzzle import Puzzle
from engine.puzzles.text import parse_puzzles

PUZZLES: Final[tuple[Puzzle, ...]] = parse_puzzles(TEXT)
