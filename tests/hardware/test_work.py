"""Hours, joints and days that the guide gives are counted from what it has built."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from firmware.workshop.guide.bill import printing_h
from firmware.workshop.guide.circuit import circuit
from firmware.workshop.guide.files import HARDWARE
from firmware.workshop.guide.strip_tables import JOINT_S
from firmware.workshop.guide.stripboard import joints
from firmware.workshop.kicad.footprints import joints as board_joints
from firmware.workshop.kicad.footprints import placed

GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")
WIRING = (HARDWARE / "wiring.md").read_text(encoding="utf-8")
NUMBERS = dict(enumerate(["nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]))
PANEL_H = [joints() * each / 3600 for each in JOINT_S]


def test_joints_and_the_hours_they_take() -> None:
    low, high = (NUMBERS[round(hours)] for hours in PANEL_H)
    assert f"some {round(joints(), -1)} joints, {low} to {high} hours" in GUIDE
    board = board_joints(placed(circuit()))
    assert f"Some {round(board, -1)} joints instead of {round(joints(), -1)}, and neither cuts nor links." in WIRING
    # Both legs of whatever hangs on wires; the ribbon to the Pi is pressed onto its plugs.
    wired = [part for part in circuit() if part.wired and part.kind != "header"]
    assert board == sum(len(part.footprint.pads) for part in placed(circuit())) + 2 * len(wired)


def test_printing_takes_as_long_as_the_parts_weigh() -> None:
    assert f"(about {printing_h():.0f} hours of printing)" in GUIDE


def test_the_saturday_has_room_for_the_panel() -> None:
    rows = re.findall(r"^\| (\d+:\d\d) \| (.*?) \|", GUIDE, re.MULTILINE)
    times = [datetime.strptime(time, "%H:%M") for time, _ in rows]
    assert times == sorted(set(times))
    (panel,) = (number for number, (_, what) in enumerate(rows) if "5-the-panel" in what)
    assert PANEL_H[0] < (times[panel + 1] - times[panel]) / timedelta(hours=1) < PANEL_H[1]
    assert (times[panel] - times[0]) / timedelta(hours=1) < 6, "a comfortable day without it"
