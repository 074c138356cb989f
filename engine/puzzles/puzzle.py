"""A puzzle: a position with one best turn, and what there is to say about it.

The position is kept as the round that led to it, so that the referee sets it up. The pile lies face down: the
players know which cards are in it, by counting, but not in which order. With both hands open, what a turn is worth is
exact (``engine.puzzles.solver``): the chance of winning the round with best play on both sides, a drawn round counting
half. With the opponent's hand hidden it is the chance that the turn does what is asked (``engine.puzzles.hidden``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from engine.puzzles.hidden import Counterexample, Goal, against, answers, worths
from engine.puzzles.solver import LOST, WON, BestLineTurn, Duel, Solved, Solver, duel_of, solver_of
from engine.record.notation import Record, RoundRecord, parse_move, replay
from engine.rules.cards import Card
from engine.rules.legal import Counts, Play, counts_of, legal_plays, play_event, turn_of
from engine.rules.possible import goes_on, hidden_hand, unseen_cards
from engine.rules.referee import judge
from engine.rules.state import Phase, PlayerView, PublicState, Reason, room_behind
from engine.rules.track import BySide, Side

# Turns that win a round at once: whatever the other player holds, found by counting, or against an open hand.


def plays_of(public: PublicState, hand: Sequence[Card]) -> tuple[Play, ...]:
    """Every legal turn with this hand, by values; none where nobody is to act."""
    return legal_plays(public, counts_of(hand))


def certain_plays(public: PublicState, hand: Sequence[Card], other: Sequence[Card] = ()) -> tuple[Play, ...]:
    """Those of them that no hand there can be answers; the one that lays the fewest cards first.

    The cards of ``hand`` are known to lie nowhere else. ``other``: the other's hand where it is open, else none. What
    only wins in the end is not among them.
    """
    found = [play for play in plays_of(public, hand) if _wins_at_once(public, hand, other, play)]
    return tuple(sorted(found, key=lambda play: len(turn_of(public, hand, play).cards)))


def _wins_at_once(public: PublicState, hand: Sequence[Card], other: Sequence[Card], play: Play) -> bool:
    side = public.to_act
    after, ruling = judge(public, play_event(public, hand, play))
    if side is None or after is None or not ruling.ok:
        return False
    if after.result is not None:
        return after.result.winner is side
    if after.to_act is None:
        return False  # hands are compared: nothing is answered any more
    if other:
        return not goes_on(after, counts_of(other))
    return not any(goes_on(after, counts) for counts, _ in hidden_hand(after, side.other, hand).hands())


GRADES: Final = (1, 2, 3, 4, 5)
CLEAR: Final = Fraction(1, 5)
"""The best turn is worth at least this much more than the next best."""


class PuzzleTheme(Enum):
    """What a puzzle is about."""

    SURE_HIT = "sure_hit"
    HOW_MANY = "how_many"
    INDIRECT = "indirect"
    RIPOSTE = "riposte"
    AFTER_PARRY = "after_parry"
    SLIP_AWAY = "slip_away"
    HOLD_BACK = "hold_back"
    LAST_CARD = "last_card"
    STEP_BACK = "step_back"
    RIGHT_DISTANCE = "right_distance"
    STUCK = "stuck"
    LAST_DEFENCE = "last_defence"
    # With the opponent's hand hidden:
    COUNTED_TOUCH = "counted_touch"
    KEEP_SAFE = "keep_safe"
    OPENING = "opening"
    HIDDEN_HAND = "hidden_hand"


AIMS: Final = {
    PuzzleTheme.COUNTED_TOUCH: Goal.TOUCH,
    PuzzleTheme.KEEP_SAFE: Goal.SAFE,
    PuzzleTheme.OPENING: Goal.FORWARD,
    PuzzleTheme.HIDDEN_HAND: Goal.BEST,
}
"""The question where a hand is hidden, by the puzzle's theme."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """One puzzle. ``moves``: the round that led here, as the game record writes it; ``starter`` began it.

    ``grade`` is 1 (at a glance) to 5. ``hands``: those that lie open, both or only the one to play. ``counts``: the
    answer depends on which cards are not seen: the cards played are shown, too.

    ``certain``: a turn is wanted that wins at once, whatever the other holds where that hand is hidden (then empty
    here). Turns are worth 1 or 0, for certain or not.
    """

    id: str
    grade: int
    theme: PuzzleTheme
    rules: str
    starter: Side
    moves: str
    hands: BySide[tuple[Card, ...]]
    counts: bool = False
    certain: bool = False

    @property
    def public(self) -> PublicState:
        """The table, with the side to find the best turn to act. Raises RecordError for moves the referee refuses."""
        return _public(self)

    @property
    def side(self) -> Side:
        """Who is to find the best turn."""
        side = self.public.to_act
        assert side is not None
        return side

    def hand(self, side: Side) -> tuple[Card, ...]:
        return self.hands[side]

    @property
    def aim(self) -> Goal | None:
        """The question where the opponent's hand is hidden; None where the best turn is asked, or a certain one."""
        return AIMS.get(self.theme)

    @property
    def hidden(self) -> bool:
        """Whether nobody sees what the opponent holds."""
        return self.aim is not None or (self.certain and not self.hand(self.side.other))

    @property
    def view(self) -> PlayerView:
        """The solver's view of the position, without an open hand of the opponent."""
        return PlayerView(self.public, self.side, self.hand(self.side))

    @property
    def unseen(self) -> tuple[Card, ...]:
        """The cards that do not lie open, in deck order: the pile, in an order nobody knows, and a hidden hand."""
        return unseen_cards(self.public, (*self.hands.white, *self.hands.black))


