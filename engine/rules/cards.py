"""The 25 cards: five each of 1 to 5, told apart by a letter. Source: FERTI-FR (material), FORMATS.md, "Cards"."""

from __future__ import annotations

from typing import Annotated, Final, NamedTuple, TypeAlias

from engine.strict.values import Converter

VALUES: Final = (1, 2, 3, 4, 5)
LETTERS: Final = ("a", "b", "c", "d", "e")
HAND_SIZE: Final = 5


class Card(NamedTuple):
    """One card: its value 1 to 5 and its letter a to e. ``str(card)`` is its public name, such as ``3b``."""

    value: int
    letter: str

    def __str__(self) -> str:
        return f"{self.value}{self.letter}"

    @staticmethod
    def parse(text: str) -> Card:
        """The card with this public name. Raises ValueError for any other text (``3B`` and `` 3b`` included)."""
        card = CARD_BY_NAME.get(text)
        if card is None:
            raise ValueError(f"no card is called {text!r}: a card is a value 1 to 5 and a letter a to e, such as 3b")
        return card


DECK: Final[tuple[Card, ...]] = tuple(Card(value, letter) for value in VALUES for letter in LETTERS)
CARD_BY_NAME: Final[dict[str, Card]] = {str(card): card for card in DECK}

CardName: TypeAlias = Annotated[Card, Converter(CARD_BY_NAME.__getitem__, str, "a card such as 3b")]
"""A card in a format of files, where its name stands."""
