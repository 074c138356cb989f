"""Outlines to be shown to the players, of the places in the picture that keep the eyes from being steady.

Why they are not steady is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import cv2
import numpy as np

from engine.rules.track import Side
from engine.table.observation import Sight, TableObservation, Why
from vision.board.calibration import Calibration, marker_corners_mm
from vision.board.zones import module_px, strip_outline
from vision.cells import CELL_PX, Mask
from vision.change.arm import MIN_CELLS
from vision.geometry import Floats
from vision.marks.markers import Marker
from vision.printed.table import Table
from vision.printed.tags import MARGIN_CELLS
from vision.why.sharpness import MARKER_CELLS
from vision.why.why import square_px, too_small

_PRINTED: Final = 1 + 2 * MARGIN_CELLS / MARKER_CELLS  # times as large as a tag or marker: with its white margin


class Trouble(NamedTuple):
    """A place in the picture, an outline (N, 2) px, and what is wrong there.

    ``why`` None: a code nobody can read, for none of these reasons.

    ``side`` is whose tag it is, where it is a tag. ``too_small``: labels have too few pixels there, and no sharper
    picture helps. ``mirrored``: the picture is a mirror image, in which no code can be read.
    """

    why: Why | None
    outline: Floats
    side: Side | None = None
    too_small: bool = False
    mirrored: bool = False


def troubles_of(
    seen: TableObservation,
    size_px: tuple[int, int],
    table: Table,
    calibration: Calibration | None,
    *,
    arm: Mask | None = None,
    tags: tuple[Marker, ...] = (),
    mirrored: bool = False,
) -> tuple[Trouble, ...]:
    """The places that concern why the eyes are not steady, in a frame of this size (width, height), and unread codes.

    The whole picture where nobody knows the place; nowhere while there is none, or a hand has no outline. ``arm`` are
    the cells (8 by 8 px) at a hand, ``tags`` those read in the frame; ``mirrored``: it is a mirror image.
    """
    why = seen.why
    if why is Why.CAMERA_LOST or 0 in size_px:
        return ()
    codes: tuple[Trouble, ...] = ()
    if calibration is not None and seen.sight is not Sight.BLIND:
        codes = tuple(
            Trouble(Why.GLARE if code.glares else None, square_px(calibration.camera, place, table.qr_mm))
            for code in (*seen.unread, *seen.outshone)
            for place in [(code.x_mm, code.y_mm, 0.0)]
        )
    if why is None:
        return codes
    known = [] if mirrored else [Trouble(why, *at) for at in _places(why, seen, table, calibration, arm, tags)]
    if not known and why is not Why.HAND and all(code.why is not why for code in codes):
        small = why is Why.BLUR and calibration is not None and too_small(module_px(calibration.camera, table))
        known = [Trouble(why, _whole(size_px), None, small, mirrored)]
    return (*known, *codes)


def _places(
    why: Why,
    seen: TableObservation,
    table: Table,
    calibration: Calibration | None,
    arm: Mask | None,
    tags: tuple[Marker, ...],
) -> Iterator[tuple[Floats, Side | None]]:
    """The outlines (N, 2) px that this concerns, none where nobody knows, and whose tag each is."""
    side = seen.why_side
    if why is Why.HAND:
        yield from ((outline, None) for outline in _parts(arm))
    elif calibration is None:
        return
    elif why in (Why.MOVED, Why.BOARD_LOST):
        for corners in marker_corners_mm(table).values():
            yield _grown(calibration.camera.project(corners)), None
    elif side is not None and why in (Why.TAG_HIDDEN, Why.GLARE):
        own = [_grown(tag.corners) for tag in tags if table.side_of(tag.id) is side]
        if why is Why.TAG_HIDDEN and len(own) > 1:
            yield from ((outline, side) for outline in own)
        elif (space := seen.figures[side].space) is None:
            yield strip_outline(calibration, table), side
        else:
            yield _grown(square_px(calibration.camera, table.tag_mm(space), table.fencer_size_mm)), side


def _parts(cells: Mask | None) -> Iterable[Floats]:
    """Outlines (N, 2) px, without dents, around what hangs together in a mask: the largest parts first."""
    if cells is None:
        return ()
    outlines, _ = cv2.findContours(cells, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hulls = [cv2.convexHull(outline) for outline in outlines]
    sized = sorted(((cv2.contourArea(hull), hull) for hull in hulls), key=lambda pair: pair[0], reverse=True)
    large = [each for each in sized if each[0] >= MIN_CELLS] or sized[:1]  # beside a hand its shadow is none
    return [(np.asarray(hull, dtype=np.float64).reshape(-1, 2) + 0.5) * CELL_PX - 0.5 for _, hull in large]


def _grown(outline: Floats) -> Floats:
    middle = outline.mean(axis=0)
    grown: Floats = middle + (outline - middle) * _PRINTED
    return grown


def _whole(size_px: tuple[int, int]) -> Floats:
    width, height = size_px
    return np.array([(0.0, 0.0), (width - 1.0, 0.0), (width - 1.0, height - 1.0), (0.0, height - 1.0)])
