"""The mast's measures, read from the OpenSCAD file it is printed from: what is drawn and cut fits what is printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_LINE = re.compile(r"^(\w+) = (-?[\d.]+);", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mast:
    """Lengths in millimetres, from one tube's axis to the next part.

    ``lens_below_arm``: from the arm's axis to the lens. ``arm_above_upright``: from the upright's end to that axis.
    ``in_clamp``: how much of the upright is below the table's top. ``behind_edge``: from the table's edge to the
    upright's axis. ``arm_in_joints``: how much longer than from the upright to the lens the arm is cut.
    ``pi_board_behind``: from the upright's axis to the Pi's board.
    """

    tube: float
    lens_below_arm: float
    arm_above_upright: float
    in_clamp: float
    behind_edge: float
    arm_in_joints: float
    pi_board_behind: float

    def upright_cut(self, lens_over_table_mm: float) -> float:
        """How long the upright is cut for a lens at this height over the table's top."""
        return lens_over_table_mm + self.lens_below_arm - self.arm_above_upright + self.in_clamp


LENS_MM = 6.0
"""From the front of the camera's board to its lens: of Camera Module 3, about the same for the others."""

_BOARD_MM = 1.2


def load_mast(path: Path) -> Mast:
    """The measures in ``mast.scad``. Raises OSError when it is missing, KeyError when a measure is not in it."""
    of = {name: float(value) for name, value in _LINE.findall(path.read_text(encoding="utf-8"))}
    shell = of["tube_mm"] + of["play_mm"] + 2 * of["wall_mm"]
    hinge = shell / 2 + of["tongue_mm"] / 2 + 3
    return Mast(
        tube=of["tube_mm"],
        lens_below_arm=hinge + of["drop_mm"] + of["plate_mm"] + of["boss_mm"] + _BOARD_MM + LENS_MM,
        arm_above_upright=shell / 2 - 2,
        in_clamp=of["lip_mm"] + of["table_mm"],
        behind_edge=shell / 2 - 2 + of["back_mm"],
        arm_in_joints=(of["socket_mm"] + of["cradle_mm"]) / 2,
        pi_board_behind=shell / 2 - 2 + of["pi_plate_mm"] + of["pi_boss_mm"],
    )
