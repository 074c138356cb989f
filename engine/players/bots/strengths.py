"""The five strengths a player can choose from, weakest first, each with what it overlooks.

Each is a step of some thirteen points from the next against players of another kind (``tests/bench/bench_ladder.py``),
the lowest step the smallest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engine.players.bots.club import Club
from engine.players.bots.fencer import Fencer
from engine.players.bots.maestro import Maestro
from engine.players.bots.master import Master
from engine.players.bots.novice import Novice
from engine.players.players import Bot

STRENGTHS: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {
        "novice": Novice,  # overlooks danger and, often, an attack after a step or a parry
        "fencer": Fencer,  # overlooks what was played: never counts
        "club": Club,  # has learned to count and to judge, but overlooks small differences
        "master": Master,  # sees those too, but overlooks what you may hold
        "maestro": Maestro,  # thinks your hands through, and counts out the end
    }
)
"""A new bot of each strength."""
