"""Where in the picture the trouble is: what keeps the eyes from being steady, as outlines to be shown to the players.

Nothing is decided here: why they are not steady is named elsewhere, and this says which places of the picture that
concerns.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import cv2
import numpy as np

from engine.rules.track import BySide, Side
from engine.table.observation import Sight, TableObservation, Why
from vision.board.calibration import Calibration, marker_corners_mm
from vision.board.zones import module_px, strip_outline
from vision.change.gate import CELL_PX, Mask
from vision.geometry import Floats
from vision.marks.markers import Marker
from vision.printed.table import Table
from vision.why.why import too_small

_MIN_CELLS: Final = 6  # a smaller spot is nothing to look for
_MIN_SHARE: Final = 0.2  # of the largest: what is much smaller, beside an arm, is its shadow or a card it moved
_AROUND: Final = 1.5  # an expected tag or marker is outlined so many times its size: it may lie a little beside


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


class TroublePlaces(NamedTuple):
    """Where trouble may be in a picture of ``size_px`` (width, height).

    ``arm`` are the cells (8 by 8 px) at a hand, None for none; ``unread`` the codes nobody can read; ``markers`` the
    outlines of where corner markers of the board should be or are; ``tags`` of where each fencer's tag should be.
    ``too_small``: labels have too few pixels to be read. ``mirrored``: all of it is a mirror image.
    """

    size_px: tuple[int, int]
    arm: Mask | None = None
    unread: tuple[Trouble, ...] = ()
    markers: tuple[Floats, ...] = ()
    tags: BySide[Floats | None] = BySide(None, None)
    too_small: bool = False
    mirrored: bool = False


def troubles(why: Why | None, side: Side | None, places: TroublePlaces) -> tuple[Trouble, ...]:
    """The places that this ``why`` (None: the eyes are steady) concerns; ``side``: whose tag is hidden or glares.

    Where nobody knows the place it is the whole picture; nowhere while there is none, or a hand has no outline.
    Codes nobody can read are told of in any case.
    """
    if why is Why.CAMERA_LOST or 0 in places.size_px:
        return ()
    if why is None:
        return places.unread
    if why is Why.HAND:
        return (*(Trouble(why, outline) for outline in _parts(places.arm)), *places.unread)
    known = () if places.mirrored else _at(why, side, places)
    if not known and all(code.why is not why for code in places.unread):
        known = (Trouble(why, _whole(places.size_px), None, places.too_small, places.mirrored),)
    return (*known, *places.unread)


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
    """``troubles`` of a frame of this size (width, height), in which this was seen with this calibration.

    ``tags`` are those read in it; ``mirrored``: it is a mirror image.
    """
    why = seen.why
    places = TroublePlaces(size_px, arm=arm, mirrored=mirrored and why is Why.BOARD_LOST)
    if calibration is not None and seen.sight is not Sight.BLIND:
        places = places._replace(
            unread=tuple(
                Trouble(
                    Why.GLARE if code.glares else None, _square(calibration, (code.x_mm, code.y_mm, 0.0), table.qr_mm)
                )
                for code in (*seen.unread, *seen.outshone)
            )
        )
    if calibration is not None and why in (Why.MOVED, Why.BOARD_LOST):
        corners = marker_corners_mm(table).values()
        places = places._replace(markers=tuple(_grown(calibration.camera.project(corner)) for corner in corners))
    if calibration is not None and why in (Why.TAG_HIDDEN, Why.GLARE):
        places = places._replace(tags=expected_tags(seen, table, calibration))
    if why is Why.TAG_HIDDEN and seen.why_side is not None:
        outlines = [_grown(tag.corners) for tag in tags if table.side_of(tag.id) is seen.why_side]
        if len(outlines) > 1:
            return (*(Trouble(why, outline, seen.why_side) for outline in outlines), *places.unread)
    if calibration is not None and why is Why.BLUR:
        places = places._replace(too_small=too_small(module_px(calibration.camera, table)))
    return troubles(why, seen.why_side, places)


def expected_tags(seen: TableObservation, table: Table, calibration: Calibration) -> BySide[Floats | None]:
    """Where each fencer's tag is, (N, 2) px, as far as anybody knows: on its agreed space, else on the whole strip."""

    def tag(side: Side) -> Floats:
        space = seen.figures[side].space
        if space is None:
            return strip_outline(calibration, table)
        return _grown(_square(calibration, table.tag_mm(space), table.fencer_size_mm))

    return BySide(tag(Side.WHITE), tag(Side.BLACK))


def _at(why: Why, side: Side | None, places: TroublePlaces) -> tuple[Trouble, ...]:
    """The places this concerns, none where nobody knows."""
    if why in (Why.MOVED, Why.BOARD_LOST):
        return tuple(Trouble(why, outline) for outline in places.markers)
    tag = places.tags[side] if side is not None and why in (Why.TAG_HIDDEN, Why.GLARE) else None
    return () if tag is None else (Trouble(why, tag, side),)


def _parts(cells: Mask | None) -> Iterable[Floats]:
    """Outlines (N, 2) px, without dents, around what hangs together in a mask: the largest parts first."""
    if cells is None:
        return ()
    outlines, _ = cv2.findContours(cells, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    hulls = [cv2.convexHull(outline) for outline in outlines]
    sized = sorted(((cv2.contourArea(hull), hull) for hull in hulls), key=lambda pair: pair[0], reverse=True)
    least = max(_MIN_CELLS, _MIN_SHARE * sized[0][0]) if sized else 0.0
    return [
        (np.asarray(hull, dtype=np.float64).reshape(-1, 2) + 0.5) * CELL_PX - 0.5
        for area, hull in sized
        if area >= least
    ]


def _square(calibration: Calibration, middle_mm: tuple[float, float, float], side_mm: float) -> Floats:
    """A square that lies on the table, (4, 2) px."""
    (x, y, z), half = middle_mm, side_mm / 2
    corners = [(x + dx * half, y + dy * half, z) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
    return calibration.camera.project(corners)


def _grown(outline: Floats) -> Floats:
    middle = outline.mean(axis=0)
    grown: Floats = middle + (outline - middle) * _AROUND
    return grown


def _whole(size_px: tuple[int, int]) -> Floats:
    width, height = size_px
    return np.array([(0.0, 0.0), (width - 1.0, 0.0), (width - 1.0, height - 1.0), (0.0, height - 1.0)])
