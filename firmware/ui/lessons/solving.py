"""Puzzles in lessons: answered on the screen, with tries and hints, and set up on the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.lessons.lesson import PUZZLE, StepStage, Telling
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import FRESH, TRIES, Attempt, Puzzle, judge_answer
from engine.rules.actions import Turn
from engine.rules.events import TurnEvent
from engine.rules.legal import Play
from engine.rules.reading import explain
from engine.rules.state import PublicState
from firmware.book.scores.ratings import Game, Rating, rated
from firmware.core.clock import day_number
from firmware.ui.lessons.memory import recall_of
from firmware.ui.lessons.progress import PUZZLES_AT, Bookmark, Progress, Pupil, theme_key

GRADE_POINTS: Final = {1: 1000.0, 2: 1250.0, 3: 1500.0, 4: 1750.0, 5: 2000.0}
"""The rating of a puzzle of each grade: one of the middle grade is worth what a newcomer is taken for."""
PUZZLE_DEVIATION: Final = 60.0
"""How sure a puzzle's own rating is: a grade says less than a hundred games would."""


class Solving:
    """The attempts at puzzles of this evening, on the screen and on the board: leaving one does not make it fresh."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._attempts = progress.attempts

    def attempt(self, puzzle: Puzzle) -> Attempt:
        """The attempt at this puzzle."""
        return self._attempts.get(puzzle.id, FRESH)

    def begin(self, puzzle: Puzzle) -> None:
        """One that is over is begun anew; in the middle of an attempt nothing changes."""
        self._attempts[puzzle.id] = self.attempt(puzzle).again()

    def answer(self, puzzle: Puzzle, play: Play, names: Sequence[str]) -> Attempt:
        """After this turn was given for the answer by these players."""
        return self._now(puzzle, self.attempt(puzzle).answered(play, judge_answer(puzzle, play).best), names)

    def hint(self, puzzle: Puzzle, names: Sequence[str]) -> Attempt:
        """After these players asked for a hint, or for the solution."""
        return self._now(puzzle, self.attempt(puzzle).hinted(), names)

    def _now(self, puzzle: Puzzle, attempt: Attempt, names: Sequence[str]) -> Attempt:
        before = self.attempt(puzzle)
        self._attempts[puzzle.id] = attempt
        if attempt.solved != before.solved or attempt.aided != before.aided:
            self._progress.tried(names, puzzle.id, attempt.solved, lambda each: rating_after(each, puzzle, attempt))
        if attempt.over and not before.over:
            wrong = TRIES if attempt.shown else len(attempt.wrong)
            recall = recall_of(wrong, helped=attempt.aided)
            self._progress.met(names, theme_key(puzzle.theme), recall, day_number())
        return attempt


def rating_after(pupil: Pupil, puzzle: Puzzle, attempt: Attempt) -> Rating:
    """The player's rating after this attempt: a game against the puzzle, which counts the first time only."""
    before = pupil.solving.rating
    if puzzle.id in pupil.solving.tried:
        return before
    opponent = Rating(GRADE_POINTS[puzzle.grade], PUZZLE_DEVIATION)
    return rated(before, (Game(opponent, 1.0 if attempt.solved else 0.0),))


def bookmark_of(puzzle: Puzzle) -> Bookmark:
    """The bookmark of this puzzle."""
    return Bookmark(f"{PUZZLES_AT}{puzzle.id}")


def puzzle_at(at: Bookmark, own: Iterable[Puzzle] = ()) -> Puzzle | None:
    """The puzzle of this bookmark, of those that come with the program or of these; None for a lesson's."""
    return next((each for each in (*PUZZLES, *own) if bookmark_of(each).lesson == at.lesson), None)


def after_puzzle(puzzle: Puzzle) -> Puzzle:
    """The next puzzle; the first one after the last, and after a player's own."""
    return PUZZLES[(PUZZLES.index(puzzle) + 1) % len(PUZZLES)] if puzzle in PUZZLES else PUZZLES[0]


def puzzle_told(puzzle: Puzzle) -> Telling:
    """The first telling: its position is to be set up. A player's own puzzle has number 0."""
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
