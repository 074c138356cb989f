"""Does a place still look like the label that was read there? Small remembered pictures answer, compared by shape.

Only the quarter of a code without position patterns is compared: those look the same in every code.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.agree.held_card import PlaceState
from vision.change.gate import CLIPPED, CONTRAST
from vision.frame import Picture
from vision.geometry import Box, Floats
from vision.marks.markers import is_narrow
from vision.printed.tags import QR_MODULES

PER_MODULE: Final = 2  # two samples a module: what is remembered must still differ from one module to the next
FROM_MODULE: Final = 9  # rows and columns from here on hold data alone
SLACK: Final = 3  # one and a half modules, 1.8 mm: most of what a place may be off (READING.md, "At rest")
STILL_THERE: Final = 0.72  # between what the same label and any other one score there: measured, see ``compared``
NOT_THERE: Final = 0.67  # the most that another label scored there: measured, see ``compared``
_GLARE_SHARE: Final = 0.15
_DARKENED: Final = 0.65
_DARKENED_SHARE: Final = 0.1

_SIDE: Final = (QR_MODULES - FROM_MODULE) * PER_MODULE


def remembered(y: Picture, corners: Floats) -> Picture:
    """The data quarter of the label with these corners (4, 2) px, and a little around it."""
    low, high = FROM_MODULE / QR_MODULES, 1.0
    slack = SLACK / (PER_MODULE * QR_MODULES)
    size = _SIDE + 2 * SLACK
    source = _inside(corners, low - slack, high + slack)
    target = np.array([[0, 0], [size, 0], [size, size], [0, size]], dtype=np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(y, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE),
        dtype=np.uint8,
    )


def compared(y: Picture, corners: Floats, before: Picture) -> PlaceState:
    """Whether the same place now looks like ``before`` (made by ``remembered``), shifted a little at most.

    Measured on the simulated table at its hardest: the same label scores 0.85 and more (99 of 100), nudged by 2 mm
    0.6 and more, any other label at that very place 0.67 at most, bare cloth 0.56 at most.
    """
    now = remembered(y, corners)
    core = before[SLACK:-SLACK, SLACK:-SLACK]
    if _clipped(now) > _clipped(core) + _GLARE_SHARE:
        return _beside_glare(now, core)
    if float(now.std()) < CONTRAST:
        return PlaceState.DIFFERENT
    score = float(cv2.matchTemplate(now, core, cv2.TM_CCOEFF_NORMED).max())
    if score >= STILL_THERE:
        return PlaceState.SAME
    return PlaceState.DIFFERENT if score <= NOT_THERE else PlaceState.UNSURE


def _beside_glare(now: Picture, core: Picture) -> PlaceState:
    """What the part that is not blown out says: glare, or white paper in strong light, hides the rest.

    Glare only adds light. Where the label was white and the place is dark now, something else lies there.
    """
    white = core >= (int(core.min()) + int(core.max())) / 2
    dark = now < _DARKENED * float(np.percentile(core, 90))
    darkened = min(
        float(dark[down : down + _SIDE, across : across + _SIDE][white].mean())
        for down in range(2 * SLACK + 1)
        for across in range(2 * SLACK + 1)
    )
    return PlaceState.DIFFERENT if darkened >= _DARKENED_SHARE else PlaceState.UNSURE


def looks_bare(y: Picture, box: Box) -> bool:
    """Whether a part of a picture is too even to hold a label, in ordinary light."""
    part = box.of(y)
    return not is_narrow(box) and float(part.std()) < CONTRAST and _clipped(part) < _GLARE_SHARE


def _clipped(part: Picture) -> float:
    """The share of a picture that is as bright as it can be."""
    return float((part >= CLIPPED).mean())


def _inside(corners: Floats, low: float, high: float) -> Floats:
    """The part of a quadrilateral between two fractions of its sides, as a perspective picture of a square has it."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    matrix = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    part = np.array([[[low, low], [high, low], [high, high], [low, high]]], dtype=np.float64)
    return np.asarray(cv2.perspectiveTransform(part, matrix), dtype=np.float64).reshape(4, 2)
