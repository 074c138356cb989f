"""The times of a video's frames: counted at a constant rate, or as its container stamps them where the rate varies."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

_ROUNDING_S: Final = 0.002
"""Matroska and FLV round their stamps to a millisecond, and the rate that is made from two of them errs by as much."""
_MAX_GAP_S: Final = 3600.0  # between two frames; nobody pauses a match for longer, damaged stamps do
_START_CODES: Final = b"\0\0\1", b"\0\0\0\1"  # of H.264 and H.265, ITU-T H.264 Annex B
_PACK_HEADER: Final = b"\0\0\1\xba"  # of an MPEG program stream, which has stamps
_JPEG: Final = b"\xff\xd8"


class VideoClock:
    """Times that never go back, from frames asked for in order."""

    def __init__(self, fps: float, *, counts: bool) -> None:
        """``counts``: frames are counted at ``fps``, whatever their stamps say."""
        self._fps, self._counts = fps, counts
        self._first_s: float | None = None
        self._stamp_s = 0.0  # the last that is after the one before
        self._t_s, self._step_s = 0.0, 1.0 / fps
        self._varies = False

    def time_s(self, index: int, stamp_s: float) -> float:
        """When frame ``index`` was taken, seconds from the first frame.

        ``stamp_s`` is its container's time. OpenCV 4.6 gives 0 for the last frames of some videos, and for all of a
        stream without stamps: such a frame follows the one before as that one did.
        """
        if self._counts:
            return index / self._fps
        if self._first_s is None:
            self._first_s = stamp_s if abs(stamp_s) <= _MAX_GAP_S else 0.0
        own_s = stamp_s - self._first_s
        stamped = math.isfinite(own_s) and 0.0 < own_s - self._stamp_s <= _MAX_GAP_S
        self._stamp_s = own_s if stamped else self._stamp_s
        counted_s = index / self._fps
        self._varies |= stamped and abs(own_s - counted_s) > _ROUNDING_S
        before_s = self._t_s
        self._t_s = counted_s if not self._varies else max(before_s, own_s) if stamped else before_s + self._step_s
        self._step_s = self._t_s - before_s or self._step_s
        return self._t_s


def is_raw_stream(path: Path) -> bool:
    """Whether a video is a bare stream of pictures without times, such as rpicam-vid writes. Raises OSError."""
    with path.open("rb") as file:
        beginning = file.read(len(_PACK_HEADER))
    return beginning.startswith((*_START_CODES, _JPEG)) and beginning != _PACK_HEADER
