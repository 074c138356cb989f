"""The course of a match: the entries that stand, what undo goes back to, and corrections judged through to the end.

``judge`` knows one event and the state before it. A course knows the whole line, so that an earlier entry can be
changed: everything after it is judged again, as far as it still holds, and what no longer holds is given back by name.
Without corrections a course and ``judge`` say the same; tests/engine/record/test_course.py holds them together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from engine.record.corrections import Correction, CorrectionError, Insert, Remove, Replace, Setting, set_outright
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.messages import message
from engine.rules.referee import as_played, judge
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import Side

JournalEntry: TypeAlias = Event | Correction
"""An entry of a journal: a table event, or a correction."""

CORRECTED: Final = Ruling(True, Correction.name)


class CourseStep(NamedTuple):
    """One entry that stands, with the ruling on it and the state after it. ``state.previous`` is the state before."""

    entry: Event | Setting
    ruling: Ruling
    state: PublicState


@dataclass(frozen=True, slots=True)
class Fallen:
    """A turn that no longer holds after a correction. ``turn`` is its old number; ``ruling`` is why, and None where
    the turn before it fell, or it would now be the other player's."""

    turn: int
    entry: Event | Setting
    ruling: Ruling | None


@dataclass(frozen=True, slots=True)
class Course:
    """A match as it stands. ``steps`` begin with the match event; ``earlier`` is what undo goes back to.

    ``fallen`` are the turns that the last entry, a correction, made impossible.
    """

    steps: tuple[CourseStep, ...]
    earlier: Course | None = field(default=None, compare=False, repr=False)
    fallen: tuple[Fallen, ...] = ()

    @property
    def state(self) -> PublicState:
        return self.steps[-1].state

    @property
    def round_steps(self) -> tuple[CourseStep, ...]:
        """The steps of the current round after its beginning: turn ``n`` is ``round_steps[n - 1]``."""
        start = _round_start(self.steps)
        return self.steps[start:] if start else ()


class _Todo(NamedTuple):
    """An entry to be judged again with its turn's number; ``old`` is its step before the correction, None if new."""

    turn: int
    entry: Event | Setting
    old: CourseStep | None


def follow(course: Course | None, entry: JournalEntry) -> tuple[Course | None, Ruling]:
    """The course after this entry and the ruling on it; a refusal gives back the very same course.

    Raises CorrectionError for a correction that cannot be made.
    """
    if isinstance(entry, Correction):
        if course is None:
            raise CorrectionError("There is no match yet, so there is nothing to correct.")
        return correct(course, entry), CORRECTED
    if isinstance(entry, UndoEvent) and course is not None and course.earlier is not None:
        return replace(course.earlier, fallen=()), _UNDONE
    state, ruling = judge(course.state if course is not None else None, entry)
    if state is None or not ruling.ok:
        return course, ruling
    step = CourseStep(as_played(course.state if course is not None else None, entry), ruling, state)
    if isinstance(entry, MatchEvent) or course is None:
        return Course((step,)), ruling
    return Course((*course.steps, step), course), ruling


_UNDONE: Final = Ruling(True, UndoEvent.name)


def correct(course: Course, correction: Correction) -> Course:
    """The course with the correction made. Undo afterwards takes the correction back. Raises CorrectionError."""
    if not correction.changes:
        raise CorrectionError("The correction changes nothing.")
    start = _round_start(course.steps)
    old = course.steps[start:] if start else ()
    changed = {change.turn: change for change in correction.changes if isinstance(change, Replace | Remove)}
    inserts = [change for change in correction.changes if isinstance(change, Insert)]
    settings = [change for change in correction.changes if isinstance(change, Setting)]
    if len(changed) + len(inserts) + len(settings) < len(correction.changes):
        raise CorrectionError("A turn is changed twice in one correction: say it once.")
    for lowest, number in [(1, number) for number in changed] + [(0, change.after) for change in inserts]:
        if not start or not lowest <= number <= len(old):
            raise CorrectionError(_no_such_turn(number, len(old)))
    first = min([len(old), *(number - 1 for number in changed), *(change.after for change in inserts)])
    todo: list[_Todo] = []
    for number in range(first, len(old) + 1):
        if number > first:
            change = changed.get(number)
            if change is None:
                todo.append(_Todo(number, old[number - 1].entry, old[number - 1]))
            elif isinstance(change, Replace):
                todo.append(_Todo(number, change.event, None))
        todo += [_Todo(number, change.event, None) for change in inserts if change.after == number]
    todo += [_Todo(len(old), setting, None) for setting in settings]
    steps, fallen = _judged_again(course.steps[: len(course.steps) - len(old) + first], todo)
    return Course(steps, course, fallen)


def _judged_again(
    steps: tuple[CourseStep, ...], todo: list[_Todo]
) -> tuple[tuple[CourseStep, ...], tuple[Fallen, ...]]:
    """The steps with these entries after them. An entry without its old step is new and has to hold."""
    line = [*steps]
    fallen: list[Fallen] = []
    for number, entry, old in todo:
        state = line[-1].state
        if old is not None and fallen and not isinstance(entry, Setting):  # what was said outright is so all the same
            fallen.append(Fallen(number, entry, None))
            continue
        if isinstance(entry, Setting):
            try:
                line.append(CourseStep(entry, CORRECTED, set_outright(state, entry)))
            except CorrectionError:
                if old is None:
                    raise
                fallen.append(Fallen(number, entry, None))
            continue
        before = old.state.previous if old is not None else None
        if before is not None:
            if before.to_act is not state.to_act and not isinstance(entry, RevealEvent):
                fallen.append(Fallen(number, entry, None))
                continue
            entry = _carried(entry, before, state)
        following, ruling = judge(state, entry)
        if following is not None and ruling.ok:
            line.append(CourseStep(entry, ruling, following))
        elif old is None:
            where = f"Turn {number}" if fallen == [] else f"After turn {fallen[0].turn}, which no longer holds"
            raise CorrectionError(f"{where}: {message(ruling)}")
        else:
            fallen.append(Fallen(number, entry, ruling))
    return tuple(line), tuple(fallen)


def _carried(entry: Event, before: PublicState, now: PublicState) -> Event:
    """The entry read from the new position: a figure that did not move stays where it stands now."""
    if not isinstance(entry, TurnEvent):
        return entry
    places = {side: now.spaces[side] if seen == before.spaces[side] else seen for side, seen in entry.spaces.items()}
    return TurnEvent(entry.cards, places[Side.WHITE], places[Side.BLACK])


def _round_start(steps: tuple[CourseStep, ...]) -> int:
    """Where the current round's turns begin in ``steps``; 0 when no round has begun."""
    for place in range(len(steps) - 1, 0, -1):
        if isinstance(steps[place].entry, RoundEvent):
            return place + 1
    return 0


def _no_such_turn(number: int, count: int) -> str:
    if count == 0:
        return "No turn of this round has been played, so there is none to change."
    return f"This round has no turn {number}: its turns are 1 to {count}, and earlier rounds are closed."
