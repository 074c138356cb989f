"""What comes next in a turn that is begun: followed to its end, it is a legal turn."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import ActionKind
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.possible_turns import NextStep, next_step, possible_kinds
from tests.engine.conftest import random_turns


def after(*events: TurnEvent) -> PublicState:
    state, _ = judge(judge(None, MatchEvent("ferti-advanced"))[0], RoundEvent())
    for event in events:
        state, ruling = judge(state, event)
        assert ruling.ok
    assert state is not None
    return state


def cards(names: str) -> tuple[Card, ...]:
    return tuple(Card(int(name[0]), name[1]) for name in names.split())


BEGUN = after()
NEAR = after(TurnEvent(cards("5a"), 6, 23), TurnEvent(cards("5b"), 6, 18), TurnEvent(cards("4a"), 10, 18))
THRUST = after(
    TurnEvent(cards("5a"), 6, 23),
    TurnEvent(cards("5b"), 6, 18),
    TurnEvent(cards("5c"), 11, 18),
    TurnEvent(cards("4a 3a"), 11, 14),
)


@pytest.mark.parametrize(
    ("state", "laid", "white", "black", "expected"),
    [
        (BEGUN, "5c", 1, 23, NextStep(moves=(5,))),
        (BEGUN, "5c", 4, 23, NextStep(moves=(5,))),
        (BEGUN, "", 4, 23, NextStep(lay=(3,))),
        (BEGUN, "5c", 6, 22, NextStep(back=Side.BLACK)),
        (BEGUN, "5c 4a", 1, 23, NextStep()),
        (NEAR, "4b", 10, 18, NextStep(moves=(4, -4))),
        (NEAR, "3a 5c", 10, 18, NextStep(moves=(5, 3))),
        (NEAR, "", 10, 15, NextStep(lay=(3,))),
        (THRUST, "3b", 11, 14, NextStep(moves=(-3,), parried=True)),  # the parry, or a retreat
        (THRUST, "3b 2a", 11, 14, NextStep(moves=(2, -2))),  # the parry for certain, and a move
    ],
)
def test_what_comes_next(state: PublicState, laid: str, white: int, black: int, expected: NextStep) -> None:
    assert next_step(state, cards(laid), BySide(white, black)) == expected


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_what_comes_next_leads_to_every_turn(rules: str) -> None:
    """Whatever part of a legal turn lies there: the rest of it is among what is said to come next."""
    seen: Counter[str] = Counter()
    for state, hand, event in random_turns(rules, 5, 5):
        assert state.to_act is not None
        moves = {play.move for play in legal_plays(state, counts_of(hand)) if play_event(state, hand, play) == event}
        (move,) = moves
        if move:
            step = next_step(state, event.cards, state.spaces)
            # The same cards may be a whole turn as they lie: that is then what the preview says.
            assert move in step.moves
            seen["move"] += 1
        part = next_step(state, event.cards[:-1], event.spaces)
        assert part != NextStep()
        if part.lay:
            seen["lay"] += 1
    assert seen["move"] > 20
    assert seen["lay"] > 20


def test_only_what_can_be_done_is_possible() -> None:
    assert possible_kinds(BEGUN) == {ActionKind.ADVANCE}
    assert possible_kinds(NEAR) == {ActionKind.ADVANCE, ActionKind.RETREAT, ActionKind.INDIRECT_ATTACK}
