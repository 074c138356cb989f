"""Which way a camera has to be turned, from the corner markers in its picture: before anything is calibrated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from engine.table.aim import Aim, Turn
from vision.board.calibration import marker_corners_mm
from vision.geometry import Floats
from vision.marks.markers import Marker
from vision.printed.table import Table


def aim_of(markers: Sequence[Marker], table: Table, size_px: tuple[int, int]) -> Aim:
    """How these markers lie in a picture of this width and height, and what shows the others too.

    Of one marker only, the board is taken to lie flat before the camera: enough to say which way it goes on.
    """
    printed = marker_corners_mm(table)
    seen = {marker.id: marker.corners for marker in markers if marker.id in printed}
    count = len(printed)
    if not seen or len(seen) == count:
        return Aim(len(seen), count)
    mm = np.concatenate([printed[number][:, :2] for number in seen])
    to_px = _plane(mm, np.concatenate(list(seen.values())))
    if to_px is None:
        return Aim(len(seen), count)
    everywhere = _through(to_px, np.array([(corner.x, corner.y) for corner in table.corners]))
    missing = everywhere[[corner.id not in seen for corner in table.corners]]
    edge_px = _side_px(seen)
    past_px = _past(missing, size_px, edge_px)
    if (past_px <= 0).all():
        return Aim(len(seen), count)
    worst = int(past_px.argmax())
    whole_px = _past(everywhere if len(seen) > 1 else missing, size_px, edge_px)
    if whole_px[worst] + whole_px[worst ^ 1] > 0:  # what is turned into the picture here goes out of it there
        return Aim(len(seen), count, Turn.HIGHER)
    turn = _TURNS[worst]
    along = _through(to_px, np.array([[table.corners[0].x, 0.0], [table.corners[0].x + 1.0, 0.0]]))
    return Aim(len(seen), count, turn if along[1, 0] > along[0, 0] else _FROM_THE_OTHER_SIDE[turn])


_TURNS: Final = (Turn.LEFT, Turn.RIGHT, Turn.AWAY, Turn.NEAR)
"""What brings something into the picture that lies past its left, right, upper and lower edge."""
_FROM_THE_OTHER_SIDE: Final = {
    Turn.LEFT: Turn.RIGHT,
    Turn.RIGHT: Turn.LEFT,
    Turn.AWAY: Turn.NEAR,
    Turn.NEAR: Turn.AWAY,
}
"""The same where the picture is upside down to the players."""


def _plane(mm: Floats, px: Floats) -> Floats | None:
    """What brings the board's plane (N, 2) mm into the picture (N, 2) px, (3, 3); None where that cannot be told."""
    if len(mm) > 4:
        found, _ = cv2.findHomography(mm, px)
        return None if found is None else np.asarray(found, dtype=np.float64)
    solved, _, rank, _ = np.linalg.lstsq(np.column_stack([mm, np.ones(len(mm))]), px, rcond=None)
    if rank < 3:
        return None
    return np.vstack([solved.T, [0.0, 0.0, 1.0]])


def _through(plane: Floats, places: Floats) -> Floats:
    """These places (N, 2) seen through it, likewise."""
    whole = np.column_stack([places, np.ones(len(places))]) @ plane.T
    return np.asarray(whole[:, :2] / whole[:, 2:], dtype=np.float64)


def _side_px(seen: dict[int, Floats]) -> float:
    sides = [np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean() for corners in seen.values()]
    return float(np.mean(sides))


def _past(px: Floats, size_px: tuple[int, int], edge_px: float) -> Floats:
    """How far these go past the left, right, upper and lower edge at most, (4,) px; so near to one is past it."""
    first, last = px.min(axis=0) - edge_px, px.max(axis=0) + edge_px - np.array(size_px)
    return np.array([-first[0], last[0], -first[1], last[1]])
