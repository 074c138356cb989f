"""The frames a camera is first known by: for calibrating it, and for the doctor."""

from __future__ import annotations

from typing import Final

from vision.camera.sources import Source
from vision.frame import Frame

FRAMES: Final = 15

SETTLED_S: Final = 3.0


def some_frames(source: Source, *, live: bool) -> list[Frame]:
    """Up to 15 frames that have a picture; a camera that is gone for long is not waited for.

    A ``live`` camera is given three seconds first: until then it finds its exposure and focus, and a lens that focuses
    changes its focal length.
    """
    frames: list[Frame] = []
    began_s: float | None = None
    left = 2 * FRAMES
    while left and len(frames) < FRAMES and (frame := source.read()) is not None:
        began_s = frame.t_s if began_s is None else began_s
        if live and frame.t_s - began_s < SETTLED_S:
            continue
        left -= 1
        if frame.y.size:
            frames.append(frame)
    return frames
