"""A round whose start nobody saw is taken up from what lies there."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.players.players import RandomBot
from engine.players.simulation import play, start_round
from engine.rules.actions import GiveUp
from engine.rules.events import MatchEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.legal import turn_event
from engine.rules.referee import judge
from engine.rules.state import Phase, PlayerView
from engine.rules.track import Side
from engine.table.desk import open_match
from engine.table.notes import NoteKind
from engine.table.presses import Button
from engine.table.table_reading import MAX_TURNS, missed_turns
from tests.engine.table.conftest import AUTO, AtTheTable


def lying_at_first(at: AtTheTable) -> AtTheTable:
    """Black is called lying for some seconds: no round begins."""
    at.stand(1, None)
    assert at.wait(4.0) == []
    return at


def test_the_first_turn_is_ruled_by_the_press_that_ends_it() -> None:
    at = lying_at_first(AtTheTable())
    at.lay("4a")
    at.stand(5, 23)
    at.wait(0.7)  # less than anybody waits for a round to be taken up by itself
    entries = [*at.look(Button.WHITE), *at.wait(1.0)]
    assert [(type(entry.event), entry.ruling.ok) for entry in entries] == [(RoundEvent, True), (TurnEvent, True)]
    assert at.desk.state is not None
    assert at.desk.state.to_act is Side.BLACK
    assert at.desk.note is not None
    assert at.desk.note.kind is NoteKind.ROUND_TAKEN_UP


def test_a_round_is_opened_by_itself_and_its_turn_ends_as_any_does() -> None:
    at = lying_at_first(AtTheTable())
    at.lay("4a")
    at.stand(5, 23)
    assert [type(entry.event) for entry in at.wait(3.0)] == [RoundEvent]
    entry = at.press(Button.WHITE)
    assert (type(entry.event), entry.ruling.ok) == (TurnEvent, True)


def test_where_turns_end_by_themselves_the_missed_ones_do_too() -> None:
    at = lying_at_first(AtTheTable(AUTO))
    at.lay("4a")
    at.stand(5, None)
    at.wait(2.0)
    at.lay("3b")
    at.stand(5, 20)
    assert [type(entry.event) for entry in at.wait(4.0)] == [RoundEvent, TurnEvent, TurnEvent]


def test_what_was_assumed_is_taken_back_with_one_press_and_not_assumed_again() -> None:
    at = lying_at_first(AtTheTable())
    at.lay("4a")
    at.stand(5, 23)
    at.wait(3.0)
    (undone,) = at.look(Button.UNDO)
    assert isinstance(undone.event, UndoEvent)
    assert at.wait(6.0) == []
    assert at.desk.state is not None
    assert at.desk.state.phase is Phase.SETUP


@pytest.mark.parametrize(
    ("cards", "white", "black"),
    [
        (("4a",), 4, 23),  # not what the card says
        (("4a",), 1, 19),  # White begins
        (("4a", "4b"), 5, 23),  # a card too many
        (("4a",), 5, None),  # who knows where Black stands
        ((), 1, 22),
    ],
)
def test_nothing_is_supposed_where_no_legal_way_leads_there(
    cards: tuple[str, ...], white: int, black: int | None
) -> None:
    at = lying_at_first(AtTheTable())
    at.lay(*cards)
    at.stand(white, black)
    assert at.wait(6.0) == []
    assert [*at.look(Button.WHITE), *at.wait(5.0)] == []


def test_the_press_of_who_did_not_play_last_takes_nothing_up() -> None:
    at = lying_at_first(AtTheTable())
    at.lay("4a")
    at.stand(5, 23)
    at.wait(0.7)
    assert at.look(Button.BLACK) == ()


def test_a_card_that_lay_there_all_the_time_opens_no_round_by_itself() -> None:
    at = AtTheTable()
    at.lay("4a")
    at.stand(5, 23)
    assert at.wait(8.0) == []


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
