"""Properties of whole matches: nothing lost, everything undone exactly, left and right alike."""

from __future__ import annotations

from random import Random

import pytest

from engine.record.answers import answer_to_json
from engine.rules.cards import DECK
from engine.rules.endings import attack_of
from engine.rules.events import (
    Event,
    MatchEvent,
    RevealEvent,
    RoundEvent,
    TimeEvent,
    TurnEvent,
    UndoEvent,
    YieldEvent,
    event_to_json,
)
from engine.rules.possible import goes_on, hidden_hand
from engine.rules.reading import Reading, check_turn
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.rulings import RulingCode
from engine.rules.state import FullState, Phase, PublicState, Reason
from engine.rules.track import BySide, Side
from tests.engine import naive
from tests.engine.conftest import new_match, random_match

MATCHES = [(rules, seed) for rules in RULE_SETS for seed in range(12)]


@pytest.mark.parametrize(("rules", "seed"), MATCHES)
def test_a_whole_match_keeps_its_books(rules: str, seed: int) -> None:
    states = []
    for _, before, state in random_match(rules, Random(seed), points=2):
        states.append(state)
        assert len(state.played) + state.hands.white + state.hands.black + state.pile == 25
        assert max(state.hands.white, state.hands.black) <= 5
        assert state.distance == state.spaces.black - state.spaces.white >= 1
        assert (state.to_act is None) == (state.phase not in (Phase.TURN, Phase.FINAL))
        assert (state.result is None) == (state.phase not in (Phase.ROUND_OVER, Phase.MATCH_OVER))
        assert (state.phase is Phase.MATCH_OVER) == (max(state.score.white, state.score.black) == 2)
        assert len(set(state.played)) == len(state.played)
        if state.phase in (Phase.FINAL, Phase.REVEAL):
            assert state.pile == 0
        if state.phase is Phase.FINAL:
            assert state.attack is not None
        if state.phase is Phase.TURN:
            assert state.pile > 0
            assert state.hands == BySide(5, 5)
        if state.to_act is None:
            assert state.attack is None
        if before is not None:
            assert before.public is state.previous
    assert states[-1].phase is Phase.MATCH_OVER


@pytest.mark.parametrize(("rules", "seed"), MATCHES)
def test_undo_is_the_exact_inverse_of_every_event(rules: str, seed: int) -> None:
    states = [state for _, _, state in random_match(rules, Random(seed), points=2)]
    current: PublicState | None = states[-1]
    for before in reversed(states[:-1]):
        current, ruling = judge(current, UndoEvent())
        assert ruling.ok
        assert current == before
    same, ruling = judge(current, UndoEvent())
    assert same is current
    assert ruling.code is RulingCode.NOT_NOW
    assert current is not None
    assert current.phase is Phase.SETUP


def test_a_match_may_come_at_any_time() -> None:
    for _, _, state in random_match("brettspielnetz", Random(3), points=1):
        fresh, ruling = judge(state, MatchEvent("ferti-classic", points=3))
        assert ruling.ok
        assert fresh == judge(None, MatchEvent("ferti-classic", points=3))[0]
        assert fresh is not None
        assert fresh.previous is None


def some_hand_goes_on(public: PublicState) -> bool:
    assert public.to_act is not None
    return any(goes_on(public, counts) for counts, _ in hidden_hand(public, public.to_act).hands())


@pytest.mark.slow
def test_ruling_13_is_what_trying_every_hand_says() -> None:
    """Awarded at once exactly when no possible hand could go on: sound and complete."""
    awarded = 0
    for seed in range(40):
        for rules in RULE_SETS:
            for event, _, state in random_match(rules, Random(seed), points=1):
                if not isinstance(event, TurnEvent):
                    continue
                if state.to_act is not None:
                    assert some_hand_goes_on(state)
                _, ruling = judge(state.previous, event)
                if ruling.working is None or ruling.working.decided_by != "ruling 13":
                    continue
                awarded += 1
                assert not some_hand_goes_on(reopened(state, event))
    assert awarded > 5


def reopened(state: PublicState, event: TurnEvent) -> PublicState:
    """The state as it would be had ruling 13 not been asked."""
    before, attack = state.previous, None
    assert state.result is not None
    assert before is not None
    assert before.to_act is not None
    if state.result.reason is Reason.HIT:
        read = check_turn(before, before.to_act, event)
        assert isinstance(read, Reading)
        assert read.action is not None
        attack = attack_of(before.to_act, read.action, state.distance, read.attack_count)
    phase = Phase.TURN if state.pile else Phase.FINAL
    return state._replace(phase=phase, to_act=before.to_act.other, attack=attack, result=None)


def test_states_are_values() -> None:
    table = new_match()
    state = table.state
    table.turn("3a", 3)
    again, _ = judge(state, TurnEvent(table.state.played, 4, 23))
    assert again == table.state
    assert again is not table.state
    assert hash(again) == hash(table.state)
    assert again != state
    assert "previous" not in repr(again)
    with pytest.raises(AttributeError):
        state.pile = 3  # type: ignore[misc]  # a state cannot be changed


@pytest.mark.slow
def test_a_very_long_match_is_freed_without_running_out_of_stack() -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced", points=10**6))
    for _ in range(60_000):
        state, _ = judge(state, RoundEvent())
        state, _ = judge(state, YieldEvent())
    assert state is not None
    assert state.round == 60_000
    assert state == state._replace(previous=None)
    assert repr(state)
    del state


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
    if rng.random() < 0.1:
        return any_time(rng)
    public, kind = full.public, rng.randrange(9)
    if isinstance(event, TurnEvent):
        assert public.to_act is not None
        cards, white, black = event.cards, event.white, event.black
        hand = full.hands[public.to_act]
        some = tuple(rng.sample(hand, rng.randint(1, len(hand))))
        others: tuple[Event, ...] = (
            TurnEvent(cards, white + rng.randint(-2, 2), black),
            TurnEvent(cards, white, black + rng.randint(-2, 2)),
            TurnEvent((*cards, rng.choice(hand)), white, black),
            TurnEvent((*cards[:-1], rng.choice(DECK)), white, black),
            TurnEvent(cards[:-1], white, black),
            TurnEvent(tuple(rng.sample(DECK, rng.randint(0, 7))), white, black),
            YieldEvent(tuple(rng.sample(hand, rng.randint(0, len(hand))))),
            TurnEvent(some, rng.randint(1, 23), rng.randint(1, 23)),
            TurnEvent(some, public.spaces.white, public.spaces.black),
        )
        return others[kind]
    if isinstance(event, RevealEvent) and kind < 4:
        return RevealEvent(event.white[1:], event.black)
    if isinstance(event, RevealEvent) and kind < 7:
        return RevealEvent(event.white, (*event.black[1:], rng.choice(DECK)))
    return rng.choice((RoundEvent(), UndoEvent(), YieldEvent(), RevealEvent((), ()), any_time(rng)))


def any_time(rng: Random) -> TimeEvent:
    """Time that is up: level, it is one more touch, somebody's, or drawn."""
    return TimeEvent(rng.choice((None, *Side)), False) if rng.random() < 0.7 else TimeEvent(None, True)


def compare(other: naive.Naive, state: PublicState | None, event: Event) -> PublicState:
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
def test_both_referees_agree_on_random_matches_with_faults(rules: str) -> None:
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
