"""Which way a camera has to be turned, from the corner markers in its picture: before anything is calibrated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from engine.rules.track import SPACES, Side
from engine.table.observation import Aim, CameraTurn
from vision.board.calibration import marker_corners_mm
from vision.board.lens_fit import unit_square
from vision.geometry import Floats, mean_side
from vision.marks.markers import Marker
from vision.printed.table import Table


@dataclass(frozen=True, slots=True)
class InView:
    """The part of a table in a picture. ``seen``: the corners in pixels, (4, 2), of each of its squares that is read,
    by id; ``missing``: the ids of those that are not.

    ``off``: how far the middle of all that is wanted in view lies from the picture's, in parts of the picture's width,
    x to the right and y down; None where that cannot be told. Turning the camera that way brings it to the middle.
    """

    seen: Mapping[int, Floats]
    missing: tuple[int, ...]
    turn: CameraTurn | None = None
    off: tuple[float, float] | None = None

    @property
    def aim(self) -> Aim:
        """In words that can be said to somebody."""
        return Aim(len(self.seen), len(self.seen) + len(self.missing), self.turn)


def aim_of(markers: Sequence[Marker], table: Table, size_px: tuple[int, int]) -> Aim:
    """How these corner markers lie in a picture of this width and height, and what shows the others too."""
    return in_view(markers, table, size_px, at_start=False).aim


def in_view(markers: Sequence[Marker], table: Table, size_px: tuple[int, int], *, at_start: bool) -> InView:
    """How these markers lie in a picture of this width and height, and what shows the others too.

    ``at_start``: White's fencer stands on the first space and Black's on the last, so that their tags are wanted in
    view as the corner markers are, and the play area is as well. Of one marker only, the board is taken to lie flat
    before the camera: enough to say which way it goes on.
    """
    printed = {number: corners[:, :2] for number, corners in marker_corners_mm(table).items()}
    wanted = {corner.id: np.array([(corner.x, corner.y)]) for corner in table.corners}
    if at_start:
        for side, space in ((Side.WHITE, 1), (Side.BLACK, SPACES)):
            wanted[table.fencer_ids[side]] = middle = np.array([table.tag_mm(space)[:2]])
            printed[table.fencer_ids[side]] = middle + unit_square()[:, :2] * table.fencer_size_mm / 2
    seen = {marker.id: marker.corners for marker in markers if marker.id in printed}
    missing = tuple(number for number in printed if number not in seen)
    found = InView(seen, missing)
    if not seen or not missing:
        return found
    to_px = _plane(np.concatenate([printed[number] for number in seen]), np.concatenate(list(seen.values())))
    if to_px is None:
        return found
    edge_px = float(np.mean([mean_side(corners) for corners in seen.values()]))
    unseen = _through(to_px, np.concatenate([wanted[number] for number in missing]))
    past_px = _past(unseen, size_px, edge_px)
    if (past_px <= 0).all():
        return found
    everywhere = np.concatenate(list(wanted.values()))
    if at_start:
        area = table.play_area
        everywhere = np.concatenate([everywhere, [(area.x0, area.y0), (area.x1, area.y1)]])
    whole = _through(to_px, everywhere)
    off = ((whole.min(axis=0) + whole.max(axis=0)) / 2 - np.array(size_px) / 2) / size_px[0]
    worst = int(past_px.argmax())
    whole_px = _past(whole if len(seen) > 1 else unseen, size_px, edge_px)
    if whole_px[worst] + whole_px[worst ^ 1] > 0:  # what is turned into the picture here goes out of it there
        return replace(found, turn=CameraTurn.HIGHER)
    along = _through(to_px, np.array([[table.corners[0].x, 0.0], [table.corners[0].x + 1.0, 0.0]]))
    turn = _TURNS[worst if along[1, 0] > along[0, 0] else worst ^ 1]  # the picture may be upside down to the players
    return replace(found, turn=turn, off=(float(off[0]), float(off[1])))


_TURNS: Final = (CameraTurn.LEFT, CameraTurn.RIGHT, CameraTurn.AWAY, CameraTurn.NEAR)
"""The turn that shows more past the left, right, upper and lower edge."""


def _plane(mm: Floats, px: Floats) -> Floats | None:
    """The homography (3, 3) from the board's plane (N, 2) mm to the picture (N, 2) px; None where there is none."""
    if len(mm) > 4:
        found, _ = cv2.findHomography(mm, px)
        return None if found is None else np.asarray(found, dtype=np.float64)
    solved, _, rank, _ = np.linalg.lstsq(np.column_stack([mm, np.ones(len(mm))]), px, rcond=None)
    if rank < 3:
        return None
    return np.vstack([solved.T, [0.0, 0.0, 1.0]])


def _through(plane: Floats, places: Floats) -> Floats:
    """These places (N, 2) seen through it, likewise."""
    return np.asarray(cv2.perspectiveTransform(places[None], plane)[0], dtype=np.float64)


def _past(px: Floats, size_px: tuple[int, int], edge_px: float) -> Floats:
    """How far these go past the left, right, upper and lower edge at most, (4,) px; so near to one is past it."""
    first, last = px.min(axis=0) - edge_px, px.max(axis=0) + edge_px - np.array(size_px)
    return np.array([-first[0], last[0], -first[1], last[1]])
