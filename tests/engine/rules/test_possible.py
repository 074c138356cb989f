"""Hidden hands as sets of possibilities, and the exact odds over them, against dealing every hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.odds import at_least, can_answer, can_attack, chance, opponent_hand
from engine.rules.cards import DECK, Card
from engine.rules.events import TurnEvent
from engine.rules.legal import Counts, Turn, counts_of, legal_plays, turn_event
from engine.rules.possible import HiddenHand
from engine.rules.reading import Refusal, check_turn, explain
from engine.rules.referee import judge
from engine.rules.rulings import RulingCode
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import Side
from tests.engine import naive
from tests.engine.conftest import Table, legal_turns, position, random_match
from tests.matches import cards

few = st.integers(0, 3)
small_decks = st.tuples(few, few, few, few, few)


@given(small_decks, st.integers(0, 5))
def test_every_possible_hand_and_its_ways(unseen: Counts, size: int) -> None:
    """Against dealing each set of single cards."""
    cards = [Card(value, letter) for value in range(1, 6) for letter in "abcde"[: unseen[value - 1]]]
    dealt = Counter(counts_of(hand) for hand in combinations(cards, size))
    hidden = HiddenHand(unseen, size)
    assert dict(hidden.hands()) == dict(dealt)
    assert sum(dealt.values()) == hidden.ways()
    for value in range(1, 6):
        held = [hand[value - 1] for hand in dealt]
        if held:
            assert (hidden.least(value), hidden.most(value)) == (min(held), max(held))


def views(seeds: range) -> Iterator[PlayerView]:
    """Positions of random matches, with the player to act looking on."""
    for seed in seeds:
        rules = ("ferti-classic", "ferti-advanced", "brettspielnetz")[seed % 3]
        for _, before, _ in random_match(rules, Random(seed), points=1):
            if before is not None and before.public.to_act is not None:
                yield before.view(before.public.to_act)


def dealt_chance(view: PlayerView, holds: Callable[..., Any]) -> Fraction:
    """The chance by dealing every set of unseen cards to the opponent."""
    seen = {*view.public.played, *view.hand}
    unseen = [card for card in DECK if card not in seen]
    hands = list(combinations(unseen, view.public.hands[view.side.other]))
    return Fraction(sum(holds([card.value for card in hand]) for hand in hands), len(hands))


def can_attack_naively(values: list[int], distance: int, indirect: bool) -> bool:
    if distance in values:
        return True
    return indirect and any(
        step != place and values[step] + values[place] == distance
        for step in range(len(values))
        for place in range(len(values))
    )


def test_odds_are_those_of_dealing_every_hand() -> None:
    late = [view for view in views(range(6)) if view.public.pile <= 4][::3]
    assert len(late) > 8
    for view in late:
        public, opponent = view.public, view.side.other
        room = public.spaces.white - 1 if opponent is Side.WHITE else 23 - public.spaces.black
        indirect = public.rules.indirect_attacks
        distance = public.distance
        for count in (1, 2, 3):
            parried = can_answer(view, 3, count, indirect=False)
            assert parried == dealt_chance(view, lambda values, n=count: values.count(3) >= n)
            assert can_answer(view, 3, count, indirect=True) == dealt_chance(
                view, lambda values, n=count, room=room: values.count(3) >= n or any(v <= room for v in values)
            )
        assert can_attack(view, distance) == dealt_chance(
            view, lambda values, d=distance, i=indirect: can_attack_naively(values, d, i)
        )


def _at_least(value: int, count: int, counts: Counts) -> bool:
    return counts[value - 1] >= count


@pytest.mark.slow
def test_the_two_ways_to_count_agree() -> None:
    for view in views(range(3)):
        hand = opponent_hand(view)
        for value in range(1, 6):
            for count in range(6):
                by_hands = chance(hand, partial(_at_least, value, count))
                assert by_hands == at_least(hand.unseen[value - 1], sum(hand.unseen), hand.size, count)
        assert 0 <= can_attack(view, view.public.distance) <= 1


POSITIONS: list[dict[str, Any]] = [
    {"white": white, "black": black, "attack": attack, "phase": phase, "rules": rules}
    for white, black in ((1, 4), (3, 8), (6, 7), (2, 11), (1, 23))
    for attack in ("", "direct", "indirect")
    for phase in (Phase.TURN, Phase.FINAL)
    for rules in ("ferti-classic", "ferti-advanced")
    if not (attack and black - white > 5) and not (phase is Phase.FINAL and not attack)
]


def all_hands(size: int) -> Iterator[tuple[Card, ...]]:
    """Every choice of values, with its first cards."""
    for values in combinations_with_replacement(range(1, 6), size):
        yield tuple(Card(value, "abcde"[values[:place].count(value)]) for place, value in enumerate(values))


def tables() -> Iterator[Table]:
    for where in POSITIONS:
        counts = (1, 2) if where["attack"] else (0,)
        for count in counts:
            attack = f"{where['attack']} {where['black'] - where['white']} {count}" if count else ""
            for side in Side:
                white, black = where["white"], where["black"]
                if side is Side.BLACK:
                    white, black = 24 - black, 24 - white
                yield position(**{**where, "white": white, "black": black, "attack": attack}, to_act=side)


@pytest.mark.slow
def test_every_turn_has_the_explanations_the_naive_referee_finds() -> None:
    tried = 0
    accepted: Counter[str | None] = Counter()
    for table in tables():
        state = table.state
        attack = state.attack
        as_dict = {
            "rules": state.rules.name,
            "distance": state.distance,
            "phase": state.phase.value,
            "attack": attack and {"kind": attack.kind.value, "value": attack.value, "count": attack.count},
        }
        for size in (1, 2, 3):
            for laid in all_hands(size):
                values = [card.value for card in laid]
                for step in range(-5, 6):
                    event = step_event(state, laid, step)
                    own = event.white if state.to_act is Side.WHITE else event.black
                    if not 1 <= own <= 23 or event.white >= event.black:
                        continue
                    found = naive.explanations(as_dict, values, step)
                    assert len(found) <= 1, "no turn fits in two ways"
                    assert state.to_act is not None
                    read = check_turn(state, state.to_act, event)
                    tried += 1
                    if isinstance(read, Refusal):
                        assert not found
                        continue
                    action = read.action.value if read.action else None
                    accepted[action] += 1
                    assert found == {(read.parry.count if read.parry else 0, action, read.attack_count)}
    # 628 steps of the 64 tables stay on the track, each tried with 5 + 15 + 35 choices of one to three values.
    assert tried == 628 * 55
    kinds = {"advance": 160, "retreat": 256, "direct_attack": 108, "indirect_attack": 56, None: 48}
    assert accepted == kinds


def step_event(state: PublicState, laid: tuple[Card, ...], step: int) -> TurnEvent:
    white, black = state.spaces.white, state.spaces.black
    if state.to_act is Side.WHITE:
        return TurnEvent(laid, white + step, black)
    return TurnEvent(laid, white, black - step)


@pytest.mark.slow
def test_legal_turns_are_what_the_referee_accepts() -> None:
    hands = list(all_hands(5))[::9]
    for table in tables():
        state = table.state
        assert state.to_act is not None
        as_dict = {
            "rules": state.rules.name,
            "distance": state.distance,
            "phase": state.phase.value,
            "to_act": state.to_act.value,
            "white": state.spaces.white,
            "black": state.spaces.black,
            "attack": state.attack
            and {"kind": state.attack.kind.value, "value": state.attack.value, "count": state.attack.count},
        }
        for hand in hands:
            turns = legal_turns(state, hand)
            parries = {play.parry for play in legal_plays(state, counts_of(hand))}
            assert parries <= ({0, state.attack.count} if state.attack else {0})
            assert len(turns) == len(set(turns)) == len(legal_plays(state, counts_of(hand)))
            found = {shape(turn_event(state, turn)) for turn in turns}
            assert len(found) == len(turns)
            assert found == {naive_shape(event) for event in naive.legal_events(as_dict, [str(card) for card in hand])}
            for turn in turns:
                event = turn_event(state, turn)
                assert judge(state, event)[1].ok
                assert explain(state, event) == turn


def shape(event: TurnEvent) -> tuple[int | tuple[int, ...], ...]:
    return tuple(sorted(card.value for card in event.cards)), event.white, event.black


def naive_shape(event: dict[str, Any]) -> tuple[int | tuple[int, ...], ...]:
    return tuple(sorted(int(card[0]) for card in event["cards"])), event["white"], event["black"]


def test_explain_gives_cards_back_in_the_order_laid() -> None:
    state = position(3, 8, attack="direct 5 1").state
    laid = cards("4c 5b 1a 5a")
    # 5b parries; 1a moves; then 4c and 5a differ from each other.
    mixed = explain(state, TurnEvent(laid, 4, 8))
    assert isinstance(mixed, Refusal)
    assert mixed.code is RulingCode.MIXED_VALUES
    laid = cards("4c 5b 1a 4a")
    assert explain(state, TurnEvent(laid, 4, 8)) == Turn(cards("5b"), Card.parse("1a"), cards("4c 4a"))
    assert explain(state, TurnEvent(cards("5d 5a 5b"), 3, 8)) == Turn(cards("5d"), attack=cards("5a 5b"))
    assert explain(state, TurnEvent(cards("2d 5a"), 1, 8)) == Turn(cards("5a"), Card.parse("2d"), back=True)


def test_explain_without_anybody_to_act() -> None:
    table = position(3, 8)
    table.give_up()
    refused = explain(table.state, TurnEvent(cards("5d"), 3, 8))
    assert isinstance(refused, Refusal)
    assert refused.code is RulingCode.NOT_NOW


def test_turn_event_needs_somebody_to_act() -> None:
    table = position(3, 8)
    table.give_up()
    assert legal_turns(table.state, cards("1a 2a")) == ()
    with pytest.raises(ValueError, match="nobody is to act"):
        turn_event(table.state, Turn((), Card.parse("1a"), back=True))
