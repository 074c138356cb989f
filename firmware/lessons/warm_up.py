"""The warm-up: which positions begin an evening, of lessons, puzzles and own lost rounds, and where they are."""

from __future__ import annotations

from collections.abc import Iterable

from engine.lessons.lesson import Lesson, Step
from engine.lessons.lessons import LESSON_BY_ID
from engine.puzzles.puzzle import Puzzle
from firmware.lessons.board_puzzles import puzzle_at
from firmware.lessons.memory import WARM_UP, due
from firmware.lessons.progress import Bookmark, Pupil


def key_of(at: Bookmark) -> str:
    """What a position is called in a memory."""
    return f"{at.lesson} {at.place}"


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
    found = []
    for key in due([each.memory for each in pupils], day, most=1000):
        name, _, place = key.rpartition(" ")
        at = Bookmark(name, int(place)) if place.isdigit() else Bookmark(key)
        if is_there(at, own):
            found.append(at)
    return tuple(found[:most])


def own_puzzles(pupils: Iterable[Pupil]) -> tuple[Puzzle, ...]:
    """The puzzles made of these people's own mistakes."""
    return tuple(puzzle for each in pupils for puzzle in each.own)


def solvers(puzzle: Puzzle, pupils: Iterable[Pupil]) -> tuple[str, ...]:
    """Those of these people whose own mistake it was made of."""
    return tuple(each.name for each in pupils if puzzle in each.own)


def is_there(at: Bookmark, own: Iterable[Puzzle] = ()) -> bool:
    """Whether this is a position that can be set up: a puzzle, also one of these, or a step that has one."""
    if puzzle_at(at, own) is not None:
        return True
    lesson = LESSON_BY_ID.get(at.lesson)
    if lesson is None or not at.place < len(lesson.steps):
        return False
    step = lesson.steps[at.place]
    return isinstance(step, Step) and step.position is not None
