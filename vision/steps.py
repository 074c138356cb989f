"""What the steps of one look hand on: from one to the next, and from one frame to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.table.observation import Why
from vision.agree.agreement import Memory
from vision.board.calibration import Calibration
from vision.board.zones import Zones
from vision.cells import Thumb
from vision.geometry import Camera
from vision.look import Look, Seen
from vision.marks.labels import Label
from vision.marks.remnants import Remnant
from vision.reading.detect import Detections
from vision.sights.card_cells import Lies


class Carried(NamedTuple):  # a tuple is renewed several times a frame at a quarter of the cost
    """All that one frame hands on to the next, beside what the readers keep for themselves.

    ``memory``: what the frames agree on. ``rests``: the last look, while nothing was left to see; the next frame that
    looks alike is spared. ``lying``: cards that lie there and are no hand.
    ``shaken``: the picture may be out of focus, or the camera have moved.
    ``waits_since_s``: since when looks are due, infinite where none are; ``hand_s``: when a hand was seen last.
    """

    memory: Memory = Memory()
    rests: Look | None = None
    lying: tuple[Lies, ...] = ()
    shaken: bool = False
    begins: bool = True
    waits_since_s: float = math.inf
    hand_s: float = -math.inf


@dataclass(frozen=True, slots=True, eq=False)
class BlindFrame:
    """Why nothing in a frame can be trusted, and what can be read in it all the same."""

    why: Why
    seen: Seen = field(default_factory=Seen)


@dataclass(frozen=True, slots=True, eq=False)
class FoundBoard:
    """Where the board is in a frame. ``thumb`` is the frame's thumbnail."""

    calibration: Calibration
    zones: Zones
    thumb: Thumb

    @property
    def camera(self) -> Camera:
        return self.calibration.camera


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """What can be read in a frame: what the detector found, all labels with those that are cut, other cut codes."""

    found: Detections
    labels: tuple[Label, ...]
    remnants: tuple[Remnant, ...]
