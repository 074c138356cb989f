"""The first thing that the readers' server loads: OpenCV, as the program itself loads it."""

from __future__ import annotations

from firmware.core.io.libraries import loading

with loading():
    import cv2  # noqa: F401
