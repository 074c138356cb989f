"""The warm-up: which positions begin an evening, of lessons, puzzles and own lost rounds, and where they are.

What is due is a theme: a step of a lesson, which has its own position, or what a puzzle is about, for which another
position is brought each time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.lessons.lesson import Lesson, Step
from engine.lessons.lessons import LESSON_BY_ID
from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, PuzzleTheme
from engine.rules.track import BySide, Side
from firmware.ui.companion.opponents import is_a_bot
from firmware.ui.lessons.memory import WARM_UP, due
from firmware.ui.lessons.progress import Bookmark, Pupil, theme_key
from firmware.ui.lessons.solving import bookmark_of, puzzle_at


def key_of(at: Bookmark) -> str:
    """The key of a step's theme in a memory; ``theme_key`` gives a puzzle's."""
    return f"{at.lesson} {at.place}"


def answering(names: BySide[str], side: Side | None) -> tuple[str, ...]:
    """Who is graded for what this side did at a table of these two: nobody for what both did.

    Whoever is there alone, or with a bot, plays both sides.
    """
    people = [name for _, name in names.items() if not is_a_bot(name)]
    if len(people) == 1:
        return (people[0],)
    return () if side is None else (names[side],)


def fresh_puzzle(theme: PuzzleTheme, pupils: Iterable[Pupil], day: int) -> Puzzle | None:
    """A position of this theme that these have not seen: their own mistakes first, then the easiest of the collection.

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
    """What these are to meet again today, the longest overdue first; none where nothing is due.

    Positions of lessons and puzzles that are no more are left out.
    """
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
