"""What is to be done at each slot of the companion, as it asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from engine.companion.companion import Asked, CompanionWish


class SlotMark(Enum):
    """What is to be done at a slot: at one that holds nothing or a card, nothing."""

    EMPTY = "empty"
    HELD = "held"
    DEAL = "deal"  # a card is to be dealt there
    PLAY = "play"  # its card is to be taken out and played
    WRONG = "wrong"  # what lies there is to be put right


_MARKS: Final = {CompanionWish.DEAL: SlotMark.DEAL, CompanionWish.STRANGE: SlotMark.WRONG}


def slot_marks(asked: Asked, held: Sequence[bool]) -> tuple[SlotMark, ...]:
    """A mark for each slot, from the left. ``held``: which of them hold something."""
    return tuple(_mark(asked, number, there) for number, there in enumerate(held, start=1))


def _mark(asked: Asked, number: int, there: bool) -> SlotMark:
    """A card that was taken out as asked leaves its slot empty."""
    meant = number in asked.slots
    if meant and there and asked.wish in (CompanionWish.TURN, CompanionWish.REVEAL):
        return SlotMark.PLAY
    return _MARKS[asked.wish] if meant and asked.wish in _MARKS else (SlotMark.EMPTY, SlotMark.HELD)[there]
