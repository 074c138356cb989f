"""Arrangements of the table that a survey asks for: together they show every card, space and difficulty once."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.rules.cards import DECK, Card


class Laid(Enum):
    """How the cards of an arrangement lie. The value is the name in ``survey.json`` and in the catalogues."""

    EMPTY = "empty"
    SIDE_BY_SIDE = "side_by_side"
    FAN = "fan"
    PILE = "pile"
    TURNED = "turned"
    UNDER_A_HAND = "under_a_hand"
    HELD_UP = "held_up"
    DARK = "dark"
    GLARE = "glare"


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The fencers' spaces and the cards asked for, in the order in which they are laid.

    ``covered``: cards that lie wholly beneath others and need not be read; ``held``: cards above the table that must
    not be taken for laid.
    """

    laid: Laid
    white: int
    black: int
    cards: tuple[Card, ...] = ()
    covered: tuple[Card, ...] = ()
    held: tuple[Card, ...] = ()


def _cards(names: str) -> tuple[Card, ...]:
    return tuple(Card.parse(name) for name in names.split())


ARRANGEMENTS: Final = (
    Arrangement(Laid.EMPTY, 1, 23),
    *(
        Arrangement(Laid.SIDE_BY_SIDE, 1 + value, 23 - value, tuple(card for card in DECK if card.value == value))
        for value in range(1, 6)
    ),
    Arrangement(Laid.FAN, 7, 17, _cards("1a 2a 3a 4a 5a")),
    Arrangement(Laid.FAN, 8, 16, _cards("5b 4b 3b 2b 1b")),
    Arrangement(Laid.PILE, 9, 15, _cards("4c"), covered=_cards("2c 3c")),
    Arrangement(Laid.TURNED, 10, 14, _cards("1d 2d 4d 5d")),
    Arrangement(Laid.UNDER_A_HAND, 11, 13, _cards("3c 3d 3e")),
    Arrangement(Laid.HELD_UP, 12, 23, held=_cards("5c")),
    Arrangement(Laid.HELD_UP, 1, 12, _cards("2e"), held=_cards("4e 5e")),
    Arrangement(Laid.DARK, 2, 22, _cards("1e 4e")),
    Arrangement(Laid.GLARE, 3, 21, _cards("1c 5c")),
)
"""Each card lies flat once and each space is stood on once, before what is hard to see."""
