"""The novice: plays like an eager child, who has been told the rules and wants to hit.

Attacks nearly whenever it sees that it can, gladly with all it has, goes forward in large steps otherwise, parries when
it sees that it can, and seldom goes back of its own accord. It overlooks danger and, often, that two things can be done
in one turn: that it may attack after a step forward, or after a parry. It keeps nothing to parry with, and has
forgotten what was played more than three cards ago; what it has just seen it thinks will come again.
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.legal import Play, counts_of, legal_plays, turn_of
from engine.rules.state import PlayerView, PublicState

EAGER: Final = 0.9
"""How often it attacks when it sees that it can."""
SEEN: Final = 0.4
"""How often it sees attacks that follow a step or a parry in the same turn. Others it always sees."""
SPENDING: Final = 3
"""It likes an attack by so high a power of its cards, and a step forward by the square of its spaces."""
REMEMBERED: Final = 3
"""So many cards played last it still knows, and would rather not attack with their like."""
BACK: Final = 0.05
"""How gladly it goes back, against 1 for one space forward."""
PARRYING: Final = 3.0
"""How gladly it parries rather than runs from an indirect attack."""


class Novice:
    """Chooses at random, eagerly, among what it sees."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        plays = legal_plays(view.public, counts_of(view.hand))
        if not plays:
            return give_up(view)
        attacks = [play for play in plays if play.attack]
        others = [play for play in plays if not play.attack]
        if others and rng.random() >= SEEN:
            attacks = [play for play in attacks if not (play.parry or play.move)]
        if attacks and (not others or rng.random() < EAGER):
            play = rng.choices(attacks, [_tempting(view.public, each) for each in attacks])[0]
        else:
            play = rng.choices(others, [_liked(each) for each in others])[0]
        return turn_of(view.public, view.hand, play)


def _tempting(public: PublicState, attack: Play) -> float:
    value = public.distance - attack.move
    seen = sum(card.value == value for card in public.played[-REMEMBERED:])
    return attack.attack**SPENDING / (1 + seen)


def _liked(play: Play) -> float:
    if play.parry:
        return PARRYING
    return BACK if play.move < 0 else float(play.move**2)
