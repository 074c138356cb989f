"""The six strengths a player can choose from, weakest first.

Each wins 60 to 66 % of rounds against the one before it, under every preset (``tests/bench/bench_ladder.py``). The
first five are players who make people's mistakes, at these places of the way from none to random play
(``engine.players.bots.people``); against whom has just learned random play wins 40 to 45 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engine.players.bots.maestro import Maestro
from engine.players.bots.people import Person, habits_at
from engine.players.players import Bot

PLACES: Final[Mapping[str, Mapping[str, float]]] = {
    "first-day": {"ferti-classic": 3.6, "ferti-advanced": 3.58, "brettspielnetz": 3.7},
    "novice": {"ferti-classic": 2.77, "ferti-advanced": 2.79, "brettspielnetz": 2.95},
    "fencer": {"ferti-classic": 1.59, "ferti-advanced": 1.67, "brettspielnetz": 1.83},
    "club": {"ferti-classic": 1.07, "ferti-advanced": 1.08, "brettspielnetz": 1.22},
    "master": {"ferti-classic": 0.57, "ferti-advanced": 0.63, "brettspielnetz": 0.73},
}
"""Where each stands on the way, by preset. Fitted by ``tests/bench/fit_bots.py``."""


def person(strength: str) -> Person:
    """A new player of this strength. Raises KeyError for one that is none, or is the maestro's."""
    return Person({rules: habits_at(place) for rules, place in PLACES[strength].items()})


STRENGTHS: Final[Mapping[str, Callable[[], Bot]]] = MappingProxyType(
    {
        "first-day": lambda: person("first-day"),  # has just learned, and plays most turns as they come to mind
        "novice": lambda: person("novice"),  # often does not see what can be done, nor the answer
        "fencer": lambda: person("fencer"),  # hopes, hits early, and has forgotten what was played
        "club": lambda: person("club"),  # forgets most of what was played, and hopes now and then
        "master": lambda: person("master"),  # forgets some of what was played, and counts out the end
        "maestro": Maestro,  # thinks through what you may hold, and solves the end
    }
)
"""A new bot of each strength."""
