"""Other light on the same surface: by what all of a picture is brighter, and whether the same pattern shows in both.

A lamp that goes on changes half a table as much as an arm does, with borders of its own. But under other light wood
keeps its grain, a cloth its weave and a marker its cells, only brighter or darker; an arm brings a surface of its own.
Where a table has no pattern at all nothing is told.
Source: normalised cross-correlation, as used for changes in lighting. Noise is no pattern: over the fewest cells that
are compared, 81, it correlates by 0.11.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change.gate import Thumb
from vision.change.outline import SIDE_CELLS
from vision.ranks import at_share

_SAME_PATTERN: Final = 0.75
_SOME: Final = (slice(None, None, 5), slice(None, None, 5))  # their median is that of all to 0.2 %: measured
_BLOCKS: Final = (16, 9)  # across and down: an arm covers a few of them, a lamp's light changes most
_BLACK: Final = 4.0  # grey levels: what is as dark as that tells no share; chosen
_ALIKE: Final = 0.04  # of brightness (natural logarithm)
_MAX_ALIKE: Final = 0.32  # of the blocks: 0.42 and more as arms came in households and films, 0.09 to 0.27 with lamps


def room_gain(now: Thumb, before: Thumb) -> float:
    """How many times as bright as ``before`` half of the picture is at least: the light of the room, whatever came.

    Both of the same shape. Grey levels, which follow a power of the light: other light multiplies them all alike.
    """
    return at_share(now[_SOME] / np.maximum(before[_SOME], 1.0), 0.5)


def is_same_surface(now: Thumb, before: Thumb, part: NDArray[np.bool_]) -> bool:
    """Whether two thumbnails show the same pattern in this part, but for its border; all of the same shape."""
    window = (SIDE_CELLS, SIDE_CELLS)  # what changes over more is light, or a thing larger than any pattern
    inner = cv2.erode(part.view(np.uint8), np.ones(window, np.uint8), borderValue=0) > 0
    if np.count_nonzero(inner) < SIDE_CELLS**2:
        return False  # so few may look alike by chance
    fine_now, fine_before = (thumb[inner] - cv2.blur(thumb, window)[inner] for thumb in (now, before))
    spread = float(np.mean(fine_now**2)) * float(np.mean(fine_before**2))
    return float(np.mean(fine_now * fine_before)) > _SAME_PATTERN * math.sqrt(spread)


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
