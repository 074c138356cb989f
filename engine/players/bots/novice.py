"""The novice: plays by feel, a better turn more often than a worse one, and sees a hit that nobody can parry."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.chances.odds import opponent_hand
from engine.players.bots.sparring import sparring, stand_of
from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.legal import Play, turn_of
from engine.rules.state import PlayerView

SPREAD: Final = 1.5
"""His odds for a turn e times as good are e to the power of two thirds times as high."""


class Novice:
    """Chooses at random, by odds that follow the judgement from afar."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        likely = sparring(view.public.rules.name).likelihoods(stand_of(view), SPREAD)
        if not likely:
            return give_up(view)
        sure = [play for play in likely if _is_sure_hit(view, play)]
        play = sure[0] if sure else rng.choices(list(likely), list(likely.values()))[0]
        return turn_of(view.public, view.hand, play)


def _is_sure_hit(view: PlayerView, play: Play) -> bool:
    """A direct attack with more cards than the opponent can hold of that value."""
    if not play.attack or play.move:
        return False
    return opponent_hand(view).most(view.public.distance) < play.attack
