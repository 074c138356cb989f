"""The four strengths a player can choose from, weakest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engine.players.bots.maestro import Maestro
from engine.players.bots.master import Master
from engine.players.bots.novice import Novice
from engine.players.players import Bot, GreedyBot

STRENGTHS: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {"novice": Novice, "fencer": GreedyBot, "master": Master, "maestro": Maestro}
)
"""A new bot of each strength. The fencer is the one that has always played at ``engarde demo``."""
