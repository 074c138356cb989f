"""A match with a limit: time is an event like any other, and who wins by it is the rule the match chose before."""

from __future__ import annotations

from typing import Any

import pytest

from engine.record.course import Course
from engine.record.notation import RecordError, parse_move, parse_record, print_move, print_record
from engine.rules.events import (
    Event,
    EventError,
    Limit,
    MatchEvent,
    RoundEvent,
    TimeEvent,
    event_from_json,
    event_to_json,
)
from engine.rules.track import Side
from tests.engine.conftest import record_of
from tests.matches import course_of, turn

OPENING = MatchEvent("ferti-advanced", Side.WHITE, 5, Limit(180))


FIRST = turn("5a", 6, 23)
BLACK_FIRST = turn("5a", 1, 18)
SECOND = turn("5b", 6, 18)


def played(*entries: Event, opening: MatchEvent = OPENING) -> Course:
    return course_of(opening, *entries)


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
