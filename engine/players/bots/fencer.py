"""The fencer: plays like a grown-up after an evening. Weighs hit and danger, but overlooks what was played before.

He weighs as the greedy bot does (``engine.players.players.worth``), who is one step stronger only because he counts the
discard pile.
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.players.players import give_up, worth
from engine.rules.actions import GiveUp, Turn
from engine.rules.cards import DECK, VALUES
from engine.rules.legal import counts_of, legal_plays, turn_of
from engine.rules.state import PlayerView

WHOLE_DECK: Final = (len(DECK) // len(VALUES),) * len(VALUES)
"""Of each value as many as there are in all: to him nothing has been played yet."""


class Fencer:
    """Takes what seems best to him; of equals, any."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        plays = legal_plays(view.public, counts_of(view.hand))
        if not plays:
            return give_up(view)
        best = max(plays, key=lambda play: (worth(view, play, WHOLE_DECK), rng.random()))
        return turn_of(view.public, view.hand, best)
