"""Finder patterns: the squares in three corners of a QR code, found one by one.

A label that something lies across shows a reader too little; one finder pattern that is left still tells that there is
a code, where, and which way its modules run. Source: ISO/IEC 18004 (finder pattern 1:1:3:1:1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np

from vision.cells import at_share
from vision.frame import Picture
from vision.geometry import Box, Camera, Floats
from vision.marks.denser import darker_than_around, denser, sharpened, smoothed
from vision.marks.markers import is_narrow
from vision.printed.card_shape import rectangle_mm
from vision.printed.tags import FINDER_MODULES

_ENLARGE_BELOW_PX: Final = 3.5  # a module of the least size, 2.5 px, has too few pixels for an outline; chosen
# Measured at 1.7 px: enlarged twice no pattern was found, four times nearly all; from 2.1 px on twice is as good.
_ENLARGE_MORE_BELOW_PX: Final = 2.1
_MIN_OUTLINE: Final = 1.6  # pixels of an outline, in sides of a square that lies there level and undistorted
_MAX_OUTLINE: Final = 6.0
_MAX_SIDE: Final = 1.9
HEART: Final = FINDER_MODULES - 4  # modules a side: the black square in the middle, inside two rings
_RING: Final = FINDER_MODULES - 2  # and the edge of the white ring around it
_SIDE_OFF: Final = 0.22  # share by which a side may differ from what it should be
_SLACK_MODULES: Final = 0.45
_APART_MODULES: Final = 0.8
_FULLNESS: Final = 0.72
MIN_CONTRAST: Final = 28.0
_DARKER: Final = 6  # grey levels below its surroundings


class Finder(NamedTuple):
    """A finder pattern lying flat: its middle in mm and in px, its turn (0 to 90 degrees), and its grey levels."""

    x_mm: float
    y_mm: float
    turn_deg: float
    px: tuple[float, float]
    black: float
    white: float


def find_finders(
    y: Picture, box: Box, camera: Camera, module_mm: float, module_px: float, known: Sequence[Floats] = ()
) -> tuple[Finder, ...]:
    """The finder patterns of codes with modules of this size that lie flat on the table in a part of the picture.

    ``module_px`` is about how large a module appears there. What lies inside the ``known`` outlines (4, 2) px is left
    out.
    """
    if is_narrow(box):
        return ()
    crop, scale = np.ascontiguousarray(box.of(y)), 1
    shown = crop
    if module_px < _ENLARGE_MORE_BELOW_PX:
        scale, shown = 4, sharpened(crop, 1.0)
    elif module_px < _ENLARGE_BELOW_PX:
        # What is as small as a pixel is noise; it would only be many outlines to go through.
        scale, shown = 2, smoothed(crop)
    dark = darker_than_around(shown, round((FINDER_MODULES + 2) * module_px) | 1, _DARKER, scale)
    for outline in known:
        inside = (outline - (box.x0, box.y0)) * scale
        cv2.fillConvexPoly(dark, np.round(inside).astype(np.int32), 0)
    return tuple(
        finder
        for ring, heart in _nested(dark, module_px * scale)
        if (finder := _finder(crop, ring, heart, (box, scale), camera, module_mm)) is not None
    )


def _nested(dark: Picture, module_px: float) -> list[tuple[Any, Any]]:
    """White rings with a black heart: both outlines, (N, 1, 2) px.

    A ring's runs through the pixels around it, a heart's through its own outermost ones.
    """
    contours, tree = cv2.findContours(dark, cv2.RETR_TREE, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return []
    parents = np.asarray(tree)[0, :, 3]
    points = np.fromiter(map(len, contours), np.int64, len(contours))
    heart, ring = HEART * module_px, _RING * module_px
    like_heart = (points >= _MIN_OUTLINE * heart) & (points <= _MAX_OUTLINE * heart)
    like_ring = (points >= _MIN_OUTLINE * ring) & (points <= _MAX_OUTLINE * ring)
    found = []
    for number in np.flatnonzero((parents >= 0) & like_heart & like_ring[parents]).tolist():
        inner, outer = contours[number], contours[parents[number]]
        x, y, width, height = cv2.boundingRect(inner)
        across, down, ring_width, ring_height = cv2.boundingRect(outer)
        if max(width, height) > _MAX_SIDE * heart or max(ring_width, ring_height) > _MAX_SIDE * ring:
            continue
        apart = max(abs(2 * (x - across) + width - ring_width), abs(2 * (y - down) + height - ring_height)) / 2
        if apart <= max(2.0, 0.15 * max(ring_width, ring_height)):
            found.append((outer, inner))
    return found


def _finder(
    crop: Picture, ring: Any, heart: Any, cut: tuple[Box, int], camera: Camera, module_mm: float
) -> Finder | None:
    box, scale = cut
    squares = []
    for contour, outwards in ((heart, 0.5), (ring, -0.5)):
        outline = contour.reshape(-1, 2).astype(np.float64)
        # A heart's outline runs half a pixel inside the square's edge, a ring's as much outside of it.
        away = outline - outline.mean(axis=0)
        outline += outwards * away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
        on_table = camera.at_height(outline / scale + (box.x0, box.y0), 0.0)
        if not np.isfinite(on_table).all():
            return None
        (x, y), sides, turn = cv2.minAreaRect(on_table.astype(np.float32))
        area = float(cv2.contourArea(on_table.astype(np.float32)))
        squares.append(((float(x), float(y)), sides, float(turn) % 90.0, area))
    (inner, inner_sides, _, inner_area), (outer, outer_sides, turn, outer_area) = squares
    for sides, modules, area in ((inner_sides, HEART, inner_area), (outer_sides, _RING, outer_area)):
        expected = modules * module_mm
        if any(abs(side - expected) > _SIDE_OFF * expected + _SLACK_MODULES * module_mm for side in sides):
            return None
        if area < _FULLNESS * sides[0] * sides[1]:
            return None
    if math.dist(inner, outer) > _APART_MODULES * module_mm:
        return None
    x_mm, y_mm = (inner[0] + outer[0]) / 2, (inner[1] + outer[1]) / 2
    levels = _levels(crop, scale, ring, heart)
    if levels is None:
        return None
    half_mm = (FINDER_MODULES + 1) / 2 * module_mm
    (px, *around) = camera.project([(x_mm, y_mm, 0.0), *rectangle_mm((x_mm, y_mm), turn, half_mm, half_mm)])
    if not _has_quiet_zone(crop, np.array(around) - (box.x0, box.y0), sum(levels) / 2):
        return None
    return Finder(x_mm, y_mm, turn, (float(px[0]), float(px[1])), *levels)


def _has_quiet_zone(crop: Picture, corners: Floats, grey: float) -> bool:
    """Whether at least half of a square around a finder pattern, with these corners (4, 2) px, is as bright as this.

    The next card may hide two of its sides; a ring in a cloth's pattern has the cloth around it.
    """
    ways = np.roll(corners, -1, axis=0) - corners
    points = (corners[:, None] + np.arange(0.0, 1.0, 0.1)[:, None] * ways[:, None]).reshape(-1, 2)
    across, down = np.rint(points).astype(int).T
    inside = (across >= 0) & (down >= 0) & (across < crop.shape[1]) & (down < crop.shape[0])
    return 2 * int(np.count_nonzero(crop[down[inside], across[inside]] >= grey)) >= len(points)


def _levels(crop: Picture, scale: int, ring: Any, heart: Any) -> tuple[float, float] | None:
    """How dark the heart and how bright the ring is, which are outlines in a denser picture; None if alike."""
    x, y, width, height = cv2.boundingRect(ring)
    x, y = x - x % scale, y - y % scale
    part = denser(crop[y // scale : (y + height) // scale + 2, x // scale : (x + width) // scale + 2], scale)
    inside = np.zeros(part.shape, np.uint8)
    cv2.drawContours(inside, [heart], -1, 255, cv2.FILLED, offset=(-x, -y))
    around = np.zeros(part.shape, np.uint8)
    cv2.drawContours(around, [ring], -1, 255, cv2.FILLED, offset=(-x, -y))
    around[cv2.dilate(inside, np.ones((3, 3), np.uint8)) > 0] = 0
    if not inside.any() or not around.any():
        return None
    black, white = at_share(part[inside > 0], 0.25), at_share(part[around > 0], 0.75)
    return (black, white) if white - black >= MIN_CONTRAST else None
