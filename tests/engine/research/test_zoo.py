"""The PettingZoo environment, by PettingZoo's own checks where it is installed."""

from __future__ import annotations

from importlib import import_module

import pytest

from engine.research import pettingzoo_env
from engine.rules.rulesets import RULE_SETS

pytest.importorskip("pettingzoo")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # theirs, about names and spaces
@pytest.mark.parametrize("rules", RULE_SETS)
def test_it_passes_the_checks_of_pettingzoo(rules: str) -> None:
    import_module("pettingzoo.test").api_test(pettingzoo_env(rules), num_cycles=300)


def test_a_seed_brings_the_same_round_and_the_starter_changes() -> None:
    env = pettingzoo_env()
    firsts = []
    for seed in (3, 3, None):
        env.reset(seed=seed)
        firsts.append((env.agent_selection, tuple(env.observe("white")["observation"])))
    assert firsts[0] == firsts[1]
    assert firsts[2][0] != firsts[0][0]


def test_a_round_ends_with_rewards_that_add_up_to_nothing() -> None:
    env = pettingzoo_env()
    env.reset(seed=1)
    rewards = []
    for agent in env.agent_iter():
        observation, reward, over, *_ = env.last()
        rewards.append(reward)
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
    assert sum(rewards) == 0
    assert env.agents == []
