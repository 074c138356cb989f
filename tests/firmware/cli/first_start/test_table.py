"""A measured table is kept only where these very pictures tell every space on it."""

from __future__ import annotations

from contextlib import closing

import pytest

from firmware.cli.first_start.table import MAX_OFF_MM, TableEye
from tests.fakes.pictured import Pictured
from tests.tables import TABLE
from vision.board.calibration import Calibration
from vision.board.measure import MeasuredTable, MeasureError
from vision.synthetic import default_camera

CAMERA = default_camera(TABLE)
MEASURED = MeasuredTable(TABLE, CAMERA, 0.1, {})


@pytest.mark.parametrize(
    ("likely_mm", "worst_mm", "kept"),
    [
        (MAX_OFF_MM, 9.0, True),  # told as if a marker lay off, which is not likely
        (MAX_OFF_MM + 0.1, 9.0, False),
        (None, MAX_OFF_MM + 0.1, False),
        (None, None, True),
    ],
)
def test_how_sure_its_spaces_are_likely_to_be_decides(
    monkeypatch: pytest.MonkeyPatch, likely_mm: float | None, worst_mm: float | None, kept: bool
) -> None:
    told = Calibration(CAMERA, 0.1, 0.1, worst_mm=worst_mm, likely_mm=likely_mm)
    monkeypatch.setattr("firmware.cli.first_start.table.calibrate", lambda frames, table, run: told)
    with closing(TableEye(Pictured(lambda _: None), TABLE)) as eye:
        if kept:
            assert eye._checked(MEASURED, ()) is MEASURED
        else:
            with pytest.raises(MeasureError, match="unsure"):
                eye._checked(MEASURED, ())
