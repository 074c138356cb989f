"""The club fencer: judges every turn as the master does, and overlooks what he does, but small differences as well.

What looks about as good as the best he takes about as often, he counts out neither the last card nor what wins in
every case.
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.players.bots.master import unplayed
from engine.players.bots.sparring import sparring, stand_of
from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.legal import turn_of
from engine.rules.state import PlayerView

SPREAD: Final = 0.2
"""How small the differences are: a turn so much better in the logarithm of the odds he takes e times as often."""


class Club:
    """Chooses at random among what seems good."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        liked = sparring(view.public.rules.name).likelihoods(stand_of(view), unplayed(view), SPREAD)
        if not liked:
            return give_up(view)
        return turn_of(view.public, view.hand, rng.choices(list(liked), list(liked.values()))[0])
