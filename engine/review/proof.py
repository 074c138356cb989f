"""What would have been better, where it can be proved, and nothing where it cannot.

Three proofs count. For every hand: the player held the cards of an attack that no hand the other could have had
parries. With the shown hands: he held those of an attack that the other, whose cards were shown later, could not parry.
And going back from the end of the pile, where both hands were shown, every hand that fits what was laid and drawn since
is tried, and a turn is better only if the exact solver finds it better in every single one.
Source: RULES.md, rulings 12 and 13; ``engine.puzzles.solver`` for the values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, NamedTuple

from engine.players.bots.hands import INDEX
from engine.players.bots.options import attack_number
from engine.puzzles.solver.piles import in_any_order
from engine.puzzles.solver.solve import Duel, Solver
from engine.record.course import CourseStep
from engine.record.retelling import Highlight, HighlightKind
from engine.rules.actions import Advance, DirectAttack, IndirectAttack, Retreat, Turn
from engine.rules.cards import VALUES
from engine.rules.events import RevealEvent, TurnEvent
from engine.rules.legal import Counts, Play, counts_of
from engine.rules.possible import HiddenHand
from engine.rules.reading import explain
from engine.rules.state import PublicState, room_behind
from engine.rules.track import BySide, Side

MOST_PILE: Final = 3
"""No farther back than to a pile of so many cards: the work grows about tenfold with each."""
MOST_LIES: Final = 60
"""Nor to where more hands than these fit."""


class Basis(Enum):
    """What a proof rests on."""

    EVERY_HAND = "every_hand"
    SHOWN_HIT = "shown_hit"  # some hand he could have had would have parried, but he had none, as was shown
    SHOWN = "shown"


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
    """A turn proved better than the one that was made.

    ``value`` and ``taken_value`` are the chances of the round with best play on both sides, where the hands were known
    for certain; None where several hands fit, or where it is an attack that nothing parried. ``lies``: all that fitted.
    """

    side: Side
    basis: Basis
    play: Play
    taken: Play
    value: Fraction | None = None
    taken_value: Fraction | None = None
    lies: frozenset[Lie] = frozenset()


def fitting(steps: Sequence[CourseStep]) -> Mapping[int, tuple[Fitting, ...]]:
    """Of the turns before hands were shown, by place, every way the cards may have lain before it, solved.

    Only as far back as ``MOST_PILE`` and ``MOST_LIES`` allow; none where no hands were shown.
    """
    found = {}
    for place, ways in _lies(steps):
        before = steps[place].state.previous
        assert before is not None
        found[place] = tuple(Fitting(lie, count, values_at(before, lie)) for lie, count in ways.items())
    return found


def proofs(
    steps: Sequence[CourseStep],
    moments: Sequence[Sequence[Highlight]],
    fits: Mapping[int, Sequence[Fitting]] | None = None,
) -> Mapping[int, Better]:
    """What is proved better in a round, by the place of the turn.

    ``moments``: as ``retell`` tells them of each turn; ``fits``: as ``fitting`` gives them, None to have them found.
    """
    found: dict[int, Better] = {}
    for place, lies in (fitting(steps) if fits is None else fits).items():
        better = _solved(steps[place], lies)
        if better is not None:
            found[place] = better
    for place, told in enumerate(moments):
        for moment in told:
            side = moment.side
            if moment.kind is HighlightKind.TOUCH_PROVEN and side is not None and place not in found:
                taken = play_of(steps[place])
                if taken is not None:
                    basis = Basis.EVERY_HAND if moment.count > moment.left else Basis.SHOWN_HIT
                    found[place] = Better(side, basis, Play(0, 0, moment.count), taken)
    return found


def play_of(step: CourseStep) -> Play | None:
    """The turn that this step is, by numbers; None for what is no turn."""
    before, entry = step.state.previous, step.entry
    if before is None or not isinstance(entry, TurnEvent):
        return None
    turn = explain(before, entry)
    if not isinstance(turn, Turn):
        return None
    parry = len(turn.parry)
    match turn.action:
        case Advance(card):
            return Play(parry, card.value, 0)
        case Retreat(card):
            return Play(parry, -card.value, 0)
        case DirectAttack(cards):
            return Play(parry, 0, len(cards))
        case IndirectAttack():
            return Play(parry, turn.action.move_card.value, len(turn.action.attack_cards))
    return Play(parry, 0, 0)


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
        if before is None or before.to_act is None or not isinstance(step.entry, TurnEvent) or before.pile > MOST_PILE:
            return
        side, laid = before.to_act, counts_of(step.entry.cards)
        earlier: dict[tuple[BySide[Counts], Counts], int] = {}
        for (hands, pile), count in after.items():
            for drawn, ways in HiddenHand(hands[side], before.pile - step.state.pile).hands():
                key = hands.put(side, _sum(_sum(hands[side], laid), drawn, -1)), _sum(pile, drawn)
                earlier[key] = earlier.get(key, 0) + count * ways
        if len(earlier) > MOST_LIES:
            return
        after = earlier
        yield place, {Lie(hands[side], hands[side.other], pile): count for (hands, pile), count in after.items()}


def _sum(one: Counts, other: Counts, sign: int = 1) -> Counts:
    first, second, third, fourth, fifth = (a + sign * b for a, b in zip(one, other, strict=True))
    return first, second, third, fourth, fifth


def _solved(step: CourseStep, lies: Sequence[Fitting]) -> Better | None:
    """A turn that is worth more than the one made, however the cards lay; the one that gains most at least."""
    before, taken = step.state.previous, play_of(step)
    if before is None or before.to_act is None or taken is None:
        return None
    gains: dict[Play, Fraction] | None = None
    values: Mapping[Play, Fraction] = {}
    for _, _, values in lies:
        if taken not in values:
            return None
        here = {play: value - values[taken] for play, value in values.items()}
        gains = here if gains is None else {play: min(gain, here[play]) for play, gain in gains.items() if play in here}
    best = max(gains, key=lambda play: gains[play], default=None) if gains else None
    if gains is None or best is None or gains[best] <= 0:
        return None
    side = before.to_act
    if len(lies) > 1:
        return Better(side, Basis.SHOWN, best, taken, lies=frozenset(each.lie for each in lies))
    return Better(side, Basis.SHOWN, best, taken, values[best], values[taken], frozenset({lies[0].lie}))


def values_at(public: PublicState, lie: Lie) -> dict[Play, Fraction]:
    """Every legal turn and its worth, with all cards known but the order of the pile."""
    side = public.to_act
    assert side is not None
    pile = tuple(value for value, count in zip(VALUES, lie.pile, strict=True) for _ in range(count))
    gained = room_behind(public.spaces, side)
    duel = Duel(INDEX[lie.mine], INDEX[lie.other], public.distance, gained, attack_number(public.attack), pile)
    return {each.play: each.value for each in Solver(public.rules, in_any_order).plays(duel)}
