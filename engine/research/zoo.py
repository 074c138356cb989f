"""The round as a PettingZoo environment: agents ``white`` and ``black`` in turn (AEC).

PettingZoo, Gymnasium and NumPy are asked for only when an environment is made: nothing else here takes them. Source:
J. K. Terry and others, PettingZoo (2021), ``AECEnv``, with the action mask in the observation as its card games do.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any, Final

from engine.research.state import ACTION_COUNT, INFORMATION_SIZE, State, new_game
from engine.rules.rulesets import DEFAULT_RULES

AGENTS: Final = ("white", "black")


def pettingzoo_env(rules: str = DEFAULT_RULES.name) -> Any:
    """A new environment under this preset; White and Black begin in turn, from reset to reset.

    An observation is ``{"observation": …, "action_mask": …}``: ``State.information_state_tensor`` and which of the 110
    actions are legal. Raises ImportError where pettingzoo, gymnasium or numpy is missing.
    """
    base = import_module("pettingzoo").AECEnv
    spaces, numpy = import_module("gymnasium.spaces"), import_module("numpy")

    class Env(base):  # type: ignore[misc, valid-type]
        metadata: Final = {"name": "engarde_v1", "render_modes": ["ansi"], "is_parallelizable": False}

        def __init__(self) -> None:
            super().__init__()
            self.render_mode = "ansi"
            self.possible_agents = list(AGENTS)
            self._rng, self._rounds = Random(), 0
            self._spaces = {
                agent: spaces.Dict(
                    {
                        "observation": spaces.Box(0.0, 1.0, (INFORMATION_SIZE,), numpy.float32),
                        "action_mask": spaces.Box(0, 1, (ACTION_COUNT,), numpy.int8),
                    }
                )
                for agent in AGENTS
            }
            self._actions = {agent: spaces.Discrete(ACTION_COUNT) for agent in AGENTS}

        def observation_space(self, agent: str) -> Any:
            return self._spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self._actions[agent]

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            if seed is not None:
                self._rng, self._rounds = Random(seed), 0
            self.agents = list(AGENTS)
            self.rewards = dict.fromkeys(AGENTS, 0.0)
            self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
            self.terminations = dict.fromkeys(AGENTS, False)
            self.truncations = dict.fromkeys(AGENTS, False)
            self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
            self.state_now: State = new_game(rules, self._rounds % 2)
            self._rounds += 1
            self._drawn()
            self.agent_selection = AGENTS[max(self.state_now.current_player(), 0)]

        def observe(self, agent: str) -> dict[str, Any]:
            state, player = self.state_now, AGENTS.index(agent)
            mine = state.current_player() == player
            return {
                "observation": numpy.array(state.information_state_tensor(player), numpy.float32),
                "action_mask": numpy.array(state.legal_actions_mask() if mine else [0] * ACTION_COUNT, numpy.int8),
            }

        def step(self, action: int | None) -> None:
            agent = self.agent_selection
            if self.terminations[agent]:
                self._was_dead_step(action)
                return
            if action is None:
                raise ValueError("an action is a number of a legal one, and None is none")
            self._cumulative_rewards[agent] = 0.0
            self.state_now.apply_action(int(action))
            self._drawn()
            if self.state_now.is_terminal():
                self.rewards = dict(zip(AGENTS, self.state_now.returns(), strict=True))
                self.terminations = dict.fromkeys(AGENTS, True)
                self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
            else:
                self.rewards = dict.fromkeys(AGENTS, 0.0)
                self.agent_selection = AGENTS[self.state_now.current_player()]
            self._accumulate_rewards()

        def render(self) -> str:
            return str(self.state_now)

        def close(self) -> None:
            """Nothing is held open."""

        def _drawn(self) -> None:
            """Let chance deal and draw."""
            while self.state_now.is_chance_node():
                outcomes = self.state_now.chance_outcomes()
                chances = [chance for _, chance in outcomes]
                self.state_now.apply_action(self._rng.choices([each for each, _ in outcomes], chances)[0])

    return Env()
