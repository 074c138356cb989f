"""A round told again: what happened turn by turn, and the moments that decided it, as values without words.

Only what the table has seen is used: cards laid, cards shown at the end, and how many were drawn. Of what a player held
earlier only what those prove is claimed: a card laid or shown later that cannot have been drawn since was in the
hand. The rest is told as a condition ("had White held").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.record.corrections import Setting
from engine.record.course import Course, CourseStep
from engine.rules.cards import VALUES, Card
from engine.rules.endings import attack_of
from engine.rules.events import RevealEvent, RoundEvent, TimeEvent, TurnEvent, YieldEvent
from engine.rules.rulings import ATTACKS
from engine.rules.state import Attack, AttackKind, PublicState, Reason, advanced, room_behind
from engine.rules.track import BySide, Side

CARDS_OF_A_VALUE: Final = 5


class HighlightKind(Enum):
    """A kind of highlight. The fields each kind fills in are named after it."""

    # side, value, count: held, the other could not have parried, and no attack was made; left: the most parries
    # the other could have held for all that was open then
    TOUCH_PROVEN = "touch_proven"
    TOUCH_IF = "touch_if"  # side, value, count: so many would have hit for sure, if held
    SURE = "sure"  # side, value, count: this attack could not be parried by anybody
    PARRY_IF = "parry_if"  # side, value, count, left: the parry that would have held; left: unseen ones then
    PARRY_SPENT = "parry_spent"  # side, value, count, turn: as many as the parry wanted were laid in that turn
    RETREAT_IF = "retreat_if"  # side, value: any card up to this would have been a retreat from it
    NO_RETREAT = "no_retreat"  # side: a direct attack cannot be retreated from
    STUCK = "stuck"  # side, value: only a card up to this would have allowed a turn
    LAST_CARD = "last_card"  # side: drew the last card
    LAST_DEFENCE = "last_defence"  # side: had one defence left
    COMPARED = "compared"  # value, white, black: cards equal to the distance in each hand
    ONE_MORE = "one_more"  # side, value, count: so many more would have won the comparison
    POSITION = "position"  # side: who stood further forward, None for neither; white, black: by how much


@dataclass(frozen=True, slots=True)
class Highlight:
    """One thing worth telling of a turn. Only the fields its kind names are set; ``turn`` counts from 1."""

    kind: HighlightKind
    side: Side | None = None
    value: int = 0
    count: int = 0
    left: int = 0
    turn: int = 0
    white: int = 0
    black: int = 0


@dataclass(frozen=True, slots=True)
class RetoldPage:
    """One turn (or yield, reveal, correction) of the round: its step and its highlights.

    ``number`` counts from 1 to ``of``. ``decided``: the round turned on it.
    """

    number: int
    of: int
    step: CourseStep
    moments: tuple[Highlight, ...]
    decided: bool


def finished_rounds(course: Course | None) -> tuple[tuple[CourseStep, ...], ...]:
    """The steps of every round that is over, each after its beginning, the first round first.

    Where time ended the match in the middle of a round, that one is not over.
    """
    rounds: list[list[CourseStep]] = []
    for step in course.steps if course is not None else ():
        if isinstance(step.entry, RoundEvent):
            rounds.append([])
        elif rounds and not isinstance(step.entry, TimeEvent):  # it changes nothing on the table
            rounds[-1].append(step)
    return tuple(tuple(steps) for steps in rounds if steps and steps[-1].state.result is not None)


def finished_round(course: Course | None) -> tuple[CourseStep, ...]:
    """The last of them; empty where there is none."""
    return next(reversed(finished_rounds(course)), ())


def retell(steps: Sequence[CourseStep]) -> tuple[RetoldPage, ...]:
    """The round these steps are, a page for each. ``steps`` are those after its beginning, as ``finished_round`` gives.

    A round in which a correction set cards or figures outright is told as it stands; nothing is proven across it.
    """
    seen = _Seen(steps)
    pages = []
    for place, step in enumerate(steps):
        moments = tuple(_moments(seen, place))
        decided = any(moment.kind in _DECIDING for moment in moments)
        pages.append(RetoldPage(place + 1, len(steps), step, moments, decided))
    return tuple(pages)


_DECIDING: Final = (
    HighlightKind.TOUCH_PROVEN,
    HighlightKind.SURE,
    HighlightKind.PARRY_IF,
    HighlightKind.STUCK,
    HighlightKind.LAST_CARD,
    HighlightKind.COMPARED,
    HighlightKind.POSITION,
)


class _Seen:
    """A round as the table saw it, and what that proves of the hands."""

    def __init__(self, steps: Sequence[CourseStep]) -> None:
        self.steps = steps
        self.revealed: BySide[tuple[Card, ...]] | None = None
        for step in steps:
            if isinstance(step.entry, RevealEvent):
                self.revealed = BySide(step.entry.white, step.entry.black)

    def before(self, place: int) -> PublicState:
        """The state in which the entry at this place was made."""
        state = self.steps[place].state.previous
        assert state is not None
        return state

    def laid(self, place: int, side: Side) -> tuple[Card, ...]:
        """The cards this side laid, or showed, in this entry."""
        entry = self.steps[place].entry
        if isinstance(entry, RevealEvent):
            return entry.white if side is Side.WHITE else entry.black
        if isinstance(entry, TurnEvent | YieldEvent) and self.before(place).to_act is side:
            return entry.cards
        return ()

    def drawn(self, place: int, side: Side) -> int:
        """How many cards this side drew at the end of this entry."""
        if not isinstance(self.steps[place].entry, TurnEvent) or self.before(place).to_act is not side:
            return 0
        return self.before(place).pile - self.steps[place].state.pile

    def held(self, place: int, side: Side, value: int) -> int:
        """The fewest cards of this value that were in this side's hand before the entry at this place.

        Of the cards laid or shown from then on, no more than were drawn since can be new.
        """
        least = found = drawn = 0
        for later in range(place, len(self.steps)):
            if isinstance(self.steps[later].entry, Setting):
                break
            found += sum(card.value == value for card in self.laid(later, side))
            least = max(least, found - drawn)
            drawn += self.drawn(later, side)
        return least

    def at_most(self, place: int, side: Side, value: int) -> int:
        """The most cards of this value that could be in this side's hand then.

        Where both hands were shown at the end, every card is known: then it is at most those.
        """
        most = self.open_at_most(place, side, value)
        later = range(place, len(self.steps))
        if self.revealed is None or any(isinstance(self.steps[number].entry, Setting) for number in later):
            return most
        own = [card for number in later for card in self.laid(number, side)]
        return min(most, sum(card.value == value for card in own))

    def open_at_most(self, place: int, side: Side, value: int) -> int:
        """The most for all that was open then: unseen, and not proven in the other's hand."""
        before = self.before(place)
        return min(before.unseen_counts[value] - self.held(place, side.other, value), before.hands[side])


