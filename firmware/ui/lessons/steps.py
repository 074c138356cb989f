"""Steps of lessons for the teacher: how they begin, what is not set up yet, which cards are left."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.lessons.lesson import PracticeRound, Question, Step, StepStage, Telling, Values
from engine.lessons.lessons import LESSONS
from engine.lessons.positions import state_of
from engine.puzzles.puzzle import Puzzle
from engine.record.course import Course
from engine.record.course import CourseStep as Judged
from engine.rules.events import RoundEvent, TurnEvent, YieldEvent
from engine.rules.rulings import Remedy, RemedyKind, Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from engine.table.comparison import compare, put_back
from engine.table.desk import Entry
from engine.table.observation import TableObservation
from firmware.ui.lessons.progress import Bookmark
from firmware.ui.lessons.solving import puzzle_at, puzzle_told

BEGUN: Final = Ruling(True, RoundEvent.name)


def news(told: Telling) -> tuple[object, ...]:
    """The parts of a telling that make it a new one when they change."""
    return told.lesson, told.place, told.stage, told.answer, told.tries, told.proving


def first_stage(step: Step | Question | PracticeRound) -> StepStage:
    return StepStage.ASK if isinstance(step, Question) else StepStage.SETUP


def course_of(state: PublicState) -> Course:
    """A match that stands like this, whatever came before."""
    return Course((Judged(RoundEvent(), BEGUN, state),))


def still_wrong(state: PublicState, seen: TableObservation) -> tuple[Remedy, ...]:
    """Fencers still to be moved, and cards to be taken off."""
    figures = tuple(
        Remedy(RemedyKind.MOVE_FIGURE, side=side, space=state.spaces[side])
        for side, figure in seen.figures.items()
        if figure.space != state.spaces[side]
    )
    return (*figures, *((Remedy(RemedyKind.CLEAR_CARDS, count=len(seen.cards)),) if seen.cards else ()))


def to_put_back(state: PublicState, seen: TableObservation) -> tuple[Remedy, ...]:
    """Fencers and cards still to be put back after a wrong turn."""
    remedies = put_back(compare(state, seen))
    if state.phase is Phase.REVEAL and seen.cards:
        return (*remedies, Remedy(RemedyKind.CLEAR_CARDS, count=len(seen.cards)))
    return remedies


def left_over(told: Telling, entry: Entry) -> BySide[Values]:
    """The cards the players still hold of those they took."""
    side = entry.ruling.player
    if side is None or not isinstance(entry.event, TurnEvent | YieldEvent):
        return told.hands
    hand = list(told.hands[side])
    for card in entry.event.cards:
        if card.value in hand:
            hand.remove(card.value)
    return told.hands.put(side, tuple(hand))


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
