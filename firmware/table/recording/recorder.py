"""Writes a recording while a table is watched or refereed: the frames as they were looked at, presses and verdicts.

Frames are packed and written by a thread of their own, while the loop waits for the camera: beside a look it would
take turns of the interpreter from it. Whatever goes wrong with the file, the game goes on without it.
"""

from __future__ import annotations

import contextlib
import io
import os
import queue
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from engine.table.desk import ruled_to_json
from engine.table.observation import Why
from engine.table.presses import Press
from firmware.core.errors import EngardeError
from firmware.core.io.files import new_stream
from firmware.table.camera.camera import OpenCamera
from firmware.table.camera.recorded import header_of
from firmware.table.camera.setup import Setup
from firmware.table.loop.moment import Helper, Moment
from firmware.table.loop.requests import note_of
from firmware.table.loop.watched import Part
from vision.board.calibration import Calibration
from vision.board.zones import Zones, zones_of
from vision.camera.sources import Source
from vision.cells import Mask
from vision.frame import Frame
from vision.look import Look
from vision.recording.keeper import Keeper
from vision.recording.recording import frame_bytes, header_bytes, note_bytes

MB: Final = 1_000_000
MIN_FREE_MB: Final = 300
PATIENCE_S: Final = 2.0
_CLOSED_WITHIN_S: Final = 10.0
_WAITING_FRAMES: Final = 16
_SYNCED_EVERY_S: Final = 1.0
_WHOLE_PICTURE: Final = frozenset({Why.MOVED, Why.BOARD_LOST, Why.CAMERA_LOST, Why.DARK})
_LASTING_LOOKS: Final = 3
"""A picture out of focus and a fencer in the hand mostly last for less, and a whole picture is as much as a minute."""


