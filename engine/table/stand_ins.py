"""Cards entered by hand that nobody read: which of the cards that come in sight later are they?

A turn entered by hand takes, for each value laid, a card of that value that was not played yet: a stand-in. The card
that really lies there may bear another letter, and must not count as laid anew when it is read. Cards of one value are
alike, so it is enough to read the table under other letters: ``understood`` looks for names under which what lies
there is a legal turn, or two whole hands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Final, NamedTuple

from engine.rules.cards import DECK, Card
from engine.rules.events import RevealEvent, TurnEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.table.observation import CardReading, Doubt, DoubtReason, Sight, TableObservation
from engine.table.table_reading import Unreadable, read_reveal, read_turn

Swap = tuple[Card, Card]
_MAX_IN_QUESTION = 6


@dataclass(frozen=True, slots=True)
class StandIns:
    """``pending`` cards are in the record, and what they stand for was not seen yet.

    ``swaps`` are names found out, one after the other: each of the two cards is recorded as the other one.
    """

    pending: tuple[Card, ...] = ()
    swaps: tuple[Swap, ...] = ()

    def after(self, state: PublicState | None, entered: Collection[Card] = ()) -> StandIns:
        """Once an event was accepted: ``entered`` stand in too. What is not in the record any more stands for none."""
        played = state.played if state is not None else ()
        pending = tuple(card for card in (*self.pending, *entered) if card in played)
        return StandIns(pending, self.swaps) if played else StandIns()


@dataclass(frozen=True, slots=True)
class AskedCards:
    """Cards the players were asked about in this turn, the last time at ``t_s``.

    One that was laid again since was shown, and belongs to the turn; one that was not does not.
    """

    cards: Collection[object] = ()
    t_s: float = 0.0


NOBODY_ASKED = AskedCards()


def understood(
    state: PublicState,
    seen: TableObservation,
    stand_ins: StandIns,
    opened_s: float,
    middle_x_mm: float,
    asked: AskedCards = NOBODY_ASKED,
) -> tuple[TableObservation, StandIns]:
    """The table under the record's names, and what is known of these once it is judged so.

    Under the names under which it is legal, if that leaves no choice; else as it is. Cards that may belong to this turn
    or to one before, both being legal, are glimpsed ones: the players are asked. ``opened_s`` and ``middle_x_mm`` are
    as in ``read_turn`` and ``read_reveal``.
    """
    for swap in stand_ins.swaps:
        seen = _renamed(seen, (swap,))
    pending = tuple(card for card in stand_ins.pending if card in state.played)
    if not pending or seen.sight is not Sight.STEADY:
        return seen, stand_ins
    shown = {reading.card for reading in seen.cards if reading.card in asked.cards and reading.laid_at_s > asked.t_s}
    legal: dict[object, _Way] = {}
    for way in (_Way(), *_ways(state, seen.cards, pending, opened_s)):
        outcome = None if way.old & shown else _outcome(state, _renamed(seen, way.swaps), opened_s, middle_x_mm)
        if outcome is not None:
            legal.setdefault(outcome, way)
    doubtful = frozenset(card for way in legal.values() for card in way.old) if len(legal) > 1 else frozenset()
    if doubtful and not doubtful <= {*asked.cards}:
        perhaps = (
            Doubt(each.x_mm, each.y_mm, each.laid_at_s, DoubtReason.COVERED, each.card)
            for each in sorted(seen.cards, key=lambda each: each.card)
            if each.card in doubtful
        )
        return replace(seen, doubts=(*seen.doubts, *perhaps)), stand_ins
    if not legal:
        return seen, stand_ins
    chosen = max(legal.values(), key=lambda way: len(way.old))
    left = tuple(card for card in pending if card not in chosen.settled)
    return _renamed(seen, chosen.swaps), StandIns(left, (*stand_ins.swaps, *chosen.swaps))


NO_STAND_INS: Final = StandIns()


class _Way(NamedTuple):
    """Other names for what lies there; the cards in sight that then were laid in turns before, and their names."""

    swaps: tuple[Swap, ...] = ()
    old: frozenset[Card] = frozenset()
    settled: frozenset[Card] = frozenset()


def _ways(
    state: PublicState, cards: tuple[CardReading, ...], pending: tuple[Card, ...], opened_s: float
) -> Iterator[_Way]:
    """Every way to understand the new cards of the values in question, but that all are what they look like."""
    lying = [reading.card for reading in cards]
    values = {card.value for card in pending}
    fresh = [card for card in lying if card not in state.played and card.value in values]
    back = [reading.card for reading in cards if reading.card in pending and reading.laid_at_s > opened_s]
    if (not fresh and not back) or len(fresh) + len(back) > _MAX_IN_QUESTION:
        return
    for old, new in product(_subsets(fresh), _subsets(back)):
        if not old and not new:
            continue
        free = [card for card in DECK if card not in state.played and card not in lying]
        names = sorted((card for card in pending if card not in new), key=lambda card: card in lying)
        swaps: list[Swap] = []
        for card, among in (*((card, names) for card in old), *((card, free) for card in new)):
            name = next((one for one in among if one.value == card.value), None)
            if name is None:
                break
            among.remove(name)
            swaps.append((card, name))
        else:
            yield _Way(tuple(swaps), frozenset(old), frozenset(name for card, name in swaps if card in old))


def _outcome(state: PublicState, seen: TableObservation, opened_s: float, middle_x_mm: float) -> object | None:
    """The legal event of this table, by values; None if there is none."""
    event: TurnEvent | RevealEvent | Unreadable | None = read_reveal(state, seen, middle_x_mm)
    if state.to_act is not None:
        event = read_turn(state, seen, opened_s)
    if event is None or isinstance(event, Unreadable) or not judge(state, event)[1].ok:
        return None
    if isinstance(event, RevealEvent):
        return _values(event.white), _values(event.black)
    return _values(event.cards), event.spaces


def _values(cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(sorted(card.value for card in cards))


def _subsets(cards: list[Card]) -> list[tuple[Card, ...]]:
    return [some for size in range(len(cards) + 1) for some in combinations(cards, size)]


def _renamed(seen: TableObservation, swaps: tuple[Swap, ...]) -> TableObservation:
    names = {**dict(swaps), **{other: one for one, other in swaps}}
    if not names:
        return seen
    cards = tuple(replace(reading, card=names.get(reading.card, reading.card)) for reading in seen.cards)
    doubts = tuple(replace(each, card=each.card and names.get(each.card, each.card)) for each in seen.doubts)
    return replace(seen, cards=cards, doubts=doubts)
