"""Puzzles answered on the screen: tries and hints of this evening, and what is kept of them for each player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.puzzles.attempt import FRESH, TRIES, Attempt
from engine.puzzles.puzzle import Puzzle, judge_answer
from engine.rules.legal import Play
from firmware.clock import day_number
from firmware.lessons.memory import recall_of
from firmware.lessons.progress import Progress, Pupil, theme_key
from firmware.scores.ratings import Game, Rating, rated

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
        """How this puzzle stands."""
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
    """His rating after this attempt: a game against the puzzle, which counts the first time only."""
    before = pupil.solving.rating
    if puzzle.id in pupil.solving.tried:
        return before
    opponent = Rating(GRADE_POINTS[puzzle.grade], PUZZLE_DEVIATION)
    return rated(before, (Game(opponent, 1.0 if attempt.solved else 0.0),))
