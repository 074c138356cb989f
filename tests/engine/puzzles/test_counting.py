"""Which puzzles nobody can answer without counting the cards that were played, by the exact solver."""

from __future__ import annotations

from itertools import pairwise

import pytest
from puzzle_counting import depends_on_pile, piles
from puzzle_maker import MAX_PILE

from engine.puzzles.collection import PUZZLES, puzzle_of_the_day
from engine.puzzles.puzzle import FRESH, HINTS, Puzzle, answer, solutions

OPEN = [puzzle for puzzle in PUZZLES if puzzle.aim is None]
SOON = [puzzle for puzzle in OPEN if len(puzzle.unseen) < 3][::2]
"""All take minutes together: tests/bench/bench_puzzles.py looks at every one."""


@pytest.mark.parametrize("puzzle", SOON, ids=lambda puzzle: puzzle.id)
def test_a_puzzle_says_whether_its_answer_depends_on_the_pile(puzzle: Puzzle) -> None:
    assert depends_on_pile(puzzle) is puzzle.counts
    assert tuple(sorted(card.value for card in puzzle.unseen)) in set(piles(puzzle))


def test_many_puzzles_are_answered_by_counting() -> None:
    counted = {puzzle.id for puzzle in PUZZLES if puzzle.counts}
    assert {"2-10", "3-09", "4-02", "5-01", "5-06"} < counted
    assert len(counted) > 40
    assert 0 < sum(puzzle.counts for puzzle in OPEN if len(puzzle.unseen) > MAX_PILE) < 25


def test_every_day_has_its_puzzle_and_all_come_round() -> None:
    days = [puzzle_of_the_day(day) for day in range(738_000, 738_000 + len(PUZZLES))]
    assert {puzzle.id for puzzle in days} == {puzzle.id for puzzle in PUZZLES}
    assert sum(one.grade == two.grade for one, two in pairwise(days)) < len(PUZZLES) // 10


def test_two_tries_and_two_hints_come_before_the_solution() -> None:
    puzzle = PUZZLES[20]
    best, *others = [each.play for each in solutions(puzzle)]
    assert best == answer(puzzle)
    assert FRESH.answered(best, best).solved
    once = FRESH.answered(others[0], best)
    assert (once.over, once.aided) == (False, True)
    assert once.answered(others[0], best) == once  # the same wrong turn costs no second try
    assert once.answered(others[1], best).over
    found = once.answered(best, best)
    assert (found.right, found.solved, found.over) == (True, False, True)
    assert found.answered(others[0], best) == found.hinted() == found
    hinted = FRESH
    for _ in range(HINTS):
        hinted = hinted.hinted()
        assert not hinted.over
    assert hinted.hinted().shown
    assert hinted.hinted().over
    assert not hinted.answered(best, best).solved
    assert FRESH.answered(best, best).again() == FRESH
    assert not found.again().answered(best, best).solved
    assert once.again() == once
