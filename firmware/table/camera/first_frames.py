"""The frames a camera is first known by: for calibrating it, and for the doctor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.camera.sources import Source
from vision.frame import Frame

FRAMES: Final = 15
FEW: Final = 5
"""With fewer pictures than that a marker that flickers is found or missed by chance."""

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


def too_few(frames: Sequence[Frame], *, live: bool) -> str:
    """What to say where hardly a picture came from a ``live`` camera that was asked for fifteen; else nothing."""
    if not live or len(frames) >= FEW:
        return ""
    came = {0: "no picture", 1: "one picture"}.get(len(frames), f"{len(frames)} pictures")
    return (
        f"{came} came in {2 * FRAMES} tries, each waited for up to a second, where {FRAMES} were wanted: let this "
        "machine do nothing else meanwhile, give the camera more light, look at its cable and its plug, and try again"
    )
