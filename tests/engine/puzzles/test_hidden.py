"""Every puzzle with a hidden hand, held against the real referee over every hand that fits, one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement

import pytest
from puzzle_maker import PILES

from engine.players.simulation import play, reveal
from engine.puzzles.collection import PUZZLES
from engine.puzzles.hidden import CERTAIN, Goal, against, answers, cases, favourable, fitting, worths
from engine.puzzles.puzzle import (
    AIMS,
    CLEAR,
    Puzzle,
    answer,
    ending_of,
    explain,
    judge_answer,
    objection,
    opened,
    solutions,
)
from engine.rules.cards import VALUES, Card
from engine.rules.legal import Play, counts_of, legal_plays, play_event
from engine.rules.referee import judge
from engine.rules.state import FullState, Phase, PublicState
from engine.rules.track import BySide

HIDDEN = [puzzle for puzzle in PUZZLES if puzzle.aim is not None]
ids = [puzzle.id for puzzle in HIDDEN]
# To count every hand takes its time: each fifth puzzle answers at once, all of them are among the slow tests.
COUNTED = [
    pytest.param(puzzle, id=puzzle.id, marks=[pytest.mark.slow] if number % 5 else [])
    for number, puzzle in enumerate(HIDDEN)
]


def hands(unseen: tuple[Card, ...], size: int) -> set[tuple[int, ...]]:
    """Every hand of this size, by values, that fits."""
    there = Counter(card.value for card in unseen)
    return {
        hand
        for hand in combinations_with_replacement(VALUES, size)
        if all(count <= there[value] for value, count in Counter(hand).items())
    }


def cards(unseen: tuple[Card, ...], values: tuple[int, ...]) -> tuple[Card, ...]:
    """Unseen cards of these values."""
    left = list(unseen)
    taken = []
    for value in values:
        taken.append(next(card for card in left if card.value == value))
        left.remove(taken[-1])
    return tuple(taken)


def made(state: PublicState, hand: tuple[Card, ...], chosen: Play) -> PublicState:
    """The table after a turn, as the referee has it."""
    following, ruling = judge(state, play_event(state, hand, chosen))
    assert ruling.ok
    assert following is not None
    return following


def touched(puzzle: Puzzle, chosen: Play) -> bool:
    """Whether some hand that fits can touch after this turn, however the player who made it draws."""
    own, unseen = puzzle.hand(puzzle.side), puzzle.unseen
    state = made(puzzle.public, own, chosen)
    used = play_event(puzzle.public, own, chosen).cards
    kept = tuple(card.value for card in own if card not in used)
    drawn = puzzle.public.pile - state.pile
    replied: dict[Play, PublicState] = {}
    for other in hands(unseen, state.hands[puzzle.side.other]):
        held = cards(unseen, other)
        rest = tuple(card for card in unseen if card not in held)
        strikes = [each for each in legal_plays(state, counts_of(held)) if each.attack]
        for each in strikes:
            if each not in replied:
                replied[each] = made(state, held, each)
        for draw in hands(rest, drawn):
            mine = counts_of(tuple(Card(value, "a") for value in (*kept, *draw)))
            if any(not legal_plays(replied[each], mine) for each in strikes):
                return True
    return False


def answered(puzzle: Puzzle, chosen: Play) -> bool:
    """Whether some hand that fits has an answer to this attack."""
    state = made(puzzle.public, puzzle.hand(puzzle.side), chosen)
    fits = hands(puzzle.unseen, state.hands[puzzle.side.other])
    return any(legal_plays(state, counts_of(cards(puzzle.unseen, other))) for other in fits)


def deals(puzzle: Puzzle) -> Iterator[FullState]:
    """Every way the unseen cards can lie, card by card."""
    for pile in combinations(puzzle.unseen, puzzle.public.pile):
        other = tuple(card for card in puzzle.unseen if card not in pile)
        both = BySide(other, other).put(puzzle.side, puzzle.hand(puzzle.side))
        yield FullState(puzzle.public, both, pile)


def worth(full: FullState, puzzle: Puzzle, chosen: Play) -> Fraction:
    """What this turn is worth in a deal, played on to the end by the referee: who defends last knows every card."""
    following, _ = play(full, play_event(full.public, puzzle.hand(puzzle.side), chosen))
    while following.public.result is None:
        public = following.public
        if public.to_act is None:
            following, _ = play(following, reveal(following))
            continue
        hand = following.hands[public.to_act]
        defences = legal_plays(public, counts_of(hand))
        assert public.phase is Phase.FINAL
        assert public.to_act is puzzle.side.other
        return min((_ended(following, hand, each, puzzle) for each in defences), default=CERTAIN)
    winner = following.public.result.winner
    return Fraction(1, 2) if winner is None else Fraction(winner is puzzle.side)


def _ended(full: FullState, hand: tuple[Card, ...], defence: Play, puzzle: Puzzle) -> Fraction:
    following, _ = play(full, play_event(full.public, hand, defence))
    if following.public.result is None:
        following, _ = play(following, reveal(following))
    result = following.public.result
    assert result is not None
    return Fraction(1, 2) if result.winner is None else Fraction(result.winner is puzzle.side)


@pytest.mark.parametrize("puzzle", COUNTED)
def test_the_answer_is_the_only_one_whatever_is_held(puzzle: Puzzle) -> None:
    own = puzzle.hand(puzzle.side)
    best = answer(puzzle)
    every = legal_plays(puzzle.public, counts_of(own))
    assert puzzle.aim is not None
    assert answers(puzzle.view, puzzle.aim) == (best,)
    assert {each.play for each in solutions(puzzle)} == set(every)
    if puzzle.aim is Goal.TOUCH:
        assert [each for each in every if each.attack and not answered(puzzle, each)] == [best]
    elif puzzle.aim is Goal.SAFE:
        assert [each for each in every if not touched(puzzle, each)] == [best]
    elif puzzle.aim is Goal.FORWARD:
        safe = [each for each in every if each.move >= best.move and not touched(puzzle, each)]
        assert safe == [best]
        assert any(each.move > best.move for each in every)
    else:
        found = {each: [worth(full, puzzle, each) for full in deals(puzzle)] for each in every}
        means = {each: sum(values, Fraction(0)) / len(values) for each, values in found.items()}
        assert means == {each.play: each.value for each in solutions(puzzle)}
        first, second = sorted(means.values(), reverse=True)[:2]
        assert first - second >= CLEAR
        if puzzle.public.pile:
            assert cases(puzzle.view, best) == (found[best].count(CERTAIN), found[best].count(Fraction(1, 2)))


def test_where_nothing_is_sure_there_is_no_answer() -> None:
    """Asked for a certain touch, a position in which only being safe is sure has none."""
    puzzle = next(each for each in HIDDEN if each.aim is Goal.SAFE)
    assert answers(puzzle.view, Goal.TOUCH) == ()


@pytest.mark.parametrize("puzzle", HIDDEN, ids=ids)
def test_what_lies_open_is_all_there_is(puzzle: Puzzle) -> None:
    """Nothing is hidden in the data: one hand, and the cards that were played."""
    assert puzzle.hand(puzzle.side.other) == ()
    assert puzzle.counts
    assert len(puzzle.unseen) == puzzle.public.pile + puzzle.public.hands[puzzle.side.other]
    assert puzzle.aim is not None
    least, most = PILES[puzzle.aim]
    assert least <= puzzle.public.pile <= most
    assert fitting(puzzle.view) == len(hands(puzzle.unseen, puzzle.public.hands[puzzle.side.other]))
    with pytest.raises(ValueError, match="cards"):
        explain(puzzle, answer(puzzle))


@pytest.mark.parametrize("puzzle", [each for each in HIDDEN if each.aim is Goal.BEST], ids=lambda each: each.id)
def test_an_example_is_a_hand_that_fits_and_that_the_answer_does_best_against(puzzle: Puzzle) -> None:
    best, side = answer(puzzle), puzzle.side
    hand = favourable(puzzle.view, best)
    shown = opened(puzzle, hand)
    held = tuple(card for card, count in zip(VALUES, hand, strict=True) for _ in range(count))
    assert tuple(card.value for card in shown.hand(side.other)) == held
    assert held in hands(puzzle.unseen, puzzle.public.hands[side.other])
    winner = ending_of(shown, explain(shown, best)).winner
    won, drawn = cases(puzzle.view, best) if puzzle.public.pile else (int(solutions(puzzle)[0].value == CERTAIN), 0)
    assert winner is (side if won else None)
    assert won or drawn
    with pytest.raises(ValueError, match=f"the opponent in puzzle {puzzle.id} cannot hold"):
        opened(puzzle, (5, 0, 0, 0, 0))


@pytest.mark.parametrize("puzzle", COUNTED)
def test_a_wrong_turn_is_answered_by_a_hand_that_fits(puzzle: Puzzle) -> None:
    assert objection(puzzle, answer(puzzle)) is None or puzzle.aim is Goal.BEST
    state_of = {each.play: made(puzzle.public, puzzle.hand(puzzle.side), each.play) for each in solutions(puzzle)}
    fits = hands(puzzle.unseen, puzzle.public.hands[puzzle.side.other])
    for play_, value in solutions(puzzle)[1:]:
        assert not judge_answer(puzzle, play_).right
        found = objection(puzzle, play_)
        if found is None:
            assert value == CERTAIN or not play_.attack
            continue
        held = tuple(card for card, count in zip(VALUES, found.hand, strict=True) for _ in range(count))
        assert held in fits
        if found.reply is not None:
            assert found.reply in legal_plays(state_of[play_], found.hand)
        else:
            assert puzzle.aim is Goal.BEST


def test_all_four_kinds_of_both_games() -> None:
    kinds = Counter((puzzle.theme, puzzle.rules) for puzzle in HIDDEN)
    assert set(kinds) == {(theme, rules) for theme in AIMS for rules in ("ferti-advanced", "ferti-classic")}
    rounds = [puzzle.moves for puzzle in HIDDEN]
    assert not any(one != two and one.startswith(two) for one in rounds for two in rounds)


def test_the_best_turn_is_not_counted_out_before_the_last_card() -> None:
    puzzle = next(each for each in HIDDEN if each.public.pile > 1)
    with pytest.raises(ValueError, match="one card in the pile at most, found"):
        worths(puzzle.view, Goal.BEST)
    assert (
        against(puzzle.view, Goal.TOUCH, next(each.play for each in solutions(puzzle) if not each.play.attack)) is None
    )
