"""The master: takes what wins in every case, else the turn that leaves him best by the learned judgement.

The turn that draws the last card he counts out. Before that he overlooks what the other may hold: he counts what was
played, but not that the cards in his own hand are in nobody else's.
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
        judged = judged_options(view, stand, unplayed(view))
        if not judged:
            return give_up(view)
        choices = [option for _, option in judged]
        option = certain_win(*thinking(view), stand, choices) or choices[0]
        return turn_of(view.public, view.hand, option.play)


def unplayed(view: PlayerView) -> int:
    """What the other may hold for somebody who forgets that his own cards are not among it (``hands.packed``)."""
    return packed(tuple(view.public.unseen_counts.values()))


def judged_options(view: PlayerView, stand: Stand, hidden: int | None = None) -> list[tuple[float, Option]]:
    """All the player can do, the best first, with the chance of winning: learned, or counted as the pile runs out.

    ``hidden``: what the judgement is told that he has not seen (``hands.packed``); None for what he has not.
    """
    mind = sparring(view.public.rules.name)
    unseen = counts_of(unseen_cards(view.public, view.hand))
    judged = []
    for option, logit in mind.valued(stand, packed(unseen) if hidden is None else hidden):
        last = is_last(option, stand)
        chance = last_chance(mind.rules, stand, option, unseen) if last else chance_of(logit)
        judged.append((chance, option))
    return sorted(judged, key=_chance, reverse=True)


def _chance(judged: tuple[float, Option]) -> float:
    return judged[0]
