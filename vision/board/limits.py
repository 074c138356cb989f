"""What no camera, no table and no fit is: what followed from it would be infinite, or never ready."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.geometry import Camera
from vision.printed.table import MOST

MIN_FOCAL: Final = 0.1  # see below
MAX_FOCAL: Final = 20.0
"""As shares of a picture's longer side: lenses from a fish's eye to a telescope."""
MAX_DISTORTION: Final = 100.0


def impossible(camera: Camera, misfit: tuple[float, float]) -> str:
    """What of this camera, or of how well it fitted in px and mm, cannot be; empty where all can."""
    if camera.dist.shape != (5,) or camera.R.shape != (3, 3) or camera.t.shape != (3,):
        return "distortion has 5 numbers, rotation 3 rows of 3, translation_mm 3"
    sides = np.array((camera.width, camera.height))
    if not ((sides >= 1) & (sides <= MOST)).all():
        return f"no picture is {camera.width} by {camera.height} pixels"
    focal_px, middle_px = camera.K[[0, 1], [0, 1]], camera.K[:2, 2]
    turned = (np.abs(camera.R) < 2.0).all() and np.allclose(camera.R @ camera.R.T, np.eye(3), atol=1e-6)
    if not turned or not (focal_px >= MIN_FOCAL * sides.max()).all():
        return "its rotation or focal length is impossible"
    for name, values, most in (
        ("focal_px", focal_px, MAX_FOCAL * sides.max()),
        ("middle_px", middle_px - sides / 2, sides.max()),
        ("distortion", camera.dist, MAX_DISTORTION),
        ("translation_mm", camera.t, MOST),
        ("rms", np.array(misfit), MOST),
    ):
        if not (np.abs(values) <= most).all():
            return f"its {name} is impossible"
    return ""
