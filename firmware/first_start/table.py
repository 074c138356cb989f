"""The camera at the first start: its live picture, which way to turn it, and the table measured by it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from engine.rules.track import SPACES, Side
from firmware.camera.setup import table_in_force, table_of
from firmware.errors import EngardeError
from firmware.files import make_folder, read_text, write_whole
from vision.board.calibration import SURE_SIDE_PX, CalibrationError, calibrate
from vision.board.measure import Measured, MeasureError, corrected, measure_frames, with_measures
from vision.camera.sources import Source, SourceError
from vision.frame import Frame
from vision.geometry import Floats
from vision.marks.foreign import Run, in_process
from vision.marks.markers import Marker, MarkerFinder
from vision.printed.table import Table

_KEPT: Final = 12
_WIDE_PX: Final = 960
_QUALITY: Final = 70
_STRAIGHT: Final = 0.12  # of the picture's width: nearer to its middle, the aim is good enough
_EDGE: Final = 0.03
MOST_OFF_MM: Final = 5.0
"""A measured table is kept only if every space in view can be told so well from these very pictures."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What of the board is in view. ``arrow``: how the picture has to move over the table, in parts of its width, None
    where it is right; ``key`` names the sentence for it.
    """

    markers: Mapping[int, Floats]
    key: str
    arrow: tuple[float, float] | None
    missing: tuple[int, ...]


class TableEye:
    """Looks through the camera in a thread of its own, until closed."""

    def __init__(self, source: Source, table: Table, run: Run = in_process) -> None:
        self._source, self._table, self._run = source, table, run
        self._frames: deque[Frame] = deque(maxlen=_KEPT)
        self._lock = threading.Lock()
        self._ends = threading.Event()
        self.measured: Measured | None = None
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

    def aim(self) -> Aim | None:
        """What of the board is in view now; None without a picture."""
        frames = self.frames
        if not frames:
            return None
        y = frames[-1].y
        return aim_of(MarkerFinder(self._table.dictionary, self._run).find(y), self._table, (y.shape[1], y.shape[0]))

    def measure(self, level_mm: float) -> Measured:
        """The table as the last pictures show it. Raises MeasureError."""
        frames = self.frames
        if len(frames) < 3:
            raise MeasureError(
                "expected pictures from the camera, found none yet; wait a moment, then look at its cable"
            )
        self.measured = self._checked(measure_frames(frames, self._table, level_mm, self._run), frames)
        return self.measured

    def correct(self, first: Floats, last: Floats, area: Floats) -> Measured:
        """The same with what was dragged, in pixels of the camera's picture. Raises MeasureError."""
        if self.measured is None:
            raise MeasureError("expected a measured table, found none; measure first")
        self.measured = self._checked(corrected(self.measured, first, last, area), self.frames)
        return self.measured

    def _checked(self, measured: Measured, frames: tuple[Frame, ...]) -> Measured:
        """Only a table on which these very pictures tell every space."""
        try:
            told = calibrate(frames, measured.table, run=self._run)
        except CalibrationError as error:
            raise MeasureError(str(error)) from error
        if told.worst_mm is not None and told.worst_mm > MOST_OFF_MM:
            raise MeasureError(
                f"expected to tell every space to {MOST_OFF_MM:g} mm, found {told.worst_mm:.1f} mm; bring more markers "
                "into the picture, flat and in the light"
            )
        return measured

    def keep(self, own: Path) -> Path | None:
        """Write the measured table there; what was there before is kept beside it, and its new name given.

        Raises EngardeError where nothing was measured, OSError where it cannot be written.
        """
        if self.measured is None:
            raise EngardeError("Nothing was measured yet.")
        text = with_measures(read_text(table_in_force(None)), self.measured.table)
        make_folder(own.parent)
        before = None
        if own.exists():
            number = next(each for each in range(1, 10_000) if not _older(own, each).exists())
            before = _older(own, number)
            write_whole(before, read_text(own))
        write_whole(own, text)
        with suppress(EngardeError):
            self._table = table_of(own)
        return before


def _older(own: Path, number: int) -> Path:
    return own.with_name(f"{own.stem}-{number}{own.suffix}")


def aim_of(found: tuple[Marker, ...], table: Table, size: tuple[int, int]) -> Aim:
    """What these markers tell of where the camera looks."""
    width, height = size
    tags = {table.fencer_ids[side] for side in Side}
    places = {corner.id: np.array((corner.x, -corner.y)) for corner in table.corners}
    places |= {
        table.fencer_ids[side]: np.array((table.tag_mm(space).x, -table.tag_mm(space).y))
        for side, space in ((Side.WHITE, 1), (Side.BLACK, SPACES))
    }
    seen = {marker.id: marker.corners for marker in found if marker.id in places}
    missing = tuple(number for number in places if number not in seen)
    if not seen:
        return Aim(seen, "setup.aim_none", None, missing)
    # From the table's millimetres to pixels, as the squares in view are turned and as large as they are.
    across = np.mean([(px[1] - px[0] + px[2] - px[3]) / 2 for px in seen.values()], axis=0)
    sides = [table.fencer_size_mm if number in tags else table.board_size_mm for number in seen]
    scale = float(np.linalg.norm(across)) / float(np.mean(sides))
    way = across / np.linalg.norm(across) * scale
    turn = np.array([[way[0], -way[1]], [way[1], way[0]]])
    shift = np.mean([px.mean(axis=0) - turn @ places[number] for number, px in seen.items()], axis=0)
    # Cards are laid in the play area, so that this has to be in view as well.
    area = table.play_area
    whole = [*places.values(), np.array((area.x0, -area.y0)), np.array((area.x1, -area.y1))]
    wanted = np.array([turn @ place + shift for place in whole])
    off = (wanted.min(axis=0) + wanted.max(axis=0)) / 2 - np.array((width, height)) / 2
    span = wanted.max(axis=0) - wanted.min(axis=0)
    arrow = (float(off[0]) / width, float(off[1]) / width)
    smallest = (
        min(
            float(np.linalg.norm(px - np.roll(px, 1, axis=0), axis=1).mean())
            for number, px in seen.items()
            if number in tags
        )
        if any(number in tags for number in seen)
        else None
    )
    if missing and max(span[0] / width, span[1] / height) > 1 - 2 * _EDGE:
        return Aim(seen, "setup.aim_higher", None, missing)
    if missing and max(map(abs, arrow)) > _EDGE:
        return Aim(seen, "setup.aim_move", arrow, missing)
    if missing:
        return Aim(seen, "setup.aim_covered", None, missing)
    if smallest is not None and smallest < SURE_SIDE_PX:
        return Aim(seen, "setup.aim_lower", None, missing)
    return Aim(seen, "setup.aim_good", None, missing)


def overlay(measured: Measured) -> dict[str, Any]:
    """What is drawn over the picture, in parts of its width: the spaces, the markers, the play area."""
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
