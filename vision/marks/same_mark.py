"""When two readings are of one and the same label or code."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.geometry import Floats, middle_of
from vision.marks.labels import Label
from vision.marks.markers import Marker

_SAME_CODE_PX: Final = 12.0  # a quarter of a label at the least size that is read, 21 modules of 2.5 px
_AS_BEFORE_PX: Final = 1.5  # a label that lies still is read to within this


def as_before(label: Label, before: tuple[Label, ...]) -> Label:
    """The very label that was read at exactly this place before, if one was: what was made of it holds still."""
    for other in before:
        if other[:2] == label[:2] and float(np.abs(other.corners - label.corners).max()) <= _AS_BEFORE_PX:
            return other
    return label


def same_place(one: Label, other: Label) -> bool:
    """Whether both are of one card and in one place of the picture."""
    return one.card == other.card and same_code(one.corners, other.corners)


def same_tag(one: Marker, other: Marker) -> bool:
    """Whether both are one tag, and not two of the same number."""
    return one.id == other.id and same_code(one.corners, other.corners)


def same_code(one: Floats, other: Floats) -> bool:
    """Whether two outlines (4, 2) px are of one code."""
    (x, y), (other_x, other_y) = middle_of(one), middle_of(other)
    return abs(x - other_x) < _SAME_CODE_PX and abs(y - other_y) < _SAME_CODE_PX
