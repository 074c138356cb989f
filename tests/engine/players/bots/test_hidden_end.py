"""The last four cards of the pile, solved with hidden hands: bounds that close, what it plays, and its work."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from engine.players.bots.endgame import (
    CountedDeal,
    Endgame,
    OutOfBudgetError,
    counted,
    layouts,
)
from engine.players.bots.hidden_end import ENDS, GAP, SOLVED, WITHIN, InformationSet, Rest, Work, best_solved
from engine.players.bots.options import Option
from engine.players.bots.sparring import Stand, after_drawing, can_do, stand_of
from engine.players.players import GreedyBot
from engine.players.simulation import new_match, play_round
from engine.rules.events import Event
from engine.rules.legal import Counts, counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide
from tests.engine.players.bots.conftest import best_counted

PLENTY = 10**9
ADVANCED = RULE_SETS["ferti-advanced"]


def positions() -> Iterator[tuple[Stand, Counts]]:
    """What a player sees and has not seen, where he has a choice near the end of the pile."""
    rng, public = Random(19), new_match("ferti-advanced", 1_000)
    while True:
        seen: list[tuple[PlayerView, Event]] = []
        public = play_round(public, BySide(GreedyBot(), GreedyBot()), rng, seen)
        for view, _ in seen:
            if 0 < view.public.pile <= SOLVED and len(can_do(stand_of(view), ADVANCED)) > 1:
                yield stand_of(view), counts_of(unseen_cards(view.public, view.hand))


@cache
def drawn(pile: int, count: int) -> tuple[tuple[Stand, Counts], ...]:
    found = (each for each in positions() if each[0].pile == pile)
    return tuple(each for each, _ in zip(found, range(count), strict=False))


def rest_of(stand: Stand, option: Option, unseen: Counts, lying: list[CountedDeal] | None = None) -> Rest:
    work = Work(PLENTY)
    return Rest(Endgame(ADVANCED, PLENTY), stand, option, lying or layouts(unseen, stand.pile), work)


def solve(rest: Rest, gap: float) -> None:
    while rest.high - rest.low > gap:
        assert rest.rounds < 2_000
        rest.learn()


def test_regrets_lead_to_the_mixed_answer_of_a_matrix() -> None:
    """Odds and evens with stakes of 2 and 1: both take the first one time in three."""
    one, other = InformationSet(2), InformationSet(2)
    for number in range(1, 400):
        one.learn([2 * other.mix[0], other.mix[1]], number)
        other.learn([-2 * one.mix[0], -one.mix[1]], number)
    assert one.mean() == pytest.approx([1 / 3, 2 / 3], abs=0.01)
    assert other.mean() == pytest.approx([1 / 3, 2 / 3], abs=0.01)


@pytest.mark.slow
def test_the_turn_is_worth_no_less_than_the_one_that_counting_takes() -> None:
    """And in some positions more: what the solve is for."""
    better = 0
    for stand, unseen in (*drawn(2, 40), *drawn(3, 25)):
        choices = can_do(stand, ADVANCED)
        first = best_counted(Endgame(ADVANCED, PLENTY), unseen, stand, choices)
        best = best_solved(Endgame(ADVANCED, PLENTY), unseen, stand, choices)
        assert first is not None
        assert best is not None
        if best is not first:
            worths = []
            for option in (first, best):
                rest = rest_of(stand, option, unseen)
                solve(rest, GAP)
                worths.append(rest.value)
            assert worths[1] >= worths[0] - 2 * GAP
            better += worths[1] > worths[0] + GAP
    assert better > 1


def test_as_many_turns_are_solved_as_the_budget_reaches() -> None:
    """With nothing left after counting it is the turn that counting takes; with all of it the same turn every time."""
    stand, unseen = next(
        (stand, unseen)
        for stand, unseen in drawn(3, 60)
        if best_solved(Endgame(ADVANCED, PLENTY), unseen, stand, can_do(stand, ADVANCED))
        is not best_counted(Endgame(ADVANCED, PLENTY), unseen, stand, can_do(stand, ADVANCED))
    )
    choices = can_do(stand, ADVANCED)
    whole = Endgame(ADVANCED, PLENTY)
    first = counted(whole, unseen, stand, choices, WITHIN)[0]
    assert best_solved(Endgame(ADVANCED, whole.spent), unseen, stand, choices) is first
    assert best_solved(Endgame(ADVANCED, 0), unseen, stand, choices) is None
    best = best_solved(Endgame(ADVANCED, PLENTY), unseen, stand, choices)
    assert best is not first
    assert all(best_solved(Endgame(ADVANCED, PLENTY), unseen, stand, choices) is best for _ in range(3))


def test_not_one_end_more_is_worked_out_than_allowed() -> None:
    for pile in (2, 3):
        stand, unseen = drawn(pile, 1)[0]
        option = max(can_do(stand, ADVANCED), key=lambda each: after_drawing(each.left, pile))
        lying, plenty = layouts(unseen, pile), Work(PLENTY)
        Rest(Endgame(ADVANCED, PLENTY), stand, option, lying, plenty)
        needed = PLENTY - plenty.left
        assert needed > 20
        Rest(Endgame(ADVANCED, PLENTY), stand, option, lying, Work(needed))
        with pytest.raises(OutOfBudgetError):
            Rest(Endgame(ADVANCED, PLENTY), stand, option, lying, Work(needed - 1))


def test_positions_counted_on_the_way_are_paid_for_like_those_before() -> None:
    """Else an answer with four cards in the pile takes nearly twice its time."""
    for stand, unseen in drawn(4, 4):
        option = max(can_do(stand, ADVANCED), key=lambda each: after_drawing(each.left, 4))
        endgame, work = Endgame(ADVANCED, PLENTY), Work(PLENTY)
        Rest(endgame, stand, option, layouts(unseen, 4), work)
        assert endgame.spent > 100
        assert PLENTY - work.left >= ENDS * endgame.spent
