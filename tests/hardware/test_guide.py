"""The guide's tables: what they say is what the geometry gives, what is known of cameras holds, every cable is enough.

Source: hardware/PLATFORM.md, "Cameras"; vision/READING.md, "QR".
"""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.tools.guide import (
    ABOVE,
    ARMS_MM,
    CARDS,
    HARDWARE,
    MIN_MODULE_PX,
    MOUNTINGS,
    PI_LEAST_MM,
    RIBBON_MM,
    Mounting,
    MountingLayout,
    Solid,
    drawn_layout,
    filled,
    guide_files,
    heights,
    highest_reading,
    layout,
    load_mast,
    main,
    sight,
)
from tests.hardware.test_wiring import BILL
from vision.board.calibration import SURE_SIDE_PX
from vision.camera.modules import MODULES, CameraModule
from vision.printed.table import PlayArea, Table, load_table
from vision.sheets.cards import face_of, largest_code_mm
from vision.sheets.page import SheetError

pytestmark = pytest.mark.slow

TABLE = load_table(HARDWARE / "table.toml")
BY_NAME = {module.name: module for module in MODULES}
MODULE_3 = BY_NAME["Camera Module 3"]
MAX_LEAD_M = 2.5  # as wiring.md computes the lead for, at most
MAST = load_mast(HARDWARE / "printables" / "mast.scad")


def test_every_file_is_what_it_would_be() -> None:
    """After a change of the table file: python -m firmware.tools.guide."""
    made = guide_files()
    stale = [path.name for path, text in made.items() if path.read_bytes().decode("utf-8") != text]
    assert stale == []
    assert len(made) == 3


