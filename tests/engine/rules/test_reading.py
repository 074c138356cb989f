"""Every turn there can be, from chosen positions: one explanation or none, and the right one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from engine.rules.actions import DirectAttack, IndirectAttack, Retreat, Turn
from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.legal import counts_of, legal_plays, play_event, turn_event
from engine.rules.reading import Refusal, check_turn, explain
from engine.rules.referee import judge
from engine.rules.rulings import RulingCode
from engine.rules.state import Phase, PublicState
from engine.rules.track import Side
from tests.engine.conftest import legal_turns

if TYPE_CHECKING:
    from tests.engine.conftest import Cards, Position, Table

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


def tables(position: Position) -> Iterator[Table]:
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
def test_every_turn_has_the_explanations_the_naive_referee_finds(position: Position, naive: ModuleType) -> None:
    tried = 0
    accepted: Counter[str | None] = Counter()
    for table in tables(position):
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
def test_legal_turns_are_what_the_referee_accepts(position: Position, naive: ModuleType) -> None:
    hands = list(all_hands(5))[::9]
    for table in tables(position):
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


def test_play_event_is_the_event_of_its_turn(position: Position) -> None:
    state = position(3, 8, attack="indirect 5 1").state
    hand = tuple(Card.parse(name) for name in ("5a", "5b", "1a", "4a", "2c"))
    plays = legal_plays(state, counts_of(hand))
    assert [play_event(state, hand, play) for play in plays] == [
        turn_event(state, turn) for turn in legal_turns(state, hand)
    ]


def test_explain_gives_cards_back_in_the_order_laid(position: Position, cards: Cards) -> None:
    state = position(3, 8, attack="direct 5 1").state
    laid = cards("4c 5b 1a 5a")
    # 5b parries; 1a moves; then 4c and 5a differ from each other.
    mixed = explain(state, TurnEvent(laid, 4, 8))
    assert isinstance(mixed, Refusal)
    assert mixed.code is RulingCode.MIXED_VALUES
    laid = cards("4c 5b 1a 4a")
    assert explain(state, TurnEvent(laid, 4, 8)) == Turn(cards("5b"), IndirectAttack(cards("1a")[0], cards("4c 4a")))
    assert explain(state, TurnEvent(cards("5d 5a 5b"), 3, 8)) == Turn(cards("5d"), DirectAttack(cards("5a 5b")))
    assert explain(state, TurnEvent(cards("2d 5a"), 1, 8)) == Turn(cards("5a"), Retreat(cards("2d")[0]))


def test_explain_without_anybody_to_act(position: Position, cards: Cards) -> None:
    table = position(3, 8)
    table.give_up()
    refused = explain(table.state, TurnEvent(cards("5d"), 3, 8))
    assert isinstance(refused, Refusal)
    assert refused.code is RulingCode.NOT_NOW


def test_turn_event_needs_somebody_to_act(position: Position, cards: Cards) -> None:
    table = position(3, 8)
    table.give_up()
    assert legal_turns(table.state, cards("1a 2a")) == ()
    with pytest.raises(ValueError, match="nobody is to act"):
        turn_event(table.state, Turn((), Retreat(cards("1a")[0])))
