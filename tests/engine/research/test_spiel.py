"""The round as a game of OpenSpiel, by OpenSpiel's own checks and algorithms where it is installed."""

from __future__ import annotations

from typing import Any

import pytest

from engine.research.spiel import openspiel_game
from engine.rules.rulesets import RULE_SETS

pyspiel: Any = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.slow

CUT_DOWN = (5, 5, 1, 0, 0)
"""Cards that leave one in the pile: 748 positions from three spaces apart."""


@pytest.mark.parametrize("rules", sorted(RULE_SETS))
def test_openspiel_plays_rounds_at_random_and_finds_nothing_wrong(rules: str) -> None:
    pyspiel.random_sim_test(openspiel_game(rules, starter=1), num_sims=2, serialize=False, verbose=False)


def test_counterfactual_regret_minimisation_learns_a_cut_down_round() -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    game = openspiel_game(unplayed=CUT_DOWN, spaces=(10, 13))
    before = exploitability.exploitability(game, policy.UniformRandomPolicy(game))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    after = exploitability.exploitability(game, solver.average_policy())
    assert after < before / 4


def test_tree_search_over_information_sets_plays_a_round() -> None:
    import numpy as np
    from open_spiel.python.algorithms import ismcts, mcts

    rng = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    game, bot = openspiel_game(), ismcts.ISMCTSBot(openspiel_game(), evaluator, 1.4, 5, random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.choice([action for action, _ in state.chance_outcomes()])))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert sum(state.returns()) == 0


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(KeyError, match="chess"):
        openspiel_game("chess")
    with pytest.raises(ValueError, match="two hands"):
        openspiel_game(unplayed=(5, 5, 0, 0, 0))
