"""The five strengths a player can choose from, weakest first, each with what it overlooks.

They are about evenly spaced against players of another kind (``tests/bench/bench_ladder.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engine.players.bots.fencer import Fencer
from engine.players.bots.maestro import Maestro
from engine.players.bots.master import Master
from engine.players.bots.novice import Novice
from engine.players.players import Bot, GreedyBot

STRENGTHS: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {
        "novice": Novice,  # overlooks danger: attacks whenever it can
        "fencer": Fencer,  # overlooks what was played: never counts
        "club": GreedyBot,  # counts, but overlooks what comes after this turn
        "master": Master,  # has learned that too, but overlooks what you may hold
        "maestro": Maestro,  # thinks your hands through
    }
)
"""A new bot of each strength. Bots who play each other, as in ``engarde demo``, are of the club."""
