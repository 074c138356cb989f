"""A camera that gives the very same picture again and again: it is stuck, and what it shows is long past.

No sensor takes the same picture twice: its noise differs. Drivers repeat one for a moment, where a dark room makes them
slower than they promised; one that goes on doing so would have a turn judged by a table that stood there before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.camera.sources import Source
from vision.frame import GONE, Frame, Picture

STALE_S: Final = 0.5  # nobody lays a card, takes the hand away and presses in less
_FLAT: Final = 16  # of 255: a covered lens may be so evenly dark that two pictures are the same


class FreshCamera:
    """A live ``Source`` before another one: a picture that is repeated for longer than half a second is none."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._last: Picture = GONE
        self._taken_s = 0.0

    def read(self) -> Frame | None:
        """The next frame; one without a picture where it is an old one."""
        frame = self._source.read()
        if frame is None or frame.y.size == 0:
            return frame
        if not np.array_equal(frame.y, self._last) or np.ptp(frame.y) < _FLAT:
            self._last, self._taken_s = frame.y, frame.t_s
        elif frame.t_s - self._taken_s > STALE_S:
            return replace(frame, y=GONE, picture=None)
        return frame

    def close(self) -> None:
        self._source.close()
