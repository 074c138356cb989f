"""What would have been better with the cards as they lay: hindsight, from the hands that were shown at the end.

Going back from the end of the pile, every way the cards may have lain is tried that fits what was laid and drawn since.
That nobody could know: whether a turn was a mistake is ``engine.review.judging``'s to say.
Source: RULES.md, ruling 12; ``engine.puzzles.solver`` for the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple

from engine.players.bots.options import INDEX, attack_number
from engine.puzzles.solver import Duel, Solver, in_any_order
from engine.record.course import CourseStep
from engine.rules.events import RevealEvent, TurnEvent, YieldEvent
from engine.rules.legal import Counts, Play, Turn, counts_of, minus, plus, values_in
from engine.rules.possible import HiddenHand
from engine.rules.reading import explain
from engine.rules.state import PublicState, room_behind
from engine.rules.track import BySide, Side

MAX_PILE: Final = 3
"""No farther back than to a pile of so many cards: the work grows about tenfold with each."""
MAX_LIES: Final = 60
"""Nor to where more hands than these fit."""
LUCKY: Final = Fraction(1, 5)
"""A turn that would have won this much more of the round with the cards that lay there is told as luck."""


GIVES_UP: Final = Play(0, 0, 0)
"""Giving up as a play: no card is laid."""


class Basis(Enum):
    """The evidence for calling a turn better."""

    EVERY_HAND = "every_hand"  # an attack that no hand could have answered
    ANY_TURN = "any_turn"  # giving up, with an answer in every hand that was possible
    SHOWN = "shown"  # the hand is known from cards laid and shown later; turns priced by what the player could know
    JUDGED = "judged"  # by the learned judgement, held against rounds in the head
    LUCK = "luck"  # only by the hands that were shown later


class Lie(NamedTuple):
    """One way the cards may have lain, by values: the player to act, the other, the pile."""

    mine: Counts
    other: Counts
    pile: Counts


class Fitting(NamedTuple):
    """A lie that fits all that was laid, drawn and shown since, in so many ``ways`` of dealing alike cards.

    ``values``: every legal turn and its worth to the player to act, with best play on both sides.
    """

    lie: Lie
    ways: int
    values: Mapping[Play, Fraction]


@dataclass(frozen=True, slots=True)
class Better:
    """A turn better than the one that was made, and what that rests on.

    ``value`` and ``taken_value`` are the chances of the round: by what the player could know, means over the hands
    possible then; for ``LUCK`` with best play on both sides as the cards lay. None for a touch that was certain.
    ``lies``: for ``LUCK``, all ways they may have lain.
    """

    side: Side
    basis: Basis
    play: Play
    taken: Play
    value: float | None = None
    taken_value: float | None = None
    lies: frozenset[Lie] = frozenset()


def fitting(steps: Sequence[CourseStep]) -> Mapping[int, tuple[Fitting, ...]]:
    """Of the turns before hands were shown, by place, every way the cards may have lain before it, solved.

    Only as far back as ``MAX_PILE`` and ``MAX_LIES`` allow; none where no hands were shown.
    """
    found = {}
    for place, ways in _lies(steps):
        before = steps[place].state.previous
        assert before is not None
        found[place] = tuple(Fitting(lie, count, values_at(before, lie)) for lie, count in ways.items())
    return found


def play_of(step: CourseStep) -> Play | None:
    """The turn that this step is, by numbers, ``GIVES_UP`` for giving up; None for other steps."""
    before, entry = step.state.previous, step.entry
    if before is not None and isinstance(entry, YieldEvent):
        return GIVES_UP
    if before is None or not isinstance(entry, TurnEvent):
        return None
    turn = explain(before, entry)
    return turn.play if isinstance(turn, Turn) else None


def _lies(steps: Sequence[CourseStep]) -> Iterator[tuple[int, Mapping[Lie, int]]]:
    """Of each turn before hands were shown, the last first, every way the cards may have lain before it.

    And how many ways each is of choosing, among the cards in hand, those that were drawn: all equally likely.
    """
    shown = next((place for place, step in enumerate(steps) if isinstance(step.entry, RevealEvent)), None)
    if shown is None:
        return
    entry = steps[shown].entry
    assert isinstance(entry, RevealEvent)
    after: dict[tuple[BySide[Counts], Counts], int] = {
        (BySide(counts_of(entry.white), counts_of(entry.black)), (0, 0, 0, 0, 0)): 1
    }
    for place in range(shown - 1, -1, -1):
        step, before = steps[place], steps[place].state.previous
        if before is None or before.to_act is None or not isinstance(step.entry, TurnEvent) or before.pile > MAX_PILE:
            return
        side, laid = before.to_act, counts_of(step.entry.cards)
        earlier: dict[tuple[BySide[Counts], Counts], int] = {}
        for (hands, pile), count in after.items():
            for drawn, ways in HiddenHand(hands[side], before.pile - step.state.pile).hands():
                key = hands.put(side, minus(plus(hands[side], laid), drawn)), plus(pile, drawn)
                earlier[key] = earlier.get(key, 0) + count * ways
        if len(earlier) > MAX_LIES:
            return
        after = earlier
        yield place, {Lie(hands[side], hands[side.other], pile): count for (hands, pile), count in after.items()}


def hindsight(step: CourseStep, fits: Sequence[Fitting]) -> Better | None:
    """A turn that would have been worth much more than the one made over the ways that fit, and in none of them less.

    Nobody could know: it is luck, and no mistake, where the turn made was as good by what its player could see.
    """
    before, taken = step.state.previous, play_of(step)
    if before is None or before.to_act is None or taken is None or not fits:
        return None
    if any(taken not in each.values for each in fits):
        return None
    plays = set.intersection(*(set(each.values) for each in fits))
    ways = sum(each.ways for each in fits)

    def mean(play: Play) -> Fraction:
        return sum((each.values[play] * each.ways for each in fits), Fraction(0)) / ways

    plays = {play for play in plays if all(each.values[play] >= each.values[taken] for each in fits)}
    best = max(plays, key=lambda play: (mean(play), tuple(play)))
    value, taken_value = mean(best), mean(taken)
    if value - taken_value < LUCKY:
        return None
    lies = frozenset(each.lie for each in fits)
    return Better(before.to_act, Basis.LUCK, best, taken, float(value), float(taken_value), lies)


def values_at(public: PublicState, lie: Lie) -> dict[Play, Fraction]:
    """Every legal turn and its worth, with all cards known but the order of the pile."""
    return {each.play: each.value for each in Solver(public.rules, in_any_order).plays(duel_with(public, lie))}


def duel_with(public: PublicState, lie: Lie) -> Duel:
    """The position as the solver takes it, if the cards lay like this."""
    side = public.to_act
    assert side is not None
    gained, attack = room_behind(public.spaces, side), attack_number(public.attack)
    return Duel(INDEX[lie.mine], INDEX[lie.other], public.distance, gained, attack, values_in(lie.pile))
