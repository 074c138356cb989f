"""By how much the cells of a strongly compressed picture jump: its blocks know but a coarsely rounded mean.

JPEG keeps of every block of 8 by 8 pixels, a cell of ours, its mean in whole steps. Where a mean lies between two of
them, the least noise or a lamp's pulse takes the cell, or a whole cloth of one grey, up a step and down again: that is
no change of the table, however clearly it shows against a picture that is otherwise as still as stone.
Source: the JPEG standard, ITU-T T.81, quantization of the DC coefficient; of a step of Q the mean has steps of Q / 8.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.ranks import median

_SOME: Final = (slice(None, None, 2), slice(None, None, 2))  # of the cells: enough to tell
_RUNG_SHARE: Final = 0.002  # of all cells; grey levels that fewer have are chance. Chosen
# Of the grey levels in use, from the least to the greatest: 0.04 to 0.31 at qualities 3 to 20, which jump by 5 and
# more, and 0.59 and more from quality 50 on, in pictures of a path tracer and in made ones.
_ON_STEPS: Final = 0.45
_MIN_RUNGS: Final = 5  # two or three surfaces of one grey each would make a ladder, too


def step_of_blocks(thumb: NDArray[np.float32]) -> float:
    """By how many grey levels the cells of this thumbnail jump, 0 where they take all values."""
    counts = np.bincount(thumb[_SOME].astype(np.uint8).ravel(), minlength=256)
    levels = np.flatnonzero(counts > _RUNG_SHARE * counts.sum())
    rungs = np.split(levels, np.flatnonzero(np.diff(levels) > 1) + 1)  # rounded means lie on two levels side by side
    if len(rungs) < _MIN_RUNGS or levels.size > _ON_STEPS * (levels[-1] - levels[0] + 1):
        return 0.0
    gaps = np.diff([np.average(rung, weights=counts[rung]) for rung in rungs])
    return float(gaps[gaps < 1.5 * median(gaps)].mean())  # the others miss a rung
