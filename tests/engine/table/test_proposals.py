"""Turns seen in part: every proposal is legal and fits, and the turn that was played is always among them."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.legal import turn_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import BySide, Side
from engine.table.observation import (
    CardReading,
    Doubt,
    DoubtReason,
    FigureProblem,
    FigureReading,
    Sight,
    TableObservation,
    Why,
)
from engine.table.possible_turns import InPart, likeliest, proposals, seen_in_part
from tests.engine.conftest import legal_turns, random_turns

if TYPE_CHECKING:
    from tests.engine.conftest import Position


def values(event: TurnEvent) -> tuple[Counter[int], int, int]:
    return Counter(card.value for card in event.cards), event.white, event.black


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_what_was_played_is_among_the_proposals_and_all_of_them_are_legal_and_fit(rules: str) -> None:
    rng = Random(5)
    alone = tried = 0
    for state, _, truth in random_turns(rules, 11, 20):
        side = state.to_act
        assert side is not None
        read = tuple(card for card in truth.cards if rng.random() < 0.6)
        space = truth.spaces[side] if rng.random() < 0.5 else None
        known = InPart(read, space, more=read != truth.cards or rng.random() < 0.5)
        found = proposals(state, known)
        assert values(truth) in [values(event) for event in found]
        assert len({(event.cards, event.spaces) for event in found}) == len(found)
        for event in found:
            assert judge(state, event)[1].ok
            assert {*read} <= {*event.cards}
            assert space in (None, event.spaces[side])
            assert known.more or {*event.cards} == {*read}
        best = likeliest(found)
        assert (best is None) == (sum(len(event.cards) == len(found[0].cards) for event in found) > 1)
        if len(found) == 1:
            assert best is not None
            assert values(best) == values(truth)
            alone += 1
        tried += 1
    assert tried > 300
    assert alone > 40


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_nothing_is_left_out_and_nothing_is_listed_twice(rules: str) -> None:
    """With nothing known, the proposals are all legal turns of every hand there can be, by values."""
    for number, (state, _, _) in enumerate(random_turns(rules, 11, 2)):
        if number % 4:
            continue
        side = state.to_act
        assert side is not None
        every = tuple(Card(value, letter) for value in range(1, 6) for letter in "abcde")
        unseen = tuple(card for card in every if card not in state.played)
        legal = [turn_event(state, turn) for turn in legal_turns(state, unseen)]
        expected = [values(event) for event in legal if len(event.cards) <= state.hands[side]]
        found = [values(event) for event in proposals(state, InPart())]
        assert len(found) == len(expected)
        assert all(event in found for event in expected)


def test_a_glimpsed_card_is_laid_before_one_nobody_saw(position: Position) -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    known = InPart((), 8, True, (Card(3, "d"),))
    assert proposals(state, known)[0] == TurnEvent((Card(3, "d"),), 8, 15)
    assert proposals(state, known._replace(glimpsed=(Card(4, "d"),)))[0].cards[0].value == 3


def test_nobody_to_act_has_no_proposal(position: Position) -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state._replace(to_act=None)
    assert proposals(state, InPart()) == ()
    assert likeliest(()) is None


def observed(
    spaces: tuple[int | None, int | None], cards: str, why: Why, side: Side | None = None, **more: object
) -> TableObservation:
    figures = [FigureReading(space, None if space else FigureProblem.HIDDEN) for space in spaces]
    readings = tuple(CardReading(Card.parse(name), 100.0, -100.0, 1.0) for name in cards.split())
    return TableObservation(5.0, 1.0, BySide(*figures), readings, Sight.CHECKING, why, side, **more)  # type: ignore[arg-type]


def test_a_hidden_tag_leaves_the_place_open_and_no_card(position: Position) -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    hidden = observed((5, 15), "4a", Why.TAG_HIDDEN, Side.WHITE)
    assert seen_in_part(state, hidden) == InPart((Card(4, "a"),), None, False)
    assert proposals(state, InPart((Card(4, "a"),), None, False)) == (
        TurnEvent((Card(4, "a"),), 9, 15),
        TurnEvent((Card(4, "a"),), 1, 15),
    )
    unread = observed((None, 15), "4a", Why.TAG_HIDDEN, Side.WHITE, doubts=(Doubt(1.0, 2.0, 3.0),))
    assert seen_in_part(state, unread) == InPart((Card(4, "a"),), None, True)


def test_the_other_players_hidden_tag_says_nothing_against_where_the_own_one_stands(position: Position) -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    assert seen_in_part(state, observed((9, 15), "4a", Why.TAG_HIDDEN, Side.BLACK)) == InPart((Card(4, "a"),), 9, False)


def test_a_figure_that_has_not_moved_says_nothing_while_a_hand_is_there(position: Position) -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    assert seen_in_part(state, observed((5, 15), "", Why.HAND)) == InPart()
    assert seen_in_part(state, observed((8, 15), "", Why.GLARE)) == InPart((), 8)
    glimpsed = observed(
        (8, 15),
        "3a",
        Why.GLARE,
        doubts=tuple(Doubt(0.0, 0.0, 0.0, DoubtReason.COVERED, card) for card in (Card(3, "a"), Card(2, "b"))),
    )
    assert seen_in_part(state, glimpsed) == InPart((Card(3, "a"),), 8, True, (Card(2, "b"),))


def test_where_the_other_figure_was_moved_nothing_fits(position: Position) -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    assert seen_in_part(state, observed((9, 14), "4a", Why.HAND)) is None
    assert seen_in_part(state._replace(to_act=None), observed((9, 15), "", Why.HAND)) is None


def test_cards_already_played_are_no_part_of_the_turn(position: Position) -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state._replace(played=(Card(4, "a"),))
    seen = observed((5, 15), "4a 4b", Why.HAND)
    assert seen_in_part(state, seen) == InPart((Card(4, "b"),))


def test_an_attack_has_to_be_parried_in_every_proposal(position: Position) -> None:
    state = position(white=5, black=9, to_act=Side.BLACK, attack="direct 4 2").state
    for event in proposals(state, InPart()):
        assert sum(card.value == 4 for card in event.cards) >= 2
    assert proposals(state, InPart((Card(4, "a"), Card(4, "b")), 9, False)) == ()
