"""From the agreed table to events: nothing is guessed."""

from __future__ import annotations

import random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.players.players import RandomBot
from engine.players.simulation import play, start_round
from engine.rules.actions import GiveUp
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, RevealEvent, RoundEvent, TurnEvent
from engine.rules.legal import turn_event
from engine.rules.referee import judge
from engine.rules.rulings import ActionKind
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
from tests.matches import turn


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


def test_an_advance_says_what_it_may_still_attack_with() -> None:
    state = start_round(opened(), random.Random(1)).public._replace(spaces=BySide(8, 16), distance=8)
    near = read_open_turn(state, table(11, 16, (Card.parse("3a"),)), 0.0)
    assert near is not None
    assert (near.ruling.action, near.may_attack_with) == (ActionKind.ADVANCE, 5)
    far = read_open_turn(state, table(9, 16, (Card.parse("1a"),)), 0.0)
    assert far is not None
    assert far.may_attack_with is None
    gone = state._replace(played=tuple(Card(5, letter) for letter in "abcde"))
    none_left = read_open_turn(gone, table(11, 16, (*gone.played, Card.parse("3a"))), 99.0)
    assert none_left is not None
    assert none_left.may_attack_with is None


def test_a_round_starts_from_a_set_up_board_only() -> None:
    assert read_round_start(opened(), table(1, 23)) == RoundEvent()
    assert read_round_start(opened(), table(1, 22)) is None
    assert read_round_start(opened(), table(1, 23, (Card.parse("1a"),))) is None
    playing = start_round(opened(), random.Random(1)).public
    assert read_round_start(playing, table(1, 23)) is None


def test_hands_are_read_by_the_half_they_lie_in() -> None:
    state = start_round(opened(), random.Random(1)).public
    played = (Card.parse("1a"),)
    shown = state._replace(phase=Phase.REVEAL, to_act=None, played=played)
    seen = table(5, 9, (*played, Card.parse("4b"), Card.parse("2c")), x_mm=100.0)
    assert read_reveal(shown, seen, 308.0) == RevealEvent((Card.parse("2c"), Card.parse("4b")), ())
    assert read_reveal(shown, seen, 50.0) == RevealEvent((), (Card.parse("2c"), Card.parse("4b")))
    assert read_reveal(shown, table(5, 9, played), 308.0) is None
    assert read_reveal(state, seen, 308.0) is None


def test_a_discard_counts_as_laid_only_where_the_turn_fails_without_it() -> None:
    state = start_round(opened(), random.Random(1)).public
    after, ruling = judge(state, turn("3a", 4, 23))
    assert ruling.ok
    assert after is not None
    state = after
    tidied = table(4, 20, (Card.parse("3a"), Card.parse("3b")))
    assert read_turn(state, tidied, -1.0) == turn("3b", 4, 20)
    again = table(4, 20, (Card.parse("3a"),))
    assert read_turn(state, again, -1.0) == turn("3a", 4, 20)
    assert read_turn(state, again, 50.0) == TurnEvent((), 4, 20)


def test_a_turn_is_the_same_in_whatever_order_its_cards_lie() -> None:
    one, other = Card.parse("3b"), Card.parse("3d")
    before = TurnEvent((one, other), 7, 10)
    assert same_turn(TurnEvent((other, one), 7, 10), before)
    assert not same_turn(TurnEvent((other,), 7, 10), before)
    assert not same_turn(TurnEvent((one, other), 7, 11), before)
    assert not same_turn(Unreadable(Side.WHITE, FigureProblem.HIDDEN), before)


MISSED: Final = "1-x", "+4"
"""Black is called lying for some seconds: no round begins."""


@pytest.mark.parametrize(
    "story",
    [
        # Less than anybody waits for a round to be taken up by itself; then by itself.
        (*MISSED, "4a 5-23", "+0.7", "white = round; 4a 5-23 ? round_taken_up"),
        (*MISSED, "4a 5-23", "+3 = round", "white = 4a 5-23"),
        # It was seen bare for a moment, or for longer by eyes that were not steady.
        ("1-x", "+0.7", "4a 5-23", "+3 = round"),
        ("tag_hidden black", "+1.5", "see", "4a 5-23", "+3 = round"),
        (*MISSED, "auto", "4a 5-x", "+2", "3b 5-20", "+4 = round; 4a 5-23; 3b 5-20"),
        # What was assumed is taken back with one press and not assumed again.
        (*MISSED, "4a 5-23", "+3 = round", "undo+6 = undo"),
        # The press of who did not play last takes nothing up, nor what lay there all the time.
        (*MISSED, "4a 5-23", "+0.7", "black+0"),
        ("4a 5-23", "+8"),
        *(
            (*MISSED, stands, "+6", "white+5")
            for stands in (
                "4a 4-23",  # not what the card says
                "4a 1-19",  # White begins
                "4a 4b 5-23",  # a card too many
                "4a 5-x",  # who knows where Black stands
                "1-22",
            )
        ),
    ],
)
def test_a_round_whose_start_was_missed_is_taken_up_where_one_legal_way_leads_there(story: tuple[str, ...]) -> None:
    AtTheTable().tell(*story)


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
