"""Where a picture is uneven enough to hold a code: a look that costs a thirtieth of reading there.

A code is black beside white within a few pixels, over all of its area. Bare cloth, wood, a hand and a card's white
paper are not; looking for codes there is what costs most when the table changes.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.change.gate import CELL_PX, Mask, box_of
from vision.frame import Picture

_EACH_PX: Final = 2  # of the pixels across and down
_WINDOW: Final = np.ones((5, 5), np.uint8)  # of those: somewhat more than a cell
_MIN_RANGE: Final = 20  # grey levels: in half of a label's cells 130 and more were measured in the hardest light


def may_hold_codes(y: Picture, cells: tuple[slice, slice], side: int) -> Mask:
    """Those of some cells (8 by 8 px) with dark beside bright, in patches of at least ``side`` by ``side`` cells."""
    whole = box_of(cells).of(y)
    size = (max(1, whole.shape[1] // _EACH_PX), max(1, whole.shape[0] // _EACH_PX))
    # Means, not samples: of single pixels the noise of a bare cloth differs as much as a code does.
    part = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    spread = cv2.subtract(cv2.dilate(part, _WINDOW), cv2.erode(part, _WINDOW))
    step = CELL_PX // _EACH_PX
    uneven = np.asarray(spread[step // 2 :: step, step // 2 :: step] >= _MIN_RANGE).view(np.uint8)
    # Where modules are large a cell may lie within one colour.
    joined = cv2.morphologyEx(uneven, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    return np.asarray(cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((side, side), np.uint8)), dtype=np.uint8)
