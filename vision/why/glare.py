"""Glare: where the light burns out what should be read, and since when.

White beyond the white of paper is light. It is looked for where something must be, at the fencers' tags and the
corner markers, and wherever something of a card's size came to lie that nobody can read; whether it hides a card that
is held, that card's own modules say (``still_there``). What only may be burnt is told for a while, so that a sheet of
paper in the sun does not stop the game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.belief import BRIEFLY_S
from vision.change.gate import CELL_PX, CLIPPED, CONTRAST, Mask, Thumb, both, cells_under
from vision.geometry import Floats

BURNT: Final = 238.0  # paper is not so bright, unless all of the picture is too bright
_SHARE: Final = 0.2  # of a label, tag or marker: so much must burn to hide it. From 0.12 to 0.24 nothing differs
TOLD_FOR_S: Final = 30.0  # then it may be a sheet of paper in the sun, or a thing that lies there. Chosen
OF_CARD: Final = (0.3, 4.0)  # of a card's area: what may be one, or some in a light with soft edges. Chosen
OF_LABEL: Final = 0.35  # of a label's area: as much must show to tell what it is, or burn to hide that. Chosen
_LEGIBLE_OF_BURNT: Final = 0.25  # numbers and drawings on a card look like a code here and there
_SAME_CELLS: Final = 4.0
WHITE_OF_LABEL: Final = 0.9


@dataclass(frozen=True, slots=True, eq=False)
class _Blob:
    """Something unknown: its middle and size in cells, since when, and which cells of a box it is."""

    x: float
    y: float
    area: int
    since_s: float
    box: tuple[slice, slice]
    mine: Mask

    def cells_in(self, mask: Mask) -> int:
        return cv2.countNonZero(both(self.mine, mask[self.box]))

    def is_like(self, x: float, y: float, area: int) -> bool:
        near = abs(self.x - x) < _SAME_CELLS and abs(self.y - y) < _SAME_CELLS
        return near and max(self.area, area) <= 2 * min(self.area, area)


def burnt_level(white: float) -> float:
    """From which brightness on it is light and no paper, where the corner markers' paper is so white."""
    return min(max(white + CONTRAST, BURNT), CLIPPED)


def is_burnt(thumb: Thumb, corners_px: Floats, level: float) -> bool:
    """Whether the light burns out a tag, or a label, that should be at these corners (4, 2) px."""
    return _share(thumb, cells_under(corners_px), level) >= _SHARE


def markers_are_burnt(thumb: Thumb, outlines_px: Iterable[Floats]) -> bool:
    """Whether the light burns out at least half of the markers that should be at these corners."""
    told = [_share(thumb, cells_under(outline), BURNT) >= _SHARE for outline in outlines_px]
    return bool(told) and 2 * sum(told) >= len(told)


def _share(thumb: Thumb, cells: tuple[slice, slice], level: float) -> float:
    """The share of some cells that are at least so bright."""
    part = thumb[cells]
    return float(np.count_nonzero(part >= level)) / part.size if part.size else 0.0


class GlareWatch:
    """Keeps what burns and is no card that is known, and since when."""

    def __init__(self) -> None:
        self._first_s: float | None = None
        self._blobs: tuple[_Blob, ...] = ()

    def forget(self) -> None:
        """The view changed: what lies where is learned anew."""
        self._first_s, self._blobs = None, ()

    def burns(self, burnt: Mask, label_cells: float) -> bool:
        """Whether anything burns at all that may keep a label from being read; ``burnt``: where the play area does."""
        if cv2.countNonZero(burnt) >= _SHARE * label_cells:
            return True
        self._blobs = ()
        return False

    def unknown(
        self,
        changed: Mask,
        burnt: Mask,
        t_s: float,
        play: Mask,
        known: Mask,
        legible: Callable[[tuple[slice, slice]], Mask],
        card_cells: float,
        label_cells: float,
        *,
        sure: bool = True,
    ) -> tuple[tuple[tuple[float, float], ...], bool]:
        """Where something of about a card's size came to lie that burns, (x, y) in cells, and whether it is told.

        ``changed`` are the cells that do not look like the bare table, ``known`` those of cards that are known. What
        burns in the first picture learned is told as well: nobody knows what lies there. ``legible`` says which of
        some cells show the pattern of a code: a card that does, face down or of another game, lies in no glare.
        ``card_cells`` and ``label_cells`` are a card's and a label's area; ``burnt`` is where the play area burns. Not
        ``sure`` of that, as where all paper is so bright, only what came tells of glare, not what shines.
        """
        free = both(play, (known == 0).view(np.uint8))
        blobs = self._among(
            both(changed | burnt if sure else changed, free), burnt, legible, OF_CARD[0], card_cells, label_cells, t_s
        )
        whole = tuple(blob for blob in blobs if blob.cells_in(changed) >= OF_CARD[0] / 2 * card_cells)
        self._blobs = whole
        told = any(t_s - blob.since_s <= 2 * BRIEFLY_S for blob in whole)
        if not told and (self._first_s is None or t_s - self._first_s <= BRIEFLY_S):
            told = bool(self._among(both(burnt, free), burnt, legible, 0.0, card_cells, label_cells, t_s))
        return tuple((blob.x, blob.y) for blob in whole), told

    def rested(self, t_s: float) -> None:
        """Nothing moves and all that is read is agreed on: what burns from now on came."""
        if self._first_s is None:
            self._first_s = t_s

    def _among(
        self,
        cells: Mask,
        burnt: Mask,
        legible: Callable[[tuple[slice, slice]], Mask],
        of_card: float,
        card_cells: float,
        label_cells: float,
        t_s: float,
    ) -> list[_Blob]:
        """The pieces of a mask that burn, and are a card's size, or this share of it at least."""
        whole = np.asarray(cv2.morphologyEx(cells, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), dtype=np.uint8)
        count, names, stats, middles = cv2.connectedComponentsWithStats(whole)
        found = []
        for number in range(1, count):
            left, top, width, height, area = (int(value) for value in stats[number])
            if area < max(of_card * card_cells, _SHARE * label_cells):
                continue
            box = (slice(top, top + height), slice(left, left + width))
            mine = np.asarray((names[box] == number).view(np.uint8))
            burns = cv2.countNonZero(both(mine, burnt[box]))
            if burns < _SHARE * label_cells:
                continue
            # The light may be larger than the card in it, by the soft edge that it has.
            if max(burns, area - burns) > OF_CARD[1] * card_cells:
                continue
            shown = cv2.countNonZero(both(mine, legible(box)))
            if shown >= max(OF_LABEL * label_cells, _LEGIBLE_OF_BURNT * burns):
                continue
            x, y = (float(value) for value in middles[number])
            since_s = next((blob.since_s for blob in self._blobs if blob.is_like(x, y, area)), t_s)
            found.append(_Blob(x, y, area, since_s, box, mine))
        return found


def cells_of(area_px: float) -> float:
    """How many cells (8 by 8 px) so many pixels are."""
    return area_px / CELL_PX**2