@dataclass(frozen=True, slots=True)
class Answer:
    """A turn somebody chose: what it is worth, what the best is worth, and which that is.

    Against a hidden hand a turn may do what is asked as surely as the best, and yet not be the answer: it goes less far
    forward.
    """

    play: Play
    value: Fraction
    best: Play
    best_value: Fraction

    @property
    def right(self) -> bool:
        return self.play == self.best

    @property
    def worse(self) -> Fraction:
        """How much less it is worth than the best."""
        return self.best_value - self.value


def solutions(puzzle: Puzzle) -> tuple[Solved, ...]:
    """Every legal turn with its exact value, the best first."""
    if puzzle.aim is not None:
        return worths(puzzle.view, puzzle.aim)
    if puzzle.certain:
        hand = puzzle.hand(puzzle.side)
        sure = certain_plays(puzzle.public, hand, puzzle.hand(puzzle.side.other))
        others = (Solved(play, LOST) for play in plays_of(puzzle.public, hand) if play not in sure)
        return (*(Solved(play, WON) for play in sure), *others)
    return solver_of(puzzle.rules).plays(duel_at(puzzle))


def answer(puzzle: Puzzle) -> Play:
    """The best turn; the first of several that are as good."""
    return solutions(puzzle)[0].play


def judge_answer(puzzle: Puzzle, play: Play) -> Answer:
    """What a turn is worth beside the best; one that is worth as much is the best, too.

    Raises ValueError for one that is not legal in this position.
    """
    solved = solutions(puzzle)
    for each in solved:
        if each.play == play:
            right = each.value == solved[0].value if puzzle.aim is None else play in answers(puzzle.view, puzzle.aim)
            best = play if right else solved[0].play
            return Answer(play, each.value, best, solved[0].value)
    raise ValueError(
        f"the play {tuple(play)} is not legal in puzzle {puzzle.id}: one of {[tuple(s.play) for s in solved]}"
    )


def explain(puzzle: Puzzle, best: Play) -> tuple[BestLineTurn, ...]:
    """What the answer is good for: the round played on from it with best play on both sides, with the draws that are
    best for who gave it.

    Raises ValueError for a puzzle with a hidden hand.
    """
    return solver_of(puzzle.rules).line(duel_at(puzzle), best, lucky=True)


