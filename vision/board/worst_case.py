"""How far off the spaces may be: what a fit does not know of the camera, in millimetres on the track.

One of the squares, nobody knows which, may lie only near its place: a marker 5 mm off, where two markers and two
figures are all that is in view, contradicts nobody clearly. So none is left out for it. Each in its turn is supposed to
lie only near its place, and what is seen then says how likely that is. The camera is the mean of those, each counting
as much as it is likely. What is told of the worst case is more careful, as if one of them did lie off: where many
agree, all of these cameras are the same anyway.
Source: Box and Tiao, "A Bayesian approach to some outlier problems", Biometrika 1968.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import cv2
import numpy as np

from vision.belief import UNLIKELY
from vision.board.lens_fit import CAMERA, FREEDOM, Fit, camera_of, centre_of, own_places, weight_of
from vision.geometry import Camera, Floats
from vision.printed.table import Table

SHARE: Final = 0.95  # of all cases, as the report says: 95 in 100
_DRAWS: Final = round((1 - SHARE) ** -2)  # cameras as likely as the one found: the twentieth worst of 400 is told
_NEAR: Final = 8.0  # of a place's spread: a marker's is 6.4 mm then, of which 8 mm are nothing rare and 12 mm seldom


class Weighed(NamedTuple):
    """K cameras: ``parameters`` (K, 11) about the squares' centre, ``covariances`` (K, 11, 11); ``fit`` is their mean.

    ``likely`` (K,) says how likely each is, ``careful`` (K,) the same as if one of the squares did lie off; the first
    camera is that for which none does.
    """

    fit: Fit
    parameters: Floats
    covariances: Floats
    likely: Floats
    careful: Floats


def weighed(fit: Fit) -> Weighed:
    """The camera of a fit, and those next to it in which one of its squares lies only near its place.

    Of a square that lies farther than near it is known already: it is not believed in any of them.
    """
    elsewhere = fit.place_squared > UNLIKELY * _NEAR**2
    suspects = np.flatnonzero(~elsewhere)
    # That Student's t has a place as far off, against all well.
    odds = np.append(1.0, np.full(len(suspects), (1 + _NEAR**2 / FREEDOM) ** (-FREEDOM / 2)))
    fitted = weight_of(fit.place_squared)
    weights = np.tile(np.where(elsewhere, fitted, 1.0), (len(odds), 1))
    weights[np.arange(1, len(odds)), suspects] = 1 / _NEAR**2
    at = own_places(len(fit.squares)).ravel()
    variances = np.array([square.place_sd_mm**2 for square in fit.squares]) * fit.factor
    precision, before = np.repeat(weights / variances, 2, axis=1), np.repeat(fitted / variances, 2)
    # Cameras and places are those of a fit with other beliefs of the places, to the first order.
    curves = np.tile(np.linalg.inv(fit.known) / fit.factor, (len(odds), 1, 1))
    curves[:, at, at] += precision - before
    slopes = np.zeros((len(odds), len(fit.parameters)))
    slopes[:, at] = (precision - before) * fit.parameters[at]
    known = np.linalg.inv(curves)
    shifts = -np.einsum("kij,kj->ki", known, slopes)
    likely = np.log(precision).sum(axis=1) + np.linalg.slogdet(known)[1]
    likely -= np.einsum("ki,ki->k", slopes, shifts) + precision @ fit.parameters[at] ** 2
    shares = odds * np.exp((likely - likely.max()) / 2)
    shares /= shares.sum()
    careful = np.append(0.0, shares[1:]) / shares[1:].sum() if len(suspects) else shares
    mean = shares @ shifts
    whole = np.einsum("k,kij->ij", shares, known) + (shares * (shifts - mean).T) @ (shifts - mean)
    size = (fit.camera.width, fit.camera.height)
    camera = camera_of(fit.parameters + mean, centre_of(fit.squares), size)
    return Weighed(
        replace(fit, camera=camera, parameters=fit.parameters + mean, known=whole / fit.factor),
        (fit.parameters + shifts)[:, :CAMERA],
        known[:, :CAMERA, :CAMERA],
        shares,
        careful,
    )


def worst_case(found: Weighed, shares: Floats, table: Table) -> tuple[Floats, float]:
    """How far off a tag read on each of the 23 spaces is at most, 95 in 100 times, (23,) mm; and on the worst of those
    in view, of all where none is.

    One of the cameras, each as likely as ``shares`` (K,) says, is the true one, and their mean is used. Many cameras
    are drawn, always the same ones, of each as many as it is likely.
    """
    camera = found.fit.camera
    tags = np.array(table.tags_mm)
    change = _moves(found.fit, tags)
    draws = np.random.default_rng(23).standard_normal((_DRAWS, CAMERA))
    until = np.round(np.cumsum(shares) * _DRAWS).astype(int)
    apart = found.parameters - found.fit.parameters[:CAMERA]
    for covariance, mean, some in zip(found.covariances, apart, np.split(draws, until[:-1]), strict=True):
        some[:] = some @ _root(covariance).T + mean
    off = np.linalg.norm(np.einsum("nij,dj->dni", change, draws), axis=2)
    seen = camera.holds(camera.project(tags))
    worst = off[:, seen].max(axis=1) if seen.any() else off.max(axis=1)
    rank = round(SHARE * _DRAWS)
    return np.partition(off, rank, axis=0)[rank], float(np.partition(worst, rank)[rank])


def spread_mm(found: Fit, table: Table) -> Floats:
    """How exactly the place of a tag on each space is known, as a standard deviation, (23,) mm."""
    change, known = _moves(found, np.array(table.tags_mm)), found.known[:CAMERA, :CAMERA] * found.factor
    return np.asarray(np.sqrt(np.einsum("nij,jk,nik->n", change, known, change)))


def apart_mm(one: Camera, other: Camera, table: Table) -> Floats:
    """How far apart two cameras read the tag on each space that the first one sees there, (23,) mm."""
    tags = np.array(table.tags_mm)
    off = np.linalg.norm(other.at_height(one.project(tags), tags[:, 2]) - tags[:, :2], axis=1)
    return np.asarray(np.nan_to_num(off, nan=np.inf))


def _moves(found: Fit, points_mm: Floats) -> Floats:
    """How the place read for each point moves with the camera's parameters, (N, 2, 11)."""
    camera, pose, about = found.camera, found.parameters, points_mm - centre_of(found.squares)
    _, jacobian = cv2.projectPoints(about, pose[:3], pose[3:6], camera.K, camera.dist)
    rows = np.asarray(jacobian, dtype=np.float64)
    by_focal = rows[:, 6] * camera.K[0, 0] + rows[:, 7] * camera.K[1, 1]
    by_camera = np.column_stack([rows[:, :6], by_focal, rows[:, 8:12]]).reshape(-1, 2, CAMERA)
    by_place = (rows[:, 3:6] @ camera.R).reshape(-1, 2, 3)[:, :, :2]
    return np.asarray(-np.linalg.solve(by_place, by_camera))


def _root(covariance: Floats) -> Floats:
    """A matrix whose product with its own transpose is the covariance; rounding may have made that slightly odd."""
    values, ways = np.linalg.eigh((covariance + covariance.T) / 2)
    return np.asarray(ways * np.sqrt(np.maximum(values, 0.0)))
