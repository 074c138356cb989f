"""How a puzzle's line ends is what the solver made of it: the winner, the cards and the spaces that decide."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.puzzles.collection import PUZZLES
from engine.puzzles.ending import ending_of
from engine.puzzles.puzzle import explain, refutation, solutions
from engine.rules.state import Reason

OPEN = [puzzle for puzzle in PUZZLES if puzzle.aim is None]
FEW = [puzzle for puzzle in OPEN if len(puzzle.unseen) <= 1]
"""With a pile of one card at most, in which all turns of all puzzles are looked at."""


def test_who_wins_a_sure_line_is_what_its_turn_is_worth() -> None:
    shares = set()
    for puzzle in FEW:
        for solved in solutions(puzzle):
            ending = ending_of(puzzle, refutation(puzzle, solved.play))
            share = Fraction(1, 2) if ending.winner is None else Fraction(int(ending.winner is puzzle.side))
            assert ending.sure
            assert share == solved.value, (puzzle.id, solved)
            shares.add(share)
            if ending.reason is Reason.MORE_ATTACK_CARDS:
                assert ending.counts.white != ending.counts.black
            if ending.reason in (Reason.FURTHER_ADVANCED, Reason.DRAW):
                level = ending.advances.white == ending.advances.black
                assert level is (ending.reason is Reason.DRAW)
                assert ending.advances.white + ending.advances.black + ending.distance == 22
    assert len(shares) == 3


def test_a_line_that_hangs_on_the_draw_is_not_sure() -> None:
    unsure = [puzzle for puzzle in OPEN[::9] if any(step.chance < 1 for step in explain(puzzle))]
    assert unsure
    assert not any(ending_of(puzzle, explain(puzzle)).sure for puzzle in unsure)


def test_a_line_without_an_end_is_refused() -> None:
    puzzle = next(puzzle for puzzle in FEW if len(explain(puzzle)) > 1)
    with pytest.raises(ValueError, match=f"the line of puzzle {puzzle.id} has no end"):
        ending_of(puzzle, explain(puzzle)[:1])
