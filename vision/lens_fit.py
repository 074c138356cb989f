"""The camera that best explains where known points of the board appear.

A damped least-squares fit of pose, focal length, middle and radial distortion. What the points cannot tell (a single
view of flat markers says little about the lens) is held by what is known beforehand: the data sheet's field of view
and that lenses for such cameras distort little. Each such belief counts as one more observation with its own spread.
Light bleeds: a camera's tone curve makes white grow into black, and every black square comes out smaller by the same
part of a pixel on each side. That part is found along with the lens, or the lens would be bent to explain it.
Source: Levenberg 1944, Marquardt 1963; Hartley and Zisserman, "Multiple View Geometry", appendix 6.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.geometry import Camera, Floats, field_of_view

CORNER_SD_PX: Final = 0.3
FOCAL_SD: Final = 0.04  # of itself
MIDDLE_SD_PX: Final = 6.0
K1_SD: Final = 0.08
K2_SD: Final = 0.03
BLEED_SD_PX: Final = 0.5  # of a square's side, outwards
_STEPS: Final = 60


def outwards(px: Floats) -> Floats:
    """How each corner of squares seen at (4 M, 2) px moves when their sides move outwards by one pixel, (4 M, 2)."""
    squares = px.reshape(-1, 4, 2)
    arms = squares - squares.mean(axis=1, keepdims=True)
    return np.asarray((arms / np.linalg.norm(arms, axis=2, keepdims=True) * np.sqrt(2.0)).reshape(-1, 2))


def bleed_px(expected_px: Floats, px: Floats) -> float:
    """By how many pixels the sides of squares (4 M, 2) are seen further out than expected; below 0 further in."""
    out = outwards(px)
    return float((out * (px - expected_px)).sum() / (out * out).sum())


def fit_camera(points_mm: Floats, px: Floats, hfov_deg: float, width: int, height: int) -> tuple[Camera, float] | None:
    """The camera for the corners of at least two squares, (4 M, 3) seen at (4 M, 2), and the sides' bleed in px.

    None when no pose explains them at all.
    """
    guess = field_of_view(hfov_deg, width, height)
    centre = points_mm.mean(axis=0)
    found, turn, shift = cv2.solvePnP(points_mm - centre, px, guess, np.zeros(5), flags=cv2.SOLVEPNP_SQPNP)
    if not found:
        return None
    parameters = np.concatenate(
        [np.ravel(turn), np.ravel(shift), [np.log(guess[0, 0]), guess[0, 2], guess[1, 2], 0.0, 0.0, 0.0]]
    )
    believed = parameters.copy()
    spread = np.concatenate([np.full(6, np.inf), [FOCAL_SD, MIDDLE_SD_PX, MIDDLE_SD_PX, K1_SD, K2_SD, BLEED_SD_PX]])
    fitted = _refine(parameters, points_mm - centre, px, believed, spread)
    camera = _camera(fitted, centre, width, height)
    if float(camera.depth_mm(points_mm).min()) <= 0:
        return None
    return camera, float(fitted[11])


def refit_pose(camera: Camera, points_mm: Floats, px: Floats) -> Camera | None:
    """The same lens at the place that explains these points (at least 4) best; None when there is none."""
    rotation, _ = cv2.Rodrigues(camera.R)
    found, turn, shift = cv2.solvePnP(
        points_mm,
        px,
        camera.K,
        camera.dist,
        np.ravel(rotation).copy(),
        camera.t.copy(),
        useExtrinsicGuess=True,
        flags=cv2.SOLVEPNP_ITERATIVE,
    )
    if not found:
        return None
    matrix, _ = cv2.Rodrigues(turn)
    moved = Camera(
        camera.K, camera.dist, np.asarray(matrix, dtype=np.float64), np.ravel(shift), camera.width, camera.height
    )
    return moved if float(moved.depth_mm(points_mm).min()) > 0 else None


def _refine(parameters: Floats, points: Floats, px: Floats, believed: Floats, spread: Floats) -> Floats:
    damping = 1e-3
    cost, slope, curve = _cost(parameters, points, px, believed, spread)
    for _ in range(_STEPS):
        step = np.linalg.solve(curve + damping * np.diag(np.diag(curve)), -slope)
        tried = parameters + step
        new_cost, new_slope, new_curve = _cost(tried, points, px, believed, spread)
        if new_cost < cost:
            gain = cost - new_cost
            parameters, cost, slope, curve = tried, new_cost, new_slope, new_curve
            damping = max(damping / 5, 1e-9)
            if gain < 1e-9 * max(cost, 1e-9):
                break
        else:
            damping *= 4
            if damping > 1e9:
                break
    return parameters


def _cost(
    parameters: Floats, points: Floats, px: Floats, believed: Floats, spread: Floats
) -> tuple[float, Floats, Floats]:
    """Half the sum of squares, its gradient and approximate curvature."""
    focal = np.exp(parameters[6])
    matrix = np.array([[focal, 0, parameters[7]], [0, focal, parameters[8]], [0, 0, 1.0]])
    dist = np.array([parameters[9], parameters[10], 0.0, 0.0, 0.0])
    seen, jacobian = cv2.projectPoints(points, parameters[:3], parameters[3:6], matrix, dist)
    out = outwards(px)
    miss = (np.asarray(seen, dtype=np.float64).reshape(-1, 2) + parameters[11] * out - px).ravel() / CORNER_SD_PX
    rows = np.asarray(jacobian, dtype=np.float64)
    # Columns of OpenCV: turn 3, shift 3, fx fy, cx cy, k1 k2 p1 p2 k3.
    by_focal = (rows[:, 6] + rows[:, 7]) * focal
    change = np.column_stack([rows[:, :6], by_focal, rows[:, 8:10], rows[:, 10:12], out.ravel()]) / CORNER_SD_PX
    drift = (parameters - believed) / spread
    cost = float(miss @ miss + drift @ drift) / 2
    return cost, change.T @ miss + drift / spread, change.T @ change + np.diag(1 / spread**2)


def _camera(parameters: Floats, centre: Floats, width: int, height: int) -> Camera:
    rotation, _ = cv2.Rodrigues(parameters[:3])
    turn = np.asarray(rotation, dtype=np.float64)
    focal = float(np.exp(parameters[6]))
    matrix = np.array([[focal, 0.0, parameters[7]], [0.0, focal, parameters[8]], [0.0, 0.0, 1.0]])
    dist = np.array([parameters[9], parameters[10], 0.0, 0.0, 0.0])
    return Camera(matrix, dist, turn, parameters[3:6] - turn @ centre, width, height)
