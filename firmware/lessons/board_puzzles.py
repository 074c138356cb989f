"""Puzzles set up on the board: where a bookmark leads, what is told first, and what was played."""

from __future__ import annotations

from collections.abc import Iterable

from engine.lessons.lesson import PUZZLE, StepStage, Telling
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle
from engine.rules.actions import Turn
from engine.rules.events import TurnEvent
from engine.rules.legal import Play
from engine.rules.reading import explain
from engine.rules.state import PublicState
from firmware.lessons.progress import PUZZLES_AT, Bookmark


def bookmark_of(puzzle: Puzzle) -> Bookmark:
    """Where this puzzle is."""
    return Bookmark(f"{PUZZLES_AT}{puzzle.id}")


def puzzle_at(at: Bookmark, own: Iterable[Puzzle] = ()) -> Puzzle | None:
    """The puzzle of this bookmark, of those that come with the program or of these; None for a lesson's."""
    return next((each for each in (*PUZZLES, *own) if bookmark_of(each).lesson == at.lesson), None)


def after_puzzle(puzzle: Puzzle) -> Puzzle:
    """The next one; after the last the first, and after one of somebody's own."""
    return PUZZLES[(PUZZLES.index(puzzle) + 1) % len(PUZZLES)] if puzzle in PUZZLES else PUZZLES[0]


def puzzle_told(puzzle: Puzzle) -> Telling:
    """How it begins: with its position, to be set up. One of somebody's own has number 0."""
    hands = puzzle.hands.map(lambda hand: tuple(card.value for card in hand))
    number = PUZZLES.index(puzzle) + 1 if puzzle in PUZZLES else 0
    return Telling(PUZZLE, number, len(PUZZLES), 0, StepStage.SETUP, puzzle.public, hands, puzzle=puzzle)


def play_of(state: PublicState, event: TurnEvent) -> Play:
    """A legal turn by values. Raises ValueError for one that is not legal."""
    turn = explain(state, event)
    if not isinstance(turn, Turn):
        raise ValueError(f"the turn {event} is not legal here: {turn.code.value}")
    moved = state.distance - (event.black - event.white)
    attack = len(turn.cards) - len(turn.parry) - (1 if moved else 0)
    return Play(len(turn.parry), moved, attack)
