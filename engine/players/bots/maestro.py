"""The maestro: the best turn by learned weights, and the end of the pile counted out.

It takes a turn that wins in every case, and with few cards in the pile the turn worth most over all layouts of the
hidden cards (``engine.players.bots.endgame``), solved with hidden hands as far as it fits a budget
(``engine.players.bots.hidden_end``; with two its own is hidden, too: ``engine.players.bots.own_hidden``).
Before that it takes the turn it judges best, by weights of its own (``engine.players.bots.judgement``): trying turns
in sampled hands of the opponent makes it no stronger (STRENGTH.md). It sees only what a player at the table sees. Its
thinking is bounded by positions counted, by no clock: the same position has the same answer on every machine, however
busy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from engine.players.bots.endgame import Endgame, certain_win, thinking
from engine.players.bots.hidden_end import SOLVED, best_solved
from engine.players.bots.judgement import MAESTRO, chance_of
from engine.players.bots.options import Option, packed
from engine.players.bots.own_hidden import PILE, best_of_last_two
from engine.players.bots.sparring import Sparring, Stand, is_last, last_chance, sparring, stand_of
from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.legal import Counts, counts_of, turn_of
from engine.rules.possible import unseen_cards
from engine.rules.state import PlayerView


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
    if stand.pile == PILE:
        return best_of_last_two(endgame, unseen, stand, choices)
    return best_solved(endgame, unseen, stand, choices)
