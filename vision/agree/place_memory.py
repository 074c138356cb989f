"""Small pictures of the labels that were read, kept to tell later whether they are still there.

With each is kept what lay there before it came, so coarsely as the table at rest is remembered: a place that looks like
that again lost its label, whoever reaches in beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from engine.rules.cards import Card
from vision.agree.held_card import PlaceState
from vision.agree.patches import compared, looks_bare, remembered
from vision.change.gate import AT_REST_PX, CONTRAST, Mask, Thumb, cells_under
from vision.change.light import room_gain
from vision.frame import Picture
from vision.geometry import Camera, Floats, middle_of
from vision.marks.labels import Label
from vision.marks.markers import box_around

SAME_PX: Final = 24.0  # less than half a label at the least size that is read, 21 modules of 2.5 px
_CHECK_AGAIN_LOOKS: Final = 10  # a second at ten frames a second; chosen
_TELLING_CONTRAST: Final = 25.0  # of what is left of a label that something lies across
_AS_BEFORE: Final = 0.3  # of what the label had changed


@dataclass
class _Patch:
    """A label's small picture; ``middle`` is the mean of its corners, ``cells`` those (8 by 8 px) that it covers.

    ``before`` and ``with_label``: thumbnails of the table at rest before it came, and when it was kept;
    ``by_label``: by how many grey levels they differ.
    """

    corners: Floats
    picture: Picture
    before: Thumb | None = None
    with_label: Thumb | None = None
    by_label: float | None = None
    verdict: PlaceState | None = None
    age: int = 0
    middle: tuple[float, float] = field(init=False)
    cells: tuple[slice, slice] = field(init=False)

    def __post_init__(self) -> None:
        self.lies_at(self.corners)

    def lies_at(self, corners: Floats) -> None:
        """It appears here from now on."""
        self.corners = corners
        self.middle = middle_of(corners)
        self.cells = cells_under(corners)


class PlaceMemory:
    """Patches by card and place. Verdicts are kept while nothing changes at the place."""

    def __init__(self) -> None:
        self._patches: dict[Card, list[_Patch]] = {}
        self._kept: list[Label] = []
        self._at_rest: Thumb | None = None

    def rested(self, thumb: Thumb) -> None:
        """The table at rest, in the means of its cells: what lies there before anything else comes."""
        self._at_rest = thumb

    def moved(self, before: Camera, now: Camera) -> None:
        """The camera or the board moved: the same places of the table appear elsewhere in the picture."""
        self._at_rest = None
        for patches in self._patches.values():
            for patch in patches:
                on_table = before.at_height(patch.corners, 0.0)
                patch.lies_at(now.project(np.column_stack([on_table, np.zeros(len(on_table))])))
                patch.verdict = patch.before = None

    def remember(self, y: Picture, thumb: Thumb, labels: Iterable[Label], deck_letter: str, near_hand: Mask) -> None:
        """Keep what these labels look like, where they were not kept at this place already and no hand is near.

        Of one that something lies across its place is kept as it looks with that, if enough of the label is left.
        """
        kept, self._kept = self._kept, []
        for label in labels:
            # What was kept stays the same object in the next frame, until it is read again.
            if any(label is other for other in kept):
                self._kept.append(label)
                continue
            if label.deck != deck_letter or near_hand[cells_under(label.corners)].any():
                continue
            self._kept.append(label)
            middle = middle_of(label.corners)
            patches = self._patches.setdefault(label.card, [])
            near = _near(patches, middle)
            if near is not None and _apart_px(near.middle, middle) <= AT_REST_PX:
                near.verdict = None
                continue
            picture = remembered(y, label.corners)
            if label.cut and float(picture.std()) < _TELLING_CONTRAST:
                continue
            patch = _Patch(label.corners, picture)
            patch.before, patch.with_label = self._at_rest if near is None else near.before, thumb
            self._patches[label.card] = [*[other for other in patches if other is not near][-3:], patch]

    def touch(self, cells: Mask) -> None:
        """These cells (8 by 8 px) changed: what was found out about places there no longer holds."""
        if not cells.any():
            return
        for patches in self._patches.values():
            for patch in patches:
                if cells[patch.cells].any():
                    patch.verdict = None

    def verdict(self, y: Picture, card: Card, at_px: Floats, side_px: float) -> PlaceState:
        """What the place of a label of about this size looks like now.

        Where no picture of it was kept (it was only ever read beside a hand) a bare place still tells.
        """
        patch = _near(self._patches.get(card, []), (float(at_px[0]), float(at_px[1])))
        if patch is None:
            box = box_around(at_px[None], 0.4 * side_px, y.shape[1], y.shape[0])
            return PlaceState.DIFFERENT if looks_bare(y, box) else PlaceState.UNSURE
        if patch.verdict is None or patch.age >= _CHECK_AGAIN_LOOKS:
            patch.age = 0
            patch.verdict = compared(y, patch.corners, patch.picture)
        patch.age += 1
        return patch.verdict

    def is_as_before(self, thumb: Thumb, card: Card, at_px: Floats) -> bool:
        """Whether the place of a label surely looks as it did before the label came there."""
        patch = _near(self._patches.get(card, []), (float(at_px[0]), float(at_px[1])))
        if patch is None or patch.before is None or patch.with_label is None:
            return False
        if not thumb.shape == patch.before.shape == patch.with_label.shape:
            return False
        if patch.by_label is None:
            patch.by_label = _changed(patch.with_label, patch.before, patch.cells)
        if patch.by_label < CONTRAST:
            return False
        return _changed(thumb, patch.before, patch.cells) <= _AS_BEFORE * patch.by_label


def _changed(now: Thumb, before: Thumb, cells: tuple[slice, slice]) -> float:
    """By how many grey levels some cells differ, on an average, but for the light of the whole room."""
    gain = max(room_gain(now, before), 0.01)
    return float(cv2.mean(cv2.absdiff(now[cells] / np.float32(gain), before[cells]))[0])


def _near(patches: list[_Patch], middle: tuple[float, float]) -> _Patch | None:
    """The patch of this place; the nearest, when it is near enough."""
    best = min(patches, key=lambda patch: math.dist(patch.middle, middle), default=None)
    if best is None or math.dist(best.middle, middle) > SAME_PX:
        return None
    return best


def _apart_px(one: tuple[float, float], other: tuple[float, float]) -> float:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
