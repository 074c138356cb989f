"""How far a turn the companion asked for has been played by the hands that play for it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.companion.companion import Asked, Plan
from engine.rules.cards import Card
from engine.rules.state import PublicState
from engine.rules.track import Side
from engine.table.observation import TableObservation
from engine.table.table_reading import new_cards


@dataclass(frozen=True, slots=True)
class TurnProgress:
    """What is seen of the turn. ``laid`` and ``missing`` are cards asked for, ``unasked`` others that were laid.

    ``goes_to`` is where its fencer is to stand; ``misplaced`` where it stands instead, None while it stands where it
    did, or is not seen on a space.
    """

    laid: tuple[Card, ...]
    missing: tuple[Card, ...]
    unasked: tuple[Card, ...]
    goes_to: int
    misplaced: int | None
    done: bool


@dataclass(frozen=True, slots=True)
class Instruction:
    """What the companion asks for and how far its turn has been played; ``progress`` None while nothing was done."""

    asked: Asked
    progress: TurnProgress | None = None


def progress_of(plan: Plan, public: PublicState, seen: TableObservation, side: Side) -> TurnProgress | None:
    """How far it is; None while nothing was done."""
    laid = tuple(reading.card for reading in new_cards(public, seen))
    space = seen.figures[side].space
    goes_to = plan.spaces[side]
    stood = public.spaces[side]
    if not laid and space in (stood, None):
        return None
    missing = tuple(card for card in plan.cards if card not in laid)
    unasked = tuple(card for card in laid if card not in plan.cards)
    misplaced = space if space is not None and space not in (stood, goes_to) else None
    done = not missing and not unasked and space == goes_to
    return TurnProgress(tuple(card for card in laid if card in plan.cards), missing, unasked, goes_to, misplaced, done)
