"""Events and their JSON: a round trip, and an answer to anything else."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.cards import DECK
from engine.rules.events import (
    MAX_POINTS,
    Event,
    EventError,
    MatchEvent,
    RevealEvent,
    RoundEvent,
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
events = st.one_of(
    st.builds(MatchEvent, st.sampled_from(list(RULE_SETS)), st.sampled_from(Side), st.integers(1, MAX_POINTS)),
    st.just(RoundEvent()),
    st.builds(TurnEvent, hands, spaces, spaces),
    st.builds(YieldEvent, hands),
    st.builds(RevealEvent, hands, hands),
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


def test_events_of_different_kinds_are_never_equal() -> None:
    kinds = (RoundEvent(), UndoEvent(), YieldEvent(), RevealEvent((), ()))
    assert len(set(kinds)) == 4


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
    "turn",
    4,
    {},
    {"event": None},
    {"event": "Turn"},
    {"event": ["turn"]},
    {"event": {}},
    {"event": "match"},
    {**MATCH, "rules": "chess"},
    {**MATCH, "rules": None},
    {**MATCH, "rules": ["ferti-classic"]},
    {**MATCH, "starter": "red"},
    {**MATCH, "starter": None},
    {**MATCH, "starter": ["white"]},
    {**MATCH, "points": 0},
    {**MATCH, "points": -1},
    {**MATCH, "points": 5.0},
    {**MATCH, "points": True},
    {**MATCH, "points": "5"},
    {**MATCH, "points": None},
    {**MATCH, "points": MAX_POINTS + 1},
    {**TURN, "white": True},
    {**TURN, "white": 4.0},
    {**TURN, "black": "23"},
    {**TURN, "black": None},
    {**TURN, "cards": "3b"},
    {**TURN, "cards": {"3b": 1}},
    {**TURN, "cards": [3]},
    {**TURN, "cards": [["3b"]]},
    {**TURN, "cards": None},
    {"event": "turn", "cards": ["3b"], "white": 4},
    {"event": "turn", "white": 4, "black": 23},
    {"event": "yield", "cards": None},
    {"event": "yield", "cards": "5a"},
    {"event": "reveal", "white": []},
    {"event": "reveal", "white": ["9z"], "black": None},
    {**TURN, "cards": ["9z"] * 30, "white": None},
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
