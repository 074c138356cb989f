"""A match with a limit: time is an event like any other, and who wins by it is the rule the match chose before."""

from __future__ import annotations

from typing import Any

import pytest

from engine.record.corrections import Correction, CorrectionError, Remove, Setting
from engine.record.course import Course, follow
from engine.record.notation import RecordError, parse_move, parse_record, print_move, print_record
from engine.record.retelling import finished_rounds
from engine.rules.events import (
    Event,
    EventError,
    Limit,
    MatchEvent,
    RoundEvent,
    TimeEvent,
    UndoEvent,
    YieldEvent,
    event_from_json,
    event_to_json,
)
from engine.rules.messages import message
from engine.rules.rulings import RulingCode
from engine.rules.state import Phase, Reason, Result
from engine.rules.track import BySide, Side
from tests.engine.conftest import record_of
from tests.matches import course_of, turn

OPENING = MatchEvent("ferti-advanced", Side.WHITE, 5, Limit(180))


FIRST = turn("5a", 6, 23)
BLACK_FIRST = turn("5a", 1, 18)
SECOND = turn("5b", 6, 18)
ATTACK = (FIRST, SECOND, turn("5c", 11, 18), turn("2a", 11, 16), turn("5d", 11, 16))
"""White attacks, and Black is to answer."""


def played(*entries: Event, opening: MatchEvent = OPENING) -> Course:
    return course_of(opening, *entries)


def test_who_is_ahead_has_won_with_the_score_as_it_is() -> None:
    lost = (RoundEvent(), YieldEvent())
    course = played(*lost, RoundEvent(), BLACK_FIRST, TimeEvent(Side.WHITE))
    state = course.state
    assert (state.phase, state.to_act, state.score) == (Phase.MATCH_OVER, None, BySide(0, 1))
    assert state.result == Result(Side.BLACK, Reason.TIME)
    between = played(*lost, TimeEvent())
    assert (between.state.phase, between.state.result) == (Phase.MATCH_OVER, Result(Side.BLACK, Reason.TIME))


def test_level_the_lot_that_was_drawn_before_decides() -> None:
    state = played(RoundEvent(), FIRST, TimeEvent(Side.BLACK)).state
    assert (state.phase, state.score) == (Phase.MATCH_OVER, BySide(0, 0))
    assert state.result == Result(Side.BLACK, Reason.PRIORITY)


def test_level_without_a_lot_the_round_goes_on_and_one_more_touch_decides() -> None:
    course = played(RoundEvent(), FIRST, TimeEvent())
    assert (course.state.phase, course.state.to_act, course.state.points) == (Phase.TURN, Side.BLACK, 1)
    over = played(RoundEvent(), FIRST, TimeEvent(), SECOND, YieldEvent())
    assert (over.state.phase, over.state.score) == (Phase.MATCH_OVER, BySide(0, 1))
    assert over.state.result == Result(Side.BLACK, Reason.NO_LEGAL_MOVE)
    extra = played(RoundEvent(), FIRST, TimeEvent(), SECOND, TimeEvent(Side.WHITE))
    assert extra.state.result == Result(Side.WHITE, Reason.PRIORITY)


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ((), "the match waits for its first round"),
        ((RoundEvent(), *ATTACK), "an attack is still to be answered"),
        ((RoundEvent(), YieldEvent(), TimeEvent()), "the match is over"),
    ],
)
def test_time_is_not_called_while_an_attack_waits_nor_without_a_match(before: tuple[Event, ...], told: str) -> None:
    course = played(*before)
    same, ruling = follow(course, TimeEvent())
    assert (same, ruling.code) == (course, RulingCode.NOT_NOW)
    assert message(ruling) == f"A time event is not possible now: {told}."


def test_level_a_match_that_may_be_drawn_is() -> None:
    state = played(RoundEvent(), FIRST, TimeEvent(drawn=True)).state
    assert (state.phase, state.to_act, state.score) == (Phase.MATCH_OVER, None, BySide(0, 0))
    assert (state.points, state.result) == (5, Result(None, Reason.TIME))
    ahead = played(RoundEvent(), YieldEvent(), TimeEvent(drawn=True)).state
    assert ahead.result == Result(Side.BLACK, Reason.TIME)


