"""Whether a puzzle is answered from what lies open alone, or only by counting which cards are left in the pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

from engine.puzzles.puzzle import Puzzle, duel_at
from engine.puzzles.solver import Pile, solver_of
from engine.rules.cards import LETTERS, VALUES


def depends_on_pile(puzzle: Puzzle) -> bool:
    """Whether another turn would be best with another pile of the same size, as far as the open hands allow it.

    Then nobody can find the answer who does not see the cards that were played.
    """
    duel, solver = duel_at(puzzle), solver_of(puzzle.rules)
    best = solver.plays(duel)[0].play
    for pile in piles(puzzle):
        solved = solver.plays(duel._replace(pile=pile))
        if next(each.value for each in solved if each.play == best) < solved[0].value:
            return True
    return False


def piles(puzzle: Puzzle) -> Iterator[Pile]:
    """Every pile of this size there could be, by values, for who sees both hands and nothing else."""
    held = Counter(card.value for _, hand in puzzle.hands.items() for card in hand)
    for pile in combinations_with_replacement(VALUES, len(puzzle.unseen)):
        if all(count + held[value] <= len(LETTERS) for value, count in Counter(pile).items()):
            yield pile
