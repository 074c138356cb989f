"""From backs on the table to the companion's slots. What lies elsewhere is nothing to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from engine.companion.backs import DeckBacks
from engine.companion.companion import Slot, Slots, Strange
from engine.table.observation import BackReading, CardReading
from vision.printed.table import Table

ASIDE_MM: Final = 26.0
ASKEW_MM: Final = 32.0


def slots_of(
    backs: Iterable[BackReading], deck: DeckBacks, table: Table, face_up: Collection[CardReading] = ()
) -> Slots:
    """What each slot holds, from the left. ``face_up`` are cards that were dealt into slots the wrong way up."""
    lying: list[list[BackReading]] = [[] for _ in table.slots_mm]
    for back in backs:
        for number in slots_under(back, table):
            lying[number].append(back)
    wrong = {number for reading in face_up for number in slots_under(reading, table)}
    return tuple(Strange.FACE_UP if number in wrong else _slot(cards, deck) for number, cards in enumerate(lying))


def slots_under(card: BackReading | CardReading, table: Table) -> tuple[int, ...]:
    """The slots this card lies in, counted from 0: one at most, where they lie apart."""
    return tuple(
        number
        for number, (x, y) in enumerate(table.slots_mm)
        if abs(card.x_mm - x) <= ASIDE_MM and abs(card.y_mm - y) <= ASKEW_MM
    )


def _slot(cards: list[BackReading], deck: DeckBacks) -> Slot:
    if not cards:
        return None
    if len(cards) > 1:
        return Strange.TWO
    card = deck.card_of(cards[0].token)
    return Strange.UNKNOWN if card is None else card