def test_the_command_writes_what_is_missing_and_tells_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("table.toml", "camera.md", "layout.md", "printables/mast.scad"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((HARDWARE / name).read_bytes())
    shutil.copytree(HARDWARE / "drawings", tmp_path / "drawings")
    arguments = ["--hardware", str(tmp_path)]
    assert main([*arguments, "--check"]) == 1
    assert not (tmp_path / "printables" / "measures.scad").exists()
    assert main(arguments) == 0
    assert (tmp_path / "printables" / "measures.scad").read_bytes() == (
        HARDWARE / "printables" / "measures.scad"
    ).read_bytes()
    capsys.readouterr()
    assert main([*arguments, "--check"]) == 0
    assert capsys.readouterr().out == "Everything is as it would be.\n"
    (tmp_path / "printables" / "measures.scad").write_text("", encoding="utf-8")
    assert main([*arguments, "--check"]) == 1
    assert "measures.scad is not what it would be" in capsys.readouterr().out


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    assert filled("a\n<!-- table: one -->\nold\n<!-- end -->\nb", {"one": "new\n"}) == (
        "a\n<!-- table: one -->\nnew\n<!-- end -->\nb"
    )
    for tables in ({"one": "", "two": ""}, {"three": ""}):
        with pytest.raises(ValueError, match="places for the tables one; there are"):
            filled("<!-- table: one -->\n<!-- end -->", tables)


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


def test_a_camera_that_reads_nowhere_is_told_from_one_that_does() -> None:
    shutter = BY_NAME["Global Shutter Camera, 6 mm lens"]
    assert heights(shutter, ABOVE, TABLE)[1] is None
    partly = highest_reading(shutter, ABOVE, TABLE)
    assert partly is not None
    assert partly.module_px >= MIN_MODULE_PX
    assert partly.tag_px >= SURE_SIDE_PX
    assert partly.markers < 4
    assert heights(MODULE_3, ABOVE, TABLE)[1] is not None


def test_a_table_no_camera_sees_is_refused() -> None:
    area = TABLE.play_area
    endless: Table = replace(TABLE, play_area=PlayArea(area.x0, area.x1 + 9000, area.y0, area.y1))
    with pytest.raises(ValueError, match="no height up to 1300 mm sees the whole of this table"):
        heights(MODULE_3, ABOVE, endless)


def test_every_size_of_card_in_the_guide_can_be_printed() -> None:
    for _, card in CARDS:
        code_mm = largest_code_mm(card)
        assert face_of(card, code_mm).qr_mm == code_mm
        with pytest.raises(SheetError, match="hold"):
            face_of(card, code_mm + 0.2)


def _allowed() -> list[MountingLayout]:
    """Every module that reads, on both mountings, at its lowest and its highest, with both arms."""
    found = []
    for mounting in MOUNTINGS:
        for module in MODULES:
            low, high = heights(module, mounting, TABLE)
            if high is None:
                continue
            arms = ARMS_MM if mounting is ABOVE else (None,)
            found += [layout(TABLE, MAST, mounting, seen.height_mm, arm) for seen in (low, high) for arm in arms]
    return found


def test_a_mast_that_lacks_a_measure_is_refused(tmp_path: Path) -> None:
    text = (HARDWARE / "printables" / "mast.scad").read_text(encoding="utf-8")
    other = tmp_path / "mast.scad"
    other.write_text(text.replace("cradle_mm = ", "cradle_long_mm = "), encoding="utf-8")
    with pytest.raises(KeyError, match="cradle_mm"):
        load_mast(other)


def test_ribbon_and_lead_are_long_enough_everywhere_and_the_pi_stays_on_the_mast() -> None:
    ribbon = next(row for row in BILL if row["part"] == "camera cable")
    pi = next(row for row in BILL if row["part"] == "Raspberry Pi")
    plugs = {"4": "15 to 15 way", "5": "15 to 22 way"}[pi["value"][0]]  # of Module 3 and of that Pi; PLATFORM.md
    assert ribbon["value"] == f"{RIBBON_MM / 1000:g} m, {plugs}"
    assert pi["maker_number"].startswith(f"Raspberry Pi {pi['value'][0]}")
    layouts = _allowed()
    assert len(layouts) > 20
    for each in layouts:
        assert each.cables["camera ribbon"].needed_mm <= RIBBON_MM + 0.01
        assert each.cables["panel lead"].needed_mm < 1000 * MAX_LEAD_M
        assert PI_LEAST_MM <= each.pi_z < each.arm_z - 60


def test_the_tube_of_the_parts_list_reaches_as_high_as_the_recommended_camera_may_hang() -> None:
    tubes = sorted(float(row["value"].split()[3]) for row in BILL if row["part"] == "aluminium tube")
    highest = heights(next(each for each in MODULES if each.name == "Camera Module 3"), ABOVE, TABLE)[1]
    assert highest is not None
    assert layout(TABLE, MAST, ABOVE, highest.height_mm).upright_cut <= tubes[1]
    assert ARMS_MM[-1] <= tubes[0]


@pytest.mark.parametrize("arm", ARMS_MM)
def test_nothing_stands_on_anything_else(arm: float) -> None:
    each = layout(TABLE, MAST, ABOVE, 700.0, arm)
    clamp = Solid("clamp", each.upright[0] - 13, each.edge_y - 45, each.upright[0] + 13, each.edge_y)
    mat = replace(each.mat, y1=each.board.y0)  # cards may lie up to the board's edge
    for one, other in combinations((each.board, mat, each.panel, each.screen), 2):
        assert not _overlap(one, other), (one.name, other.name)
    assert not _overlap(clamp, each.board)
    assert each.screen.y1 <= each.edge_y
    assert each.screen.y1 <= clamp.y1


def _overlap(one: Solid, other: Solid) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1 and one.y0 < other.y1 and other.y0 < one.y1


def test_the_drawings_name_everything_and_are_to_scale() -> None:
    drawn = drawn_layout(TABLE, MAST)
    above, side = (
        ElementTree.parse(HARDWARE / "drawings" / f"table-{name}.svg").getroot() for name in ("above", "side")
    )
    for root, names in ((above, ("board, spaces 1 to 23", "camera", "upright")), (side, ("board",))):
        words = {shape.text for shape in root}
        assert words >= {*names, "panel", "screen", "play area", "Pi", *drawn.cables}
        assert {f"{cable.needed_mm / 10:.0f} cm" for cable in drawn.cables.values()} <= words
    assert f"{drawn.lens_over_table:.0f}" in {shape.text for shape in side}
    board = max(
        (shape for shape in above if shape.get("fill") == "#e9e4d8"), key=lambda shape: float(shape.get("width", "0"))
    )
    assert float(board.get("width", "0")) == pytest.approx((drawn.board.x1 - drawn.board.x0) / 4, abs=0.01)
