"""En Garde for research: a round as a game tree, for OpenSpiel and PettingZoo, in NumPy, and solved endgames.

``python -m engine.research`` says what is offered, BENCHMARK.md what to measure with it. One round is one game: it ends
with returns of 1, -1 or 0. Many rounds at once are in ``engine.research.rounds``, which takes NumPy.
"""

from engine.research.spiel import openspiel_game
from engine.research.state import ACTION_COUNT, State, new_game, plays
from engine.research.zoo import pettingzoo_env

__all__ = ["ACTION_COUNT", "State", "new_game", "openspiel_game", "pettingzoo_env", "plays"]
