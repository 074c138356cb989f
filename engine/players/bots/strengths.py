"""The six strengths of bots, weakest first, their names at a table, and which one suits a player.

Each wins 60 to 66 % of rounds against the one before it, under every preset (``tests/bench/bench_ladder.py``). The
first five are players who make people's mistakes, at these places of the way from none to random play
(``engine.players.bots.people``); against whom has just learned random play wins 40 to 45 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.players.bots.maestro import Maestro
from engine.players.bots.people import Person, habits_at
from engine.players.players import Bot
from engine.rules.track import BySide, Side

PLACES: Final[Mapping[str, Mapping[str, float]]] = {
    "first-day": {"ferti-classic": 3.62, "ferti-advanced": 3.58, "brettspielnetz": 3.7},
    "novice": {"ferti-classic": 2.86, "ferti-advanced": 2.79, "brettspielnetz": 2.95},
    "fencer": {"ferti-classic": 1.59, "ferti-advanced": 1.67, "brettspielnetz": 1.83},
    "club": {"ferti-classic": 1.12, "ferti-advanced": 1.13, "brettspielnetz": 1.22},
    "master": {"ferti-classic": 0.69, "ferti-advanced": 0.7, "brettspielnetz": 0.78},
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
        "maestro": Maestro,  # judges best, and solves the end
    }
)
"""A new bot of each strength."""


# Names of bots that play with hands of their own, one for each strength.


def rival_name(strength: str) -> str:
    """What a bot of this strength is called in the scorebook, in every language."""
    return f"Bot ({strength})"


RIVALS: Final = {rival_name(strength): strength for strength in STRENGTHS}
"""Every such name, weakest first, with its strength."""


def rivals_in(names: BySide[str]) -> dict[Side, str]:
    """The sides that bots play with hands of their own, each with its strength."""
    return {side: RIVALS[name] for side, name in names.items() if name in RIVALS}


# A player's own level: the first bot met, then one stronger after two matches won in a row against bots at least as
# strong, one weaker after two lost in a row against bots no stronger.
# Source: H. Levitt, Transformed up-down methods in psychoacoustics (1971).

IN_A_ROW: Final = 2


class OwnLevel(NamedTuple):
    """The strength that suits a player, and how many matches say so."""

    strength: str
    matches: int


def own_level(results: Iterable[tuple[str, bool]]) -> OwnLevel | None:
    """From matches against bots, the oldest first: the bot's strength, and whether the person won. None without any.

    Raises ValueError for a strength that is none.
    """
    ladder = list(STRENGTHS)
    level, row, matches = -1, 0, 0
    for strength, won in results:
        if strength not in ladder:
            raise ValueError(f"expected one of {', '.join(ladder)}, found {strength!r}")
        met = ladder.index(strength)
        matches += 1
        if level < 0:
            level = met
        if won and met >= level:
            row = max(row, 0) + 1
        elif not won and met <= level:
            row = min(row, 0) - 1
        if abs(row) == IN_A_ROW:
            level = min(max(level + (1 if row > 0 else -1), 0), len(ladder) - 1)
            row = 0
    return None if level < 0 else OwnLevel(ladder[level], matches)
