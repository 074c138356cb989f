"""Every shipped puzzle: a real position, one best answer, graded as it should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from puzzle_counting import depends_on_pile, piles
from puzzle_grades import right
from puzzle_maker import MAX_PILE

from engine.players.bots.strengths import STRENGTHS
from engine.puzzles.collection import PUZZLES, parse_puzzles, print_puzzles, puzzle_of_the_day
from engine.puzzles.puzzle import (
    CLEAR,
    FRESH,
    GRADES,
    HINTS,
    Puzzle,
    PuzzleTheme,
    answer,
    duel_at,
    ending_of,
    explain,
    grade_of,
    judge_answer,
    refutation,
    solutions,
    theme_of,
)
from engine.puzzles.solver import BestLineTurn, Solver, in_any_order
from engine.record.notation import RecordError
from engine.rules.cards import DECK
from engine.rules.legal import Play, counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.state import Phase, Reason
from engine.rules.track import BySide, Side

OPEN = [puzzle for puzzle in PUZZLES if puzzle.aim is None]
"""Those with both hands open; ``test_hidden`` looks at the others."""


def test_a_hand_is_hidden_where_it_is_asked_about_or_was_never_shown() -> None:
    assert [puzzle.hidden for puzzle in PUZZLES] == [puzzle.aim is not None for puzzle in PUZZLES]
    sure = next(puzzle for puzzle in OPEN if puzzle.hand(puzzle.side.other))
    assert not replace(sure, certain=True).hidden
    assert replace(sure, certain=True, hands=sure.hands.put(sure.side.other, ())).hidden


def test_over_all_grades_and_themes() -> None:
    assert len(PUZZLES) == 250
    assert len(OPEN) == 200
    assert Counter(puzzle.rules for puzzle in PUZZLES)["ferti-classic"] == 70
    assert sum(len(puzzle.unseen) > MAX_PILE for puzzle in OPEN) == 25
    grades = [puzzle.grade for puzzle in PUZZLES]
    assert grades == sorted(grades)
    assert all(count >= 30 for count in Counter(grades).values())
    assert set(grades) == set(GRADES)
    assert {puzzle.theme for puzzle in PUZZLES} == set(PuzzleTheme)
    assert len({puzzle.id for puzzle in PUZZLES}) == len(PUZZLES)
    assert {puzzle.side for puzzle in PUZZLES} == set(Side)
    assert len({(puzzle.public.spaces, puzzle.hands) for puzzle in PUZZLES}) == len(PUZZLES)


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_the_position_is_one_the_referee_comes_to(puzzle: Puzzle) -> None:
    """``public`` replays the round: a move he refuses would raise. The deck adds up, and every move could be made."""
    public = puzzle.public
    assert public.phase in (Phase.TURN, Phase.FINAL)
    assert public.round == 1
    everywhere = [*public.played, *puzzle.hands.white, *puzzle.hands.black, *puzzle.unseen]
    assert sorted(everywhere) == list(DECK)
    assert len(puzzle.hand(puzzle.side)) == public.hands[puzzle.side]
    if puzzle.aim is None:
        assert puzzle.hands.map(len) == public.hands
        assert len(puzzle.unseen) == public.pile
    assert puzzle.hand(Side.WHITE) == puzzle.hands.white


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", OPEN, ids=lambda puzzle: puzzle.id)
def test_there_is_one_best_answer_by_a_clear_margin(puzzle: Puzzle) -> None:
    """Solved anew: nothing but the position is taken from the data."""
    solver = Solver(puzzle.public.rules, in_any_order)
    solved = solver.plays(duel_at(puzzle))
    assert {each.play for each in solved} == set(legal_plays(puzzle.public, counts_of(puzzle.hand(puzzle.side))))
    best, second = solved[0], solved[1]
    assert best.value - second.value >= CLEAR
    assert answer(puzzle) == best.play
    assert solutions(puzzle) == solved
    assert puzzle.theme is theme_of(puzzle.public, solver, duel_at(puzzle))


@pytest.mark.slow
def test_answers_are_judged() -> None:
    for puzzle in OPEN:
        right = judge_answer(puzzle, answer(puzzle))
        assert right.right
        assert right.worse == 0
        for each in solutions(puzzle)[1:]:
            wrong = judge_answer(puzzle, each.play)
            assert not wrong.right
            assert wrong.worse == right.value - each.value >= CLEAR
    with pytest.raises(ValueError, match=f"not legal in puzzle {PUZZLES[0].id}"):
        judge_answer(PUZZLES[0], Play(5, 5, 5))
    with pytest.raises(ValueError, match="not legal"):
        refutation(PUZZLES[0], Play(5, 5, 5))


@pytest.mark.slow
def test_the_line_begins_with_the_answer_and_ends_the_round() -> None:
    for puzzle in OPEN:
        line = explain(puzzle, answer(puzzle))
        assert line[0].play == answer(puzzle)
        assert line[0].value == solutions(puzzle)[0].value
        assert [step.mine for step in line] == [place % 2 == 0 for place in range(len(line))]
        assert all(step.end is None for step in line[:-1])
        assert line[-1].end in set(Reason)
        wrong = solutions(puzzle)[-1]
        other = refutation(puzzle, wrong.play)
        assert (other[0].play, other[0].value) == (wrong.play, wrong.value)
        event = play_event(puzzle.public, puzzle.hand(puzzle.side), answer(puzzle))
        assert judge(puzzle.public, event)[1].ok


@pytest.mark.slow
def test_a_higher_grade_is_harder_for_the_bots() -> None:
    """A few puzzles of every other grade, wide limits; ``puzzle_grades.py`` measures all."""
    for name in ("novice", "club", "master"):
        shares = []
        for grade in GRADES[::2]:
            asked = [puzzle for puzzle in PUZZLES if puzzle.grade == grade][::4]
            shares.append(sum(right(puzzle, STRENGTHS[name](), 4) for puzzle in asked) / len(asked))
        assert shares == sorted(shares, reverse=True), name
        assert shares[0] > shares[-1] + 0.2


@pytest.mark.parametrize(
    ("steps", "choices", "obvious", "grade"),
    [(1, 4, True, 1), (1, 4, False, 2), (1, 6, False, 3), (3, 5, True, 2), (4, 5, True, 3), (9, 9, False, 5)],
)
def test_grades(steps: int, choices: int, obvious: bool, grade: int) -> None:
    assert grade_of(steps, choices, obvious) == grade


def test_text_and_puzzles_are_inverse() -> None:
    assert parse_puzzles(print_puzzles(PUZZLES)) == PUZZLES
    with pytest.raises(ValueError, match="three lines, found 2"):
        parse_puzzles("1-01 1 sure_hit ferti-advanced white\n+5a")


def test_moves_that_cannot_be_are_told() -> None:
    moves = "+5a +5b +5a"
    broken = Puzzle("x", 1, PuzzleTheme.STUCK, "ferti-advanced", Side.WHITE, moves, BySide((), ()))
    with pytest.raises(RecordError, match="Round 1, move 3"):
        broken.public  # noqa: B018
    assert Fraction(1, 5) == CLEAR


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


# How a line ends is what the solver made of it.


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
