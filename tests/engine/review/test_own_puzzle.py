"""A mistake becomes a puzzle: of the same table, with hands that fit, and one kind of right answer."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, RandomBot
from engine.puzzles.collection import parse_puzzles, print_puzzles
from engine.puzzles.puzzle import Puzzle, certain_plays, judge_answer, refutation, solutions
from engine.record.corrections import Correction, Setting
from engine.record.course import Course, CourseStep
from engine.record.notation import Record, RoundRecord, parse_move, replay
from engine.record.retelling import finished_round
from engine.review.own_puzzle import own_puzzle
from engine.review.proof import Basis, Better
from engine.review.review import mistakes as mistakes_of
from engine.rules.cards import DECK, Card
from engine.rules.events import RevealEvent
from engine.rules.legal import play_event
from engine.rules.referee import judge
from engine.rules.state import FullState
from engine.rules.track import BySide
from tests.engine.review.conftest import rounds_of

DRILLED = (Basis.EVERY_HAND, Basis.SHOWN)
Round = tuple[CourseStep, ...]
Found = tuple[Round, int, Better, FullState]


@cache
def mistakes() -> tuple[Found, ...]:
    """Rounds with mistakes in them, with the place of the turn and what was hidden then."""
    found: list[Found] = []
    for seed in (0,):
        found += _mistakes(seed, BySide(RandomBot(), STRENGTHS["fencer"]()))
    for seed in (8, 64, 76):
        found += _mistakes(seed, BySide(RandomBot(), RandomBot()))
    return (*found, missed())


def missed() -> Found:
    """White, who holds three 4s, steps back at distance 4, and hits with them two turns later."""
    moves = tuple(parse_move(text) for text in ["+5a", "+5b", "+4a", "+4b", "-1a", "+1b", "x4c4d4e"])
    steps = tuple(
        CourseStep(entry, ruling, state) for entry, state, ruling in replay(Record(rounds=(RoundRecord(moves, None),)))
    )
    steps = finished_round(Course(steps))
    ((place, better),) = mistakes_of(steps)
    before = steps[place].state.previous
    assert before is not None
    white = tuple(map(Card.parse, ["4c", "4d", "4e", "1a", "2a"]))
    black = tuple(map(Card.parse, ["1b", "2b", "3b", "5c", "5d"]))
    pile = tuple(card for card in DECK if card not in (*before.played, *white, *black))
    return steps, place, better, FullState(before, BySide(white, black), pile)


def _mistakes(seed: int, bots: BySide[Bot]) -> list[Found]:
    return [
        (each.steps, place, better, each.hidden[place])
        for each in rounds_of(seed, bots)
        for place, better in mistakes_of(each.steps)
    ]


def puzzles(basis: Basis) -> list[tuple[Found, Puzzle]]:
    made = []
    for each in mistakes():
        steps, place, better, _ = each
        puzzle = own_puzzle(steps, place, better, "own-1")
        if puzzle is not None and better.basis is basis:
            made.append((each, puzzle))
    return made


def shown(steps: Round) -> bool:
    return any(isinstance(step.entry, RevealEvent) for step in steps)


@pytest.mark.slow
@pytest.mark.parametrize("basis", DRILLED)
def test_it_is_the_same_table_with_hands_that_fit(basis: Basis) -> None:
    made = puzzles(basis)
    assert len(made) >= 2
    for (steps, place, better, _), puzzle in made:
        before = steps[place].state.previous
        assert before is not None
        now = puzzle.public
        assert (now.spaces, now.pile, now.attack, now.phase) == (
            before.spaces,
            before.pile,
            before.attack,
            before.phase,
        )
        assert (now.played, now.hands, puzzle.side) == (before.played, before.hands, better.side)
        assert len(puzzle.hand(puzzle.side)) == before.hands[better.side]
        assert (len(puzzle.hand(better.side.other)) == now.hands[better.side.other]) is not puzzle.hidden
        assert puzzle.hidden or shown(steps)
        everywhere = [*now.played, *puzzle.hands.white, *puzzle.hands.black, *puzzle.unseen]
        assert sorted(everywhere) == sorted(DECK)
        assert parse_puzzles(print_puzzles((puzzle,))) == (puzzle,)


@pytest.mark.slow
@pytest.mark.parametrize("basis", DRILLED)
def test_what_was_done_is_wrong_and_something_better_is_right(basis: Basis) -> None:
    for (_, _, better, _), puzzle in puzzles(basis):
        plays = {each.play: each.value for each in solutions(puzzle)}
        assert better.taken in plays, "he can make his mistake again"
        assert not judge_answer(puzzle, better.taken).right
        best = max(plays.values())
        right = [play for play in plays if judge_answer(puzzle, play).right]
        assert right == [play for play, value in plays.items() if value == best], "no answer as good is called wrong"


def test_what_nothing_proves_of_a_hand_is_no_card_that_could_hit() -> None:
    """White is known to have held two 4s, the third he may have drawn: what fills his hand up is none."""
    steps, place, better, _ = missed()
    puzzle = own_puzzle(steps, place, better, "own-1")
    assert puzzle is not None
    assert [card.value for card in puzzle.hands.white].count(4) == better.play.attack == 2
    assert len(puzzle.hands.white) == 5


@pytest.mark.slow
def test_of_a_certain_one_every_right_turn_touches_whatever_the_other_holds() -> None:
    assert puzzles(Basis.EVERY_HAND)
    for (steps, place, better, table), puzzle in puzzles(Basis.EVERY_HAND):
        assert puzzle.certain
        assert judge_answer(puzzle, better.play).right
        assert refutation(puzzle, better.taken) == ()
        # As the cards really lay the turn would have won, too.
        before = steps[place].state.previous
        assert before is not None
        after, _ = judge(before, play_event(before, table.hands[better.side], better.play))
        assert after is not None
        values = [card.value for card in table.hands[better.side.other]]
        assert after.attack is None or values.count(after.attack.value) < after.attack.count


@pytest.mark.slow
def test_nothing_is_certain_where_a_hand_there_can_be_answers() -> None:
    for (_, _, _, table), _ in puzzles(Basis.SHOWN):
        side = table.public.to_act
        assert side is not None
        hand, other = table.hands[side], table.hands[side.other]
        for sure in certain_plays(table.public, hand):
            after, _ = judge(table.public, play_event(table.public, hand, sure))
            assert after is not None
            values = [card.value for card in other]
            assert after.result is not None or after.attack is None or values.count(sure.attack) < sure.attack


def test_what_somebody_said_outright_is_no_table_to_play_to() -> None:
    steps, place, better, _ = next(each for each in mistakes() if each[1] > 0)
    setting = Setting(score=BySide(1, 0))
    said = (steps[0]._replace(entry=setting), *steps[1:])
    assert Correction((setting,), "").changes
    assert own_puzzle(steps, place, better, "own-1") is not None
    assert own_puzzle(said, place, better, "own-1") is None


@pytest.mark.parametrize("basis", [basis for basis in Basis if basis not in DRILLED])
def test_luck_and_what_is_only_likely_are_not_drilled(basis: Basis) -> None:
    steps, place, better, _ = missed()
    assert own_puzzle(steps, place, better, "own-1") is not None
    assert own_puzzle(steps, place, replace(better, basis=basis), "own-1") is None
