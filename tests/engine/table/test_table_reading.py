"""From the agreed table to events: nothing is guessed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.players.players import RandomBot
from engine.players.simulation import play, start_round
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent, RoundEvent, TurnEvent
from engine.rules.legal import GiveUp, turn_event
from engine.rules.referee import judge
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import open_match
from engine.table.observation import CardReading, FigureProblem, FigureReading, Sight, TableObservation
from engine.table.table_reading import (
    MAX_TURNS,
    Unreadable,
    missed_turns,
    read_open_turn,
    read_reveal,
    read_round_start,
    read_turn,
    same_turn,
)
from tests.engine.conftest import random_turns
from tests.engine.table.conftest import AtTheTable


def table(white: int | None, black: int | None, cards: tuple[Card, ...] = (), x_mm: float = 300.0) -> TableObservation:
    figures = BySide(white, black).map(
        lambda space: FigureReading(space, None if space is not None else FigureProblem.HIDDEN)
    )
    lying = tuple(CardReading(card, x_mm, -100.0, float(number)) for number, card in enumerate(cards))
    return TableObservation(100.0, 0.0, figures, lying, Sight.STEADY)


def opened(rules: str = "ferti-advanced") -> PublicState:
    state, _ = judge(None, MatchEvent(rules))
    assert state is not None
    return state


@pytest.mark.slow
def test_every_legal_turn_of_random_rounds_is_read_back_from_the_table_it_leaves() -> None:
    for rules in ("ferti-classic", "ferti-advanced", "brettspielnetz"):
        for state, _, event in random_turns(rules, 11, 20):
            seen = table(event.white, event.black, state.played + event.cards)
            assert read_turn(state, seen, 50.0) == event
            now = read_open_turn(state, seen, 50.0)
            assert now is not None
            assert now.ruling.ok


def test_a_fencer_without_a_space_is_never_a_turn() -> None:
    state = start_round(opened(), random.Random(1)).public
    seen = table(4, None, (Card.parse("3a"),))
    assert read_turn(state, seen, 0.0) == Unreadable(Side.BLACK, FigureProblem.HIDDEN)
    assert read_open_turn(state, seen, 0.0) is None
    assert read_round_start(opened(), table(1, None)) is None


def test_an_untouched_table_is_no_open_turn() -> None:
    state = start_round(opened(), random.Random(1)).public
    assert read_open_turn(state, table(1, 23), 0.0) is None


def test_hands_are_read_by_the_half_they_lie_in() -> None:
    state = start_round(opened(), random.Random(1)).public
    played = (Card.parse("1a"),)
    shown = state._replace(phase=Phase.REVEAL, to_act=None, played=played)
    seen = table(5, 9, (*played, Card.parse("4b"), Card.parse("2c")), x_mm=100.0)
    assert read_reveal(shown, seen, 308.0) == RevealEvent((Card.parse("2c"), Card.parse("4b")), ())
    assert read_reveal(shown, seen, 50.0) == RevealEvent((), (Card.parse("2c"), Card.parse("4b")))
    assert read_reveal(shown, table(5, 9, played), 308.0) is None
    assert read_reveal(state, seen, 308.0) is None


def test_a_turn_is_the_same_in_whatever_order_its_cards_lie() -> None:
    one, other = Card.parse("3b"), Card.parse("3d")
    before = TurnEvent((one, other), 7, 10)
    assert same_turn(TurnEvent((other, one), 7, 10), before)
    assert not same_turn(TurnEvent((other,), 7, 10), before)
    assert not same_turn(TurnEvent((one, other), 7, 11), before)
    assert not same_turn(Unreadable(Side.WHITE, FigureProblem.HIDDEN), before)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, MAX_TURNS))
def test_what_was_played_is_found_or_nothing(seed: int, turns: int) -> None:
    rng = random.Random(seed)
    opened = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))[0].state
    assert opened is not None
    full, played, at = start_round(opened, rng), list[TurnEvent](), AtTheTable()
    for _ in range(turns):
        side = full.public.to_act
        assert side is not None
        chosen = RandomBot().choose(PlayerView(full.public, side, full.hands[side]), rng)
        if isinstance(chosen, GiveUp):
            break
        played.append(turn_event(full.public, chosen))
        full, _ = play(full, played[-1])
        at.t_s += 3.0
        at.lay(*map(str, played[-1].cards))
        at.stand(played[-1].white, played[-1].black)
        if full.public.phase is not Phase.TURN:
            break
    found = missed_turns(opened, at.seen())
    state = judge(opened, RoundEvent())[0]
    for event in found:
        state, ruling = judge(state, event)
        assert ruling.ok
    assert not found or (state is not None and state.spaces == played[-1].spaces)
    if all(len(event.cards) == 1 for event in played):
        assert found == tuple(played)