class Recorder(Helper):
    """A recording being written. ``source`` puts it between the camera and the eyes.

    It stands behind those who take presses for themselves: what it hears is the game's. What the eyes make of a frame
    says which parts of the next one matter; what was asked of the loop and what was ruled is noted. ``say`` is told in
    a sentence when recording has to stop before the game does. Raises EngardeError for a file that is there already,
    OSError for one that cannot be made.
    """

    part: Final = Part.RECORDING

    def __init__(
        self,
        path: Path,
        header: dict[str, Any],
        most_mb: float,
        say: Callable[[str], None],
        *,
        is_private: Callable[[], bool] = lambda: False,
        free_mb: Callable[[Path], float] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """``header`` is what ``firmware.table.camera.recorded`` reads; ``patience_s`` how long the writer may stall.

        ``is_private``: whether what is in the picture now is nobody's business, and not kept. ``free_mb`` stands in for
        the disk in tests.
        """
        super().__init__()
        self._file = _new_file(path)
        self._path = path
        self._most_mb = most_mb
        self._say = say
        self._free_mb = _free_mb if free_mb is None else free_mb
        self._patience_s = patience_s
        self._is_private = is_private
        self._keeper = Keeper()
        self._keeping = threading.Lock()
        self._aim: tuple[Zones | None, Mask | None] = None, None
        self._zones: tuple[Calibration, Zones] | None = None
        self._searched = 0
        self._trouble = ""
        self._told = False
        self._opened_s = 0.0
        self._done: list[Callable[[], bytes]] = []
        """The last frame and its notes, to be written down."""
        self._queue: queue.Queue[list[Callable[[], bytes]] | None] = queue.Queue(_WAITING_FRAMES)
        self._writer = threading.Thread(target=self._write_all, args=(header_bytes(header),), daemon=True)
        self._writer.start()

    def source(self, camera: Source) -> Source:
        """The camera, every frame of which is kept and handed on as it was kept."""
        return _KeptSource(camera, self)

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """Note every press of the game's."""
        for press in presses:
            self._note({"press": {"t": press.t_s, "button": press.button.value}})
        return presses

    def attend(self, moment: Moment) -> None:
        """Note what was asked for and ruled, and take from the look what matters in the next frame."""
        self.look(moment.look)
        for request in moment.requests:
            note = note_of(request)
            if note is not None:
                self._note(note)
        for entry in moment.entries:
            self._note({"verdict": {**ruled_to_json(entry), "opened_s": self._opened_s}})
            if entry.ruling.ok:
                self._opened_s = entry.t_s

    def look(self, look: Look) -> None:
        """Take from this look which parts of the next frame matter: all while the eyes may search the whole picture."""
        calibration, table = look.calibration, look.table
        astray = any(reading.space is None for _, reading in table.figures.items())
        self._searched = self._searched + 1 if astray or table.why is Why.BLUR else 0
        if calibration is None or table.why in _WHOLE_PICTURE or self._searched >= _LASTING_LOOKS:
            self._aim = None, None
            return
        if self._zones is None or self._zones[0] is not calibration:
            self._zones = calibration, zones_of(calibration, look.of)
        self._aim = self._zones[1], look.arm

    def keep(self, frame: Frame) -> Frame:
        """Write this frame down, in its order among the notes, and give it as it was written: that is the one to look
        at. In private and once there is trouble it is what it was; a picture that was not kept is in no recording."""
        self._write()
        picture, patch = frame.y, None
        if frame.y.size and not self._trouble:
            try:
                if self._is_private():
                    return frame
                with self._keeping:
                    self._keeper.aim(*self._aim)
                    picture, patch = self._keeper.keep(frame.y)
            except Exception as error:  # whatever becomes of the recording, the frame is looked at
                self._stop(f"a frame could not be packed ({type(error).__name__}: {error})")
        if self._trouble:
            self._tell()
            return frame
        self._done += [self._settled, lambda: frame_bytes(frame.index, frame.t_s, patch)]
        return Frame(frame.index, frame.t_s, picture, frame.bgr) if frame.y.size else frame

    def _tell(self) -> None:
        if not self._told:
            self._told = True
            self._say(self._trouble)

    def close(self) -> None:
        """Write what is left and close the file. A disk that stands still is not waited for long."""
        self._write()
        with contextlib.suppress(queue.Full):
            self._queue.put(None, timeout=self._patience_s)
            self._writer.join(_CLOSED_WITHIN_S)
        if self._trouble:
            self._tell()

    def _note(self, note: dict[str, Any]) -> None:
        if not self._trouble:
            self._done.append(lambda: note_bytes(note))

    def _settled(self) -> bytes:
        with self._keeping:
            self._keeper.settle()
        return b""

    def _write(self) -> None:
        """Hand over to the writer what is done; a disk that does not keep up ends the recording, not the game."""
        done, self._done = self._done, []
        if done and not self._trouble:
            try:
                self._queue.put(done, timeout=self._patience_s)
            except queue.Full:
                self._stop("the disk does not keep up with the camera")

    def _write_all(self, head: bytes) -> None:
        """The writer's whole life. Once there is trouble it only empties the queue, so that nobody waits for it."""
        written, synced_s = 0, time.monotonic()
        with self._file as file:
            data: bytes = head
            while True:
                if not self._trouble:
                    try:
                        file.write(data)
                        written += len(data)
                        if time.monotonic() - synced_s >= _SYNCED_EVERY_S:
                            os.fsync(file.fileno())
                            synced_s = time.monotonic()
                            self._check_limits(written)
                    except OSError as error:
                        self._stop(f"it could not be written: {error.strerror}")
                done = self._queue.get()
                if done is None:
                    break
                try:
                    data = b"".join(make() for make in done) if not self._trouble else b""
                except Exception as error:  # the queue is emptied all the same
                    data = b""
                    self._stop(f"a frame could not be packed ({type(error).__name__}: {error})")
            if not self._trouble:
                os.fsync(file.fileno())

    def _check_limits(self, written: int) -> None:
        if written > self._most_mb * MB:
            self._stop(f"it holds {written / MB:.0f} MB, and recording.most_mb allows {self._most_mb:g}")
        elif (free_mb := self._free_mb(self._path)) < MIN_FREE_MB:
            self._stop(f"only {free_mb:.0f} MB are left on the disk, which the scorebook needs too")

    def _stop(self, why: str) -> None:
        """Record no further: for good, for two threads may find a reason, and none takes another's back."""
        self._trouble = (
            f"Recording to {self._path} has stopped: {why}; the game goes on, and what was recorded is good."
        )


def open_recorder(
    path: Path,
    camera: OpenCamera,
    setup: Setup,
    most_mb: float,
    say: Callable[[str], None],
    is_private: Callable[[], bool] = lambda: False,
) -> Recorder:
    """A recorder for this camera, looked at with this. Raises EngardeError and OSError as ``Recorder`` does."""
    if camera.recorded is not None:
        raise EngardeError(f"--record {path}: what is looked at is a recording already; copy that file.")
    return Recorder(path, header_of(setup), most_mb, say, is_private=is_private)


class _KeptSource:
    def __init__(self, camera: Source, recorder: Recorder) -> None:
        self._camera, self._recorder = camera, recorder

    def read(self) -> Frame | None:
        frame = self._camera.read()
        return None if frame is None else self._recorder.keep(frame)

    def close(self) -> None:
        self._camera.close()


def _new_file(path: Path) -> io.FileIO:
    try:
        return new_stream(path)
    except FileExistsError:
        raise EngardeError(
            f"--record {path}: there is such a file already and it is left as it is; name another one, or remove it."
        ) from None


def _free_mb(path: Path) -> float:
    return shutil.disk_usage(path.parent).free / MB
