"""How far off the spaces may be, from what a fit does not know."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.tables import TABLE
from vision.board.calibration import marker_corners_mm
from vision.board.lens_fit import Fit, LensBelief, Square, centre_of, fit_camera, parameters_about
from vision.board.worst_case import spread_mm
from vision.geometry import Floats
from vision.synthetic import default_camera

CAMERA = default_camera(TABLE)
SQUARES = [
    Square(corner.id, CAMERA.project(px), np.array(corner[1:]), np.zeros(3), 30.0, 0.8, 0.02, on_board=True)
    for corner, px in zip(TABLE.corners, marker_corners_mm(TABLE).values(), strict=True)
]


def fitted(pose: Floats) -> Fit:
    found = fit_camera(SQUARES, LensBelief.of_field(66.0, 2304, 1296), (2304, 1296), pose)
    assert found is not None
    return found


def test_what_may_be_off_is_the_same_whichever_way_round_the_camera_s_turn_is_written() -> None:
    pose = parameters_about(CAMERA, centre_of(SQUARES))[:6]
    angle = float(np.linalg.norm(pose[:3]))
    other = np.concatenate([pose[:3] * (1 - 2 * math.pi / angle), pose[3:]])
    assert np.linalg.norm(other[:3]) > math.pi
    one, another = (spread_mm(fitted(each), centre_of(SQUARES), TABLE) for each in (pose, other))
    assert another == pytest.approx(one, rel=0.02)
