"""Remembers how a label's place looked before it came, in the means of cells.

A place that looks like that again lost its label, whoever reaches in beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import cv2
import numpy as np

from engine.rules.cards import Card
from vision.agree.held_card import HeldLabel, PlaceState
from vision.change.gate import AT_REST_PX, CONTRAST, Mask, Thumb, cells_under
from vision.change.light import room_gain
from vision.geometry import Floats, middle_of
from vision.marks.labels import Label

_AS_BEFORE: Final = 0.3  # of what the label had changed


class _Place(NamedTuple):
    """A label's ``middle`` in px and its cells (8 by 8 px); thumbnails of the table at rest ``before`` it came, and of
    when it was read; by how many grey levels these differ there.
    """

    middle: tuple[float, float]
    cells: tuple[slice, slice]
    before: Thumb
    by_label: float

    def holds(self, at: tuple[slice, slice]) -> bool:
        return all(mine.start <= one.start < mine.stop for mine, one in zip(self.cells, at, strict=True))


class PlaceMemory:
    """Places by card; and what was said of labels' places since anything changed."""

    def __init__(self) -> None:
        self._places: dict[Card, list[_Place]] = {}
        self._said: dict[tuple[Card, HeldLabel], PlaceState] = {}
        self._at_rest: Thumb | None = None

    def rested(self, thumb: Thumb) -> None:
        """The table at rest, in the means of its cells: what lies there before anything else comes."""
        self._at_rest = thumb

    def moved(self) -> None:
        """The camera or the board moved: the same places of the table appear elsewhere in the picture."""
        self._at_rest = None
        self._places, self._said = {}, {}

    def remember(self, thumb: Thumb, labels: Iterable[Label], deck_letter: str, near_hand: Mask) -> None:
        """Keep where these labels are read in the picture of this thumbnail, but for those that a hand is near."""
        for label in labels:
            middle, cells = middle_of(label.corners), cells_under(label.corners)
            known = self._near(label.card, middle)
            before = self._at_rest if known is None else known.before
            if before is None or before.shape != thumb.shape or label.deck != deck_letter:
                continue
            if (known is None or math.dist(known.middle, middle) > AT_REST_PX) and not near_hand[cells].any():
                others = [other for other in self._places.get(label.card, []) if other is not known]
                self._places[label.card] = [*others, _Place(middle, cells, before, _changed(thumb, before, cells))]

    def touch(self, cells: Mask) -> None:
        """Forget verdicts once cells (8 by 8 px) changed: unchanged pixels say what they said before."""
        if cells.any():
            self._said = {}

    def verdict(self, card: Card, label: HeldLabel, look: Callable[[], PlaceState]) -> PlaceState:
        """The verdict of this look at a label's place, or the last one while nothing changed."""
        if (card, label) not in self._said:
            self._said[card, label] = look()
        return self._said[card, label]

    def is_as_before(self, thumb: Thumb, card: Card, at_px: Floats) -> bool:
        """Whether the place of a label surely looks as it did before the label came there."""
        place = self._near(card, (float(at_px[0]), float(at_px[1])))
        if place is None or thumb.shape != place.before.shape or place.by_label < CONTRAST:
            return False
        return _changed(thumb, place.before, place.cells) <= _AS_BEFORE * place.by_label

    def _near(self, card: Card, middle: tuple[float, float]) -> _Place | None:
        """The nearest known place, if it is near enough; None otherwise."""
        at = cells_under(np.array([middle]))
        near = [place for place in self._places.get(card, []) if place.holds(at)]
        return min(near, key=lambda place: math.dist(place.middle, middle), default=None)


def _changed(now: Thumb, before: Thumb, cells: tuple[slice, slice]) -> float:
    """By how many grey levels some cells differ, on an average, but for the light of the whole room."""
    gain = max(room_gain(now, before), 0.01)
    return float(cv2.mean(cv2.absdiff(now[cells] / np.float32(gain), before[cells]))[0])
