"""Whether there is too little light to see anything by."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.change.gate import CONTRAST, Thumb
from vision.frame import Picture
from vision.ranks import at_share
from vision.why.sharpness import Clarity, noise_of

_LIT: Final = 30.0
_LIT_SHARE: Final = 0.02
_WELL_LIT: Final = 70.0
# A label can be read while black is so many times the noise from white; measured at 5.5 to 6.3 on two renderers.
_LEGIBLE_CONTRAST: Final = 5.5


def is_unlit(thumb: Thumb) -> bool:
    """Whether hardly anything of these values is lit at all."""
    return share_from(_LIT, thumb) < _LIT_SHARE


def is_dark(y: Picture, thumb: Thumb, seen: Clarity | None) -> bool:
    """Whether there is too little light to read a label by: hardly any, or hardly more than the sensor's noise.

    ``thumb``: the thumbnail's values, of the table where it is known where that is.
    """
    if is_unlit(thumb):
        return True
    if share_from(_WELL_LIT, thumb) >= _LIT_SHARE or (seen is not None and seen.white >= _WELL_LIT):
        return False
    contrast = at_share(thumb, 0.98) - at_share(thumb, 0.05) if seen is None else seen.contrast
    return contrast < max(CONTRAST, _LEGIBLE_CONTRAST * noise_of(y))


def share_from(least: float, values: Thumb) -> float:
    """The share of these values that are at least so bright."""
    return float(np.count_nonzero(values >= least)) / max(values.size, 1)
