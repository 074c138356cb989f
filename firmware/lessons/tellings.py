"""What a teacher begins to say: at a bookmark, and at the step after one that is done."""

from __future__ import annotations

from dataclasses import replace

from engine.lessons.lesson import Step, StepStage, Telling
from engine.lessons.lessons import LESSONS
from engine.lessons.positions import state_of
from engine.puzzles.puzzle import Puzzle
from firmware.lessons.board_puzzles import puzzle_at, puzzle_told
from firmware.lessons.progress import Bookmark
from firmware.lessons.steps import first_stage


def telling_at(at: Bookmark, own: tuple[Puzzle, ...], row: int, *, alone: bool) -> Telling:
    """The step of this bookmark, or the one before it that has a position to begin at; or its puzzle, of these too.

    ``row``: so many steps were right at the first try until now. ``alone``: one learns, and the teacher plays.
    """
    puzzle = puzzle_at(at, own)
    if puzzle is not None:
        return replace(puzzle_told(puzzle), pupil=puzzle.side if alone else None)
    number = next((place for place, lesson in enumerate(LESSONS) if lesson.id == at.lesson), 0)
    lesson = LESSONS[number]
    place = min(at.place, len(lesson.steps) - 1) if lesson.id == at.lesson else 0
    while lesson.steps[place].position is None:
        place -= 1
    position = lesson.steps[place].position
    assert position is not None
    following = LESSONS[number + 1] if number + 1 < len(LESSONS) else None
    state, stage = state_of(position), first_stage(lesson.steps[place])
    hands, all_ = position.hands, len(LESSONS)
    pupil = lesson.pupil(place) if alone else None
    return Telling(lesson, number + 1, all_, place, stage, state, hands, following=following, row=row, pupil=pupil)


def leads_on(told: Telling) -> bool:
    """Whether the step after this one is a deed that goes on from where it ends."""
    after = told.lesson.steps[told.place + 1 : told.place + 2]
    return any(isinstance(step, Step) and step.position is None for step in after)


def telling_after(told: Telling) -> Telling:
    """The step after this one, of the same lesson: at its own position, or where this one has led to."""
    place = told.place + 1
    step = told.lesson.steps[place]
    position = step.position
    stage = first_stage(step)
    if position is None and stage is StepStage.SETUP:
        stage = StepStage.DO
    state = told.state if position is None else state_of(position)
    hands = told.hands if position is None else position.hands
    pupil = None if told.pupil is None else told.lesson.pupil(place)
    told = replace(told, place=place, stage=stage, state=state, hands=hands, pupil=pupil)
    return replace(told, remedies=None, tries=0, praise="")
