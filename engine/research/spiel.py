"""The round as a game of OpenSpiel, ``python_engarde``, for OpenSpiel's own algorithms.

OpenSpiel (``open_spiel`` on PyPI) and NumPy are asked for only when a game is made. Parameters: ``rules``, ``starter``
(0 or 1), ``unplayed`` and ``spaces`` as ``new_game`` takes them, written as numbers with spaces between.
Source: M. Lanctot and others, OpenSpiel (2019); read from its version 2.0.2, ``open_spiel/python/games``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Final

from engine.research.state import ACTION_COUNT, BOTH_ENDS, INFORMATION_SIZE, WHOLE_DECK, State, new_game
from engine.rules.cards import DECK, VALUES
from engine.rules.rulesets import DEFAULT_RULES

SHORT_NAME: Final = "python_engarde"
LONGEST: Final = 2 * len(DECK)
"""Turns and draws of a round: each turn lays a card or more, and the last defence draws none."""


def openspiel_game(
    rules: str = DEFAULT_RULES.name,
    starter: int = 0,
    unplayed: tuple[int, ...] = WHOLE_DECK,
    spaces: tuple[int, int] = BOTH_ENDS,
) -> Any:
    """A ``pyspiel.Game`` of one round. Raises ImportError where open_spiel is missing, else as ``new_game`` does."""
    new_game(rules, starter, unplayed, spaces)
    _register()
    return import_module("pyspiel").load_game(SHORT_NAME, _parameters(rules, starter, unplayed, spaces))


def _parameters(rules: str, starter: int, unplayed: tuple[int, ...], spaces: tuple[int, int]) -> dict[str, Any]:
    return {"rules": rules, "starter": starter, "unplayed": _written(unplayed), "spaces": _written(spaces)}


def _written(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


@cache
def _register() -> None:
    spiel: Any = import_module("pyspiel")
    numpy: Any = import_module("numpy")
    defaults = _parameters(DEFAULT_RULES.name, 0, WHOLE_DECK, BOTH_ENDS)
    game_type = spiel.GameType(
        short_name=SHORT_NAME,
        long_name="En Garde",
        dynamics=spiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=spiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=spiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=spiel.GameType.Utility.ZERO_SUM,
        reward_model=spiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults,
    )
    info = spiel.GameInfo(
        num_distinct_actions=ACTION_COUNT,
        max_chance_outcomes=len(VALUES),
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )

    class SpielState(spiel.State):  # type: ignore[misc]
        def __init__(self, game: Any, state: State) -> None:
            super().__init__(game)
            self.engarde = state

        def current_player(self) -> int:
            player = self.engarde.current_player()
            return player if player >= 0 else spiel.PlayerId(player)

        def _legal_actions(self, player: int) -> list[int]:
            return self.engarde.legal_actions()

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return self.engarde.chance_outcomes()

        def _apply_action(self, action: int) -> None:
            self.engarde.apply_action(action)

        def _action_to_string(self, player: int, action: int) -> str:
            return self.engarde.action_to_string(action)

        def is_terminal(self) -> bool:
            return self.engarde.is_terminal()

        def returns(self) -> list[float]:
            return self.engarde.returns()

        def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> Any:
            """A state that this player could as well be in; ``sampler`` gives numbers from 0 to 1."""
            copy = self.clone()
            copy.engarde = self.engarde.resample_from_infostate(player, Random(int(sampler() * 2**53)))
            return copy

        def __str__(self) -> str:
            return str(self.engarde)

    class Observer:
        def __init__(self) -> None:
            self.tensor = numpy.zeros(INFORMATION_SIZE, numpy.float32)
            self.dict = {"information_state": self.tensor}

        def set_from(self, state: Any, player: int) -> None:
            self.tensor[:] = state.engarde.information_state_tensor(player)

        def string_from(self, state: Any, player: int) -> str:
            return f"{player}: {state.engarde.information_state_string(player)}"

    class Game(spiel.Game):  # type: ignore[misc]
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            asked = {**defaults, **(params or {})}
            super().__init__(game_type, info, params or {})
            unplayed, spaces = (tuple(map(int, asked[name].split())) for name in ("unplayed", "spaces"))
            white, black = spaces
            self._first = new_game(asked["rules"], asked["starter"], unplayed, (white, black))

        def new_initial_state(self) -> SpielState:
            return SpielState(self, self._first.clone())

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
            return Observer()

    spiel.register_game(game_type, Game)