def refutation(puzzle: Puzzle, play: Play) -> tuple[BestLineTurn, ...]:
    """The line after a turn with best play on both sides and the likeliest draws.

    Empty where what is wanted is ``certain``. Raises ValueError for a turn that is not legal.
    """
    judge_answer(puzzle, play)
    if puzzle.certain:
        return ()
    return solver_of(puzzle.rules).line(duel_at(puzzle), play)


def opened(puzzle: Puzzle, hand: Counts) -> Puzzle:
    """The position as it is where the opponent holds these cards, by value, and all lies open.

    Raises ValueError for an impossible hand.
    """
    left = list(hand)
    held = []
    for card in puzzle.unseen:
        if left[card.value - 1]:
            left[card.value - 1] -= 1
            held.append(card)
    if any(left):
        raise ValueError(f"the opponent in puzzle {puzzle.id} cannot hold {tuple(hand)}: unseen are {puzzle.unseen}")
    return replace(puzzle, theme=PuzzleTheme.LAST_CARD, hands=puzzle.hands.put(puzzle.side.other, tuple(held)))


def objection(puzzle: Puzzle, play: Play) -> Counterexample | None:
    """A hidden hand against which this turn fails the question; None where there is none, or all lies open."""
    judge_answer(puzzle, play)
    return None if puzzle.aim is None else against(puzzle.view, puzzle.aim, play)


def duel_at(puzzle: Puzzle) -> Duel:
    """The position as the solver takes it. Raises ValueError where a hand is hidden."""
    return duel_of(puzzle.public, puzzle.hands, tuple(card.value for card in puzzle.unseen))


def theme_of(public: PublicState, solver: Solver, duel: Duel) -> PuzzleTheme:
    """What a position is about, by what its best turn does."""
    solved = solver.plays(duel)
    play, value = solved[0]
    end = solver.line(duel)[0].end
    if public.phase is Phase.FINAL:
        return PuzzleTheme.LAST_DEFENCE
    if public.attack is not None:
        if not play.parry:
            return PuzzleTheme.SLIP_AWAY
        return PuzzleTheme.RIPOSTE if play.attack else PuzzleTheme.AFTER_PARRY
    if play.attack and play.move:
        return PuzzleTheme.INDIRECT
    if play.attack:
        counts = [each for each in solved[1:] if each.play.attack and not each.play.move and each.value < value]
        return PuzzleTheme.HOW_MANY if counts or end is None else PuzzleTheme.SURE_HIT
    if end is not None:
        return PuzzleTheme.STUCK if end is Reason.NO_LEGAL_MOVE else PuzzleTheme.LAST_CARD
    if any(each.play.attack for each in solved):
        return PuzzleTheme.HOLD_BACK
    return PuzzleTheme.STEP_BACK if play.move < 0 else PuzzleTheme.RIGHT_DISTANCE


def grade_of(steps: int, choices: int, obvious: bool) -> int:
    """How hard a puzzle is: by the turns of its best line, the legal turns to choose from, and whether the answer is
    ``obvious``, the one the greedy bot gives too."""
    return min(GRADES[-1], (1 if steps == 1 else 2 if steps <= 3 else 3) + (not obvious) + (choices >= 6))


NEARLY: Final = Fraction(3, 4)
"""A turn that does what is asked so often beside the answer tempts."""


def grade_hidden(solved: Sequence[Solved], obvious: bool) -> int:
    """How hard a puzzle with a hidden hand is: by the turns to choose from, whether the answer is ``obvious``, as in
    ``grade_of``, and whether another turn nearly does what is asked."""
    others = [each.value for each in solved[1:]]
    tempts = any(NEARLY <= value / solved[0].value < 1 for value in others)
    return min(GRADES[-1], 1 + (not obvious) + (len(solved) >= 6) + (len(solved) >= 9) + tempts)


