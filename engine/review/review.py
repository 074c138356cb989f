"""A round reviewed turn by turn: the chances before and after, a sign for each turn, and the turns that decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from engine.record.course import CourseStep
from engine.review.chance import LIES, Chance, chance_of, shown_chance
from engine.review.judging import Judged, Kind, judged_turn
from engine.review.own_puzzle import Hands, held_from, own_hands
from engine.review.proof import Basis, Better, Fitting, fitting
from engine.rules.cards import DECK, HAND_SIZE
from engine.rules.events import TurnEvent
from engine.rules.legal import play_event
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.rules.track import Side


class Why(Enum):
    """What the player did, seen beside the better turn."""

    MISSED = "missed"  # a touch that nobody could have answered
    GAVE_UP = "gave_up"  # with an answer in any hand
    NO_PARRY = "no_parry"  # stopped within reach, with no card of that distance in any possible hand
    NEAR = "near"  # stepped nearer than was good, or stopped within reach
    EARLY = "early"  # attacked instead of waiting
    FEW = "few"  # attacked with too few cards
    MANY = "many"  # attacked with too many cards
    HELD_BACK = "held_back"  # did not attack
    GROUND = "ground"  # gave ground, or too much of it
    FAR = "far"  # stopped farther off than was good
    LAST_CARD = "last_card"  # drew the last card
    ANSWER = "answer"  # answered an attack in another way
    DISTANCE = "distance"  # stopped at another distance


def why_worse(before: PublicState, better: Better, hands: Hands) -> Why:
    """The comment on the turn that was made. ``hands``: those its player may have held."""
    taken, play = better.taken, better.play
    if better.basis is Basis.ANY_TURN:
        return Why.GAVE_UP
    if better.basis is Basis.EVERY_HAND:
        return Why.MISSED
    if taken.attack and play.attack and taken.move == play.move:
        return Why.FEW if taken.attack < play.attack else Why.MANY
    if before.attack is not None and (taken.parry != play.parry or (taken.move < 0) != (play.move < 0)):
        return Why.ANSWER
    if taken.attack and not play.attack:
        return Why.EARLY
    if play.laid < before.pile <= taken.laid:
        return Why.LAST_CARD
    apart = before.distance - taken.move
    if not taken.attack and before.pile > taken.laid:
        used, within_reach = bool(taken.move) and abs(taken.move) == apart, apart <= HAND_SIZE
        if within_reach and hands and all(hand[apart - 1] - used <= 0 for hand in hands):
            return Why.NO_PARRY
        if (within_reach or taken.move > 0) and before.distance - play.move > apart and not play.attack:
            return Why.NEAR
    if play.attack:
        return Why.HELD_BACK
    if play.move > taken.move:
        return Why.GROUND if taken.move < 0 else Why.FAR
    return Why.DISTANCE


MAX_DECIDING: Final = 3
"""A round is said to have turned on no more turns than these."""
DECIDES: Final = 0.15
"""A turn decides only where the chance went by so much, and beyond what the limits leave open."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One turn (or showing of hands, or giving up) of a round.

    ``number`` counts from 1 to ``of``; ``side``: whose it was, None for both. ``judged``: None for what is no turn.
    ``why``: what is told of a turn that was worse by what its player could know, else None.
    ``shown_before`` and ``shown_after``: the chances with the hands that were shown at the end, None where none were,
    or where too many ways fit. ``end``: the giving up, or the showing of hands, that ended the round after this turn;
    ``after`` is then what came of that.
    """

    number: int
    of: int
    step: CourseStep
    side: Side | None
    before: Chance
    after: Chance
    judged: Judged | None
    why: Why | None = None
    shown_before: Chance | None = None
    shown_after: Chance | None = None
    end: CourseStep | None = None

    @property
    def better(self) -> Better | None:
        """What was better, or would have been by luck; None for nothing."""
        return None if self.judged is None else self.judged.better

    @property
    def kind(self) -> Kind | None:
        """Mistake, likely mistake, luck, or None."""
        return None if self.judged is None else self.judged.kind

    @property
    def change(self) -> float:
        """By how much White's chance rose; negative for a fall."""
        return self.after.white - self.before.white

    @property
    def is_certain(self) -> bool:
        """Whether the chance changed by more than the limits leave open."""
        return self.before.high < self.after.low or self.after.high < self.before.low


