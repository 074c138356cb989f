"""Flat Monte Carlo: every turn is tried in random layouts of the hidden cards, each played out at random to its end.

Source: B. Brügmann, Monte Carlo Go (1993); the best by mean after all trials, shared evenly.
"""

from __future__ import annotations

from random import Random

from outsiders.table import Hidden

from engine.players.players import give_up
from engine.rules.legal import GiveUp, Turn, turn_of
from engine.rules.state import PlayerView


class FlatMonteCarlo:
    """Knows the rules and nothing else."""

    def __init__(self, playouts: int = 400) -> None:
        """``playouts``: for one turn in all."""
        self.playouts = playouts

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        hidden = Hidden(view)
        choices = hidden.laid_out(rng).options()
        if not choices:
            return give_up(view)
        totals = [0.0] * len(choices)
        for _ in range(max(1, self.playouts // len(choices))):
            table = hidden.laid_out(rng)
            for place, option in enumerate(choices):
                following = table.after(option)
                totals[place] += following if isinstance(following, float) else 1.0 - following.played_out(rng)
        best = max(range(len(choices)), key=totals.__getitem__)
        return turn_of(view.public, view.hand, choices[best].play)
