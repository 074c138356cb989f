"""How far off the spaces may be: what a fit does not know of the camera, in millimetres on the track."""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.board.lens_fit import CAMERA, Fit
from vision.board.weighing import Weighed
from vision.geometry import Camera, Floats
from vision.printed.table import Table

SHARE: Final = 0.95  # of all cases, as the report says: 95 in 100
_DRAWS: Final = 400  # cameras as likely as the one found: the twentieth worst of them is told


class WorstCase(NamedTuple):
    """How far off a tag read on each of the 23 spaces is at most, and on the worst of those in view; 95 in 100 times.

    Millimetres. Nothing is in view: the worst of all.
    """

    off_mm: tuple[float, ...]
    worst_mm: float


def worst_case(found: Weighed, shares: Floats, centre_mm: Floats, table: Table) -> WorstCase:
    """How far off the tags may be read with the mean of some cameras, if one of them, each as likely as ``shares`` (K,)
    says, is the true one.

    Their parameters are about ``centre_mm``, the squares' centre. Many cameras are drawn, always the same ones, of each
    as many as it is likely.
    """
    camera = found.fit.camera
    tags = tags_mm(table)
    change = _moves(found.fit, centre_mm, tags)
    draws = np.random.default_rng(23).standard_normal((_DRAWS, CAMERA))
    until = np.round(np.cumsum(shares) * _DRAWS).astype(int)
    apart = found.parameters - found.fit.parameters[:CAMERA]
    for covariance, mean, some in zip(found.covariances, apart, np.split(draws, until[:-1]), strict=True):
        some[:] = some @ _root(covariance).T + mean
    off = np.linalg.norm(np.einsum("nij,dj->dni", change, draws), axis=2)
    seen = camera.holds(camera.project(tags))
    worst = off[:, seen].max(axis=1) if seen.any() else off.max(axis=1)
    rank = round(SHARE * _DRAWS)
    spaces = np.partition(off, rank, axis=0)[rank]
    return WorstCase(tuple(float(value) for value in spaces), float(np.partition(worst, rank)[rank]))


def spread_mm(found: Fit, centre_mm: Floats, table: Table) -> Floats:
    """How exactly the place of a tag on each space is known, as a standard deviation, (23,) mm."""
    change = _moves(found, centre_mm, tags_mm(table))
    return np.asarray(np.sqrt(np.einsum("nij,jk,nik->n", change, found.covariance * found.factor, change)))


def read_at_mm(camera: Camera, px: Floats, table: Table) -> Floats:
    """Where pixels (23, 2) lie when each is a tag's on its space, (23, 2) mm; nan where that is nowhere."""
    heights = tags_mm(table)[:, 2]
    read = np.empty((len(heights), 2))
    for height in set(heights.tolist()):
        here = heights == height
        read[here] = camera.at_height(px[here], height)
    return read


def tags_mm(table: Table) -> Floats:
    """The middles of tags on all spaces, (23, 3) mm."""
    return np.array([table.tag_mm(space) for space in range(1, len(table.spaces_mm) + 1)])


def apart_mm(one: Camera, other: Camera, table: Table) -> Floats:
    """How far apart two cameras read the tag on each space that the first one sees there, (23,) mm."""
    tags = tags_mm(table)
    off = np.linalg.norm(read_at_mm(other, one.project(tags), table) - tags[:, :2], axis=1)
    return np.asarray(np.nan_to_num(off, nan=np.inf))


def _moves(found: Fit, centre_mm: Floats, points_mm: Floats) -> Floats:
    """How the place read for each point moves with the camera's parameters, (N, 2, 11)."""
    camera, pose = found.camera, found.parameters
    _, jacobian = cv2.projectPoints(points_mm - centre_mm, pose[:3], pose[3:6], camera.K, camera.dist)
    rows = np.asarray(jacobian, dtype=np.float64)
    by_focal = rows[:, 6] * camera.K[0, 0] + rows[:, 7] * camera.K[1, 1]
    by_camera = np.column_stack([rows[:, :6], by_focal, rows[:, 8:12]]).reshape(-1, 2, CAMERA)
    by_place = (rows[:, 3:6] @ camera.R).reshape(-1, 2, 3)[:, :, :2]
    return np.asarray(-np.linalg.solve(by_place, by_camera))


def _root(covariance: Floats) -> Floats:
    """A matrix whose product with its own transpose is the covariance; rounding may have made that slightly odd."""
    values, ways = np.linalg.eigh((covariance + covariance.T) / 2)
    return np.asarray(ways * np.sqrt(np.maximum(values, 0.0)))
