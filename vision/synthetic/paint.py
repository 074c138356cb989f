"""The pictures of the simulated table that are shipped: grey shades of materials, and the grandstand."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, cast

import cv2
import numpy as np

from vision.frame import Picture
from vision.synthetic.sprite import as_picture

Colour = tuple[int, int, int]
"""Blue, green, red."""
_EVEN: Final = 128
"""The level of a material's picture that leaves its colour as it is."""


@cache
def shipped(name: str) -> Picture:
    """A picture of this package as it is in its file."""
    return cast(Picture, cv2.imdecode(np.frombuffer(files(__package__).joinpath(name).read_bytes(), np.uint8), -1))


def material(name: str, width: int, height: int, colour: Colour, left: int = 0) -> Picture:
    """A rectangle of a material in this colour, cut out ``left`` px from the edge of its picture."""
    shade = shipped(f"{name}.jpg")
    more = [(0, max(0, wanted - there)) for wanted, there in zip((height, left + width), shade.shape, strict=True)]
    shade = np.pad(shade, more, "symmetric")[:height, left : left + width]
    tables = [np.clip(np.arange(256) / _EVEN * part, 0, 255).astype(np.uint8) for part in colour]
    return as_picture(cv2.merge([cv2.LUT(shade, table) for table in tables]))
