"""En Garde for research: a round by numbers, an environment for PettingZoo, and solved endgames.

``python -m engine.research`` says what is offered, BENCHMARK.md what to measure with it. One round is one game: it ends
with returns of 1, -1 or 0.
"""

from engine.research.round import ACTION_COUNT, Round, plays
from engine.research.zoo import pettingzoo_env

__all__ = ["ACTION_COUNT", "Round", "pettingzoo_env", "plays"]
