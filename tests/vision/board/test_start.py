"""What the bench of the starting position holds its calibrations to, on cameras drawn as it draws them."""

from __future__ import annotations

from functools import cache

import pytest
from bench_start import SIX, TABLE, draw, misplaced, worst_mm

from vision.board.calibration import Calibration, CalibrationError, calibrate_markers
from vision.printed.table import Table

pytestmark = pytest.mark.slow  # hundreds of calibrations
CAMERAS = 60
drawn = cache(draw)


def found(seed: int, sheet: Table, off_mm: float) -> tuple[Calibration | None, float]:
    """The calibration with one marker that far off, and how far off its worst space is; None where it is refused."""
    start = drawn(seed, sheet)
    start, table = misplaced(start, seed, start.table, off_mm)
    try:
        calibration = calibrate_markers([start.markers], table, start.camera.width, start.camera.height)
    except CalibrationError:
        return None, 0.0
    return calibration, worst_mm(calibration, start.camera, start.table)


@pytest.mark.parametrize("sheet", [TABLE, SIX])
@pytest.mark.parametrize("off_mm", [0.0, 5.0])
def test_the_worst_case_told_is_true_with_a_marker_five_millimetres_off(sheet: Table, off_mm: float) -> None:
    true = 0
    for seed in range(CAMERAS):
        calibration, off = found(seed, sheet, off_mm)
        assert calibration is not None, f"seed {seed}"
        assert calibration.worst_mm is not None
        true += off <= calibration.worst_mm
    assert true >= 0.95 * CAMERAS


@pytest.mark.parametrize("off_mm", [16.0, 25.0])
def test_far_off_a_marker_is_found_out_or_the_calibration_refused(off_mm: float) -> None:
    """Two markers and two figures in view, that is in half of them, cannot always tell which of the markers it is."""
    wrong = sum(off > 8.0 for _, off in (found(seed, TABLE, off_mm) for seed in range(CAMERAS)))
    assert wrong <= 0.15 * CAMERAS
    assert all(off < 4.0 for _, off in (found(seed, SIX, off_mm) for seed in range(CAMERAS)))


def test_a_marker_quite_elsewhere_is_left_out_though_no_camera_sees_all_of_them() -> None:
    """The camera that comes nearest is so far away that its equations are singular."""
    calibration, off = found(314, TABLE, 60.0)
    assert calibration is not None
    assert calibration.left_out == (0,)
    assert off < 4.0
