"""The end of the pile, counted: the same as the solver's, what wins in every case is taken, and the work is bounded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from types import FrameType

import pytest

from engine.players.bots.endgame import Endgame, OutOfBudgetError, certain_win, layouts
from engine.players.bots.options import HANDS
from engine.players.bots.sparring import Stand, can_do, stand_of
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import GreedyBot, choice_event
from engine.players.simulation import new_match, play_round
from engine.puzzles.solver import Duel, Solver, in_any_order
from engine.rules.cards import HAND_SIZE
from engine.rules.events import Event
from engine.rules.legal import Counts, counts_of, legal_plays, play_event
from engine.rules.possible import HiddenHand, unseen_cards
from engine.rules.referee import judge
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView
from engine.rules.track import BySide
from tests.engine.players.bots.conftest import best_counted, pile_of, winning_turns

PLENTY = 10**6
ADVANCED = RULE_SETS["ferti-advanced"]


def views(rules: str, seed: int, piles: range) -> Iterator[PlayerView]:
    """What the players to act see in rounds of the greedy bot against himself, while the pile is as large."""
    rng, public = Random(seed), new_match(rules, 1_000)
    while True:
        seen: list[tuple[PlayerView, Event]] = []
        public = play_round(public, BySide(GreedyBot(), GreedyBot()), rng, seen)
        yield from (view for view, _ in seen if view.public.pile in piles)


def drawn(rules: str, seed: int, piles: range, count: int) -> list[PlayerView]:
    return [view for view, _ in zip(views(rules, seed, piles), range(count), strict=False)]


def unseen_of(view: PlayerView) -> Counts:
    return counts_of(unseen_cards(view.public, view.hand))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_turn_is_worth_what_the_solver_says(rules: str) -> None:
    tried = 0
    for view in drawn(rules, 5, range(1, 4), 6):
        stand, unseen = stand_of(view), unseen_of(view)
        endgame, solver = Endgame(RULE_SETS[rules], PLENTY), Solver(RULE_SETS[rules], in_any_order)
        for layout in layouts(unseen, stand.pile)[:6]:
            duel = Duel(
                stand.hand, layout.other, stand.distance, stand.gained, stand.attack, pile_of(HANDS[layout.pile])
            )
            exact = {each.play: each.value for each in solver.plays(duel)}
            for option in can_do(stand, RULE_SETS[rules]):
                assert endgame.after(stand, option, layout) == pytest.approx(float(exact[option.play]))
                tried += 1
    assert tried > 50


def test_what_nobody_can_answer_is_known_by_counting_every_hand() -> None:
    """Against the referee's own legal turns, for every hand the opponent may hold."""
    sure = 0
    for view in drawn("ferti-advanced", 11, range(1, 10), 120):
        stand, unseen = stand_of(view), unseen_of(view)
        for option in can_do(stand, ADVANCED):
            if option.attack:
                after, ruling = judge(view.public, play_event(view.public, view.hand, option.play))
                assert ruling.ok
                assert after is not None
                hands = HiddenHand(unseen, HAND_SIZE).hands()
                answered = after.to_act is not None and any(legal_plays(after, cards) for cards, _ in hands)
                assert Endgame(ADVANCED, PLENTY).wins_at_once(stand, option, unseen) is not answered
                sure += not answered
    assert sure > 3


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_no_certain_win_is_missed(rules: str) -> None:
    """The open-hands solver as judge, on positions of rounds the fencer played."""
    wins = 0
    for view in drawn(rules, 23, range(1, 3), 50):
        winning = winning_turns(view)
        if winning:
            wins += 1
            for name in ("master", "maestro"):
                assert choice_event(view.public, STRENGTHS[name]().choose(view, Random(1))) in winning
    assert wins > 3


def test_beyond_its_budget_it_answers_with_what_it_has() -> None:
    view = drawn("ferti-advanced", 3, range(4, 5), 1)[0]
    stand, unseen = stand_of(view), unseen_of(view)
    choices = can_do(stand, ADVANCED)
    whole = Endgame(ADVANCED, PLENTY)
    best = best_counted(whole, unseen, stand, choices)
    assert best in choices
    assert whole.spent > 100
    with pytest.raises(OutOfBudgetError):
        spend(Endgame(ADVANCED, 50), stand, unseen)
    assert best_counted(Endgame(ADVANCED, 5), unseen, stand, choices) is None
    assert best_counted(Endgame(ADVANCED, whole.spent - 1), unseen, stand, choices) in choices
    nothing_found = certain_win(Endgame(ADVANCED, 0), unseen, stand, choices)
    assert nothing_found is None


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULE_SETS)
def test_what_can_no_longer_be_best_is_not_looked_at(rules: str) -> None:
    """The turn is best over all lies counted for every turn, and found with less work."""
    tried = spared = 0
    for view in drawn(rules, 31, range(2, 5), 12):
        stand, unseen = stand_of(view), unseen_of(view)
        choices = can_do(stand, RULE_SETS[rules])
        if len(choices) > 1:
            whole, raced = Endgame(RULE_SETS[rules], PLENTY), Endgame(RULE_SETS[rules], PLENTY)
            lying = layouts(unseen, stand.pile)
            worths = [sum(whole.after(stand, each, layout) * layout.ways for layout in lying) for each in choices]
            best = best_counted(raced, unseen, stand, choices)
            assert best is not None
            assert worths[choices.index(best)] == pytest.approx(max(worths))
            tried += 1
            spared += raced.spent < whole.spent
    assert spared > tried / 3 > 1


@pytest.mark.slow
@pytest.mark.parametrize("pile", [2, 3, 4])
def test_no_answer_takes_more_calls_than_fit_into_its_time(pile: int) -> None:
    """Counted, not timed: a thousand calls take 0.5 to 0.8 ms, and an answer may take 50."""
    asked = drawn("ferti-advanced", 3, range(pile, pile + 1), 24)
    maestro = STRENGTHS["maestro"]()
    maestro.choose(asked[0], Random(1))  # tables that are worked out once
    needed = [calls(partial(maestro.choose, view, Random(1))) for view in asked]
    assert 25_000 < max(needed) < 50_000


def calls(work: Callable[[], object]) -> int:
    """How many functions written in Python this calls."""
    made = 0

    def counting(frame: FrameType, what: str, argument: object) -> None:
        nonlocal made
        made += what == "call"

    sys.setprofile(counting)
    try:
        work()
    finally:
        sys.setprofile(None)
    return made


def spend(endgame: Endgame, stand: Stand, unseen: Counts) -> None:
    for layout in layouts(unseen, stand.pile):
        for option in can_do(stand, ADVANCED):
            endgame.after(stand, option, layout)
