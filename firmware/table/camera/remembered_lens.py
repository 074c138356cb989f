"""The lens of a live camera as it was last found, kept from one start to the next: the board is found anew each time.

Never that of a recording, a folder of pictures or the simulated table: these give the same rulings every time.
"""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from engine.table.observation import Sight, Why
from firmware.core.io.files import read_text, write_state
from firmware.table.loop.moment import Moment
from vision.board.calibration import Calibration, CalibrationError
from vision.board.calibration_text import calibration_text, read_calibration
from vision.board.lens_fit import LensBelief
from vision.camera.settling import Area, CameraFeedback, Shown
from vision.frame import Frame
from vision.look import Look
from vision.printed.table import Table

GOOD_MM: Final = 4.0
"""A calibration that may be further off than this on a space is not worth remembering."""
# A lens that focuses is not quite the same next time.
_REFOCUSED: Final = (0.006, 1.5, 1.5, 0.004, 0.004)


@dataclass(slots=True)
class RememberedLens:
    """Where one camera's lens is kept, and what was found there.

    ``lens`` is None where there is nothing to go by; ``notice`` then says why, if it was not simply the first time.
    """

    path: Path
    heading: str
    lens: LensBelief | None = None
    notice: str = ""
    _kept_mm: float | None = None
    _seen: Calibration | None = None

    def attend(self, moment: Moment) -> None:
        """Keep what the eyes found, whenever they found something new."""
        if moment.look.calibration is not self._seen:
            self._seen = moment.look.calibration
            self.keep(self._seen)

    def keep(self, calibration: Calibration | None) -> None:
        """Write a good calibration down: after a power cut there is the old one or the new one.

        One no better than that kept in this sitting is not. Where it cannot be written, it will be found anew.
        """
        told = None if calibration is None else calibration.unsure_mm
        if calibration is None or told is None or told > GOOD_MM:
            return
        if self._kept_mm is not None and told > self._kept_mm - 0.2:
            return
        try:
            write_state(self.path, f"{self.heading}\n{calibration_text(calibration)}")
        except OSError:
            return
        self._kept_mm = told


def remembered_lens(folder: Path, camera: str, width: int, height: int, table_text: str) -> RememberedLens:
    """The lens kept in this folder for this camera at this picture size over this table.

    A damaged file counts for nothing, and neither does what was found with another camera, size or table file.
    """
    mark = hashlib.sha256(table_text.encode()).hexdigest()[:16]
    heading = f"# lens of {camera!r} at {width}x{height} over table {mark}"
    name = re.sub(r"[^A-Za-z0-9]+", "-", camera).strip("-") or "camera"
    kept = RememberedLens(folder / f"{name}-{width}x{height}.toml", heading)
    try:
        first, _, text = read_text(kept.path).partition("\n")
    except FileNotFoundError:
        return kept
    except OSError:
        return replace(kept, notice=_unusable(kept.path))
    if first != heading:
        return kept
    try:
        found = read_calibration(text)
    except (CalibrationError, RecursionError):
        return replace(kept, notice=_unusable(kept.path))
    if (found.camera.width, found.camera.height) != (width, height):
        return kept
    spread = [value**2 for value in _REFOCUSED]
    covariance = found.lens.covariance.copy()
    covariance[range(5), range(5)] += spread
    return replace(kept, lens=LensBelief(found.lens.mean, covariance))


def _unusable(path: Path) -> str:
    return f"{path} does not hold a camera's lens any more; it is left alone and the lens found anew."


# What the eyes tell a live camera, for it to know when its automatics may be locked and unlocked.

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
