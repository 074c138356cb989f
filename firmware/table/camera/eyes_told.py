"""What the eyes tell a live camera, for it to know when its automatics may be locked and unlocked."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from engine.table.observation import Sight, Why
from firmware.table.loop.moment import Moment
from vision.board.calibration import Calibration
from vision.camera.settling import Area, CameraFeedback, Shown
from vision.frame import Frame
from vision.look import Look
from vision.printed.table import Table

_OVER_NEAREST: Final = 1.25
"""A camera hangs so much higher than where the board fills its picture: the middle of the ranges in hardware/camera.md,
62 to 84 cm and 32 to 44 cm, in dioptres. All of a range is sharp with the lens set there."""


def expected_distance_mm(table: Table) -> float:
    """How far from the table its camera's lens will be, by its field of view and the board's width."""
    xs = [corner.x for corner in table.corners]
    half_mm = (max(xs) - min(xs) + table.board_size_mm) / 2
    return _OVER_NEAREST * half_mm / math.tan(math.radians(table.camera.hfov_deg) / 2)


class EyesTold:
    """Attends every moment, and tells the camera what its pictures show. While the eyes are blind it tells nothing."""

    def __init__(self, feedback: CameraFeedback) -> None:
        self._feedback = feedback
        self._calibration: Calibration | None = None
        self._distance_mm: float | None = None
        self._area: Area | None = None

    def attend(self, moment: Moment) -> None:
        """Tell of this moment's look."""
        self.see(moment.frame, moment.look)

    def see(self, frame: Frame, look: Look) -> None:
        """Tell of this look."""
        if look.table.sight is Sight.BLIND:
            return
        if look.calibration is not None and look.calibration is not self._calibration:
            self._aim(look.calibration, look.of)
        hand = look.table.why is Why.HAND or look.arm is not None
        self._feedback.shown = Shown(hand, self._distance_mm, self._area)

    def _aim(self, calibration: Calibration, table: Table) -> None:
        """Where the play area is in the picture, and how far it is from the lens."""
        self._calibration, camera, area = calibration, calibration.camera, table.play_area
        middle = (*area.middle, 0.0)
        corners = [(x, y, 0.0) for x in (area.x0, area.x1) for y in (area.y0, area.y1)]
        self._distance_mm = float(camera.depth_mm([middle])[0])
        px = camera.project(corners) / (camera.width, camera.height)
        (left, top), (right, bottom) = np.clip((px.min(axis=0), px.max(axis=0)), 0.0, 1.0).tolist()
        self._area = (left, top, right, bottom) if left < right and top < bottom else None
