"""Puzzles made of somebody's own mistakes: what they are called, and how they stand in the file of what he learned."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from engine.puzzles.puzzle import Puzzle, solutions
from engine.puzzles.text import parse_puzzles, print_puzzles

OWN: Final = "own-"
"""What the id of such a puzzle begins with."""
MOST_OWN: Final = 50
"""So many are kept of each player; then the oldest makes way."""


def called(puzzle: Puzzle) -> Puzzle:
    """The same puzzle with an id that comes of what it is: one mistake makes one puzzle, however often it is kept."""
    text = print_puzzles((replace(puzzle, id=OWN),))
    return replace(puzzle, id=f"{OWN}{sha256(text.encode()).hexdigest()[:10]}")


def with_another(kept: Sequence[Puzzle], puzzle: Puzzle) -> tuple[Puzzle, ...]:
    """These with one more, the newest last."""
    return (*(each for each in kept if each.id != puzzle.id), puzzle)[-MOST_OWN:]


def read_own(raw: Iterable[Any]) -> tuple[Puzzle, ...]:
    """Puzzles as ``own_told`` writes them. Raises ValueError, TypeError, KeyError for anything else."""
    puzzles = tuple(puzzle for text in raw for puzzle in parse_puzzles(text))
    for puzzle in puzzles:
        if not puzzle.id.startswith(OWN) or not solutions(puzzle):
            raise ValueError(f"expected a puzzle called {OWN}... in which there is a turn to make, found {puzzle.id!r}")
    return puzzles[-MOST_OWN:]


def own_told(puzzles: Sequence[Puzzle]) -> list[str]:
    """Puzzles for a file, a text each."""
    return [print_puzzles((puzzle,)) for puzzle in puzzles]
