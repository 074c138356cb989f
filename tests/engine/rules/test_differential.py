"""The referee against a second one written independently (naive.py), on random matches full of faults."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from engine.record.answers import answer_to_json
from engine.rules.cards import DECK
from engine.rules.events import (
    Event,
    RevealEvent,
    RoundEvent,
    TimeEvent,
    TurnEvent,
    UndoEvent,
    YieldEvent,
    event_to_json,
)
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import RulingCode
from engine.rules.state import FullState, PublicState
from engine.rules.track import Side

if TYPE_CHECKING:
    from tests.engine.conftest import RandomMatch
    from tests.engine.naive import Naive

DECIDED_BY_ORDER = {
    "not_now",
    "repeated_card",
    "card_already_played",
    "no_cards",
    "hand_exceeded",
    "hand_size",
    "opponent_moved",
    "off_track",
    "passed_opponent",
}


def disturbed(event: Event, full: FullState, rng: Random) -> Event:
    """Another event than the one played: mostly a fault, sometimes another legal one."""
    kind = rng.randrange(9)
    if rng.random() < 0.1:
        return any_time(rng)
    if isinstance(event, TurnEvent):
        cards = list(event.cards)
        assert full.public.to_act is not None
        hand = full.hands[full.public.to_act]
        if kind == 0:
            return TurnEvent(event.cards, event.white + rng.randint(-2, 2), event.black)
        if kind == 1:
            return TurnEvent(event.cards, event.white, event.black + rng.randint(-2, 2))
        if kind == 2:
            return TurnEvent((*cards, rng.choice(hand)), event.white, event.black)
        if kind == 3:
            return TurnEvent((*cards[:-1], rng.choice(DECK)), event.white, event.black)
        if kind == 4:
            return TurnEvent(tuple(cards[:-1]), event.white, event.black)
        if kind == 5:
            return TurnEvent(tuple(rng.sample(DECK, rng.randint(0, 7))), event.white, event.black)
        if kind == 6:
            return YieldEvent(tuple(rng.sample(hand, rng.randint(0, len(hand)))))
        if kind == 7:
            some = tuple(rng.sample(hand, rng.randint(1, len(hand))))
            return TurnEvent(some, rng.randint(1, 23), rng.randint(1, 23))
        spaces = full.public.spaces
        return TurnEvent(tuple(rng.sample(hand, rng.randint(1, len(hand)))), spaces.white, spaces.black)
    if isinstance(event, RevealEvent) and kind < 4:
        return RevealEvent(event.white[1:], event.black)
    if isinstance(event, RevealEvent) and kind < 7:
        return RevealEvent(event.white, (*event.black[1:], rng.choice(DECK)))
    return rng.choice((RoundEvent(), UndoEvent(), YieldEvent(), RevealEvent((), ()), any_time(rng)))


def any_time(rng: Random) -> TimeEvent:
    """Time that is up: level, it is one more touch, somebody's, or drawn."""
    return TimeEvent(rng.choice((None, *Side)), False) if rng.random() < 0.7 else TimeEvent(None, True)


def compare(other: Naive, state: PublicState | None, event: Event) -> PublicState:
    """Both referees on one event; the state after it."""
    after, ruling = judge(state, event)
    answer = answer_to_json(after, ruling)
    second = other.judge(event_to_json(event))
    answer.pop("message", None)
    if not answer["ok"] and answer["code"] not in DECIDED_BY_ORDER:
        assert second["code"] is None, (event, answer, second)
        second["code"] = answer["code"]
    assert answer == second, event
    assert after is not None
    return after


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_both_referees_agree_on_random_matches_with_faults(
    rules: str, naive: ModuleType, random_match: RandomMatch
) -> None:
    rng = Random(f"differential {rules}")
    for _ in range(25):
        other = naive.Naive()
        state = last = None
        for event, full, _ in random_match(rules, rng):
            if state is not None and rng.random() < 0.5:
                wrong = event
                while wrong == event:
                    wrong = disturbed(event, full, rng) if full else rng.choice((YieldEvent(), RevealEvent((), ())))
                after = compare(other, state, wrong)
                if after is not state and not isinstance(wrong, UndoEvent):
                    # It was legal after all: take it back and go on as the match went.
                    after = compare(other, after, UndoEvent())
                elif isinstance(wrong, UndoEvent):
                    # Play the event taken back once more.
                    assert last is not None
                    after = compare(other, after, last)
                assert after == state
                state = after
            state = compare(other, state, event)
            last = event


def test_codes_named_here_exist() -> None:
    assert {code.value for code in RulingCode} >= DECIDED_BY_ORDER
