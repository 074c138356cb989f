"""Parts of a picture made denser, where codes have too few pixels a module, and told dark from bright in any light.

OpenCV's own pyramid does it at a third of what its cubic enlarging takes. Source: READING.md, "Made denser".
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.frame import Picture

_LEVEL: Final = 128.0  # what is as bright as its surroundings


def denser(part: Picture, times: int) -> Picture:
    """A part with so many pixels (1, 2, 4) for one, each way: its pixel (x, y) is pixel (times x, times y) of it."""
    while times > 1:
        part, times = np.asarray(cv2.pyrUp(part), dtype=np.uint8), times // 2
    return part


def smoothed(part: Picture) -> Picture:
    """A part without the noise of single pixels."""
    return np.asarray(cv2.GaussianBlur(part, (3, 3), 0), dtype=np.uint8)


def sharpened(part: Picture, strength: float) -> Picture:
    """A part with what ``smoothed`` would take away added so many times: what is made denser next, loses it again."""
    return np.asarray(cv2.addWeighted(part, 1.0 + strength, smoothed(part), -strength, 0.0), dtype=np.uint8)


def darker_than_around(crop: Picture, window: int, by: int, scale: int = 1) -> Picture:
    """1 where a pixel is darker than its surroundings by so many grey levels, else 0, made so many times denser.

    OpenCV's adaptive threshold to a bit, in half the time: that goes through a table pixel by pixel.
    """
    mean = cv2.blur(crop, (window, window), borderType=cv2.BORDER_REPLICATE | cv2.BORDER_ISOLATED)
    apart = np.asarray(cv2.addWeighted(crop, 1.0, mean, -1.0, _LEVEL), dtype=np.uint8)
    dark = cv2.threshold(denser(apart, scale), _LEVEL - by, 1, cv2.THRESH_BINARY_INV)[1]
    return np.asarray(dark, dtype=np.uint8)