def _moments(seen: _Seen, place: int) -> list[Highlight]:
    step, before = seen.steps[place], seen.before(place)
    entry, state = step.entry, step.state
    side = before.to_act
    moments: list[Highlight] = []
    if isinstance(entry, TurnEvent) and side is not None:
        moments += _touch(seen, place, side)
        if state.pile == 0 and before.pile > 0:
            moments.append(Highlight(HighlightKind.LAST_CARD, side))
            if state.attack is not None:
                moments.append(Highlight(HighlightKind.LAST_DEFENCE, side.other))
    result = state.result
    if result is None or result.reason is Reason.SAID or isinstance(entry, Setting):
        return moments
    if result.reason is Reason.HIT:
        moments += _hit(seen, place)
    elif result.reason is Reason.NO_LEGAL_MOVE and result.winner is not None:
        loser = result.winner.other
        reach = max(min(state.distance, max(VALUES)), min(room_behind(state.spaces, loser), max(VALUES)))
        if reach < max(VALUES):
            moments.append(Highlight(HighlightKind.STUCK, loser, reach))
    else:
        moments += _compared(seen, place, state)
    return moments


def _touch(seen: _Seen, place: int, side: Side) -> list[Highlight]:
    """A direct attack that was not made and that nobody could have parried, where no attack had to be answered."""
    before, step = seen.before(place), seen.steps[place]
    value = before.distance
    if before.attack is not None or not 1 <= value <= max(VALUES) or step.ruling.action in ATTACKS:
        return []
    left = seen.open_at_most(place, side.other, value)
    for most in (left, seen.at_most(place, side.other, value)):
        if seen.held(place, side, value) > most:
            return [Highlight(HighlightKind.TOUCH_PROVEN, side, value, most + 1, left)]
    unseen = before.unseen_counts[value]
    wanted = unseen // 2 + 1  # more than half of those unseen: fewer are left than were laid
    lost = seen.steps[-1].state.result is not None and seen.steps[-1].state.result.winner is side.other
    if lost and wanted <= min(unseen, before.hands[side]) and place >= len(seen.steps) - 3:
        return [Highlight(HighlightKind.TOUCH_IF, side, value, wanted)]
    return []


