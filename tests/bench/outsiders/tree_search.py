"""Information-set tree search: one tree over what is done, a new layout of the hidden cards each time through it.

Source: P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search (2012), single observer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from outsiders.table import Round, laid_out

from engine.players.players import give_up
from engine.rules.actions import GiveUp, Turn
from engine.rules.legal import Play, turn_of
from engine.rules.state import PlayerView

CURIOSITY = 0.7
"""How much what was tried seldom is preferred (the source's c)."""


@dataclass
class Node:
    """What was done so far: its visits, how often it could have been chosen, its total for whoever chose it."""

    visits: int = 0
    chances: int = 0
    total: float = 0.0
    children: dict[Play, Node] = field(default_factory=dict)

    def worth(self) -> float:
        return self.total / self.visits + CURIOSITY * sqrt(log(self.chances) / self.visits)


class TreeSearch:
    """Knows the rules, and remembers what came of what while it thinks."""

    def __init__(self, visits: int = 500) -> None:
        """``visits``: rounds through the tree for one turn."""
        self.visits = visits

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        if not laid_out(view, rng).options():
            return give_up(view)
        root = Node()
        for _ in range(self.visits):
            _visit(root, laid_out(view, rng), rng)
        play = max(root.children, key=lambda each: root.children[each].visits)
        return turn_of(view.public, view.hand, play)


def _visit(node: Node, table: Round, rng: Random) -> float:
    """One round from here on; what it brought the player to act."""
    choices = table.options()
    if not choices:
        return 0.0
    fresh = [option for option in choices if option.play not in node.children]
    if fresh:
        option = rng.choice(fresh)
        child = node.children[option.play] = Node()
    else:
        option = max(choices, key=lambda each: node.children[each.play].worth())
        child = node.children[option.play]
    for each in choices:
        if each.play in node.children:
            node.children[each.play].chances += 1
    following = table.after(option)
    if isinstance(following, float):
        won = following
    elif fresh:
        won = 1.0 - following.played_out(rng)
    else:
        won = 1.0 - _visit(child, following, rng)
    child.visits += 1
    child.total += won
    return won
