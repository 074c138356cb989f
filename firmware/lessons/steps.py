"""What a teacher needs to know of steps: how one begins, what of it is not set up, what is left in the hands."""

from __future__ import annotations

from typing import Final

from engine.lessons.lesson import PracticeRound, Question, Step, StepStage, Telling, Values
from engine.record.course import Course
from engine.record.course import CourseStep as Judged
from engine.rules.events import RoundEvent, TurnEvent, YieldEvent
from engine.rules.rulings import Remedy, RemedyKind, Ruling
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide
from engine.table.comparison import compare, put_back
from engine.table.desk import Entry
from engine.table.observation import TableObservation

BEGUN: Final = Ruling(True, RoundEvent.name)


def news(told: Telling) -> tuple[object, ...]:
    """By what it is known whether something new is said."""
    return told.lesson, told.place, told.stage, told.answer, told.tries, told.proving


def first_stage(step: Step | Question | PracticeRound) -> StepStage:
    return StepStage.ASK if isinstance(step, Question) else StepStage.SETUP


def course_of(state: PublicState) -> Course:
    """A match that stands like this, whatever came before."""
    return Course((Judged(RoundEvent(), BEGUN, state),))


def still_wrong(state: PublicState, seen: TableObservation) -> tuple[Remedy, ...]:
    """What is still to be done at the table: fencers to be moved, cards to be taken off."""
    figures = tuple(
        Remedy(RemedyKind.MOVE_FIGURE, side=side, space=state.spaces[side])
        for side, figure in seen.figures.items()
        if figure.space != state.spaces[side]
    )
    return (*figures, *((Remedy(RemedyKind.CLEAR_CARDS, count=len(seen.cards)),) if seen.cards else ()))


def to_put_back(state: PublicState, seen: TableObservation) -> tuple[Remedy, ...]:
    """What is still to be put back after something else was done than the step wants."""
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
