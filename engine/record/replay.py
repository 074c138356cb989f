"""Between events and the game record: replaying a record gives every state; accepted events give a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.record.corrections import CorrectionError, Setting, set_outright
from engine.record.course import CORRECTED, CourseStep
from engine.record.notation import (
    NO_NAMES,
    Move,
    Record,
    RecordError,
    RoundOutcome,
    RoundRecord,
    print_outcome,
)
from engine.rules.actions import Turn
from engine.rules.events import Event, MatchEvent, RevealEvent, RoundEvent, TimeEvent, TurnEvent, YieldEvent
from engine.rules.legal import turn_event
from engine.rules.messages import message
from engine.rules.reading import explain
from engine.rules.referee import judge
from engine.rules.rulings import Ruling
from engine.rules.state import PublicState
from engine.rules.track import BySide


def replay(record: Record) -> Iterator[tuple[Event | Setting, PublicState, Ruling]]:
    """Every event of the record, the state after it and the ruling on it, from the match event on.

    A ``Setting`` stands where a correction set figures, score or cards.

    Raises RecordError where the referee refuses an event or a round ended otherwise than the record says.
    """
    state: PublicState | None = None
    opening = MatchEvent(record.rules, record.starter, record.points, record.limit)
    state, ruling = judge(None, opening)
    assert state is not None
    yield opening, state, ruling
    for number, played in enumerate(record.rounds, 1):
        state, ruling = _accepted(state, RoundEvent(), f"Round {number}")
        yield RoundEvent(), state, ruling
        for place, move in enumerate(played.moves, 1):
            where = f"Round {number}, move {place}"
            event = _event(state, move, where)
            state, ruling = _accepted(state, event, where)
            yield event, state, ruling
        _check_outcome(state, played.outcome, f"Round {number}")


def _event(state: PublicState, move: Move, where: str) -> Event | Setting:
    if not isinstance(move, Turn):
        return move
    if state.to_act is None:
        raise RecordError(0, f"{where}: nobody is to act, the phase is {state.phase.value}")
    return turn_event(state, move)


def _accepted(state: PublicState, event: Event | Setting, where: str) -> tuple[PublicState, Ruling]:
    if isinstance(event, Setting):
        try:
            return set_outright(state, event), CORRECTED
        except CorrectionError as error:
            raise RecordError(0, f"{where}: {error}") from error
    following, ruling = judge(state, event)
    if following is None or not ruling.ok:
        raise RecordError(0, f"{where}: {message(ruling)}")
    return following, ruling


def _check_outcome(state: PublicState, told: RoundOutcome | None, where: str) -> None:
    found = outcome_of(state)
    if told is not None and told != found:
        ruled = "that it goes on" if found is None else print_outcome(found)
        raise RecordError(0, f"{where}: the record says {print_outcome(told)}, the referee {ruled}")


def outcome_of(state: PublicState) -> RoundOutcome | None:
    """How the round of this state ended; None while it is being played."""
    if state.result is None:
        return None
    return RoundOutcome(state.result.winner, state.result.reason, state.score)


def record_of_steps(steps: Sequence[CourseStep], names: BySide[str] = NO_NAMES, date: str = "") -> Record:
    """The record of what stands: ``Course.steps``, from the match event on."""
    opening = steps[0].state
    rounds: list[RoundRecord] = []
    moves: list[Move] = []
    for before, step in pairwise(steps):
        if isinstance(step.entry, RoundEvent):
            moves = []
            rounds.append(RoundRecord((), None))
        else:
            moves.append(_move(before.state, step.entry))
            rounds[-1] = RoundRecord(tuple(moves), outcome_of(step.state))
    begun = steps[0].entry
    limit = begun.limit if isinstance(begun, MatchEvent) else None
    return Record(names, date, opening.rules.name, opening.points, opening.starter, tuple(rounds), limit)


def _move(before: PublicState, entry: Event | Setting) -> Move:
    if isinstance(entry, Setting | TimeEvent | YieldEvent | RevealEvent):
        return entry
    assert isinstance(entry, TurnEvent)
    turn = explain(before, entry)
    assert isinstance(turn, Turn)
    return turn
