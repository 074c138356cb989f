"""The game record: parsing and printing are inverse, replaying gives every state."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record.corrections import Setting, Won
from engine.record.notation import (
    Move,
    Record,
    RecordError,
    RoundOutcome,
    RoundRecord,
    parse_move,
    parse_record,
    print_move,
    print_record,
    replay,
)
from engine.rules.cards import DECK
from engine.rules.events import (
    MAX_POINTS,
    Event,
    MatchEvent,
    RevealEvent,
    RoundEvent,
    TimeEvent,
    TurnEvent,
    UndoEvent,
    YieldEvent,
)
from engine.rules.legal import Turn
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import Reason
from engine.rules.track import BySide, Side
from tests.engine.conftest import random_match, record_of
from tests.engine.rules.test_events import limits
from tests.matches import cards

card = st.sampled_from(DECK)
some = st.lists(card, min_size=1, max_size=5).map(tuple)
maybe = st.lists(card, max_size=5).map(tuple)
turns = st.one_of(
    st.builds(Turn, maybe, card, maybe),
    st.builds(Turn, maybe, card, back=st.just(True)),
    st.builds(Turn, maybe, attack=some),
    st.builds(Turn, some),
)
places = st.builds(BySide, st.integers(0, 99), st.integers(0, 99))
scores = st.builds(BySide, st.integers(0, MAX_POINTS), st.integers(0, MAX_POINTS))
won = st.none() | st.sampled_from(Won)
settings = st.builds(Setting, st.none() | places, st.none() | scores, maybe, won).filter(lambda each: not each.empty)
moves = st.one_of(
    settings,
    st.builds(TimeEvent, st.none() | st.sampled_from(Side)),
    st.just(TimeEvent(drawn=True)),
    turns,
    st.builds(YieldEvent, maybe),
    st.builds(RevealEvent, maybe, maybe),
)
outcomes = st.builds(RoundOutcome, st.sampled_from([None, *Side]), st.sampled_from(Reason), scores)
rounds = st.builds(RoundRecord, st.lists(moves, max_size=7).map(tuple), st.none() | outcomes)
records = st.builds(
    Record,
    names=st.builds(BySide, st.text(max_size=12), st.text(max_size=12)),
    date=st.just("") | st.dates().map(lambda date: date.isoformat()),
    rules=st.sampled_from(list(RULE_SETS)),
    points=st.integers(1, MAX_POINTS),
    starter=st.sampled_from(Side),
    rounds=st.lists(rounds, max_size=4).map(tuple),
    limit=limits,
)


@given(moves)
def test_a_printed_move_parses_to_itself(move: Move) -> None:
    assert parse_move(print_move(move)) == move


@given(records)
def test_a_printed_record_parses_to_itself(record: Record) -> None:
    text = print_record(record)
    assert parse_record(text) == record
    assert print_record(parse_record(text)) == text


@given(st.text(alphabet='1234567890abcdef+-x=#?/. ()[]"\\;RoundWhiteBlckNby\n', max_size=80))
def test_any_text_is_a_record_or_a_record_error(text: str) -> None:
    found = read(text)
    if isinstance(found, RecordError):
        assert found.problem in str(found)
    else:
        assert parse_record(print_record(found)) == found


def read(text: str) -> Record | RecordError:
    try:
        return parse_record(text)
    except RecordError as error:
        return error


def test_comments_blank_lines_and_line_ends_do_not_matter() -> None:
    text = '[White "Ann"]\r\n; a comment\r\n\r\nRound 1\r\n  1. +3a\t+4a \r\n2. #\r\n'
    record = parse_record(text)
    assert record.names == BySide("Ann", "Black")
    assert [print_move(move) for move in record.rounds[0].moves] == ["+3a", "+4a", "#"]
    assert parse_record('[Leg "2"]\n') == parse_record(""), "of a team relay, until version 1"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("hello", 1, "expected a tag"),
        ('[Colour "red"]', 1, "a tag is"),
        ('[White "a"]\n[White "b"]', 2, "twice"),
        ('[White "\\q"]', 1, "no quoted text"),
        ("Round 2", 1, "expected Round 1"),
        ("Round 1\nRound 3", 2, "expected Round 2"),
        ("Round 1\n2. +3a", 2, "expected 1."),
        ("Round 1\n1. +3a +4a +5a", 2, "one or two moves"),
        ("Round 1\n1. +3a\n2. +4a", 3, "expected 1."),
        ("Round 1\n1. +3f", 2, "is no move"),
        ("Round 1\n1. =", 2, "is no move"),
        ("Round 1\n1. -3ax5a", 2, "is no move"),
        ("Round 1\nWhite wins", 2, "an outcome is"),
        ("Round 1\nWhite (luck) 1-0", 2, "with a reason of"),
        ('Round 1\n[White "a"]', 2, "tags come before"),
        ('[Rules "chess"]', 0, "Rules is one of"),
        ('[Points "0"]', 0, "Points is"),
        ('[Points "9999999999"]', 0, "Points is"),
        ('[Starter "red"]', 0, "Starter is"),
        ('[Date "today"]', 0, "Date is"),
        *((f'[Time "{text}"]', 0, "Time is such as 180") for text in ("3:00", "180+60", "0", "99999", "180 anna")),
        ('[Time "180+60 drawn"]', 0, "Time is such as 180"),
    ],
)
def test_a_faulty_record_names_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(RecordError, match=words) as caught:
        parse_record(text)
    assert caught.value.line == line


NO_MOVES = ("", "!", "!,", "!9/21,", "!9/212-1", "!2-1,9/21", "!09/21", "!x", "3a", "+", "+3a+4a", "x", "=5ax", "+3ax")


def test_no_moves() -> None:
    for text in (*NO_MOVES, "?1a", "#1", "=5a#", "+3A"):
        with pytest.raises(ValueError, match="is no move"):
            parse_move(text)


@pytest.mark.parametrize(("rules", "seed"), [(rules, seed) for rules in RULE_SETS for seed in range(6)])
def test_a_match_goes_through_its_record_and_back(rules: str, seed: int) -> None:
    played = [(event, state) for event, _, state in random_match(rules, Random(seed), points=3)]
    record = record_of((event for event, _ in played), BySide("Ann", "Ben"), "2026-11-21")
    replayed = list(replay(parse_record(print_record(record))))
    assert [state for _, state, _ in replayed] == [state for _, state in played]
    assert [event for event, _, _ in replayed] == [event for event, _ in played]
    assert all(ruling.ok for _, _, ruling in replayed)
    events = [event for event, _, _ in replayed if not isinstance(event, Setting)]
    assert len(events) == len(replayed)
    assert record_of(events, record.names, record.date) == record


def test_refused_and_undone_events_leave_no_trace() -> None:
    good: list[Event] = [MatchEvent("ferti-advanced"), RoundEvent(), TurnEvent(cards("3a"), 4, 23)]
    noisy: list[Event] = [
        MatchEvent("ferti-classic"),
        RoundEvent(),
        good[0],
        UndoEvent(),
        good[1],
        TurnEvent(cards("2a"), 3, 23),
        TurnEvent(cards("2a"), 3, 21),
        UndoEvent(),
        good[2],
    ]
    assert record_of(noisy) == record_of(good)
    assert print_record(record_of(good)).endswith("\nRound 1\n1. +3a\n")


@pytest.mark.parametrize(
    ("moves_text", "words"),
    [
        ("1. +3a +3a", "Round 1, move 2: Card 3a was already played"),
        ("1. # +3a", "Round 1, move 2: nobody is to act"),
        ("1. # ?1a/2a", "Round 1, move 2: A reveal event is not possible now"),
        (
            "1. #\nWhite (no_legal_move) 1-0",
            "^Round 1: the record says White .no_legal_move. 1-0, the referee Black .no_legal_move. 0-1$",
        ),
        ("1. +3a\nBlack (no_legal_move) 0-1", "the referee that it goes on$"),
        ("1. +3a\n\nRound 2", "Round 2: A round event is not possible now"),
    ],
)
def test_replay_refuses_what_cannot_have_happened(moves_text: str, words: str) -> None:
    with pytest.raises(RecordError, match=words):
        list(replay(parse_record(f"Round 1\n{moves_text}\n")))
