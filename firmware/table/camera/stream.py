"""A camera in the network: a phone's camera program, an IP camera, by the address that it gives its pictures at.

Bytes from the network are read and decoded in another process (``firmware.table.readers.streams``), which is ended
where it is late: a silent, slow or hostile server costs that process, and libraries print no address with its password.
"""

from __future__ import annotations

import time
from typing import Final

from firmware.table.readers.apart import START_S, STREAMS, Apart, NoAnswerError
from firmware.table.readers.progress import Limits
from firmware.table.readers.streams import NEXT, OPEN, SILENCE_S
from vision.camera.settling import CameraFeedback
from vision.camera.sources import PERIOD_S, OneSize, SourceError, frame_of
from vision.frame import Frame, Picture

OPEN_S: Final = 7.0
"""RTSP cameras take two to four seconds; within what a camera has in all (``OPENS_WITHIN_S``)."""
_DECODE_S: Final = 1.0
_MAX_CORES: Final = 4  # on which a stream may be decoded at the same time


class StreamCamera:
    """A ``LiveSource``: the pictures at an address, each read after it was asked for.

    Pictures of another size than the first are made to fit it.
    """

    def __init__(
        self,
        url: str,
        shown: str,
        *,
        module: str = STREAMS,
        feedback: CameraFeedback | None = None,
    ) -> None:
        """``shown`` is the address as it may be told, ``feedback`` what the game tells meanwhile, ``module`` as in
        ``Apart``. Raises SourceError where there is no such stream.
        """
        self._url, self._shown = url, shown
        self._worker = Apart(module, START_S)
        self._sizes, self._feedback = OneSize(), feedback or CameraFeedback()
        self._due_s = time.monotonic()
        self._begin()
        self._began_s = time.monotonic()
        self._index = 0

    def read(self) -> Frame:
        """The next frame. Raises SourceError where none comes in time."""
        time.sleep(max(0.0, self._due_s - time.monotonic()))
        self._due_s = time.monotonic() + PERIOD_S
        image = self._picture()
        if image is None:
            self._worker.close()  # ends whatever it was waiting for
            raise SourceError(f"camera {self._shown}: expected a picture, found none; look at its network")
        frame = frame_of(image, self._index, time.monotonic() - self._began_s)
        self._index += 1
        return frame.turned() if self._feedback.turned else frame

    def reopen(self) -> None:
        """Ask for the stream again. Raises SourceError."""
        self._worker.close()
        self._begin()

    def close(self) -> None:
        self._worker.close()

    def _begin(self) -> None:
        refusal: tuple[str, str] | None
        try:
            refusal = self._worker.ask(_within(OPEN_S), OPEN, None, self._url)
        except NoAnswerError:
            refusal = (f"nobody who answers within {OPEN_S:g} s", "start its camera program, and look at its network")
        if refusal is not None:
            self._worker.close()
            raise SourceError(f"camera {self._shown}: expected a stream of pictures, found {refusal[0]}; {refusal[1]}")
        self._sizes.opened()

    def _picture(self) -> Picture | None:
        try:
            return self._sizes.fitted(self._worker.ask(_within(SILENCE_S + _DECODE_S), NEXT, None, SILENCE_S))
        except NoAnswerError:
            return None


def _within(wall_s: float) -> Limits:
    """Limits by the clock on the wall: a process that waits for the network sleeps."""
    return Limits(cpu_s=_MAX_CORES * wall_s, asleep_s=wall_s, wait_s=wall_s)
