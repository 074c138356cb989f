"""How a puzzle's line ends is what the solver made of it: the winner, the cards and the spaces that decide."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from engine.puzzles.collection import PUZZLES
from engine.puzzles.puzzle import Puzzle, answer, ending_of, explain, refutation, solutions
from engine.puzzles.solver import BestLineTurn
from engine.rules.state import Reason

OPEN = [puzzle for puzzle in PUZZLES if puzzle.aim is None]
FEW = [puzzle for puzzle in OPEN if len(puzzle.unseen) <= 1]
"""With a pile of one card at most, in which all turns of all puzzles are looked at."""


def best_line(puzzle: Puzzle) -> tuple[BestLineTurn, ...]:
    return explain(puzzle, answer(puzzle))


def share_of(puzzle: Puzzle, line: Sequence[BestLineTurn]) -> Fraction:
    """What the end of a line is worth to whoever solves the puzzle."""
    winner = ending_of(puzzle, line).winner
    return Fraction(1, 2) if winner is None else Fraction(int(winner is puzzle.side))


def test_who_wins_a_sure_line_is_what_its_turn_is_worth() -> None:
    shares = set()
    for puzzle in FEW:
        for solved in solutions(puzzle):
            line = refutation(puzzle, solved.play)
            ending, share = ending_of(puzzle, line), share_of(puzzle, line)
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
    unsure = [puzzle for puzzle in OPEN[::9] if any(step.chance < 1 for step in best_line(puzzle))]
    assert unsure
    assert not any(ending_of(puzzle, best_line(puzzle)).sure for puzzle in unsure)


@pytest.mark.slow
def test_the_line_that_explains_an_answer_never_ends_worse_than_the_answer_is_worth() -> None:
    """With the likeliest draws it does in some puzzles: there the other one would win, which explains nothing."""
    likely = []
    for puzzle in OPEN:
        best = solutions(puzzle)[0]
        share = share_of(puzzle, best_line(puzzle))
        assert share >= best.value, puzzle.id
        assert share == 1 or best.value <= Fraction(1, 2)
        likely.append(share_of(puzzle, refutation(puzzle, best.play)) < best.value)
    assert any(likely)


def test_a_line_without_an_end_is_refused() -> None:
    puzzle = next(puzzle for puzzle in FEW if len(best_line(puzzle)) > 1)
    with pytest.raises(ValueError, match=f"the line of puzzle {puzzle.id} has no end"):
        ending_of(puzzle, best_line(puzzle)[:1])
