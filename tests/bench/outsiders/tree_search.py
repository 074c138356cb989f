"""Information-set tree search: one tree over what is done, a new layout of the hidden cards each time through it.

Source: P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search (2012), single observer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from outsiders.table import Hidden, Round

from engine.players.players import give_up
from engine.rules.legal import GiveUp, Play, Turn, turn_of
from engine.rules.state import PlayerView

CURIOSITY = 0.7
"""How much what was tried seldom is preferred (the source's c)."""


@dataclass(slots=True)
class Node:
    """What was done so far: its visits, how often it could have been chosen, its total for whoever chose it."""

    visits: int = 0
    chances: int = 0
    total: float = 0.0
    children: dict[Play, Node] = field(default_factory=dict)


class TreeSearch:
    """Knows the rules, and remembers what came of what while it thinks."""

    def __init__(self, visits: int = 500) -> None:
        """``visits``: rounds through the tree for one turn."""
        self.visits = visits

    def choose(self, view: PlayerView, rng: Random) -> Turn | GiveUp:
        hidden = Hidden(view)
        if not hidden.laid_out(rng).options():
            return give_up(view)
        root = Node()
        for _ in range(self.visits):
            _visit(root, hidden.laid_out(rng), rng)
        play = max(root.children, key=lambda each: root.children[each].visits)
        return turn_of(view.public, view.hand, play)


def _visit(node: Node, table: Round, rng: Random) -> float:
    """One round from here on; what it brought the player to act."""
    choices = table.options()
    if not choices:
        return 0.0
    children, fresh, highest, best = node.children, [], -1.0, node
    option = choices[0]
    for each in choices:
        child = children.get(each.play)
        if child is None:
            fresh.append(each)
            continue
        if not fresh:
            worth = child.total / child.visits + CURIOSITY * sqrt(log(child.chances) / child.visits)
            if worth > highest:
                highest, best, option = worth, child, each
        child.chances += 1
    if fresh:
        option = fresh[int(rng.random() * len(fresh))]
        best = children[option.play] = Node(chances=1)
    following = table.after(option)
    if isinstance(following, float):
        won = following
    elif fresh:
        won = 1.0 - following.played_out(rng)
    else:
        won = 1.0 - _visit(best, following, rng)
    best.visits += 1
    best.total += won
    return won
