"""Puzzles in lessons, answered on the screen or set up on the board, and the warm-up that begins an evening.

What is due in a warm-up is a theme: a step of a lesson, which has its own position, or what a puzzle is about, for
which another position is brought each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engine.lessons.lesson import LESSON_BY_ID, PUZZLE, Lesson, Step, StepStage, Telling
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import FRESH, TRIES, Attempt, Puzzle, PuzzleTheme, judge_answer
from engine.rules.events import TurnEvent
from engine.rules.legal import Play, Turn
from engine.rules.reading import explain
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from firmware.book.scores.ratings import Game, Rating, rated
from firmware.core.clock import day_number
from firmware.ui.companion.opponents import is_a_bot
from firmware.ui.lessons.progress import PUZZLES_AT, WARM_UP, Bookmark, Progress, Pupil, due, recall_of, theme_key

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


def key_of(at: Bookmark) -> str:
    """The key of a step's theme in a memory; ``theme_key`` gives a puzzle's."""
    return f"{at.lesson} {at.place}"


def answering(names: BySide[str], side: Side | None) -> tuple[str, ...]:
    """The players graded for this side's deed, nobody for a deed of both. A single person plays both sides."""
    people = [name for _, name in names.items() if not is_a_bot(name)]
    if len(people) == 1:
        return (people[0],)
    return () if side is None else (names[side],)


def fresh_puzzle(theme: PuzzleTheme, pupils: Iterable[Pupil], day: int) -> Puzzle | None:
    """A puzzle of this theme that is new to the pupils: own mistakes first, then the easiest of the collection.

    Once all were seen, another one each day. None for a theme without puzzles.
    """
    pupils = tuple(pupils)
    seen = {puzzle for each in pupils for puzzle in each.solving.tried}
    there = [puzzle for puzzle in (*own_puzzles(pupils), *PUZZLES) if puzzle.theme is theme]
    fresh = [puzzle for puzzle in there if puzzle.id not in seen]
    if fresh:
        return fresh[0]
    return there[day % len(there)] if there else None


THEMES: Final = {theme_key(theme): theme for theme in PuzzleTheme}
"""The themes of puzzles by their keys."""


WARM_UP_AT: Final = "warm-up"
"""What stands for the warm-up instead of a lesson's id."""


def opened_by(lesson: Lesson, place: int) -> Bookmark:
    """The step at which this one's position is set up: it may go on from one before it."""
    while lesson.steps[place].position is None:
        place -= 1
    return Bookmark(lesson.id, place)


def warm_up(pupils: Iterable[Pupil], day: int, most: int = WARM_UP) -> tuple[Bookmark, ...]:
    """Positions due today for these pupils, the longest overdue first, but for removed lessons and puzzles."""
    pupils = tuple(pupils)
    own = own_puzzles(pupils)
    found: list[Bookmark] = []
    for key in due([each.memory for each in pupils], day, most=None):
        theme = THEMES.get(key)
        if theme is not None:
            puzzle = fresh_puzzle(theme, [each for each in pupils if key in each.memory], day)
            found += [] if puzzle is None else [bookmark_of(puzzle)]
            continue
        name, _, place = key.rpartition(" ")
        at = Bookmark(name, int(place)) if place.isdigit() else Bookmark(key)
        if is_there(at, own):
            found.append(at)
    return tuple(found[:most])


def own_puzzles(pupils: Iterable[Pupil]) -> tuple[Puzzle, ...]:
    """The puzzles made of these people's own mistakes."""
    return tuple(puzzle for each in pupils for puzzle in each.own)


def solvers(puzzle: Puzzle, pupils: Iterable[Pupil]) -> tuple[str, ...]:
    """The players whose mistake the puzzle is made of."""
    return tuple(each.name for each in pupils if puzzle in each.own)


def is_there(at: Bookmark, own: Iterable[Puzzle] = ()) -> bool:
    """True for a position that can be set up: a puzzle, one of ``own``, or a step with a position."""
    if puzzle_at(at, own) is not None:
        return True
    lesson = LESSON_BY_ID.get(at.lesson)
    if lesson is None or not at.place < len(lesson.steps):
        return False
    step = lesson.steps[at.place]
    return isinstance(step, Step) and step.position is not None
