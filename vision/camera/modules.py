"""The Raspberry Pi's camera modules: the picture each is used at and how wide it sees.

Source: hardware/PLATFORM.md, "Cameras"; makers' data for the sensors' widths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CameraModule:
    """A camera with its lens: the picture it is used at and its horizontal field of view."""

    name: str
    width: int
    height: int
    hfov_deg: float


def _lens_deg(focal_mm: float, sensor_mm: float) -> float:
    """The horizontal field of a lens on a sensor of this width, without distortion."""
    return math.degrees(2 * math.atan(sensor_mm / (2 * focal_mm)))


_HQ_MM: Final = 6.287  # IMX477: 4056 pixels of 1.55 um
_GLOBAL_MM: Final = 5.023  # IMX296: 1456 pixels of 3.45 um
MODULES: Final = (
    CameraModule("Camera Module 2", 1640, 1232, 62.0),
    CameraModule("Camera Module 2, whole sensor", 3280, 2464, 62.0),
    CameraModule("Camera Module 3", 2304, 1296, 66.0),
    CameraModule("Camera Module 3 Wide", 2304, 1296, 102.0),
    CameraModule("HQ Camera, 6 mm lens", 2028, 1520, _lens_deg(6.0, _HQ_MM)),
    CameraModule("HQ Camera, 4 mm lens", 2028, 1520, _lens_deg(4.0, _HQ_MM)),
    CameraModule("Global Shutter Camera, 6 mm lens", 1456, 1088, _lens_deg(6.0, _GLOBAL_MM)),
    CameraModule("Global Shutter Camera, 4 mm lens", 1456, 1088, _lens_deg(4.0, _GLOBAL_MM)),
)
