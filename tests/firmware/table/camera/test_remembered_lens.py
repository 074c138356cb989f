"""The lens of a live camera, kept from one start to the next."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from firmware.table.camera.remembered_lens import GOOD_MM, RememberedLens, remembered_lens
from tests.tables import TABLE
from vision.board.calibration import Calibration, CalibrationError, calibrate_markers, marker_corners_mm
from vision.board.lens_fit import LensBelief
from vision.board.worst_case import apart_mm
from vision.geometry import Camera, look_at
from vision.marks.markers import Marker

CAMERA = look_at((308, -390, 590), (305, -95, 0), 1.0, 69.0, dist=(0.05, -0.05, 0.0, 0.0, 0.0))
AFTER = look_at((330, -370, 600), (300, -90, 0), -1.0, 69.0, dist=(0.05, -0.05, 0.0, 0.0, 0.0))


def seen_by(camera: Camera, ids: tuple[int, ...], lens: LensBelief | None = None) -> Calibration:
    rng = np.random.default_rng(1)
    markers = [
        Marker(number, camera.project(corners) + rng.normal(0.0, 0.2, (4, 2)))
        for number, corners in marker_corners_mm(TABLE).items()
        if number in ids
    ]
    return calibrate_markers([markers], TABLE, camera.width, camera.height, lens)


def remembered(folder: Path, camera: str = "picamera2:0", text: str = "table", width: int = 2304) -> RememberedLens:
    return remembered_lens(folder, camera, width, 1296, text)


def test_a_lens_that_was_found_helps_two_markers_at_the_next_start(tmp_path: Path) -> None:
    assert (remembered(tmp_path).lens, remembered(tmp_path).notice) == (None, "")
    remembered(tmp_path).keep(seen_by(CAMERA, (0, 1, 2, 3)))
    lens = remembered(tmp_path).lens
    assert lens is not None
    with_lens, without = seen_by(AFTER, (2, 3), lens), seen_by(AFTER, (2, 3))
    assert with_lens.likely_mm is not None
    assert without.likely_mm is not None
    off_mm, off_without_mm = (float(apart_mm(AFTER, each.camera, TABLE).max()) for each in (with_lens, without))
    assert off_mm < off_without_mm
    assert off_mm < with_lens.likely_mm


def test_another_camera_size_or_table_has_a_lens_of_its_own(tmp_path: Path) -> None:
    remembered(tmp_path).keep(seen_by(CAMERA, (0, 1, 2, 3)))
    assert remembered(tmp_path, text="another").lens is None
    assert remembered(tmp_path, camera="/dev/video0").lens is None
    assert remembered(tmp_path, width=1152).lens is None
    assert remembered(tmp_path).lens is not None


def test_a_doubtful_calibration_is_not_kept_nor_a_worse_one_after_a_better(tmp_path: Path) -> None:
    kept = remembered(tmp_path)
    kept.keep(None)
    kept.keep(Calibration(CAMERA, 0.1, 0.1))
    kept.keep(Calibration(CAMERA, 0.1, 0.1, worst_mm=GOOD_MM + 1))
    assert not kept.path.exists()
    kept.keep(Calibration(CAMERA, 0.1, 0.1, worst_mm=GOOD_MM + 1, likely_mm=1.5))
    first = kept.path.read_bytes()
    kept.keep(Calibration(AFTER, 0.2, 0.2, worst_mm=2.5))
    assert kept.path.read_bytes() == first
    assert list(kept.path.parent.glob("*.part")) == []


@pytest.mark.parametrize("damage", ["", "version = 1\n[lens", "\0\0\0", "[pose]\n"])
def test_a_damaged_file_counts_for_nothing_and_is_named(tmp_path: Path, damage: str) -> None:
    kept = remembered(tmp_path)
    kept.keep(seen_by(CAMERA, (0, 1, 2, 3)))
    kept.path.write_text(f"{kept.heading}\n{damage}", encoding="utf-8")
    found = remembered(tmp_path)
    assert found.lens is None
    assert str(found.path) in found.notice
    kept.path.write_bytes(b"\xff\xfe\xff")
    assert str(kept.path) in remembered(tmp_path).notice


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    in_the_way = tmp_path / "lenses"
    in_the_way.write_text("a file", encoding="utf-8")
    kept = remembered(in_the_way)
    kept.keep(Calibration(CAMERA, 0.1, 0.1, worst_mm=1.0))
    assert in_the_way.read_text(encoding="utf-8") == "a file"


def test_a_remembered_lens_that_is_another_one_now_is_found_out() -> None:
    """The camera was exchanged for one with a longer lens: four markers say so, and nothing is misread."""
    lens = seen_by(CAMERA, (0, 1, 2, 3)).lens
    other = look_at((308, -390, 590), (305, -95, 0), 1.0, 61.0)
    try:
        found = seen_by(other, (0, 1, 2, 3), lens)
    except CalibrationError:
        return
    assert found.worst_mm is not None
    assert float(apart_mm(other, found.camera, TABLE).max()) < found.worst_mm
