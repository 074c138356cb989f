"""One picture of the table and its time: what every camera hands over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
GONE: Final[Picture] = np.empty((0, 0), np.uint8)
"""The luminance of a frame that a camera which is gone did not take."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One look of a camera.

    ``index`` counts frames from 0; ``t_s`` is the camera's own clock. ``y`` is the luminance, (height, width)
    uint8, and all that the readers use; ``GONE``, of no size, while the camera is gone. ``picture()`` gives the same
    look as (height, width, 3) BGR for people; it may cost much more than the frame itself, and is None where the
    camera has no colour. ``sensor_ns`` is the sensor's own time of the picture, None where it tells none: the same
    twice is the same picture.
    """

    index: int
    t_s: float
    y: Picture
    picture: Callable[[], Picture] | None = None
    sensor_ns: int | None = None

    def bgr(self) -> Picture:
        """The look for people, (height, width, 3): in colour, or grey where the camera has none."""
        return coloured(self.y) if self.picture is None else self.picture()

    def turned(self) -> Frame:
        """The same look the other way up: of a camera that hangs upside down."""
        y = np.asarray(cv2.flip(self.y, -1), dtype=np.uint8)
        return replace(self, y=y, picture=lambda: np.asarray(cv2.flip(self.bgr(), -1), dtype=np.uint8))


def coloured(grey: Picture) -> Picture:
    """A grey picture as (height, width, 3)."""
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
