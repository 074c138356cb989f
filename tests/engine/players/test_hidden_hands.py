"""The exact solver with hidden hands: the same as counting where that decides, closed to a gap, and played."""

from __future__ import annotations

import sys
from random import Random

import numpy as np
import pytest
from bench_endgame import positions
from hidden_hands import Floats, Game, Solver, priced

from engine.players.bots.endgame import Endgame, layouts
from engine.players.bots.hidden_end import GAP, Rest, Work
from engine.players.bots.sparring import can_do, stand_of
from engine.rules.legal import counts_of
from engine.rules.possible import unseen_cards
from engine.rules.rulesets import RULE_SETS
from engine.rules.state import PlayerView

ADVANCED = RULE_SETS["ferti-advanced"]


def drawn(pile: int, count: int) -> list[PlayerView]:
    found = (view for view in positions("ferti-advanced", "greedy", 60, 7) if view.public.pile == pile)
    return [view for view, _ in zip(found, range(count), strict=False)]


@pytest.mark.slow
def test_neither_can_be_sure_of_more_than_the_other_leaves_him() -> None:
    """Best replies to both come as close as asked, and what is played lies between them."""
    for view in drawn(3, 3):
        stand, unseen = stand_of(view), counts_of(unseen_cards(view.public, view.hand))
        for option in can_do(stand, ADVANCED)[:3]:
            solver = Solver(Game.after(ADVANCED, stand, option, unseen))
            solution = solver.solved(1e-3, 500)
            assert solution.high - solution.low <= 1e-3
            assert solution.low - 1e-9 <= solver.value(solver.mean()) <= solution.high + 1e-9


@pytest.mark.parametrize(("pile", "count"), [(2, 6), (3, 2)])
def test_the_maestro_solves_the_same_game(pile: int, count: int) -> None:
    """His own solve, in plain Python, leaves every turn worth the same."""
    for view in drawn(pile, count):
        stand, unseen = stand_of(view), counts_of(unseen_cards(view.public, view.hand))
        for option in can_do(stand, ADVANCED):
            work = Work(sys.maxsize)
            rest = Rest(Endgame(ADVANCED, sys.maxsize), stand, option, layouts(unseen, pile), work)
            while rest.high - rest.low > GAP and rest.rounds < 500:
                rest.learn()
            assert rest.value == pytest.approx(priced(ADVANCED, stand, option, unseen).value, abs=1.1e-3)


@pytest.mark.slow
def test_playing_it_brings_what_it_says() -> None:
    """Rounds played by both mean strategies, drawn at random, end as often as the value says."""
    view = drawn(3, 1)[0]
    stand, unseen = stand_of(view), counts_of(unseen_cards(view.public, view.hand))
    rng = Random(5)
    for option in can_do(stand, ADVANCED)[:3]:
        solver = Solver(Game.after(ADVANCED, stand, option, unseen))
        solution = solver.solved(1e-3, 500)
        mean = solver.mean()
        results = [_played(solver, mean, rng) for _ in range(2_000)]
        assert np.mean(results) == pytest.approx(solution.value, abs=0.05)


def _played(solver: Solver, mean: Floats, rng: Random) -> float:
    """One round through the tree, from its first level to an end."""
    level = solver.levels[0]
    place = rng.choices(range(len(level[2])), level[2].tolist())[0]
    for following in solver.levels[1:]:
        if not np.isnan(level[3][place]):
            break
        parent, slot, chance, _ = level = following
        here = np.nonzero(parent == place)[0]
        place = rng.choices(here.tolist(), (mean[slot[here]] * chance[here]).tolist())[0]
    return float(level[3][place])
