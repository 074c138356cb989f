"""The lens of a live camera as it was last found, kept from one start to the next: the board is found anew each time.

Never that of a recording, a folder of pictures or the simulated table: these give the same rulings every time.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from firmware.core.io.files import read_text, write_state
from firmware.table.loop.moment import Moment
from vision.board.calibration import Calibration, CalibrationError
from vision.board.calibration_text import calibration_text, read_calibration
from vision.board.lens_fit import LensBelief

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
    """What this folder remembers of this camera at this picture size over this table.

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
