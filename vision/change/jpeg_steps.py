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

_SOME: Final = (slice(None, None, 2), slice(None, None, 2))  # of the cells: enough to tell
_MIN_STEP: Final = 4.5  # grey levels: finer ones are less than the gate's least change
_MAX_STEP: Final = 26.0  # coarser pictures show no label that could be read
_DENSE: Final = 2048  # of a spectrum: steps are told apart by a hundredth
_PEAK: Final = _DENSE // 256  # as wide is one step's peak in it
_AS_HIGH: Final = 0.9  # peaks of one ladder differ by a few hundredths in pictures of both renderers
_CLIPS: Final = (5, 250)  # what is black or white lies beside all steps
# Of all cells on one ladder of grey levels, as the length of the mean of their phases: 0.81 and more in pictures of
# qualities 3 to 20, by two renderers, 0.02 to 0.33 in finer ones.
_ON_STEPS: Final = 0.65
_MIN_RUNGS: Final = 5  # in use: two or three surfaces of one grey each would make a ladder, too
_RUNG_SHARE: Final = 0.01  # of all cells; what fewer stand on is chance. Chosen


def step_of_blocks(thumb: NDArray[np.float32]) -> float:
    """By how many grey levels the cells of this thumbnail jump, 0 where they take all values."""
    counts = np.bincount(thumb[_SOME].astype(np.uint8).ravel(), minlength=256)[slice(*_CLIPS)]
    total = int(counts.sum())
    if not total:
        return 0.0
    spectrum = np.fft.rfft(counts, _DENSE)
    first = int(np.ceil(_DENSE / _MAX_STEP))
    heights = np.abs(spectrum[first : int(_DENSE / _MIN_STEP) + 1])
    # A half and a third of a step fit as well: the coarsest that does is meant.
    foot = int(np.argmax(heights >= _AS_HIGH * heights.max()))
    number = first + foot + int(np.argmax(heights[foot : foot + _PEAK]))
    if abs(spectrum[number]) < _ON_STEPS * total:
        return 0.0
    step = _DENSE / number
    rungs = np.round(np.arange(counts.size) / step + float(np.angle(spectrum[number])) / (2.0 * np.pi)).astype(int)
    in_use = np.bincount(rungs - int(rungs.min()), counts) > _RUNG_SHARE * total
    return step if np.count_nonzero(in_use) >= _MIN_RUNGS else 0.0
