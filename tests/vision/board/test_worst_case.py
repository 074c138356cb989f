"""How far off the spaces may be, and which camera is the true one when one square lies only near its place."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.tables import TABLE
from vision.board.calibration import marker_corners_mm
from vision.board.lens_fit import CAMERA, Fit, LensBelief, Square, centre_of, fit_camera, parameters_about
from vision.board.worst_case import spread_mm, weighed
from vision.geometry import Floats
from vision.synthetic import default_camera

EYE = default_camera(TABLE)
SIZE = (EYE.width, EYE.height)


def squares(off_mm: Floats, number: int = 3) -> list[Square]:
    """The four markers as they are seen when one of them lies ``off_mm`` (3,) beside its place."""
    seen = [(corner, px, off_mm * (corner.id == number)) for corner, px in zip(TABLE.corners, MARKERS, strict=True)]
    return [
        Square(corner.id, EYE.project(px + off), np.array(corner[1:]), 30.0, 0.8, on_board=True)
        for corner, px, off in seen
    ]


MARKERS = tuple(marker_corners_mm(TABLE).values())


def fitted(seen: list[Square], pose: Floats | None = None) -> Fit:
    begin = parameters_about(EYE, centre_of(seen))[:6] if pose is None else pose
    found = fit_camera(seen, LensBelief.of_field(66.0, *SIZE), SIZE, begin)
    assert found is not None
    return found


@pytest.mark.parametrize("number", range(4))
def test_the_camera_that_supposes_the_right_marker_off_is_the_true_one(number: int) -> None:
    seen = squares(np.array([4.0, -3.0, 0.0]), number)
    found = weighed(fitted(seen))
    spread = np.sqrt(np.diagonal(found.covariances, axis1=1, axis2=2))
    off = np.abs((found.parameters - parameters_about(EYE, centre_of(seen))) / spread).max(axis=1)
    assert off[number + 1] < 0.7 < off[0]
    assert found.careful[number + 1] > 0.3


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_the_camera_is_the_mean_of_the_likely_ones_and_as_well_known_as_all_of_them(factor: float) -> None:
    seen = squares(np.array([3.0, 3.0, 0.0]))
    found = weighed(replace(fitted(seen), factor=factor))
    shares, parameters = found.likely, found.parameters
    assert shares.sum() == pytest.approx(1.0)
    mean = shares @ parameters
    assert found.fit.parameters[:CAMERA] == pytest.approx(mean)
    within = np.einsum("k,kij->ij", shares, found.covariances)
    between = (shares * (parameters - mean).T) @ (parameters - mean)
    assert found.fit.known[:CAMERA, :CAMERA] * found.fit.factor == pytest.approx(within + between)
    assert parameters_about(found.fit.camera, centre_of(squares(np.zeros(3))))[6:] == pytest.approx(mean[6:])


def test_for_the_worst_case_one_lies_off_and_the_further_it_does_the_surer_it_is_which() -> None:
    shares = []
    for off_mm in (0.0, 4.0, 8.0):
        seen = squares(np.array([0.0, off_mm, 0.0]))
        found = weighed(fitted(seen))
        assert found.careful[0] == 0.0
        assert found.careful.sum() == pytest.approx(1.0)
        shares.append(found.likely[4] + found.likely[1])  # beside each other: either may be the one
    assert shares[0] < 0.05 < shares[1] < shares[2]
    assert shares[2] > 0.9


def test_where_no_place_is_believed_there_is_one_camera() -> None:
    seen = squares(np.zeros(3))
    fit = replace(fitted(seen), place_squared=np.full(4, 1e9))
    found = weighed(fit)
    assert [*found.likely] == [*found.careful] == [1.0]
    assert found.fit.camera.position_mm == pytest.approx(fit.camera.position_mm)


def test_what_may_be_off_is_the_same_whichever_way_round_the_camera_s_turn_is_written() -> None:
    seen = squares(np.zeros(3))
    pose = parameters_about(EYE, centre_of(seen))[:6]
    angle = float(np.linalg.norm(pose[:3]))
    other = np.concatenate([pose[:3] * (1 - 2 * math.pi / angle), pose[3:]])
    assert np.linalg.norm(other[:3]) > math.pi
    one, another = (spread_mm(fitted(seen, each), TABLE) for each in (pose, other))
    assert another == pytest.approx(one, rel=0.02)