def review(steps: Sequence[CourseStep], lies: int = LIES) -> Iterator[Reviewed]:
    """The round these steps are, one turn after the other as it is worked out: a second each at most on a desktop.

    ``steps`` are those after its beginning, as ``finished_rounds`` gives them.
    """
    if not steps:
        return
    begun = steps[0].state.previous
    assert begun is not None
    fits = fitting(steps)
    hands = own_hands(steps)
    shown = _shown(steps, fits)
    before = chance_of(begun, lies)
    for place, step in enumerate(steps):
        after = chance_of(step.state, lies)
        acted = step.state.previous.to_act if step.state.previous is not None else None
        known = shown.get(place), shown.get(place + 1)
        judged = judged_turn(step, hands[place], fits.get(place, ()))
        why = _why(step, judged, hands[place])
        yield Reviewed(place + 1, len(steps), step, acted, before, after, judged, why, *known)
        before = after


def _why(step: CourseStep, judged: Judged | None, hands: Hands) -> Why | None:
    before = step.state.previous
    if judged is None or judged.better is None or judged.kind is Kind.LUCK or before is None:
        return None
    return why_worse(before, judged.better, hands)


def mistakes(steps: Sequence[CourseStep]) -> Iterator[tuple[int, Better]]:
    """The mistakes of a round with their places, and nothing that is only likely, or luck."""
    for place, (step, hands) in enumerate(zip(steps, own_hands(steps), strict=True)):
        judged = judged_turn(step, hands, likely=False)
        if judged is not None and judged.kind is Kind.MISTAKE and judged.better is not None:
            yield place, judged.better


def _shown(steps: Sequence[CourseStep], fits: Mapping[int, Sequence[Fitting]]) -> Mapping[int, Chance]:
    """The chances with the hands that were shown, by the place of the turn before which they are."""
    found = {}
    for place, ways in fits.items():
        before = steps[place].state.previous
        if before is not None and before.to_act is not None:
            found[place] = shown_chance(before.to_act, ways)
    if found:  # from the last of these turns on nothing was open any more
        for place in range(max(found) + 1, len(steps) + 1):
            found[place] = chance_of(steps[-1].state)
    return found


def to_the_end(reviewed: Sequence[Reviewed]) -> list[Reviewed]:
    """The turns, the last with what came of it: giving up without an answer decides as little as showing hands."""
    turns = [each for each in reviewed if isinstance(each.step.entry, TurnEvent) or each.better is not None]
    if not turns or turns[-1] is reviewed[-1]:
        return turns
    return [*turns[:-1], replace(turns[-1], after=reviewed[-1].after, end=reviewed[-1].step)]


def deciding(reviewed: Sequence[Reviewed]) -> tuple[Reviewed, ...]:
    """The few turns on which the round turned, in the order in which they were made."""
    moved = [each for each in to_the_end(reviewed) if each.is_certain and abs(each.change) >= DECIDES]
    most = sorted(moved, key=lambda each: -abs(each.change))[:MAX_DECIDING]
    return tuple(sorted(most, key=lambda each: each.number))


def turning_points(rounds: Sequence[Sequence[Reviewed]]) -> tuple[tuple[int, Reviewed], ...]:
    """The few turns on which a match turned, each with the place of its round, in the order in which they were made.

    Mistakes by what they lost count before what only chance moved.
    """
    weighed = [(_weight(each), place, each) for place, found in enumerate(rounds) for each in to_the_end(found)]
    heavy = sorted((each for each in weighed if each[0] > 0), key=lambda each: (-each[0], each[1], each[2].number))
    chosen = sorted(heavy[:MAX_DECIDING], key=lambda each: (each[1], each[2].number))
    return tuple((place, each) for _, place, each in chosen)


def _weight(each: Reviewed) -> float:
    if each.judged is not None and each.kind in (Kind.MISTAKE, Kind.LIKELY_MISTAKE):
        return 1.0 + max(each.judged.loss, DECIDES)
    return abs(each.change) if each.is_certain and abs(each.change) >= DECIDES else 0.0


def better_event(steps: Sequence[CourseStep], place: int, better: Better) -> TurnEvent | None:
    """What should have been laid and where both fencers would stand then, as the referee allows it; else None.

    ``steps`` are those of the round after its beginning, ``place`` the turn's among them, from 0. Cards of a value are
    those that this player laid or showed from here on, as far as there are enough, and then any that were not played.
    """
    before, play = steps[place].state.previous, better.play
    if before is None:
        return None
    known = held_from(steps[place:], better.side, before.hands[better.side])
    free = [*known, *(card for card in DECK if card not in before.played and card not in known)]
    try:
        event = play_event(before, free, play)
    except ValueError:
        return None
    return event if judge(before, event)[1].ok else None
