"""Turns seen in part: every proposal is legal and fits, and the turn that was played is always among them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.rules.cards import Card
from engine.rules.events import MatchEvent, TurnEvent
from engine.rules.legal import counts_of, legal_plays, play_event, turn_event
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import ActionKind
from engine.rules.state import PublicState
from engine.rules.track import BySide, Side
from engine.table.observation import CardReading, Doubt, FigureProblem, FigureReading, Sight, TableObservation, Why
from engine.table.possible_turns import (
    InPart,
    NextStep,
    can_name,
    entered,
    leads,
    likeliest,
    may_hold,
    meant,
    named_by,
    next_step,
    picked,
    possible_kinds,
    proposals,
    rest_of,
    seen_in_part,
    ways,
    why_not,
)
from tests.engine.conftest import legal_turns, position, random_match, random_turns
from tests.matches import after, cards, turn


def values_of(event: TurnEvent) -> tuple[Counter[int], int, int]:
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
        assert values_of(truth) in [values_of(event) for event in found]
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
            assert values_of(best) == values_of(truth)
            alone += 1
        tried += 1
    assert tried > 300
    assert alone > 40


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_nothing_is_left_out_and_nothing_is_listed_twice(rules: str) -> None:
    """With nothing known, the proposals are all legal turns of every hand there can be, by values_of."""
    for number, (state, _, _) in enumerate(random_turns(rules, 11, 2)):
        if number % 4:
            continue
        side = state.to_act
        assert side is not None
        every = tuple(Card(value, letter) for value in range(1, 6) for letter in "abcde")
        unseen = tuple(card for card in every if card not in state.played)
        legal = [turn_event(state, turn) for turn in legal_turns(state, unseen)]
        expected = [values_of(event) for event in legal if len(event.cards) <= state.hands[side]]
        found = [values_of(event) for event in proposals(state, InPart())]
        assert len(found) == len(expected)
        assert all(event in found for event in expected)


def test_a_glimpsed_card_is_laid_before_one_nobody_saw() -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    known = InPart((), 8, True, (Card(3, "d"),))
    assert proposals(state, known)[0] == turn("3d", 8, 15)
    assert proposals(state, known._replace(glimpsed=(Card(4, "d"),)))[0].cards[0].value == 3


def test_nobody_to_act_has_no_proposal() -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state._replace(to_act=None)
    assert proposals(state, InPart()) == ()
    assert likeliest(()) is None


def observed(
    spaces: tuple[int | None, int | None], cards: str, why: Why, side: Side | None = None, **more: object
) -> TableObservation:
    figures = [FigureReading(space, None if space else FigureProblem.HIDDEN) for space in spaces]
    readings = tuple(CardReading(Card.parse(name), 100.0, -100.0, 1.0) for name in cards.split())
    return TableObservation(5.0, 1.0, BySide(*figures), readings, Sight.CHECKING, why, side, **more)  # type: ignore[arg-type]


def test_a_hidden_tag_leaves_the_place_open_and_no_card() -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    hidden = observed((5, 15), "4a", Why.TAG_HIDDEN, Side.WHITE)
    assert seen_in_part(state, hidden) == InPart((Card(4, "a"),), None, False)
    assert proposals(state, InPart((Card(4, "a"),), None, False)) == (turn("4a", 9, 15), turn("4a", 1, 15))
    unread = observed((None, 15), "4a", Why.TAG_HIDDEN, Side.WHITE, doubts=(Doubt(1.0, 2.0, 3.0),))
    assert seen_in_part(state, unread) == InPart((Card(4, "a"),), None, True)


def test_the_other_players_hidden_tag_says_nothing_against_where_the_own_one_stands() -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    assert seen_in_part(state, observed((9, 15), "4a", Why.TAG_HIDDEN, Side.BLACK)) == InPart((Card(4, "a"),), 9, False)


def test_where_the_other_figure_was_moved_nothing_fits() -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state
    assert seen_in_part(state, observed((9, 14), "4a", Why.HAND)) is None
    assert seen_in_part(state._replace(to_act=None), observed((9, 15), "", Why.HAND)) is None


def test_cards_already_played_are_no_part_of_the_turn() -> None:
    state = position(white=5, black=15, to_act=Side.WHITE).state._replace(played=(Card(4, "a"),))
    seen = observed((5, 15), "4a 4b", Why.HAND)
    assert seen_in_part(state, seen) == InPart((Card(4, "b"),))


def test_an_attack_has_to_be_parried_in_every_proposal() -> None:
    state = position(white=5, black=9, to_act=Side.BLACK, attack="direct 4 2").state
    for event in proposals(state, InPart()):
        assert sum(card.value == 4 for card in event.cards) >= 2
        assert len(event.cards) <= 5, "no hand holds more"
    assert proposals(state, InPart((Card(4, "a"), Card(4, "b")), 9, False)) == ()


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


def near() -> PublicState:
    """White on 16 and to act, Black on 18 with his back free: 4 and 5 are too long to go forward."""
    return after(
        *(turn("5a", 6, 23), turn("1a", 6, 22), turn("5b", 11, 22)),
        *(turn("4a", 11, 18), turn("5c", 16, 18), turn("1b", 16, 19)),
    )


def test_the_last_cards_of_a_value_are_all_that_can_be_named() -> None:
    state = after(turn("5a", 6, 23), turn("5b", 6, 18))
    assert picked(state, (5, 5, 5, 5)) == (Card(5, "c"), Card(5, "d"), Card(5, "e"))
    assert picked(state, (5, 1), (Card(5, "e"),)) == (Card(5, "e"), Card(1, "a"))
    assert rest_of(state, (5, 5, 1)) == (1,) * 4 + (2,) * 5 + (3,) * 5 + (4,) * 5 + (5,)


def test_nobody_to_act_has_no_ways() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    assert ways(state, may_hold(state), (3,)) == ()
    assert why_not(state, 3) is None
    assert state.spaces == BySide(1, 23)


BEGUN = after()
NEAR = after(turn("5a", 6, 23), turn("5b", 6, 18), turn("4a", 10, 18))
THRUST = after(turn("5a", 6, 23), turn("5b", 6, 18), turn("5c", 11, 18), turn("4a 3a", 11, 14))


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
            # The same named may be a whole turn as they lie: that is then what the preview says.
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


Cards = tuple[Card, ...]
Made = tuple[tuple[int, ...], int]


def values(cards: Cards) -> tuple[int, ...]:
    return tuple(sorted(card.value for card in cards))


def followed(state: PublicState, hand: Cards, laid: Cards = (), spaces: BySide[int] | None = None) -> set[Made]:
    """Every turn that is made by laying cards where they lead, one after the other; each way ends with a legal one."""
    side, here = state.to_act, spaces or state.spaces
    assert side is not None
    made: set[Made] = set()
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
def test_leads_make_all_legal_turns_and_no_others(rules: str) -> None:
    checked = 0
    for _, full, _ in random_match(rules, Random(7), points=2):
        if full is None or full.public.to_act is None:
            continue
        state, side = full.public, full.public.to_act
        hand = full.hands[side]
        plays = legal_plays(state, counts_of(hand))
        if not plays:
            assert leads(state, hand, (), state.spaces) == {}
            continue
        events = [play_event(state, hand, play) for play in plays]
        wanted = {(values(event.cards), event.spaces[side]) for event in events}
        assert followed(state, hand) == wanted
        checked += 1
    assert checked > 10


def test_nothing_leads_anywhere_where_the_opponent_was_moved() -> None:
    table = position(8, 12)
    assert leads(table.state, (Card(4, "a"),), (), BySide(8, 13)) == {}
