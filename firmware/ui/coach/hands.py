"""Hands that lie open on the table while a round is played: which cards are in them, and what the referee sees.

The play area is cut in two along its length: what lies in the part nearer the players is a hand, White's left of the
middle and Black's right of it; what lies beyond is played. Millimetres in the board frame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.rules.cards import Card
from engine.rules.track import BySide, Side
from engine.table.observation import CardReading, TableObservation
from vision.printed.table import PlayArea

HYSTERESIS_MM: Final = 10.0
"""A card has to go so far over the line before it counts as being on the other side of it."""

NO_HANDS: Final[BySide[tuple[Card, ...]]] = BySide((), ())


@dataclass(frozen=True, slots=True)
class HandZones:
    """Where hands lie: nearer the players than ``line_y_mm``, White's left of ``middle_x_mm``."""

    line_y_mm: float
    middle_x_mm: float

    @staticmethod
    def of(area: PlayArea) -> HandZones:
        """The lower half of this play area, where hands are also shown at the end of a round."""
        middle_x_mm, line_y_mm = area.middle
        return HandZones(line_y_mm, middle_x_mm)


class OpenHands:
    """Keeps hands and played cards apart. A card on the line stays what it was."""

    def __init__(self, zones: HandZones) -> None:
        self._zones = zones
        self._held: dict[Card, bool] = {}
        self._lay: set[tuple[Card, float, float, float]] = set()
        self._glimpsed: dict[Card, bool] = {}
        self.hands = NO_HANDS
        """The cards that lie in each player's part, as of the last ``sift``, in the order of the deck."""

    def forget(self) -> None:
        """No hands lie open any more."""
        self._held, self._lay, self._glimpsed = {}, set(), {}
        self.hands = NO_HANDS

    def sift(self, seen: TableObservation) -> TableObservation:
        """The table without what lies in the hands.

        Nothing unsure is handed on from there either: no code half hidden in a fan, and no card only glimpsed, which
        may be one that was just drawn. What was glimpsed beside the hands is asked about as in any game.
        """
        held = {reading.card: self._is_held(reading) for reading in seen.cards}
        lay = {(reading.card, reading.x_mm, reading.y_mm, reading.laid_at_s) for reading in seen.cards}
        came = {card for card, *_ in lay - self._lay}
        glimpsed = {card: self._was_in_a_hand(card, came, held) for card in seen.glimpsed}
        self._held, self._lay, self._glimpsed = held, lay, glimpsed
        found: dict[Side, list[Card]] = {side: [] for side in Side}
        for reading in seen.cards:
            if held[reading.card]:
                found[Side.WHITE if reading.x_mm < self._zones.middle_x_mm else Side.BLACK].append(reading.card)
        self.hands = BySide(tuple(sorted(found[Side.WHITE])), tuple(sorted(found[Side.BLACK])))
        return replace(
            seen,
            cards=tuple(reading for reading in seen.cards if not held[reading.card]),
            doubts=tuple(
                doubt
                for doubt in seen.doubts
                if (not glimpsed[doubt.card] if doubt.card is not None else doubt.y_mm >= self._zones.line_y_mm)
            ),
        )

    def _was_in_a_hand(self, card: Card, came: set[Card], held: dict[Card, bool]) -> bool:
        """Whether this card was only glimpsed in a hand, which is known for sure or not at all.

        A card counts as glimpsed from the moment another one covers it: it lies where those lie that came, or were
        nudged, with this look.
        """
        known = self._glimpsed.get(card)
        return known if known is not None else bool(came) and all(held[other] for other in came)

    def _is_held(self, reading: CardReading) -> bool:
        was = self._held.get(reading.card)
        over_mm = reading.y_mm - self._zones.line_y_mm
        if was is None or abs(over_mm) > HYSTERESIS_MM:
            return over_mm < 0
        return was
