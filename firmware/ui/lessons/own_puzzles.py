"""Puzzles made of a player's own mistakes: their names, and their form in the file of progress."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Final, TypeAlias

from engine.puzzles.collection import parse_puzzles, print_puzzles
from engine.puzzles.puzzle import Puzzle, solutions
from engine.strict.values import Converter

OWN: Final = "own-"
"""What the id of such a puzzle begins with."""
MAX_OWN: Final = 50
"""So many are kept of each player; then the oldest makes way."""


def called(puzzle: Puzzle) -> Puzzle:
    """The same puzzle with an id that comes of what it is: one mistake makes one puzzle, however often it is kept."""
    text = print_puzzles((replace(puzzle, id=OWN),))
    return replace(puzzle, id=f"{OWN}{sha256(text.encode()).hexdigest()[:10]}")


def with_another(kept: Sequence[Puzzle], puzzle: Puzzle) -> tuple[Puzzle, ...]:
    """These with one more, the newest last."""
    return (*(each for each in kept if each.id != puzzle.id), puzzle)[-MAX_OWN:]


def _puzzle(text: str) -> Puzzle:
    [puzzle] = parse_puzzles(text)
    if not puzzle.id.startswith(OWN) or not solutions(puzzle):
        raise ValueError
    return puzzle


OwnPuzzle: TypeAlias = Annotated[
    Puzzle,
    Converter(_puzzle, lambda puzzle: print_puzzles((puzzle,)), f"a puzzle called {OWN}... with a turn to make"),
]
"""As it is kept in a file."""
