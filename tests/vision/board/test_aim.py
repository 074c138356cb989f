"""Which way a camera is to be turned: cameras that look beside the board, by what they would see of its markers."""

from __future__ import annotations

import numpy as np
import pytest

from engine.table.observation import Aim, CameraTurn
from tests.tables import TABLE
from vision.board.aim import aim_of
from vision.board.calibration import marker_corners_mm
from vision.geometry import Camera, look_at
from vision.marks.markers import Marker

SIZE_PX = (TABLE.camera.width, TABLE.camera.height)
MIDDLE = TABLE.space_mm(12)


def looking(off_x_mm: float, off_y_mm: float, height_mm: float = 600.0) -> Camera:
    """A camera between the players that looks so far beside where it should."""
    at, target = (MIDDLE.x, -400.0, height_mm), (MIDDLE.x + off_x_mm, -88.0 + off_y_mm, 0.0)
    return look_at(at, target, 0.0, TABLE.camera.hfov_deg, *SIZE_PX, (-0.035, 0.006, 0.0, 0.0, 0.0))


def in_view(camera: Camera) -> list[Marker]:
    """The corner markers that are wholly in its picture."""
    seen = []
    for number, corners_mm in marker_corners_mm(TABLE).items():
        px = camera.project(corners_mm)
        if (px > 0).all() and (px < np.array(SIZE_PX)).all():
            seen.append(Marker(number, px))
    return seen


@pytest.mark.parametrize(
    ("off_x_mm", "off_y_mm", "height_mm", "aim"),
    [
        (0, 0, 600, Aim(4, 4)),
        (120, 0, 600, Aim(2, 4, CameraTurn.LEFT)),
        (260, 0, 600, Aim(2, 4, CameraTurn.LEFT)),
        (-120, 0, 600, Aim(2, 4, CameraTurn.RIGHT)),
        (0, -150, 600, Aim(2, 4, CameraTurn.AWAY)),
        (0, 320, 420, Aim(2, 4, CameraTurn.HIGHER)),
        (0, 420, 600, Aim(2, 4, CameraTurn.NEAR)),
        (200, -150, 600, Aim(1, 4, CameraTurn.LEFT)),
        (-200, -150, 600, Aim(1, 4, CameraTurn.RIGHT)),
    ],
)
def test_it_is_turned_towards_what_is_missing(off_x_mm: float, off_y_mm: float, height_mm: float, aim: Aim) -> None:
    camera = looking(off_x_mm, off_y_mm, height_mm)
    assert aim_of(in_view(camera), TABLE, SIZE_PX) == aim


def test_doing_what_is_said_ends_with_all_markers_seen() -> None:
    """From wherever a camera looked, as long as it sees any marker: fifty steps of what is said are enough."""
    steps = {
        CameraTurn.LEFT: (-15, 0, 0),
        CameraTurn.RIGHT: (15, 0, 0),
        CameraTurn.AWAY: (0, 15, 0),
        CameraTurn.NEAR: (0, -15, 0),
    }
    for start in ((260, 0, 600), (-300, -100, 600), (150, -110, 600), (-100, 250, 560), (0, 0, 430), (80, -80, 470)):
        where = np.array(start, dtype=np.float64)
        for _ in range(50):
            aim = aim_of(in_view(looking(*where)), TABLE, SIZE_PX)
            if aim.turn is None:
                break
            where += steps.get(aim.turn, (0, 0, 15))
        assert aim.done, (start, where, aim)


def test_a_marker_that_is_in_the_picture_and_cannot_be_read_is_covered() -> None:
    assert aim_of(in_view(looking(0, 0))[1:], TABLE, SIZE_PX) == Aim(3, 4)
    assert aim_of([], TABLE, SIZE_PX) == Aim(0, 4)
    stranger = Marker(33, in_view(looking(0, 0))[0].corners)
    assert aim_of([stranger], TABLE, SIZE_PX) == Aim(0, 4)
