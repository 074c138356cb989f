"""Turns entered by hand: the values a player named, made into cards the record can hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.cards import LETTERS, Card


def cards_of(counts: Mapping[int, int], taken: Iterable[Card], lying: Iterable[Card] = ()) -> tuple[Card, ...]:
    """So many cards of each value: those that lie on the table first, then any that nobody has seen yet.

    ``taken`` are the cards played this round. Where there are not so many left of a value, fewer come back: the referee
    then says what is wrong with the turn.
    """
    used = set(taken)
    chosen: list[Card] = []
    there = [card for card in lying if card not in used]
    for value, count in counts.items():
        own = [card for card in there if card.value == value]
        own += [card for letter in LETTERS if (card := Card(value, letter)) not in used and card not in own]
        chosen += own[:count]
    return tuple(chosen)
