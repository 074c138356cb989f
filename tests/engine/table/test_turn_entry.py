"""A turn entered card by card: whatever is legal can be entered, in three taps at most, and nothing else."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.table.possible_turns import can_name, entered, may_hold, meant, named_by, picked, rest_of, ways, why_not
from tests.engine.conftest import random_turns


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_every_turn_of_a_hand_is_entered_in_three_taps(rules: str) -> None:
    """The first card, the turn it begins where there are several, and done; two for one that leaves no choice."""
    rng = Random(7)
    tried = alone = most = 0
    for state, hand, _ in random_turns(rules, 7, 15):
        plays = legal_plays(state, counts_of(hand))
        for each in plays:
            named = named_by(state, each)[:1]
            found = ways(state, may_hold(state), named)
            assert each in found
            most = max(most, len(found))
            alone += meant(state, found, named) == each
            whole = Counter(named_by(state, each))
            alike = [other for other in plays if Counter(named_by(state, other)) == whole]
            assert meant(state, plays, named_by(state, each)) == (each if len(alike) == 1 else None)
            tried += 1
        chosen = rng.choice(plays)
        event = entered(state, chosen, hand)
        assert Counter(event.cards) <= Counter(hand)  # those that lie there are taken first
        assert judge(state, entered(state, chosen))[1].ok  # and others stand in for those nobody saw
        assert (event.spaces, len(event.cards)) == (play_event(state, hand, chosen).spaces, len(event.cards))
    assert tried > 1000
    assert alone > tried / 5
    assert most <= 8


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_tapping_all_cards_leaves_only_turns_that_lay_them_and_the_order_is_the_players(rules: str) -> None:
    rng = Random(3)
    for state, hand, _ in random_turns(rules, 3, 10):
        chosen = rng.choice(legal_plays(state, counts_of(hand)))
        own = list(named_by(state, chosen))
        if len(own) > 1:
            rng.shuffle(own)
            found = ways(state, may_hold(state), tuple(own))
            assert chosen in found
            assert all(Counter(own) <= Counter(named_by(state, each)) for each in found)
        for value in can_name(state, may_hold(state), ()):
            assert ways(state, may_hold(state), (value,))


def start() -> PublicState:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    state, _ = judge(state, RoundEvent())
    assert state is not None
    return state


def after(*events: TurnEvent) -> PublicState:
    state: PublicState | None = start()
    for event in events:
        state, ruling = judge(state, event)
        assert ruling.ok
    assert state is not None
    return state


def near() -> PublicState:
    """White on 16 and to act, Black on 18 with his back free: 4 and 5 are too long to go forward."""
    cards = [Card(5, letter) for letter in "abc"]
    return after(
        TurnEvent((cards[0],), 6, 23),
        TurnEvent((Card(1, "a"),), 6, 22),
        TurnEvent((cards[1],), 11, 22),
        TurnEvent((Card(4, "a"),), 11, 18),
        TurnEvent((cards[2],), 16, 18),
        TurnEvent((Card(1, "b"),), 16, 19),
    )


def test_a_card_that_makes_no_turn_says_why() -> None:
    opening = after(TurnEvent((Card(5, "a"),), 6, 23), TurnEvent((Card(5, "b"),), 6, 18))
    assert [why_not(opening, value) for value in (1, 2, 3, 4, 5)] == [None] * 5
    state = near()
    assert state.distance == 3
    attacked, ruling = judge(state, TurnEvent((Card(3, "a"), Card(3, "b"), Card(3, "c")), 16, 19))
    assert attacked is not None
    refused = why_not(attacked, 3)  # three of the five lie, and two are not enough to parry
    assert ruling.ok
    assert attacked.result is not None or (refused is not None and not refused.ok)


def test_the_last_cards_of_a_value_are_all_that_can_be_named() -> None:
    state = after(*[TurnEvent((Card(5, "a"),), 6, 23), TurnEvent((Card(5, "b"),), 6, 18)])
    assert picked(state, (5, 5, 5, 5)) == (Card(5, "c"), Card(5, "d"), Card(5, "e"))
    assert picked(state, (5, 1), (Card(5, "e"),)) == (Card(5, "e"), Card(1, "a"))
    assert rest_of(state, (5, 5, 1)) == (1,) * 4 + (2,) * 5 + (3,) * 5 + (4,) * 5 + (5,)


def test_nobody_to_act_has_no_ways() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    assert ways(state, may_hold(state), (3,)) == ()
    assert why_not(state, 3) is None
    assert state.spaces == BySide(1, 23)
