"""Discards: cards of turns before, which may lie on the table or not, and may be tidied at any time.

Only a card that lay there can have been taken up and laid again. One that nobody saw lying since it counts as played
comes to the table for another reason: the beginning of a round was taken back and its last cards are put out again, the
program was started anew, or a turn was entered by hand and its cards come in sight.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from engine.rules.cards import Card
from engine.rules.state import PublicState
from engine.table.observation import TableObservation


def lain(before: AbstractSet[Card], state: PublicState, seen: TableObservation, opened_s: float) -> frozenset[Card]:
    """The cards played before that were seen to lie on the table: those of ``before``, and those that lie there since
    before the turn opened at ``opened_s``."""
    lying = {reading.card for reading in seen.cards if reading.laid_at_s <= opened_s}
    return frozenset(card for card in state.played if card in before or card in lying)


def with_discards_at_rest(
    seen: TableObservation, state: PublicState, known: AbstractSet[Card], opened_s: float
) -> TableObservation:
    """The table, on which cards played before that never lay there, as far as is ``known``, count as lying already
    when the turn opened at ``opened_s``."""
    put_out = {
        reading.card
        for reading in seen.cards
        if reading.card in state.played and reading.card not in known and reading.laid_at_s > opened_s
    }
    if not put_out:
        return seen
    cards = tuple(
        replace(reading, laid_at_s=opened_s) if reading.card in put_out else reading for reading in seen.cards
    )
    return replace(seen, cards=cards)
