"""Cards of the turn that others hide wholly: they may have been taken back before those were laid.

The eyes know a card by its labels. Where a hand takes one back and lays others over its place, nothing is seen of it
either way, and it is held to lie beneath them. Whoever was refused for it, or thought better of it, did just that.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from engine.rules.cards import Card
from engine.rules.events import TurnEvent
from engine.rules.referee import judge
from engine.rules.state import PublicState
from engine.table.observation import TableObservation
from engine.table.table_reading import new_cards, read_turn


def perhaps_taken(state: PublicState, seen: TableObservation, opened_s: float) -> tuple[Card, ...]:
    """The hidden cards without which the turn would be legal that is refused with them; none where there are no such.

    Where fewer would do, the one that was laid last is named: it was the last to be thought of.
    """
    hidden = [reading.card for reading in new_cards(state, seen) if reading.covered]
    turn = read_turn(state, seen, opened_s) if hidden else None
    if not isinstance(turn, TurnEvent) or judge(state, turn)[1].ok:
        return ()
    for some in (*((card,) for card in reversed(hidden)), tuple(hidden)):
        without = replace(turn, cards=tuple(card for card in turn.cards if card not in some))
        if judge(state, without)[1].ok:
            return some
    return ()


def still_taken(taken: AbstractSet[Card], seen: TableObservation) -> frozenset[Card]:
    """Those of the cards taken back that the eyes hold to lie there, and do not see."""
    return frozenset(reading.card for reading in seen.cards if reading.covered and reading.card in taken)


def without_taken(seen: TableObservation, taken: AbstractSet[Card]) -> TableObservation:
    """The table without these cards, as far as they are not seen."""
    gone = still_taken(taken, seen)
    if not gone:
        return seen
    return replace(seen, cards=tuple(reading for reading in seen.cards if reading.card not in gone))
