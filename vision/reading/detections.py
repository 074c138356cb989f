"""The finds of the detector in one frame, in pixels."""

from __future__ import annotations

from dataclasses import dataclass

from vision.change.gate import Mask
from vision.geometry import Floats
from vision.marks.labels import Label
from vision.marks.markers import Marker


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """One frame's findings. ``tags`` and ``labels`` are what can be vouched for in this frame.

    ``unread`` are outlines of codes that were seen but not read. ``near_hand`` marks the cells (8 by 8 px) near
    motion or an arm; ``hand`` says that there is either over the table, ``guessed`` that nothing moves and no outline
    of that arm shows, so that it may be light or a thing. ``shaken``: the picture as a whole moved
    since the last frame; ``changed`` are cells that differ from when they were read before this frame. ``idle``:
    nothing moves, differs or waits to be read. ``settled`` are cells that had changed and were read now, at rest.
    ``kept_back`` are the cells at something that rested too long to be called a hand and may be one: what is seen
    there is nothing to go by. ``restless``: the cells near motion or what surely is an arm, which are not read.
    ``lost`` are labels that were read before and could not be read now. ``unanswered``: neither reader of labels gave
    an answer where something was due, which it still is. ``arm``: the cells of what surely is an arm.
    """

    tags: tuple[Marker, ...]
    labels: tuple[Label, ...]
    unread: tuple[Floats, ...]
    near_hand: Mask
    hand: bool
    guessed: bool
    changed: Mask
    shaken: bool
    idle: bool
    settled: Mask
    kept_back: Mask
    restless: Mask
    lost: tuple[Label, ...] = ()
    unanswered: bool = False
    arm: Mask | None = None
