"""The camera at the first start: its live picture, which way to turn it, and the table measured by it."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.table.observation import CameraTurn
from firmware.cli.doctor.camera import CameraFacts, camera_facts
from firmware.core.errors import EngardeError
from firmware.core.io.files import MAX_TEXT, read_bytes, read_text, write_state
from firmware.table.camera.setup import table_in_force, table_of
from vision.board.aim import InView, in_view
from vision.board.calibration import SURE_SIDE_PX, CalibrationError, calibrate
from vision.board.measure import Fault, MeasuredTable, MeasureError, corrected, measure_frames, with_measures
from vision.camera.modules import MODULES, CameraModule
from vision.camera.sources import Source, SourceError
from vision.frame import Frame
from vision.geometry import Floats
from vision.marks.foreign import Run, in_process
from vision.marks.markers import MarkerFinder
from vision.printed.table import CameraFrame, Table, TableError, read_table

_KEPT: Final = 12
_WIDE_PX: Final = 960
_QUALITY: Final = 70
SAME_DEG: Final = 0.2
"""Fields of view are one module's if they are as near as that: those of files are rounded."""
MAX_OFF_MM: Final = 5.0
"""A measured table is kept only if every space in view can be told so well from these very pictures."""


class TableEye:
    """Looks through the camera in a thread of its own, until closed."""

    def __init__(self, source: Source, table: Table, run: Run = in_process) -> None:
        self._source, self._table, self._run = source, table, run
        self._frames: deque[Frame] = deque(maxlen=_KEPT)
        self._lock = threading.Lock()
        # Each phone asks in a thread of its own, and the reader beside this program answers one at a time.
        self._asked = threading.Lock()
        self._ends = threading.Event()
        self.measured: MeasuredTable | None = None
        self._thread = threading.Thread(target=self._look, name="first start", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking, and let the camera go."""
        self._ends.set()
        self._thread.join(timeout=3.0)
        self._source.close()

    def _look(self) -> None:
        while not self._ends.is_set():
            try:
                frame = self._source.read()
            except SourceError:
                frame = None
            if frame is None:
                self._ends.wait(0.5)
            elif frame.y.size:
                with self._lock:
                    self._frames.append(frame)

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The last pictures, the oldest first."""
        with self._lock:
            return tuple(self._frames)

    def facts(self, spec: str) -> CameraFacts:
        """The doctor's facts of the last pictures."""
        with self._asked:
            return camera_facts(spec, self.frames, self._table, self._run)

    def picture(self) -> bytes | None:
        """The last picture as JPEG, 960 pixels wide; None where there is none yet."""
        frames = self.frames
        if not frames:
            return None
        y = frames[-1].y
        height = max(1, round(y.shape[0] * _WIDE_PX / y.shape[1]))
        done, data = cv2.imencode(
            ".jpg",
            cv2.resize(y, (_WIDE_PX, height), interpolation=cv2.INTER_AREA),
            [cv2.IMWRITE_JPEG_QUALITY, _QUALITY],
        )
        return data.tobytes() if done else None

    def aim(self) -> dict[str, Any] | None:
        """The part of the board in view, as the page draws it, in parts of the picture's width; None: no picture."""
        frames = self.frames
        if not frames:
            return None
        high, wide = frames[-1].y.shape
        with self._asked:
            found = MarkerFinder(self._table.dictionary, self._run).find(frames[-1].y)
        view = in_view(found, self._table, (wide, high), at_start=True)
        return {
            "key": sentence_of(view, self._table).partition(".")[2],
            "arrow": view.off,
            "missing": list(view.missing),
            "squares": [(px / wide).round(5).tolist() for px in view.seen.values()],
        }

    @property
    def module(self) -> CameraModule:
        """The camera that hangs there, as the table file says; where no module is like that, by its field of view."""
        camera = self._table.camera
        wide = (each for each in MODULES if each.width == camera.width)
        near = (each for each in wide if abs(each.hfov_deg - camera.hfov_deg) < SAME_DEG)
        return next(near, CameraModule(f"{camera.hfov_deg:g}°", *camera))

    def measure(self, level_mm: float, module: CameraModule | None = None) -> MeasuredTable:
        """The table as the last pictures show it, with this camera or that of the table file. Raises MeasureError."""
        chosen = module or self.module
        table = replace(self._table, camera=CameraFrame(chosen.width, chosen.height, chosen.hfov_deg))
        frames = self.frames
        if len(frames) < 3:
            raise MeasureError(Fault.PICTURES)
        with self._asked:
            self.measured = self._checked(measure_frames(frames, table, level_mm, self._run), frames)
            return self.measured

    def correct(self, first: Floats, last: Floats, area: Floats) -> MeasuredTable:
        """The same with what was dragged, in pixels of the camera's picture. Raises MeasureError."""
        with self._asked:
            if self.measured is None:
                raise MeasureError(Fault.BEFORE)
            self.measured = self._checked(corrected(self.measured, first, last, area), self.frames)
            return self.measured

    def _checked(self, measured: MeasuredTable, frames: tuple[Frame, ...]) -> MeasuredTable:
        """Only a table on which these very pictures tell every space."""
        try:
            told = calibrate(frames, measured.table, run=self._run)
        except CalibrationError as error:
            raise MeasureError(Fault.UNSURE) from error
        if told.unsure_mm is not None and told.unsure_mm > MAX_OFF_MM:
            raise MeasureError(Fault.UNSURE)
        _text_of(measured)
        return measured

    def keep(self, own: Path) -> Path | None:
        """Write the measured table there; what was there before is kept beside it, and its new name given.

        Raises EngardeError where nothing was measured, MeasureError where the program could not play on the file,
        OSError where it cannot be written.
        """
        with self._asked:  # what was dragged last is still being looked at
            measured = self.measured
        if measured is None:
            raise EngardeError("Nothing was measured yet.")
        text = _text_of(measured)
        before = None
        if own.exists():
            number = next(each for each in range(1, 10_000) if not _older(own, each).exists())
            before = _older(own, number)
            write_state(before, read_bytes(own, MAX_TEXT))
        write_state(own, text)
        with suppress(EngardeError):
            self._table = table_of(own)
        return before


def _text_of(measured: MeasuredTable) -> str:
    """The table file, which the program's own reader has read. Raises MeasureError where that refuses it."""
    text = with_measures(read_text(table_in_force(None)), measured.table)
    try:
        read_table(text)
    except TableError as error:
        raise MeasureError(Fault.UNSURE) from error
    return text


def _older(own: Path, number: int) -> Path:
    return own.with_name(f"{own.stem}-{number}{own.suffix}")


def sentence_of(view: InView, table: Table) -> str:
    """The key of the sentence that says what is to be done about the camera."""
    if not view.seen:
        return "setup.aim_none"
    if view.turn is not None:
        return "setup.aim_higher" if view.turn is CameraTurn.HIGHER else "setup.aim_move"
    if view.missing:
        return "setup.aim_covered"
    tags = (view.seen[number] for _, number in table.fencer_ids.items())
    smallest = min(np.linalg.norm(px - np.roll(px, 1, axis=0), axis=1).mean() for px in tags)
    return "setup.aim_lower" if smallest < SURE_SIDE_PX else "setup.aim_good"


def overlay(measured: MeasuredTable) -> dict[str, Any]:
    """Spaces, markers and play area to draw over the picture, in parts of its width."""
    table, camera = measured.table, measured.camera

    def places(points: Any) -> list[list[float]]:
        return [
            [round(float(x) / camera.width, 5), round(float(y) / camera.width, 5)] for x, y in camera.project(points)
        ]

    area = table.play_area
    rows = [(area.x0, area.y0), (area.x1, area.y0), (area.x1, area.y1), (area.x0, area.y1)]
    return {
        "spaces": places(table.spaces_mm),
        "markers": places([corner[1:] for corner in table.corners]),
        "area": places([(x, y, 0.0) for x, y in rows]),
        "pitch_mm": round(table.spaces_mm[1].x - table.spaces_mm[0].x, 2),
        "turned": {str(number): round(turn, 1) for number, turn in measured.turned_deg.items()},
    }
