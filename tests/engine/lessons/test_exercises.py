"""Exercises: made anew from each seed, with a right answer that the rules and the solver confirm."""

from __future__ import annotations

import pytest
from hidden_hands import priced
from hypothesis import given
from hypothesis import strategies as st

from engine.lessons.exercises import (
    ANSWERS,
    MOST,
    PRICE_LEAD,
    Exercise,
    Principle,
    drill_alone,
    drill_of_round,
    exercise,
)
from engine.players.bots.sparring import can_do, stand_of
from engine.puzzles.hidden import Goal, worths
from engine.rules.cards import DECK, HAND_SIZE, LETTERS, VALUES, Card
from engine.rules.legal import Play, counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import FERTI_ADVANCED
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import BySide, Side


def view_of(found: Exercise) -> PlayerView:
    """The position as the rules have it."""
    played = found.cards_played
    hand: list[Card] = []
    for value in found.hand:
        hand.append(next(card for card in DECK if card.value == value and card not in (*played, *hand)))
    public = PublicState(
        rules=FERTI_ADVANCED,
        starter=Side.WHITE,
        points=5,
        round=1,
        phase=Phase.TURN,
        to_act=found.side,
        spaces=found.spaces,
        distance=found.distance,
        pile=found.pile,
        hands=BySide(HAND_SIZE, HAND_SIZE),
        attack=None,
        played=tuple(played),
        score=BySide(0, 0),
        result=None,
        previous=None,
    )
    return PlayerView(public, found.side, tuple(hand))


@given(st.sampled_from(Principle), st.integers(0, 10**6))
def test_every_seed_gives_a_table_that_can_be(principle: Principle, seed: int) -> None:
    found = exercise(principle, str(seed))
    assert found == exercise(principle, str(seed)), "the same every time"
    assert 1 <= found.spaces.white < found.spaces.black <= 23
    assert sum(found.played) + found.pile + 2 * HAND_SIZE == len(DECK)
    assert all(gone + found.hand.count(value) <= len(LETTERS) for value, gone in zip(VALUES, found.played, strict=True))
    assert 0 <= found.right < len(found.options)
    assert len({*map(str, found.options)}) == len(found.options) >= 2
    others = {str(exercise(principle, f"{seed} {more}")) for more in range(4)}
    assert len(others) > 1, "another one from another seed"
    for option in found.options:
        if isinstance(option, Play) and option.move:
            assert abs(option.move) in found.hand


@pytest.mark.parametrize("seed", range(12))
def test_the_sure_touch_is_the_one_that_the_puzzles_solver_finds(seed: int) -> None:
    found = exercise(Principle.COUNT_ALL, str(seed))
    sure = {each.play for each in worths(view_of(found), Goal.TOUCH) if each.value == 1 and not each.play.move}
    attacks = [option for option in found.options if isinstance(option, Play)]
    right = found.options[found.right]
    assert right == next((play for play in attacks if play in sure), None)


@pytest.mark.parametrize("seed", range(8))
def test_one_step_is_safe_against_every_hand_as_the_puzzles_solver_counts(seed: int) -> None:
    found = exercise(Principle.KEEP_SAFE, str(seed))
    safe = {each.play for each in worths(view_of(found), Goal.SAFE) if each.value == 1}
    assert safe & {*found.options} == {found.options[found.right]}


@given(st.integers(0, 10**6))
def test_counts_draws_and_places_are_right(seed: int) -> None:
    one = exercise(Principle.COUNT_ONE, str(seed))
    value = one.facts["value"]
    assert one.options[one.right] == 5 - one.played[value - 1] - one.hand.count(value)
    ahead = exercise(Principle.FURTHER, str(seed))
    white, black = ahead.spaces.white - 1, 23 - ahead.spaces.black
    assert ahead.options[ahead.right] is (None if white == black else Side.WHITE if white > black else Side.BLACK)
    last = exercise(Principle.LAST_CARD, str(seed))
    drawers = [last.side] * last.facts["count"]
    while len(drawers) < last.pile:
        drawers.append(drawers[-1].other)
    assert last.options[last.right] is drawers[-1]
    told = exercise(Principle.RETREAT, str(seed))
    assert told.facts["percent"] >= 75


@pytest.mark.parametrize("seed", range(8))
def test_with_the_last_cards_another_solver_finds_the_same_turn_as_far_ahead(seed: int) -> None:
    found = exercise(Principle.ENDING, str(seed))
    view, stand = view_of(found), stand_of(view_of(found))
    unseen = counts_of(unseen_cards(view.public, view.hand))
    prices = {
        option.play: priced(FERTI_ADVANCED, stand, option, unseen).value for option in can_do(stand, FERTI_ADVANCED)
    }
    assert set(found.options) == set(prices)
    best, following = sorted(prices.values(), reverse=True)[:2]
    assert max(prices, key=lambda play: prices[play]) == found.options[found.right]
    assert best - following >= PRICE_LEAD - 0.002
    assert found.facts["best"] == pytest.approx(100 * best, abs=1)
    assert found.facts["next"] == pytest.approx(100 * following, abs=1)


@given(st.integers(0, 10**6), st.integers(0, 40))
def test_a_drill_grows_with_the_row(seed: int, row: int) -> None:
    drill = drill_alone(str(seed), row)
    assert len(drill.played) == len({*drill.played}) == min(MOST, 6 + row)
    assert drill.left in ANSWERS
    played = (Card(3, "a"), Card(3, "b"), Card(1, "a"))
    again = drill_of_round(played, str(seed))
    assert again.left == {1: 4, 3: 3}.get(again.value, 5)
