"""The printable parts take their measures from the tables, fit each other, and each has its picture."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import cv2
import pytest

from firmware.table.panel.pins import WIRES, PinKind
from firmware.tools.guide import HARDWARE, PANEL_HIGH_MM, PANEL_WIDE_MM, measures_text
from tests.hardware.test_wiring import BILL
from vision.printed.table import load_table
from vision.synthetic.bodies import BASE_RADIUS_MM

PARTS = HARDWARE / "printables"
TABLE = load_table(HARDWARE / "table.toml")
SOURCES = sorted(path for path in PARTS.glob("*.scad") if path.name != "measures.scad")
MEASURES = (PARTS / "measures.scad").read_text(encoding="utf-8")


def _number(text: str, name: str) -> float:
    found = re.search(rf"^{name} = (-?[\d.]+);", text, re.MULTILINE)
    assert found is not None, name
    return float(found[1])


def _row(text: str, name: str) -> list[float]:
    found = re.search(rf"^{name} = \[([^\]]*)\];", text, re.MULTILINE)
    assert found is not None, name
    return [float(value) for value in found[1].split(",")]


def test_another_table_gives_other_measures(tmp_path: Path) -> None:
    text = (HARDWARE / "table.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(text.replace("[0.0, -32.0, 3.0]", "[1.0, -35.5, 4.0]"), encoding="utf-8")
    assert _row(measures_text(load_table(own)), "tag_offset_mm") == [1.0, -35.5, 4.0]


def test_the_panel_has_a_hole_for_every_lamp_and_button() -> None:
    wanted = [wire.name for wire in WIRES if wire.kind in (PinKind.LAMP, PinKind.BUTTON)]
    made = re.findall(r"^    \[[\d.]+, [\d.]+, [\d.]+\],  // (\w+)", MEASURES, re.MULTILINE)
    assert Counter(made) - Counter(buzzer=5, screw=4) == Counter(wanted)
    assert _row(MEASURES, "panel_mm")[:2] == [PANEL_WIDE_MM, PANEL_HIGH_MM]


def test_the_ring_fits_the_simulated_base_and_its_neighbours() -> None:
    text = (PARTS / "fencer_ring.scad").read_text(encoding="utf-8")
    base = _number(text, "base_mm")
    outer = base + 2 * _number(text, "play_mm") + 2 * _number(text, "wall_mm")
    tab = TABLE.fencer_size_mm * (1 + 2 / 8)
    pitch = TABLE.spaces_mm[1].x - TABLE.spaces_mm[0].x
    assert base == 2 * BASE_RADIUS_MM
    assert outer < pitch
    assert tab < pitch
    assert -TABLE.fencer_offset_mm.y - tab / 2 > outer / 2
    # Tab, paper and all, the tag's face lies where the table file has it.
    assert "tab_thick_mm = tag_offset_mm[2] - paper_mm;" in text


def test_the_plate_has_the_holes_of_every_module_the_guide_names() -> None:
    text = (PARTS / "mast.scad").read_text(encoding="utf-8")
    rows = re.findall(r'\["(\w+)", ([\d.]+), ([\d.]+), ([\d.]+), (\d+), (\d+)\]', text)
    assert [row[0] for row in rows] == ["module2", "module3", "module3wide", "hq", "gs"]
    for name, across, along, screw, width, height in rows:
        assert (across, along) == (("30", "30") if name in ("hq", "gs") else ("21", "12.5"))
        assert float(across) + float(screw) < float(width)
        assert float(along) + float(screw) < float(height)


def test_the_masts_bolts_and_tubes_are_in_the_parts_list() -> None:
    text = (PARTS / "mast.scad").read_text(encoding="utf-8")
    mast = [row for row in BILL if row["needed"] == "mast"]
    tubes = [item for item in mast if item["part"] == "aluminium tube"]
    assert all(item["value"].startswith(f"{_number(text, 'tube_mm'):g} mm outside") for item in tubes)
    # Two bolts a socket: clamp, both ends of the elbow, cradle, the Pi's holder.
    assert sum(int(item["quantity"]) for item in mast if item["part"] == "bolt with nut") == 10
    through_mm = _number(text, "plate_mm") + _number(text, "boss_mm") + 1.2
    screws = next(item for item in mast if item["what_for"] == "camera to cradle")
    assert int(screws["value"].split(" x ")[1].split()[0]) > through_mm + 1.6
    pis = next(item for item in mast if item["what_for"] == "the Pi to its holder")
    assert pis["value"] == "M2.5 x 16"
    assert _number(text, "pi_plate_mm") + _number(text, "pi_boss_mm") + 1.4 + 2.0 < 16
    tilt = next(item for item in mast if item["what_for"] == "mast: tilt of the camera")
    assert int(tilt["value"].split(" x ")[1]) > _number(text, "gap_mm") + 10 + 6


def test_the_panel_does_not_print_left_for_right() -> None:
    """Its face lies on the bed, so it has to be mirrored."""
    text = (PARTS / "panel_front.scad").read_text(encoding="utf-8")
    assert "translate([panel_mm[0], 0, 0]) mirror([1, 0, 0])" in text


@pytest.mark.slow
def test_every_part_is_in_the_guide_with_a_picture_that_opens() -> None:
    guide = (HARDWARE / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"printables/pictures/[\w.]+", guide)
    assert {path.name for path in (PARTS / "pictures").iterdir()} == {Path(name).name for name in shown}
    for name in shown:
        picture = cv2.imread(str(HARDWARE / name))
        assert picture is not None
        assert picture.std() > 5, f"{name} shows nothing"
    assert all(f"printables/{path.name}" in guide for path in SOURCES)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("openscad") is None, reason="OpenSCAD is not installed")
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_openscad_takes_every_source_and_every_part(source: Path, tmp_path: Path) -> None:
    named = re.search(r"^part = .*?// ([\w, ]+)", source.read_text(encoding="utf-8"), re.MULTILINE)
    parts = re.split(r", or |, | or ", named[1]) if named else [""]
    for part in parts:
        define = ["-D", f'part="{part}"'] if part else []
        out = tmp_path / f"{part or 'it'}.csg"
        done = subprocess.run(
            ["openscad", "-o", str(out), *define, str(source)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stderr
        assert len(out.read_text(encoding="utf-8")) > 500, f"{source.name} makes nothing of part {part!r}"


@pytest.mark.skipif(shutil.which("openscad") is None, reason="OpenSCAD is not installed")
def test_a_ring_too_wide_for_its_neighbour_is_refused(tmp_path: Path) -> None:
    command = ["openscad", "-o", str(tmp_path / "ring.csg"), "-D", "base_mm=26", str(PARTS / "fencer_ring.scad")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "two of these rings would touch" in done.stderr
