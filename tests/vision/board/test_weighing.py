"""Which cameras may be the true one when one of the squares lies only near its place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tables import TABLE
from vision.board.agreement import Agreement
from vision.board.calibration import marker_corners_mm
from vision.board.lens_fit import CAMERA, Fit, LensBelief, Square, centre_of, fit_camera, parameters_about
from vision.board.weighing import weighed
from vision.geometry import Floats
from vision.synthetic import default_camera

EYE = default_camera(TABLE)
SIZE = (EYE.width, EYE.height)
EVERY = frozenset(range(4))
NEAR_MM, ODDS = 4.0, 0.02


def squares(off_mm: Floats, place_sd_mm: float = 0.8) -> list[Square]:
    """The four markers as they are seen when the last of them lies ``off_mm`` (3,) beside its place."""
    seen = [(corner, px, off_mm * (corner.id == 3)) for corner, px in zip(TABLE.corners, MARKERS, strict=True)]
    return [
        Square(corner.id, EYE.project(px + off), np.array(corner[1:]), np.zeros(3), 30.0, place_sd_mm, 0.02, True)
        for corner, px, off in seen
    ]


MARKERS = tuple(marker_corners_mm(TABLE).values())


def agreed(seen: list[Square], free: frozenset[int] = frozenset()) -> Agreement:
    pose = parameters_about(EYE, centre_of(seen))[:6]
    found = fit_camera(seen, LensBelief.of_field(66.0, *SIZE), SIZE, pose, None, free)
    assert found is not None
    return Agreement(found, tuple(seen), np.ones((4, 4), np.bool_), free)


def evidence(fit: Fit, place_sd_mm: float) -> float:
    """The logarithm of how likely what was seen is, but for what all fits of the same squares have in common."""
    return float(np.linalg.slogdet(fit.known)[1] / 2 - fit.cost - 2 * np.log(place_sd_mm))


def noisier(well: Agreement, factor: float) -> Agreement:
    """The same by corners whose misfit's variance is that much larger than believed."""
    return replace(well, fit=replace(well.fit, cost=factor * well.fit.spare / 2))


@pytest.mark.parametrize("factor", [1.0, 4.0])
@pytest.mark.parametrize("number", range(4))
def test_each_likely_camera_is_that_of_a_fit_that_believes_a_place_less(number: int, factor: float) -> None:
    seen = squares(np.array([2.0, -1.5, 0.0]))
    first = agreed(seen)
    well = noisier(first, factor)
    found = weighed(well).likely
    seen[number] = seen[number]._replace(place_sd_mm=NEAR_MM)
    again = agreed(seen).fit
    spread = np.sqrt(np.diag(again.covariance) * factor)
    assert np.abs((found[number + 1].parameters - again.parameters[:CAMERA]) / spread).max() < 0.05
    assert np.sqrt(np.diag(found[number + 1].covariance)) == pytest.approx(spread, rel=0.05)
    told = np.log(found[number + 1].share / found[0].share)
    likelier = evidence(again, NEAR_MM) - evidence(first.fit, 0.8)
    spared = first.fit.cost - again.cost
    assert told == pytest.approx(np.log(ODDS) + likelier - spared + spared / factor, abs=0.1)


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_the_camera_is_the_mean_of_the_likely_ones_and_as_well_known_as_all_of_them(factor: float) -> None:
    found = weighed(noisier(agreed(squares(np.array([3.0, 3.0, 0.0]))), factor))
    shares = np.array([each.share for each in found.likely])
    parameters = np.array([each.parameters for each in found.likely])
    assert shares.sum() == pytest.approx(1.0)
    mean = shares @ parameters
    assert found.fit.parameters[:CAMERA] == pytest.approx(mean)
    within = sum(each.share * each.covariance for each in found.likely)
    between = (shares * (parameters - mean).T) @ (parameters - mean)
    assert found.fit.covariance * found.fit.factor == pytest.approx(within + between)
    assert parameters_about(found.fit.camera, centre_of(squares(np.zeros(3))))[6:] == pytest.approx(mean[6:])


def test_for_the_worst_case_one_lies_off_and_the_further_it_does_the_surer_it_is_which() -> None:
    shares = []
    for off_mm in (0.0, 4.0, 8.0):
        found = weighed(agreed(squares(np.array([0.0, off_mm, 0.0]))))
        assert found.possible[0].share == 0.0
        assert sum(each.share for each in found.possible) == pytest.approx(1.0)
        shares.append(found.likely[4].share + found.likely[1].share)  # beside each other: either may be the one
    assert shares[0] < 0.05 < shares[1] < shares[2]
    assert shares[2] > 0.9


def test_where_no_place_is_believed_there_is_one_camera() -> None:
    found = weighed(agreed(squares(np.zeros(3)), EVERY))
    assert [each.share for each in found.likely] == [each.share for each in found.possible] == [1.0]
    assert found.fit.camera.position_mm == pytest.approx(agreed(squares(np.zeros(3)), EVERY).fit.camera.position_mm)
