"""What the eyes tell a live camera: the hand, how far the table is, and where cards lie in the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.table.observation import Sight, Why
from firmware.extras.simulation.camera import unwatched_table
from firmware.table.camera.eyes_told import EyesTold, expected_distance_mm
from vision.camera.settling import CameraFeedback
from vision.eyes import Eyes
from vision.printed.table import CameraFrame, Table

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("hfov_deg", "range_mm"), [(66.0, (620, 840)), (102.0, (320, 440))])
def test_the_expected_distance_is_among_those_in_which_a_camera_module_is_used(
    table: Table, hfov_deg: float, range_mm: tuple[float, float]
) -> None:
    """hardware/camera.md, above the board: Camera Module 3, and its wide one."""
    expected_mm = expected_distance_mm(replace(table, camera=CameraFrame(2304, 1296, hfov_deg)))
    assert range_mm[0] < expected_mm < range_mm[1]


def test_a_table_that_is_found_is_told_of_and_a_blind_look_is_not(table: Table) -> None:
    source, eyes, feedback = unwatched_table(table, seed=1), Eyes(table), CameraFeedback()
    told = EyesTold(feedback)
    before = feedback.shown
    for frame in filter(None, (source.read() for _ in range(10))):
        look = eyes.look(frame)
        told.see(frame, look)
        assert feedback.shown.hand is (look.table.why is Why.HAND or look.arm is not None)
    source.close()
    shown = feedback.shown
    assert shown is not before
    assert shown.distance_mm is not None
    assert 400 < shown.distance_mm < 900
    assert shown.area is not None
    left, top, right, bottom = shown.area
    assert 0 <= left < 0.5 < right <= 1
    assert 0 <= top < bottom <= 1
    dark = eyes.look(replace(frame, t_s=frame.t_s + 0.1, y=np.zeros_like(frame.y)))
    assert dark.table.sight is Sight.BLIND
    told.see(frame, dark)
    assert feedback.shown is shown
