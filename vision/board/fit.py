"""From corner markers and fencers' tags in view to the camera that sees them, whoever of them is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import cv2
import numpy as np

from vision.belief import DOUBT
from vision.board.lens_fit import (
    Fit,
    LensBelief,
    Square,
    centre_of,
    first_poses,
    fit_camera,
    parameters_about,
)
from vision.board.worst_case import WorstCase, apart_mm, read_at_mm, spread_mm, tags_mm, weighed, worst_case
from vision.geometry import Camera, Floats
from vision.marks.markers import diagonals_meet
from vision.printed.table import Table

MARKER_SD_MM: Final = 0.8
"""How exactly people lay or measure a marker."""
_MARKER_TURN_SD: Final = math.radians(1.0)
_FIGURE_SD_MM: Final = 2.2  # of a base on its space
_FIGURE_TURN_SD: Final = math.radians(6.0)
_FIGURE_FREEDOM: Final = 5.0
"""Degrees of Student's t. With a marker's 3 a figure 12 mm off its space is 20 times as likely as a marker that far off
its own, and is blamed for it; with 8 and more a marker 60 mm off is found out less often. Measured by `bench_start.py
--misplaced`: of 120 cameras with a marker 8 or 12 mm off, 15 told falsely how far off they are with 3, and 2 with 5."""
_SAME_TURN: Final = 1e-4  # radians, less than 0.1 mm on a table: two starts that found one camera; chosen


@dataclass(frozen=True, slots=True, eq=False)
class BoardFit:
    """The camera as found, the squares that it was found from, and how far off the spaces may be.

    ``worst`` is as careful as if one square lay off its place, ``likely_mm`` the worst of them by how likely that is.
    ``believed`` are the ids of the squares that may lie where they should, ``whole`` of those with all corners.
    """

    fit: Fit
    squares: tuple[Square, ...]
    worst: WorstCase
    likely_mm: float
    believed: frozenset[int]
    whole: frozenset[int]


def fit_board(
    corners: Mapping[int, Floats],
    table: Table,
    belief: LensBelief,
    size: tuple[int, int],
    near: Camera | None = None,
) -> BoardFit | None:
    """The camera for corner markers and fencers' tags by id, (4, 2) px each.

    ``near`` is a camera to start from; without one it is found. None when there is no corner marker, or no camera sees
    them so.
    """
    markers = tuple(_markers(corners, table))
    if not markers:
        return None
    poses = first_poses(markers, belief) if near is None else [parameters_about(near, centre_of(markers))]
    begun = [fit for pose in poses if (fit := fit_camera(markers, belief, size, pose)) is not None]
    found: list[tuple[Fit, tuple[Square, ...]]] = [(fit, markers) for fit in _all_fits(begun, markers, belief, size)]
    tags = {number: px for number, px in corners.items() if table.side_of(number) is not None}
    for number, px in tags.items():
        tried = []
        for fit, squares in found:
            for space in _spaces_near(fit, centre_of(squares), px, table):
                more = (*squares, _tag(number, px, space, table))
                stood = fit_camera(more, belief, size, parameters_about(fit.camera, centre_of(more)))
                tried += [] if stood is None else [(stood, more)]
        found = _likely(tried)
    if tags:
        standing = {tuple(square.pivot_mm[0] for square in squares): (fit, squares) for fit, squares in reversed(found)}
        found = [(fit, on) for begun_with, on in standing.values() for fit in _all_fits([begun_with], on, belief, size)]
    ranked = _likely(found)
    if not ranked:
        return None
    best, squares = ranked[0]
    cameras = weighed(best, squares)
    mean, centre = cameras.fit, centre_of(squares)
    told = worst_case(cameras, cameras.careful, centre, table)
    likely_mm = worst_case(cameras, cameras.likely, centre, table).worst_mm
    believed: frozenset[int] = frozenset()
    for rival, others in ranked:
        if rival.cost >= best.cost - DOUBT:
            break
        believed |= _among(others, rival.lies_right)
        if rival is not best:
            # Either may be right: as far as they differ, nobody knows.
            other = weighed(rival, others)
            apart = apart_mm(mean.camera, rival.camera, table)
            off = apart + worst_case(other, other.likely, centre_of(others), table).off_mm
            told = WorstCase(tuple(np.maximum(told.off_mm, off).tolist()), max(told.worst_mm, float(off.max())))
            likely_mm = max(likely_mm, float(apart.max()))
    whole = _among(squares, np.asarray(best.counts(best.factor).all(axis=1)))
    return BoardFit(mean, squares, told, likely_mm, believed, whole & believed)


def _among(squares: Sequence[Square], chosen: Iterable[bool]) -> frozenset[int]:
    return frozenset(square.id for square, is_chosen in zip(squares, chosen, strict=True) if is_chosen)


def _markers(corners: Mapping[int, Floats], table: Table) -> list[Square]:
    return [
        Square(
            corner.id,
            np.asarray(corners[corner.id], dtype=np.float64),
            np.array(corner[1:]),
            np.zeros(3),
            table.board_size_mm,
            MARKER_SD_MM,
            _MARKER_TURN_SD,
            on_board=True,
        )
        for corner in table.corners
        if corner.id in corners
    ]


def _tag(number: int, px: Floats, space: int, table: Table) -> Square:
    return Square(
        number,
        np.asarray(px, dtype=np.float64),
        np.array(table.space_mm(space)),
        np.array(table.fencer_offset_mm),
        table.fencer_size_mm,
        _FIGURE_SD_MM,
        _FIGURE_TURN_SD,
        on_board=False,
        freedom=_FIGURE_FREEDOM,
    )


def _likely(found: Iterable[tuple[Fit, tuple[Square, ...]]]) -> list[tuple[Fit, tuple[Square, ...]]]:
    """The likeliest first, without those that are far less likely: their rank may change with what is still to come."""
    ranked = sorted(found, key=lambda each: each[0].cost)
    return [each for each in ranked if each[0].cost < 2 * ranked[0][0].cost - DOUBT]


def _all_fits(begun: Sequence[Fit], squares: Sequence[Square], belief: LensBelief, size: tuple[int, int]) -> list[Fit]:
    """These and the other cameras that may see the squares so, each once.

    Where a marker is quite elsewhere, or a corner pulled, a start without that square leads to the camera that says so.
    """
    fits: list[Fit] = []
    others = (
        [fit_camera(squares, belief, size, _moved(pose, centre_of(squares) - centre_of(rest))) for pose in poses]
        for out in squares
        if (rest := [square for square in squares if square is not out])
        for poses in [first_poses(rest, belief)]
    )
    for found in chain([begun], others):
        for fit in found:
            if fit is not None and not any(np.allclose(fit.camera.R, each.camera.R, 0.0, _SAME_TURN) for each in fits):
                fits.append(fit)
        if any(fit.agrees for fit in fits):
            break
    return fits


def _moved(pose: Floats, by_mm: Floats) -> Floats:
    """A pose about a point that lies so far from the one that it was about."""
    turn, _ = cv2.Rodrigues(pose[:3])
    return np.concatenate([pose[:3], pose[3:6] + turn @ by_mm])


def _spaces_near(fit: Fit, centre_mm: Floats, px: Floats, table: Table) -> list[int]:
    """The spaces on which a tag may lie by what is known so far, the nearest and others about as near."""
    middle = np.repeat(diagonals_meet(px)[None], len(table.spaces_mm), axis=0)
    apart = np.linalg.norm(read_at_mm(fit.camera, middle, table) - tags_mm(table)[:, :2], axis=1)
    apart = np.nan_to_num(apart, nan=np.inf)
    nearest = int(apart.argmin())
    reach = 4.0 * float(spread_mm(fit, centre_mm, table)[nearest])
    return [int(number) + 1 for number in np.flatnonzero(apart < apart[nearest] + reach + 4.0)]
