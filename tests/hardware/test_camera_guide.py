"""The camera table: what it says is what the geometry gives, and what is known of cameras holds in it.

Source: hardware/PLATFORM.md, "Cameras"; vision/READING.md, "QR".
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from firmware.tools.guide import (
    ABOVE,
    CARDS,
    HARDWARE,
    MIN_MODULE_PX,
    MOUNTINGS,
    Mounting,
    camera_tables,
    heights,
    highest_reading,
    sees_all,
    sight,
)
from vision.board.calibration import SURE_SIDE_PX
from vision.camera.modules import MODULES, CameraModule
from vision.printed.table import PlayArea, Table, load_table
from vision.sheets.cards import face_of, largest_code_mm
from vision.sheets.page import SheetError

pytestmark = pytest.mark.slow

TABLE = load_table(HARDWARE / "table.toml")
BY_NAME = {module.name: module for module in MODULES}
MODULE_3 = BY_NAME["Camera Module 3"]


def test_the_modules_have_the_fields_that_pi_md_gives() -> None:
    """Visible width by height: 1.21, 1.30 and 2.47."""
    for name, ratio in (("Camera Module 2", 1.21), ("Camera Module 3", 1.30), ("Camera Module 3 Wide", 2.47)):
        assert 2 * math.tan(math.radians(BY_NAME[name].hfov_deg) / 2) == pytest.approx(ratio, abs=0.01)


def test_the_table_files_camera_is_the_recommended_one() -> None:
    assert (MODULE_3.width, MODULE_3.height, MODULE_3.hfov_deg) == tuple(TABLE.camera)


@pytest.mark.parametrize("mounting", MOUNTINGS, ids=lambda mounting: mounting.name)
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_the_lowest_height_sees_everything(module: CameraModule, mounting: Mounting) -> None:
    low, high = heights(module, mounting, TABLE)
    assert (low.spaces, low.markers, low.play_share) == (23, 4, 1.0)
    if high is not None:
        assert high.reads
        assert high.height_mm >= low.height_mm
        assert not sight(module, mounting, high.height_mm + 40, TABLE).reads


def test_straight_above_the_numbers_are_those_of_similar_triangles() -> None:
    """Nothing is foreshortened there: pixels a millimetre are focal length by distance."""
    seen = sight(MODULE_3, ABOVE, 700.0, TABLE)
    focal_px = 2304 / 2 / math.tan(math.radians(33))
    assert seen.tilt_deg == 0.0
    assert 1 / seen.mm_per_px == pytest.approx(focal_px / 700, rel=1e-6)
    assert seen.module_px == pytest.approx(focal_px / 700 * 25 / 21, rel=1e-6)
    assert seen.tag_px == pytest.approx(focal_px / 697 * 20, rel=1e-3)


def test_too_low_a_camera_loses_the_ends() -> None:
    near = sight(MODULE_3, ABOVE, 300.0, TABLE)
    assert near.spaces < 23
    assert near.markers == 0
    assert 0 < near.play_share < 1
    assert not sees_all(MODULE_3, ABOVE, 300.0, TABLE)


def test_a_camera_that_reads_nowhere_is_told_from_one_that_does() -> None:
    shutter = BY_NAME["Global Shutter Camera, 6 mm lens"]
    assert heights(shutter, ABOVE, TABLE)[1] is None
    partly = highest_reading(shutter, ABOVE, TABLE)
    assert partly is not None
    assert partly.module_px >= MIN_MODULE_PX
    assert partly.tag_px >= SURE_SIDE_PX
    assert partly.markers < 4
    assert heights(MODULE_3, ABOVE, TABLE)[1] is not None


def test_a_larger_play_area_hangs_the_camera_higher() -> None:
    area = TABLE.play_area
    wide = replace(TABLE, play_area=PlayArea(area.x0, area.x1, area.y0 - 250, area.y1))
    assert heights(MODULE_3, ABOVE, wide)[0].height_mm > heights(MODULE_3, ABOVE, TABLE)[0].height_mm


def test_a_table_no_camera_sees_is_refused() -> None:
    area = TABLE.play_area
    endless: Table = replace(TABLE, play_area=PlayArea(area.x0, area.x1 + 9000, area.y0, area.y1))
    with pytest.raises(ValueError, match="no height up to 1300 mm sees the whole of this table"):
        heights(MODULE_3, ABOVE, endless)


def test_the_page_names_every_module_with_what_to_enter() -> None:
    tables = camera_tables(TABLE)
    for module in MODULES:
        assert f"| {module.name} |" in tables["modules"]
        assert tables["above"].count(f"| {module.name} |") == 1
    assert f"`width = {TABLE.camera.width}` `height = {TABLE.camera.height}` `hfov_deg = 66.0`" in tables["modules"]


def test_cards_in_larger_sleeves_are_read_and_small_ones_mostly_not() -> None:
    tables = camera_tables(TABLE)
    rows = {row.split(" | ")[0].strip("| "): row for row in tables["cards"].splitlines()}
    head = rows["cards or sleeves"].strip("| ").split(" | ")
    small, usual = (
        rows[name].strip("| ").split(" | ") for name in ("mini, 44 x 68 mm", "poker, our default, 63 x 88 mm")
    )
    assert (small[1], usual[1]) == ("17 mm", "25 mm")
    assert small[head.index("Camera Module 3")] == "nowhere"
    low, high = heights(MODULE_3, ABOVE, TABLE)
    assert high is not None
    assert usual[head.index("Camera Module 3")] == f"{low.height_mm / 10:g} to {high.height_mm / 10:g} cm"
    assert "nowhere" not in usual


def test_every_size_of_card_in_the_guide_can_be_printed() -> None:
    for _, card in CARDS:
        code_mm = largest_code_mm(card)
        assert face_of(card, code_mm).qr_mm == code_mm
        with pytest.raises(SheetError, match="hold"):
            face_of(card, code_mm + 0.2)
