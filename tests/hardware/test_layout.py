"""Where everything stands: every cable is long enough for every height and arm that the guide allows."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.tools.guide import (
    ABOVE,
    ARMS_MM,
    HARDWARE,
    HEIGHTS_MM,
    MOUNTINGS,
    PI_LEAST_MM,
    PLAYERS,
    RIBBON_MM,
    SLACK,
    MountingLayout,
    Solid,
    drawn_layout,
    every_layout,
    heights,
    layout,
    load_mast,
)
from tests.hardware.test_wiring import BILL
from vision.camera.modules import MODULES
from vision.printed.table import load_table

TABLE = load_table(HARDWARE / "table.toml")
MAX_LEAD_M = 2.5  # as wiring.md computes the lead for, at most
MAST = load_mast(HARDWARE / "printables" / "mast.scad")


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


def test_the_masts_measures_are_those_it_is_printed_with() -> None:
    assert MAST.tube == 16.0
    assert MAST.lens_below_arm == pytest.approx(53, abs=1)
    assert MAST.in_clamp == 14 + 45


def test_a_mast_that_lacks_a_measure_is_refused(tmp_path: Path) -> None:
    text = (HARDWARE / "printables" / "mast.scad").read_text(encoding="utf-8")
    other = tmp_path / "mast.scad"
    other.write_text(text.replace("cradle_mm = ", "cradle_long_mm = "), encoding="utf-8")
    with pytest.raises(KeyError, match="cradle_mm"):
        load_mast(other)


@pytest.mark.slow
def test_a_ribbon_of_the_parts_list_is_enough_everywhere_and_the_pi_stays_on_the_mast() -> None:
    ribbon = next(row for row in BILL if row["part"] == "camera cable")
    assert ribbon["value"].startswith(f"{RIBBON_MM / 1000:g} m,")
    pi = next(row for row in BILL if row["part"] == "Raspberry Pi")
    plugs = {"4": "15 to 15 way", "5": "15 to 22 way"}[pi["value"][0]]  # of Module 3 and of that Pi; PLATFORM.md
    assert ribbon["value"] == f"{RIBBON_MM / 1000:g} m, {plugs}"
    assert pi["maker_number"].startswith(f"Raspberry Pi {pi['value'][0]}")
    layouts = _allowed()
    assert len(layouts) > 20
    for each in layouts:
        assert each.cables["camera ribbon"].needed_mm <= RIBBON_MM + 0.01
        assert PI_LEAST_MM <= each.pi_z < each.arm_z - 60


@pytest.mark.slow
def test_the_lead_is_never_longer_than_what_the_lines_were_computed_for() -> None:
    assert max(each.cables["panel lead"].needed_mm for each in _allowed()) < 1000 * MAX_LEAD_M


def test_a_cable_is_as_long_as_its_way_and_what_goes_down_the_mast() -> None:
    each = layout(TABLE, MAST, ABOVE, 700.0, 350.0)
    lead = each.cables["panel lead"]
    way = sum(math.dist(one, other) for one, other in pairwise(lead.way))
    assert lead.needed_mm == pytest.approx(SLACK * (each.pi_z + way) + 60)
    assert lead.way[0] == each.upright
    assert lead.way[-1] == (each.panel.middle[0], each.panel.y1)
    # Plain sums: the lens 53 mm below the arm, the arm 350 - 37.5 mm long, the rest down the upright.
    assert each.upright[1] - each.lens[1] == pytest.approx(312.5)
    assert each.upright_cut == pytest.approx(700 + 53.35 - 10.15 + 59)
    higher = layout(TABLE, MAST, ABOVE, 740.0, 350.0)
    assert higher.pi_z - each.pi_z == pytest.approx(40)
    assert higher.cables["panel lead"].needed_mm - lead.needed_mm == pytest.approx(40 * SLACK)


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


def test_a_track_over_the_table_raises_the_lens_and_lengthens_the_upright() -> None:
    low = replace(TABLE, corners=tuple(corner._replace(z=-30.0) for corner in TABLE.corners))
    assert layout(low, MAST, ABOVE, 700.0).upright_cut == layout(TABLE, MAST, ABOVE, 730.0).upright_cut


def test_between_the_players_the_mast_is_on_their_side() -> None:
    each = layout(TABLE, MAST, PLAYERS, 600.0)
    assert each.upright[1] < each.lens[1] < each.panel.y1
    assert HEIGHTS_MM[0] < each.lens_over_table < HEIGHTS_MM[-1]


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


@pytest.mark.slow
def test_the_page_has_a_line_for_every_module_that_reads() -> None:
    page = (HARDWARE / "layout.md").read_text(encoding="utf-8")
    for module, each in every_layout(TABLE, MAST):
        assert f"| {each.mounting.name} | {module.name} |" in page
