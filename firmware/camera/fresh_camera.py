"""A camera that gives the very same picture again and again: it is stuck, and what it shows is long past.

A camera that tells when its sensor took a picture is believed. Of any other, no sensor takes the same picture twice:
its noise differs. Drivers repeat one for a moment, where a dark room makes them slower than they promised; one that
goes on doing so would have a turn judged by a table that stood there before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from vision.camera.sources import LiveSource
from vision.frame import GONE, Frame, Picture

STALE_S: Final = 0.5  # nobody lays a card, takes the hand away and presses in less
_EVERY_ROWS: Final = 16  # of which one is compared: any part of a sensor has noise
_FLAT: Final = 16  # of 255: a covered lens may be so evenly dark that two pictures are the same


class FreshCamera:
    """A live ``Source`` before another one: a picture that is repeated for longer than half a second is none."""

    def __init__(self, source: LiveSource) -> None:
        self._source = source
        self._last: Picture = GONE
        self._sensor_ns: int | None = None
        self._taken_s = 0.0

    def read(self) -> Frame | None:
        """The next frame; one without a picture where it is an old one."""
        frame = self._source.read()
        if frame is None or frame.y.size == 0:
            return frame
        if self._is_fresh(frame):
            self._taken_s = frame.t_s
        elif frame.t_s - self._taken_s > STALE_S:
            return replace(frame, y=GONE, picture=None)
        return frame

    def _is_fresh(self, frame: Frame) -> bool:
        if frame.sensor_ns is not None:
            before, self._sensor_ns = self._sensor_ns, frame.sensor_ns
            return before != frame.sensor_ns
        last, self._last = self._last, frame.y[::_EVERY_ROWS]
        return not np.array_equal(self._last, last) or bool(np.ptp(self._last) < _FLAT)

    def reopen(self) -> None:
        self._source.reopen()

    def close(self) -> None:
        self._source.close()