@cache
def _public(puzzle: Puzzle) -> PublicState:
    moves = tuple(parse_move(text) for text in puzzle.moves.split())
    record = Record(rules=puzzle.rules, starter=puzzle.starter, rounds=(RoundRecord(moves, None),))
    *_, (_, state, _) = replay(record)
    return state


TRIES: Final = 2
HINTS: Final = 2


@dataclass(frozen=True, slots=True)
class Attempt:
    """``wrong`` are the turns tried that were not the best, ``hints`` the steps of hint that were asked for.

    ``right``: the best turn was found. ``shown``: the solution was asked for. ``known``: it was told before.
    """

    wrong: tuple[Play, ...] = ()
    hints: int = 0
    right: bool = False
    shown: bool = False
    known: bool = False

    @property
    def over(self) -> bool:
        """Whether there is nothing more to find: the solution may be told."""
        return self.right or self.shown or len(self.wrong) >= TRIES

    @property
    def aided(self) -> bool:
        """Whether it cannot be solved any more without help: a try went wrong, or a hint was given."""
        return bool(self.wrong or self.hints or self.shown or self.known)

    @property
    def solved(self) -> bool:
        """Whether the best turn was found at the first try and without a hint."""
        return self.right and not self.aided

    def again(self) -> Attempt:
        """The next attempt, once this one is over; after a failed one the solution counts as known."""
        return Attempt(known=not self.solved) if self.over else self

    def answered(self, play: Play, best: Play) -> Attempt:
        """After this turn was given for the answer; nothing changes once it is over, or by the same turn twice."""
        if self.over or play in self.wrong:
            return self
        return replace(self, right=True) if play == best else replace(self, wrong=(*self.wrong, play))

    def hinted(self) -> Attempt:
        """After a hint was asked for; after the last of them it is the solution."""
        if self.over:
            return self
        return replace(self, shown=True) if self.hints >= HINTS else replace(self, hints=self.hints + 1)


FRESH: Final = Attempt()


# The end of a line that a puzzle's round is played on by: who wins it, and the numbers that decide.


class Ending(NamedTuple):
    """``distance`` at the end, the cards each holds that are equal to it, and the spaces each has come forward.

    ``winner`` None: a draw. ``sure``: the line is the only one there is; else other draws lead elsewhere.
    """

    reason: Reason
    winner: Side | None
    distance: int
    counts: BySide[int]
    advances: BySide[int]
    sure: bool


def ending_of(puzzle: Puzzle, line: Sequence[BestLineTurn]) -> Ending:
    """The end of a line from this puzzle's position on. Raises ValueError for one that does not reach its end."""
    public, mine = puzzle.public, puzzle.side
    hands = {side: Counter(card.value for card in puzzle.hand(side)) for side in Side}
    gained = {side: room_behind(public.spaces, side) for side in Side}
    distance = public.distance
    for step in line:
        side = mine if step.mine else mine.other
        play = step.play
        hands[side].subtract({distance: play.parry})
        hands[side].subtract({abs(play.move): int(play.move != 0)})
        distance -= play.move
        gained[side] += play.move
        hands[side].subtract({distance: play.attack})
        hands[side].update(step.drawn)
    reason = line[-1].end if line else None
    if reason is None:
        raise ValueError(f"the line of puzzle {puzzle.id} has no end: {list(line)}")
    counts = BySide(hands[Side.WHITE][distance], hands[Side.BLACK][distance])
    advances = BySide(gained[Side.WHITE], gained[Side.BLACK])
    winner: Side | None = mine if line[-1].mine else mine.other
    if reason is Reason.MORE_ATTACK_CARDS:
        winner = Side.WHITE if counts.white > counts.black else Side.BLACK
    elif reason is Reason.FURTHER_ADVANCED:
        winner = Side.WHITE if advances.white > advances.black else Side.BLACK
    elif reason is Reason.DRAW:
        winner = None
    return Ending(reason, winner, distance, counts, advances, all(step.chance == 1 for step in line))
