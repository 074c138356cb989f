"""Events and their JSON: a round trip, and an answer to anything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.cards import DECK
from engine.rules.events import (
    MAX_POINTS,
    MAX_TIME_S,
    Event,
    EventError,
    Limit,
    MatchEvent,
    RevealEvent,
    RoundEvent,
    TimeEvent,
    TurnEvent,
    UndoEvent,
    YieldEvent,
    event_from_json,
    event_to_json,
    quoted,
)
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import RulingCode
from engine.rules.track import Side

hands = st.lists(st.sampled_from(DECK), max_size=7).map(tuple)
spaces = st.integers(-(10**20), 10**20)
seconds = st.integers(1, MAX_TIME_S)
limits = st.none() | st.one_of(
    st.builds(Limit, seconds, drawn=st.booleans()),
    st.builds(Limit, seconds, st.integers(0, MAX_TIME_S), st.sampled_from(Side)),
)
events = st.one_of(
    st.builds(MatchEvent, st.sampled_from(list(RULE_SETS)), st.sampled_from(Side), st.integers(1, MAX_POINTS), limits),
    st.just(RoundEvent()),
    st.builds(TurnEvent, hands, spaces, spaces),
    st.builds(YieldEvent, hands),
    st.builds(RevealEvent, hands, hands),
    st.builds(TimeEvent, st.none() | st.sampled_from(Side)),
    st.just(TimeEvent(drawn=True)),
    st.just(UndoEvent()),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(("turn", "white", "3b")),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(("event", "cards", "white", "black", "rules", "points", "starter")), inner)
    ),
    max_leaves=12,
)


@given(events)
def test_reading_what_was_written_gives_the_event_back(event: Event) -> None:
    assert event_from_json(event_to_json(event)) == event


def test_what_programs_may_rely_on_is_written_even_where_it_may_be_left_out() -> None:
    opening = {"event": "match", "rules": "ferti-classic", "starter": "white", "points": 5}
    assert event_to_json(MatchEvent("ferti-classic")) == opening
    assert event_to_json(YieldEvent()) == {"event": "yield", "cards": []}


def read(value: Any) -> Event | EventError:
    try:
        return event_from_json(value)
    except EventError as error:
        return error


@given(json_values)
def test_any_json_value_is_an_event_or_an_event_error(value: Any) -> None:
    found = read(value)
    if isinstance(found, EventError):
        assert found.code in (RulingCode.BAD_EVENT, RulingCode.UNKNOWN_CARD)
        assert str(found)
    else:
        assert event_from_json(event_to_json(found)) == found


def test_what_may_be_left_out() -> None:
    assert event_from_json({"event": "match", "rules": "ferti-classic"}) == MatchEvent("ferti-classic", Side.WHITE, 5)
    assert event_from_json({"event": "yield"}) == YieldEvent(())
    assert event_from_json({"event": "round", "note": "anything"}) == RoundEvent()


TURN = {"event": "turn", "cards": ["3b"], "white": 4, "black": 23}
MATCH = {"event": "match", "rules": "ferti-advanced"}
BAD: list[Any] = [
    None,
    [],
    {},
    {"event": None},
    {"event": ["turn"]},
    {"event": "match"},
    {**MATCH, "rules": "chess"},
    {**MATCH, "starter": "red"},
    {**MATCH, "starter": None},
    {**MATCH, "points": 0},
    {**MATCH, "points": 5.0},
    {**MATCH, "points": True},
    {**MATCH, "points": MAX_POINTS + 1},
    {**TURN, "white": True},
    {**TURN, "white": 4.0},
    {**TURN, "black": None},
    {**TURN, "cards": "3b"},
    {**TURN, "cards": [3]},
    {"event": "turn", "cards": ["3b"], "white": 4},
    {"event": "yield", "cards": None},
    {"event": "reveal", "white": ["9z"], "black": None},
    {**TURN, "cards": [*["9z"] * 30, 3]},
    {**MATCH, "time": {"s": 60}, "rules": ["9z"]},
]


@pytest.mark.parametrize("value", BAD, ids=repr)
def test_bad_events(value: Any) -> None:
    with pytest.raises(EventError) as caught:
        event_from_json(value)
    assert caught.value.code is RulingCode.BAD_EVENT


@pytest.mark.parametrize("name", ["3B", "0a", "6a", "3f", "3", "", "33b", " 3b", "3b ", "b3", "\u0663b", "\ud800"])
def test_unknown_cards_are_named(name: str) -> None:
    for value in (
        {**TURN, "cards": ["1a", name]},
        {"event": "yield", "cards": [name]},
        {"event": "reveal", "white": [], "black": [name]},
    ):
        with pytest.raises(EventError) as caught:
            event_from_json(value)
        assert caught.value.code is RulingCode.UNKNOWN_CARD
        assert caught.value.card == quoted(name)
        assert caught.value.event == value["event"]


@given(st.text() | st.lists(st.text(max_size=9)))
def test_quoted_text_is_short_printable_ascii(value: list[str] | str) -> None:
    text = quoted(value)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) <= 60


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


def test_a_leg_of_a_team_relay_is_read_as_a_match() -> None:
    assert event_from_json({"event": "match", "rules": "ferti-classic", "leg": 2}) == MatchEvent("ferti-classic")
