"""The master: takes what wins in every case, else the turn that leaves him best by the learned judgement.

The turn that draws the last card he counts out.
"""

from __future__ import annotations

from random import Random

from engine.players.bots.endgame import certain_win, thinking
from engine.players.bots.hands import packed
from engine.players.bots.judgement import chance_of
from engine.players.bots.last_card import is_last, last_chance
from engine.players.bots.options import Option
from engine.players.bots.sparring import Stand, sparring, stand_of
from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.legal import counts_of, turn_of
from engine.rules.possible import unseen_cards
from engine.rules.state import PlayerView


class Master:
    """One glance at every turn, no looking ahead but at the last card."""

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        stand = stand_of(view)
        judged = judged_options(view, stand)
        if not judged:
            return give_up(view)
        choices = [option for _, option in judged]
        option = certain_win(*thinking(view), stand, choices) or choices[0]
        return turn_of(view.public, view.hand, option.play)


def judged_options(view: PlayerView, stand: Stand) -> list[tuple[float, Option]]:
    """All the player can do, the best first, with the chance of winning: learned, or counted as the pile runs out."""
    mind = sparring(view.public.rules.name)
    unseen = counts_of(unseen_cards(view.public, view.hand))
    judged = []
    for option, logit in mind.valued(stand, packed(unseen)):
        last = is_last(option, stand)
        chance = last_chance(mind.rules, stand, option, unseen) if last else chance_of(logit)
        judged.append((chance, option))
    return sorted(judged, key=_chance, reverse=True)


def _chance(judged: tuple[float, Option]) -> float:
    return judged[0]