def test_undo_takes_time_back() -> None:
    for time in (TimeEvent(), *map(TimeEvent, Side), TimeEvent(drawn=True)):
        course = played(RoundEvent(), FIRST, time, UndoEvent())
        assert course.state == played(RoundEvent(), FIRST).state


def test_the_score_that_decided_is_not_changed_behind_its_back() -> None:
    course = played(RoundEvent(), YieldEvent(), TimeEvent())
    with pytest.raises(CorrectionError, match="take that back"):
        follow(course, Correction((Setting(score=BySide(1, 0)),)))


def test_a_turn_that_was_never_played_takes_time_with_it() -> None:
    course = played(RoundEvent(), FIRST, SECOND, TimeEvent(Side.WHITE))
    after, _ = follow(course, Correction((Remove(2),)))
    assert after is not None
    assert (after.state.phase, after.state.to_act, after.state.result) == (Phase.TURN, Side.BLACK, None)
    assert [fallen.entry for fallen in after.fallen] == [TimeEvent(Side.WHITE)]


def test_a_round_cut_off_by_time_is_no_round_that_is_over() -> None:
    whole = (RoundEvent(), FIRST, YieldEvent())
    steps = finished_rounds(played(*whole, RoundEvent(), BLACK_FIRST, TimeEvent()))
    assert [[step.entry for step in each] for each in steps] == [[FIRST, YieldEvent()]]
    assert finished_rounds(played(*whole, TimeEvent())) == finished_rounds(played(*whole))


LIMITS = (
    Limit(180),
    Limit(1, 0, Side.BLACK),
    Limit(86_400, 60, Side.WHITE),
    Limit(60, 86_400, Side.BLACK),
    Limit(90, drawn=True),
)


@pytest.mark.parametrize("limit", LIMITS)
def test_a_match_keeps_its_limit_as_json_and_as_a_record(limit: Limit) -> None:
    opening = MatchEvent("brettspielnetz", Side.BLACK, 3, limit)
    assert event_from_json(event_to_json(opening)) == opening
    record = record_of((opening, RoundEvent(), BLACK_FIRST))
    assert record.limit == limit
    assert parse_record(print_record(record)) == record


@pytest.mark.parametrize("event", [TimeEvent(), TimeEvent(Side.WHITE), TimeEvent(Side.BLACK), TimeEvent(drawn=True)])
def test_time_is_written_and_read_again(event: TimeEvent) -> None:
    assert event_from_json(event_to_json(event)) == event
    assert parse_move(print_move(event)) == event


@pytest.mark.parametrize(
    ("time", "told"),
    [
        (180, "time: expected an object"),
        ({}, "time.s: expected a whole number"),
        ({"s": 0}, "time.s: expected a whole number"),
        ({"s": True}, "time.s: expected a whole number"),
        ({"s": 86_401}, "from 1 to 86400"),
        ({"s": 60, "extra_s": 60}, "wants a priority"),
        ({"s": 60, "extra_s": -1, "priority": "white"}, "time.extra_s"),
        ({"s": 60, "extra_s": 86_401, "priority": "white"}, "time.extra_s"),
        ({"s": 60, "priority": "anna"}, "time.priority: expected one of white, black"),
        ({"s": 60, "drawn": 1}, "time.drawn: expected true or false"),
        ({"s": 60, "drawn": True, "priority": "white"}, "only without a priority"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_with_what_was_expected(time: Any, told: str) -> None:
    with pytest.raises(EventError, match=told):
        event_from_json({"event": "match", "rules": "ferti-classic", "time": time})


def test_a_record_with_a_limit_nobody_can_read_is_refused() -> None:
    for text in ("3:00", "180+60", "0", "99999", "180 anna", "180+60 drawn"):
        with pytest.raises(RecordError, match="Time is such as 180"):
            parse_record(f'[Time "{text}"]\n')


def test_a_leg_of_a_team_relay_is_read_as_a_match() -> None:
    old = {"event": "match", "rules": "ferti-classic", "leg": 2}
    assert event_from_json(old) == MatchEvent("ferti-classic")
    assert parse_record('[Leg "2"]\n') == parse_record("")
