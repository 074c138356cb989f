"""Glare: where the light burns out what should be read, and since when.

What a sensor cannot show brighter is light. It is looked for where something must be, at the fencers' tags and the
corner markers, and wherever something of a card's size came to lie that nobody can read; whether it hides a card that
is held, that card's own modules say (``still_there``). What only may be burnt is told for a while, so that a sheet of
paper in the sun does not stop the game.

Light that burns out what lies there burns out whatever is laid on it, and nothing looks otherwise than before. All that
can be known is that somebody reached there since: ``Doubt`` of the table's ``outshone``. What came to lie on the
bare table and burns is the same: a code that sparkles in its sleeve looks like none, and like no glare either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.belief import BRIEFLY_S
from vision.change.gate import CELL_PX, CLIPPED, Mask, Thumb, both, cells_under, grown
from vision.geometry import Floats
from vision.why.sharpness import share_from

_SHARE: Final = 0.2  # of a label, tag or marker: so much must burn to hide it. From 0.12 to 0.24 nothing differs
_OF_CARD: Final = (0.3, 4.0)  # of a card's area: what may be one, or some in a light with soft edges. Chosen


def is_burnt(thumb: Thumb, corners_px: Floats) -> bool:
    """Whether the light burns out a tag, a marker or a label that should be at these corners (4, 2) px."""
    cells = thumb[cells_under(corners_px)]
    return share_from(CLIPPED, cells) >= _SHARE


def markers_are_burnt(thumb: Thumb, outlines_px: Sequence[Floats]) -> bool:
    """Whether the light burns out at least half of the markers that should be at these corners, if there are any."""
    burnt = sum(is_burnt(thumb, outline) for outline in outlines_px)
    return 0 < len(outlines_px) <= 2 * burnt


class GlareWatch:
    """Keeps what came to lie in the light and is no card that is known, and since when."""

    def __init__(self) -> None:
        self._first_s: float | None = None
        self._came: list[tuple[Mask, float]] = []

    def forget(self) -> None:
        """The view changed: what lies where is learned anew."""
        self._first_s, self._came = None, []

    def burns(self, burnt: Mask, label_cells: float) -> bool:
        """Whether anything burns at all that may keep a label from being read; ``burnt``: where the play area does."""
        if cv2.countNonZero(burnt) >= _SHARE * label_cells:
            return True
        self._came = []
        return False

    def came(
        self,
        changed: Mask,
        burnt: Mask,
        free: Mask,
        t_s: float,
        card_cells: float,
        label_cells: float,
        *,
        sure: bool = True,
    ) -> tuple[Mask, bool]:
        """The cells of burning things of a card's size that came to lie there; and whether glare is told.

        ``changed`` are the cells that do not look like the bare table, ``free`` those of the play area without a known
        card. What burns in the first picture learned is told as well: nobody knows what lies there. ``card_cells`` and
        ``label_cells`` are a card's and a label's area; ``burnt`` is where the play area burns. Not ``sure`` of that,
        as where all paper is so bright, only what came tells of glare, not what shines.
        """
        shown, before, self._came = both(changed | burnt if sure else changed, free), self._came, []
        for piece in _pieces(shown, burnt, _OF_CARD[0] * card_cells, card_cells, label_cells):
            if cv2.countNonZero(both(piece, changed)) >= _OF_CARD[0] / 2 * card_cells:
                least = cv2.countNonZero(piece) / 2
                known = (since_s for cells, since_s in before if cv2.countNonZero(both(cells, piece)) >= least)
                self._came.append((piece, next(known, t_s)))
        told = any(t_s - since_s <= 2 * BRIEFLY_S for _, since_s in self._came)
        if not told and (self._first_s is None or t_s - self._first_s <= BRIEFLY_S):
            told = any(True for _ in _pieces(both(burnt, free), burnt, 0.0, card_cells, label_cells))
        came = np.zeros_like(burnt)
        for piece, _ in self._came:
            came |= piece
        return came, told

    def rested(self, t_s: float) -> None:
        """Nothing moves and all that is read is agreed on: what burns from now on came."""
        if self._first_s is None:
            self._first_s = t_s


class Outshone(NamedTuple):
    """Light on cards that nobody reads: its middle in cells (8 by 8 px), and when a hand was there last."""

    x: float
    y: float
    since_s: float


class OutshoneWatch:
    """Keeps when a hand was last at each cell of the picture."""

    def __init__(self) -> None:
        self._handed_s: NDArray[np.float32] | None = None

    def forget(self) -> None:
        """The view changed: where hands were is not known there."""
        self._handed_s = None

    def reached(self, near_hand: Mask, t_s: float) -> None:
        """A hand, or motion, is at these cells now."""
        if self._handed_s is None or self._handed_s.shape != near_hand.shape:
            self._handed_s = np.full(near_hand.shape, -np.inf, np.float32)
        self._handed_s[near_hand > 0] = t_s

    def found(self, burnt: Mask, cards: Mask, label_cells: float) -> tuple[Outshone, ...]:
        """Light that burns on ``cards`` that nobody reads, in pieces that may hide a label of ``label_cells``."""
        if self._handed_s is None:
            return ()
        count, names, stats, middles = cv2.connectedComponentsWithStats(both(burnt, cards))
        found = []
        for number in range(1, count):
            if stats[number, cv2.CC_STAT_AREA] < _SHARE * label_cells:
                continue
            around = grown(np.asarray((names == number).view(np.uint8)), 1)  # a hand is known to the cell
            since_s = float(self._handed_s[around > 0].max())
            if np.isfinite(since_s):
                x, y = (float(value) for value in middles[number])
                found.append(Outshone(x, y, since_s))
        return tuple(found)


def _pieces(cells: Mask, burnt: Mask, least_cells: float, card_cells: float, label_cells: float) -> Iterator[Mask]:
    """The connected pieces of a mask that burn, so large at least, and not too large for some cards."""
    whole = np.asarray(cv2.morphologyEx(cells, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), dtype=np.uint8)
    count, names, stats, _ = cv2.connectedComponentsWithStats(whole)
    for number in range(1, count):
        area = int(stats[number, cv2.CC_STAT_AREA])
        if area < max(least_cells, _SHARE * label_cells):
            continue
        piece = np.asarray((names == number).view(np.uint8))
        burns = cv2.countNonZero(both(piece, burnt))
        # The light may be larger than the card in it, by the soft edge that it has.
        if burns >= _SHARE * label_cells and max(burns, area - burns) <= _OF_CARD[1] * card_cells:
            yield piece


def cells_of(area_px: float) -> float:
    """How many cells (8 by 8 px) so many pixels are."""
    return area_px / CELL_PX**2
