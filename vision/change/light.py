"""Other light on the same surface: by what all of a picture is brighter, and where the same pattern shows in both.

A lamp that goes on changes half a table as much as an arm does, with borders of its own. But under other light wood
keeps its grain, a cloth its weave and a marker its cells, only brighter or darker; an arm brings a surface of its own.
Where a table has no pattern at all nothing is told.
Source: normalised cross-correlation, as used for changes in lighting; the least pattern was measured on thumbnails of
frames with the noise of the dark film of a living room: 0.3 to 0.6 grey levels.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.change.gate import Mask, Thumb
from vision.change.outline import SIDE_CELLS
from vision.ranks import at_share

_WINDOW_CELLS: Final = 5
_FINE_CELLS: Final = 7  # what changes over more is light, or a thing larger than any pattern
_MIN_PATTERN: Final = 1.5  # grey levels
_SAME_PATTERN: Final = 0.75
_ISLAND_CELLS: Final = 3  # what agrees over less does so by chance
_SOME: Final = (slice(None, None, 5), slice(None, None, 5))  # their median is that of all to 0.2 %: measured
_BLOCKS: Final = (16, 9)  # across and down: an arm covers a few of them, a lamp's light changes most
_BLACK: Final = 4.0  # grey levels: what is as dark as that tells no share; chosen
_ALIKE: Final = 0.04  # of brightness (natural logarithm)
_MAX_ALIKE: Final = 0.32  # of the blocks: 0.42 and more as arms came in households and films, 0.09 to 0.27 with lamps
# As far as any cell can count for another's surface: the half of each window, one after the other, and one more.
REACH_CELLS: Final = _FINE_CELLS // 2 + _WINDOW_CELLS // 2 + _ISLAND_CELLS + SIDE_CELLS - 1


def room_gain(now: Thumb, before: Thumb) -> float:
    """How many times as bright as ``before`` half of the picture is at least: the light of the room, whatever came.

    Both of the same shape. Grey levels, which follow a power of the light: other light multiplies them all alike.
    """
    return at_share(now[_SOME] / np.maximum(before[_SOME], 1.0), 0.5)


def same_surface(now: Thumb, before: Thumb) -> Mask:
    """1 where two thumbnails of the same shape show the same pattern, in whatever light; 0 elsewhere."""
    fine_now, fine_before = _fine(now), _fine(before)
    of_now, of_before = _mean(fine_now * fine_now), _mean(fine_before * fine_before)
    both_together = _mean(fine_now * fine_before)
    least = _MIN_PATTERN**2
    alike = both_together >= _SAME_PATTERN * np.sqrt(np.maximum(of_now, least) * np.maximum(of_before, least))
    sure = cv2.morphologyEx(alike.view(np.uint8), cv2.MORPH_OPEN, np.ones((_ISLAND_CELLS, _ISLAND_CELLS), np.uint8))
    bridge = np.ones((SIDE_CELLS, SIDE_CELLS), np.uint8)  # along a shadow its step hides the pattern; arms are wider
    return np.asarray(cv2.morphologyEx(sure, cv2.MORPH_CLOSE, bridge), dtype=np.uint8)


def lamps_changed(now: Thumb, before: Thumb) -> bool:
    """Whether other lamps light the room than a look ago: places brighter or darker by many different shares.

    Both of the same shape, of two looks that follow each other. What a camera does when an arm comes, it does to all of
    the picture alike; and an arm on its way changes a few places much.
    """
    blocks = (cv2.resize(thumb, _BLOCKS, interpolation=cv2.INTER_AREA) for thumb in (now, before))
    one, other = (np.log(block + np.float32(_BLACK)) for block in blocks)
    brighter = one - other
    if brighter.max() < brighter.min() + _ALIKE:
        return False  # as in almost every look: all are alike
    in_order = np.sort(brighter, axis=None)
    alike = np.searchsorted(in_order, in_order + _ALIKE) - np.arange(in_order.size)
    return int(alike.max()) < _MAX_ALIKE * in_order.size


def _fine(thumb: Thumb) -> Thumb:
    return np.asarray(thumb - cv2.blur(thumb, (_FINE_CELLS, _FINE_CELLS)), dtype=np.float32)


def _mean(picture: Thumb) -> Thumb:
    return np.asarray(cv2.blur(picture, (_WINDOW_CELLS, _WINDOW_CELLS)), dtype=np.float32)