def _hit(seen: _Seen, place: int) -> list[Highlight]:
    """How the touch could have been kept off, or that it could not."""
    state, before = seen.steps[place].state, seen.before(place)
    attack = before.attack
    if attack is None:  # the referee awarded it at once: no hand could have answered
        attack = _attack_made(seen, place)
        return [] if attack is None else [Highlight(HighlightKind.SURE, attack.by, attack.value, attack.count)]
    side = attack.by.other
    left = before.unseen_counts[attack.value]
    moments = []
    if left >= attack.count:
        moments.append(Highlight(HighlightKind.PARRY_IF, side, attack.value, attack.count, left))
        moments += _spent(seen, place, side, attack)
    room = min(room_behind(state.spaces, side), max(VALUES))
    if attack.kind is AttackKind.DIRECT:
        moments.append(Highlight(HighlightKind.NO_RETREAT, side))
    elif room:
        moments.append(Highlight(HighlightKind.RETREAT_IF, side, room))
    return moments


def _attack_made(seen: _Seen, place: int) -> Attack | None:
    """The attack that this entry made and that ended the round at once."""
    step, side = seen.steps[place], seen.before(place).to_act
    entry, ruling = step.entry, step.ruling
    if not isinstance(entry, TurnEvent) or side is None or ruling.action is None or ruling.action not in ATTACKS:
        return None
    return attack_of(side, ruling.action, step.state.distance, ruling.attack_count(len(entry.cards)))


def _spent(seen: _Seen, place: int, side: Side, attack: Attack) -> list[Highlight]:
    """The latest turn in which as many cards of the attack's value were laid as the parry wanted."""
    for earlier in range(place - 1, -1, -1):
        entry = seen.steps[earlier].entry
        if isinstance(entry, Setting):
            break
        if sum(card.value == attack.value for card in seen.laid(earlier, side)) >= attack.count:
            return [Highlight(HighlightKind.PARRY_SPENT, side, attack.value, attack.count, turn=earlier + 1)]
    return []


def _compared(seen: _Seen, place: int, state: PublicState) -> list[Highlight]:
    """The comparison after the last card: the hands, how far they were apart, and who stood further forward."""
    moments = []
    result, working = state.result, seen.steps[place].ruling.working
    assert result is not None
    counts = working.counts if working is not None else None
    ahead = advanced(state.spaces)
    further = None if ahead.white == ahead.black else Side.WHITE if ahead.white > ahead.black else Side.BLACK
    if counts is not None:
        value = state.distance
        moments.append(Highlight(HighlightKind.COMPARED, value=value, white=counts.white, black=counts.black))
        for side in Side:
            if result.winner is not side:
                # Level hands go to whoever is further forward.
                more = counts[side.other] - counts[side] + (further is not side)
                if more <= CARDS_OF_A_VALUE - counts.white - counts.black:  # there are so many of them besides
                    moments.append(Highlight(HighlightKind.ONE_MORE, side, value, more))
    moments.append(Highlight(HighlightKind.POSITION, further, white=ahead.white, black=ahead.black))
    return moments
