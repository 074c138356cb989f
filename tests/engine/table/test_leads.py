"""Where cards lead: whoever follows them makes a legal turn, and every legal turn can be made so."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.legal import counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PublicState
from engine.rules.track import BySide
from engine.table.possible_turns import Lead, leads

Cards = tuple[Card, ...]
Turn = tuple[tuple[int, ...], int]


def values(cards: Cards) -> tuple[int, ...]:
    return tuple(sorted(card.value for card in cards))


def followed(state: PublicState, hand: Cards, laid: Cards = (), spaces: BySide[int] | None = None) -> set[Turn]:
    """Every turn that is made by laying cards where they lead, one after the other; each way ends with a legal one."""
    side, here = state.to_act, spaces or state.spaces
    assert side is not None
    made: set[Turn] = set()
    if judge(state, TurnEvent(laid, here.white, here.black))[1].ok:
        made.add((values(laid), here[side]))
    found = leads(state, hand, laid, here)
    first = {card.value: card for card in reversed(hand) if card in found}
    for card in first.values():
        lead = found[card]
        places = [*lead.spaces, *([here[side]] if lead.strikes or lead.parries else [])]
        for place in places:
            made |= followed(state, hand, (*laid, card), here.put(side, place))
    assert made, f"nothing leads on from {laid} in {hand}, attacked by {state.attack}"
    return made


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_leads_make_all_legal_turns_and_no_others(rules: str, random_match: Callable[..., Any]) -> None:
    checked = 0
    for _, full, _ in random_match(rules, Random(7), points=2):
        if full is None or full.public.to_act is None:
            continue
        state = full.public
        hand = full.hands[state.to_act]
        plays = legal_plays(state, counts_of(hand))
        if not plays:
            assert leads(state, hand, (), state.spaces) == {}
            continue
        events = [play_event(state, hand, play) for play in plays]
        wanted = {(values(event.cards), event.spaces[state.to_act]) for event in events}
        assert followed(state, hand) == wanted
        checked += 1
    assert checked > 10


def test_a_card_leads_forward_back_and_at_the_opponent(position: Callable[..., Any], cards: Callable[..., Any]) -> None:
    table = position(8, 12)
    hand = cards("4a 2a 2b 1a 5a")
    found = leads(table.state, hand, (), table.state.spaces)
    assert found[hand[0]] == Lead((4,), strikes=True)
    assert found[hand[1]] == Lead((6, 10))
    assert found[hand[4]] == Lead((3,))
    after = leads(table.state, hand, hand[1:2], BySide(10, 12))
    assert after == {hand[2]: Lead(strikes=True)}


def test_nothing_leads_anywhere_where_the_opponent_was_moved(position: Callable[..., Any]) -> None:
    table = position(8, 12)
    assert leads(table.state, (Card(4, "a"),), (), BySide(8, 13)) == {}
