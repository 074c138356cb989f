"""The parts of the picture that matter, from the calibration: where labels, tags and corner markers can be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.board.calibration import SURE_SIDE_PX, Calibration, marker_corners_mm
from vision.board.lens_fit import unit_square
from vision.cells import CELL_PX, Mask
from vision.geometry import Box, Camera, Floats
from vision.marks.markers import box_around
from vision.printed.table import CARD_LIMITS_MM, Table
from vision.printed.tags import QR_MODULES


@dataclass(frozen=True, slots=True, eq=False)
class Zones:
    """Where to look. Masks have one byte for each 8 by 8 pixels, boxes are pixels.

    ``play`` and ``strip`` are the play area and the places where fencers' tags can be, each with a margin; ``table``
    is both. ``module_px`` is the narrower side of a label's module in the middle of the play area. ``markers_px`` are
    the corner markers' outlines (4, 2).
    """

    play: Mask
    strip: Mask
    table: Mask
    play_box: Box
    strip_box: Box
    marker_boxes: dict[int, Box]
    module_px: float
    markers_px: tuple[Floats, ...] = ()


def zones_of(calibration: Calibration, table: Table) -> Zones:
    """The zones for this camera over this table."""
    camera, size = calibration.camera, (calibration.camera.width, calibration.camera.height)
    play, hull = play_outline(calibration, table, table.qr_mm), strip_outline(calibration, table)
    play_mask, strip_mask = _mask(play, camera), _mask(hull, camera)
    markers = {number: camera.project(corners) for number, corners in marker_corners_mm(table).items()}
    return Zones(
        play=play_mask,
        strip=strip_mask,
        table=play_mask | strip_mask,
        play_box=box_around(play, 0.0, *size),
        strip_box=box_around(hull, 0.0, *size),
        marker_boxes={number: box_around(outline, SURE_SIDE_PX, *size) for number, outline in markers.items()},
        module_px=module_px(camera, table),
        markers_px=tuple(markers.values()),
    )


def play_outline(calibration: Calibration, table: Table, margin_mm: float = 0.0) -> Floats:
    """The play area, grown by a margin, as a polygon in the picture, (N, 2) px."""
    area = table.play_area
    return _rectangle(calibration.camera, (area.x0, area.x1), (area.y0, area.y1), margin_mm)


def table_outline(calibration: Calibration, table: Table) -> Floats:
    """Board and play area, with room for a card that lies at their edge, as a polygon in the picture, (N, 2) px."""
    area = table.play_area
    xs = [area.x0, area.x1, *(corner.x for corner in table.corners)]
    ys = [area.y0, area.y1, *(corner.y for corner in table.corners)]
    return _rectangle(calibration.camera, xs, ys, max(CARD_LIMITS_MM))


def strip_outline(calibration: Calibration, table: Table) -> Floats:
    """The places where fencers' tags can be, with a margin, as a polygon in the picture, (N, 2) px."""
    tags = np.array(table.tags_mm)
    # Whoever is put down a space beyond the track's end, or a tag's side beside it, is seen, however the tag is turned.
    turned_mm = table.fencer_size_mm / math.sqrt(2)
    pitch_mm = float(np.linalg.norm(tags[1] - tags[0]))
    around = unit_square() * (pitch_mm + turned_mm, table.fencer_size_mm + turned_mm, 0.0)
    strip = calibration.camera.project((tags[:, None] + around).reshape(-1, 3))
    return np.asarray(cv2.convexHull(strip.astype(np.float32)), dtype=np.float64).reshape(-1, 2)


def _rectangle(camera: Camera, xs: Sequence[float], ys: Sequence[float], margin_mm: float) -> Floats:
    """The picture of the smallest rectangle on the board that holds these places, grown by a margin.

    Its edges are bent by the lens, so they get points of their own, about one in each cell.
    """
    x0, x1, y0, y1 = min(xs) - margin_mm, max(xs) + margin_mm, min(ys) - margin_mm, max(ys) + margin_mm
    points = np.array([(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)])
    part = np.linspace(0.0, 1.0, camera.width // CELL_PX, endpoint=False)[:, None]
    edges = [a + part * (b - a) for a, b in zip(points, np.roll(points, -1, axis=0), strict=True)]
    return camera.project(np.vstack(edges))


def _mask(outline: Floats, camera: Camera) -> Mask:
    mask = np.zeros((camera.height // CELL_PX, camera.width // CELL_PX), np.uint8)
    cells = np.round((outline + 0.5) / CELL_PX - 0.5).astype(np.int32)
    cv2.fillPoly(mask, [cells], 1)
    return mask


def module_px(camera: Camera, table: Table) -> float:
    """The narrower side, in px, of a label's module in the middle of the play area."""
    x, y = table.play_area.middle
    here, right, far = camera.project([(x, y, 0.0), (x + 1.0, y, 0.0), (x, y + 1.0, 0.0)])
    px_per_mm = min(float(np.linalg.norm(right - here)), float(np.linalg.norm(far - here)))
    return px_per_mm * table.qr_mm / QR_MODULES
