"""Where people lay cards and stand fencers: badly, as people do, yet never so that nobody can see what they mean."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from households.household import PRINTED, Household
from households.room import Laid, Polygon, Room, Standing

from engine.rules.cards import Card
from engine.rules.track import Side
from vision.printed.table import Table

_TRIES: Final = 80
_INSIDE_MM: Final = 4.0
_TAB_MM: Final = 27.0


class Layout:
    """Lays the cards of one sitting. ``table`` is the true one: people see the spaces where they are printed."""

    def __init__(self, home: Household, table: Table, rng: random.Random) -> None:
        self.home, self.table, self.rng = home, table, rng
        self._labels = {
            card: home.cards.labels(random.Random(f"household {home.seed} card {card}"))
            for card in (Card(value, letter) for value in range(1, 6) for letter in "abcde")
        }
        self._along = 0.0

    def begin_round(self) -> None:
        """From here on the spread begins anew."""
        self._along = 0.0

    def turn_card(self, room: Room, card: Card, this_turn: Sequence[Card]) -> Laid:
        """A place for the next card of a turn: all those of ``this_turn`` keep one label in sight."""
        rng, area = self.rng, PRINTED.play_area
        x_mid, y_mid = area.middle
        width, _ = self.home.cards.size_mm
        step = max(width * rng.uniform(0.45, 1.1), 34.0)
        if this_turn and this_turn[-1] in room.cards:
            last = room.cards[this_turn[-1]]
            x, y = last.x_mm + step * (1 if last.x_mm < x_mid + 60 else -1), last.y_mm
        elif self.home.piled:
            x, y = x_mid + rng.gauss(0.0, 14.0), y_mid + 10.0
        else:
            x = area.x0 + width / 2 + 6 + self._along % (area.x1 - area.x0 - width - 12)
            y = y_mid
            self._along += width * rng.uniform(0.4, 1.05)
        best = None
        for number in range(_TRIES):
            sloppy = rng.random() < self.home.trouble.sloppy
            turn = rng.uniform(-180, 180) if sloppy else rng.gauss(0.0, 5.0)
            turn += 180.0 * (rng.random() < 0.25)
            spread = 3.0 + number
            laid = self._laid(room, card, x + rng.gauss(0.0, spread), y + rng.gauss(0.0, spread), turn)
            best = laid
            shown = [room.cards[one] for one in this_turn if one in room.cards and one != card]
            if _inside(laid) and all_in_sight([*shown, laid]):
                return laid
        assert best is not None
        return replace(best, x_mm=x_mid + 60.0 * (len(this_turn) - 1), y_mm=y_mid, turn_deg=0.0)

    def apart(self, room: Room, card: Card, number: int, side: Side) -> Laid:
        """A clear place for a card that is shown once more: straight, at the player's end of the play area."""
        area, (width, _) = PRINTED.play_area, self.home.cards.size_mm
        from_end = 10.0 + width / 2 + number * (width + 6.0)
        x = area.x0 + from_end if side is Side.WHITE else area.x1 - from_end
        return self._laid(room, card, x, area.middle[1], self.rng.gauss(0.0, 2.0))

    def shown(self, room: Room, card: Card, number: int, many: int, side: Side) -> Laid:
        """A card of a hand laid open: fanned in its player's half, as wide as there is room."""
        area, (width, height) = PRINTED.play_area, self.home.cards.size_mm
        half = (area.x1 - area.x0) / 2
        step = min(width + 4.0, (half - width - 14.0) / max(many - 1, 1))
        start = area.x0 + 6.0 if side is Side.WHITE else area.x0 + half + 8.0
        y = area.y0 + height / 2 + 6.0
        x = start + width / 2 + number * step
        return self._laid(
            room, card, x + self.rng.gauss(0.0, 0.8), y + self.rng.gauss(0.0, 2.0), self.rng.gauss(0, 1.5)
        )

    def stand(self, room: Room, side: Side, space: int) -> Standing:
        """A fencer on a space, as exactly as people put him; two that meet keep their tabs beside each other."""
        place, rng = self.table.space_mm(space), self.rng
        other = room.figures.get(side.other)
        for share in (1.0, 0.6, 0.3, 0.0):
            x = place.x + share * float(np.clip(rng.gauss(0.0, 2.2), -6, 6))
            y = place.y + share * float(np.clip(rng.gauss(0.0, 1.8), -5, 5))
            standing = Standing(space, x, y, share * rng.gauss(0.0, 4.0))
            if other is None or abs(_tab_x(standing) - _tab_x(other)) >= _TAB_MM:
                break
        return standing

    def _laid(self, room: Room, card: Card, x: float, y: float, turn: float) -> Laid:
        level = 1 + max((laid.level for one, laid in room.cards.items() if one != card), default=-1)
        cards = self.home.cards
        bent = self.rng.uniform(1.0, 4.0) if self.rng.random() < cards.bent else 0.0
        return Laid(card, x, y, turn, level, cards.size_mm, self._labels[card], bent)


def all_in_sight(laid: Sequence[Laid]) -> bool:
    """Whether every one of these cards has a label that no later one covers."""
    return all(
        any(not any(meet(label, over.outline()) for over in laid[number + 1 :]) for label in card.label_outlines())
        for number, card in enumerate(laid)
    )


def meet(one: Polygon, other: Polygon) -> bool:
    """Whether two convex outlines have more than a square millimetre in common."""
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(area) > 1.0


def _inside(laid: Laid) -> bool:
    area, corners = PRINTED.play_area, laid.outline()
    low, high = corners.min(axis=0), corners.max(axis=0)
    return bool(
        low[0] > area.x0 - _INSIDE_MM
        and high[0] < area.x1 + _INSIDE_MM
        and low[1] > area.y0 - _INSIDE_MM
        and high[1] < area.y1 + _INSIDE_MM
    )


def _tab_x(standing: Standing) -> float:
    offset = PRINTED.fencer_offset_mm
    angle = np.radians(standing.turn_deg)
    return float(standing.x_mm + offset.x * np.cos(angle) - offset.y * np.sin(angle))
