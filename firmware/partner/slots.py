"""From backs on the table to the companion's slots. What lies elsewhere is nothing to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine.backs import DeckBacks
from engine.observation import BackReading
from engine.partner import Slot, Slots, Strange
from vision.table import Table

ASIDE_MM: Final = 26.0
ASKEW_MM: Final = 32.0


def slots_of(backs: Iterable[BackReading], deck: DeckBacks, table: Table) -> Slots:
    """What each slot holds, from the left."""
    lying: list[list[BackReading]] = [[] for _ in table.slots_mm]
    for back in backs:
        for cards, (x, y) in zip(lying, table.slots_mm, strict=True):
            if abs(back.x_mm - x) <= ASIDE_MM and abs(back.y_mm - y) <= ASKEW_MM:
                cards.append(back)
    return tuple(_slot(cards, deck) for cards in lying)


def _slot(cards: list[BackReading], deck: DeckBacks) -> Slot:
    if not cards:
        return None
    if len(cards) > 1:
        return Strange.TWO
    card = deck.card_of(cards[0].token)
    return Strange.UNKNOWN if card is None else card
