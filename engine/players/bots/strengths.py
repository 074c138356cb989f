"""The six strengths of bots, the maestro among them, their names at a table, and which one suits a player.

Each wins 60 to 66 % of rounds against the one before it, under every preset (``tests/bench/bench_ladder.py``). The
first five are players who make people's mistakes, at places of the way from none to random play
(``engine.players.bots.people``); against whom has just learned random play wins 40 to 45 %.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.players.bots.endgame import Endgame, certain_win, thinking
from engine.players.bots.hidden_end import LAST_TWO, SOLVED, best_of_last_two, best_solved
from engine.players.bots.judgement import MAESTRO, chance_of
from engine.players.bots.options import Option, packed
from engine.players.bots.people import Person, habits_at
from engine.players.bots.sparring import Sparring, Stand, is_last, last_chance, sparring, stand_of
from engine.players.players import Bot, give_up
from engine.rules.legal import Counts, GiveUp, Turn, counts_of, turn_of
from engine.rules.possible import unseen_cards
from engine.rules.state import PlayerView
from engine.rules.track import BySide, Side

# The maestro takes a turn that wins in every case, and with few cards in the pile the turn worth most over all
# layouts of the hidden cards (``engine.players.bots.endgame``), solved with hidden hands as far as it fits a budget
# (``engine.players.bots.hidden_end``). Before that it takes the turn it judges best, by weights of its own: trying
# turns in sampled hands of the opponent makes it no stronger (STRENGTH.md). It sees only what a player at the table
# sees. Its thinking is bounded by positions counted, by no clock: the same position has the same answer on every
# machine.


class Maestro:
    """Judges best, and counts."""

    def __init__(self, mind: Callable[[str], Sparring] | None = None) -> None:
        """``mind``: another judgement, by the preset's name."""
        self._mind = mind or partial(sparring, whose=MAESTRO)

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        stand = stand_of(view)
        judged = judged_options(view, stand, self._mind(view.public.rules.name))
        if not judged:
            return give_up(view)
        counted = best_at_end(*thinking(view), stand, [option for _, option in judged])
        best = judged[0][1] if counted is None else counted
        return turn_of(view.public, view.hand, best.play)


def judged_options(view: PlayerView, stand: Stand, mind: Sparring) -> list[tuple[float, Option]]:
    """All the player can do, the best first, with the chance of winning: learned, or counted as the pile runs out."""
    unseen = counts_of(unseen_cards(view.public, view.hand))
    judged = []
    for option, logit in mind.valued(stand, packed(unseen)):
        last = is_last(option, stand)
        judged.append((last_chance(mind.rules, stand, option, unseen) if last else chance_of(logit), option))
    return sorted(judged, key=_chance, reverse=True)


def _chance(judged: tuple[float, Option]) -> float:
    return judged[0]


def best_at_end(endgame: Endgame, unseen: Counts, stand: Stand, choices: Sequence[Option]) -> Option | None:
    """The best turn by counting: one that wins in every case, or near the end of the pile the one worth most."""
    certain = certain_win(endgame, unseen, stand, choices)
    if certain is not None or not 0 < stand.pile <= SOLVED:
        return certain
    if stand.pile == LAST_TWO:
        return best_of_last_two(endgame, unseen, stand, choices)
    return best_solved(endgame, unseen, stand, choices)


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
