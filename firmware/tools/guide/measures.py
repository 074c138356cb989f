"""The measures the printable parts take from the table file and the pin table, as an OpenSCAD file to include."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from firmware.table.panel.pins import WIRES, PinKind, Wire
from vision.printed.table import Table
from vision.printed.tags import MARGIN_CELLS, marker_bits

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


# The holes of the panel's front, where the pin table places its parts. Millimetres.
#
# Origin at the front's lower left corner, seen from the front; x right, y up.

WIDTH_MM: Final = 190.0
HEIGHT_MM: Final = 110.0
THICK_MM: Final = 3.0
BUTTON_MM: Final = 16.2
SCREW_MM: Final = 3.3
SOUND_MM: Final = 2.0
_PLAY_MM: Final = 0.2  # a lamp's hole is this much wider than the lamp


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole for a part: its middle, its width, and the width of what lies over its edge (a nut, a lamp's collar)."""

    name: str
    kind: str
    x: float
    y: float
    drill_mm: float
    needs_mm: float


_SOUND_RING: Final = ((0.0, 0.0), (4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0))


def holes(wires: tuple[Wire, ...] = WIRES) -> tuple[Hole, ...]:
    """Every hole of the front: for each lamp, button and buzzer of the table, and for the screws."""
    found = []
    for wire in wires:
        if wire.place_mm is None:
            continue
        x, y = wire.place_mm
        if wire.lamp_mm is not None:
            drill_mm = wire.lamp_mm + _PLAY_MM
            found.append(Hole(wire.name, "lamp", x, y, drill_mm, drill_mm + 2.5))
        elif wire.kind is PinKind.BUTTON:
            found.append(Hole(wire.name, "button", x, y, BUTTON_MM, 20.0))
        else:
            found += [Hole(wire.name, "sound", x + dx, y + dy, SOUND_MM, SOUND_MM) for dx, dy in _SOUND_RING]
    found += [Hole("screw", "screw", x, y, SCREW_MM, 7.0) for x in (6.0, WIDTH_MM - 6) for y in (6.0, HEIGHT_MM - 6)]
    return tuple(found)


_HEAD: Final = (
    "// Made by `python -m firmware.tools.guide` from hardware/table.toml and firmware/table/panel/pins.py:\n"
    "// change those, not this.\n"
    "// All lengths in millimetres.\n"
)


def measures_text(table: Table) -> str:
    """The OpenSCAD file."""
    tag, offset = table.fencer_size_mm, table.fencer_offset_mm
    cell_mm = tag / len(marker_bits(table.fencer_ids.white, table.dictionary))
    pitches = [
        abs(complex(there.x - here.x, there.y - here.y))
        for here, there in zip(table.spaces_mm, table.spaces_mm[1:], strict=False)
    ]
    found = holes()
    return (
        f"{_HEAD}\n"
        "// The fencers' tags.\n"
        f"tag_mm = {number(tag)};\n"
        f"tag_margin_mm = {number(MARGIN_CELLS * cell_mm)};\n"
        f"tag_offset_mm = {_row(offset)};  // from the middle of the space to the middle of the tag's face\n"
        f"pitch_mm = {number(min(pitches))};  // between neighbouring spaces, the closest two\n\n"
        "// The panel's front, its lower left corner at 0, 0, seen from the front.\n"
        f"panel_mm = {_row((WIDTH_MM, HEIGHT_MM, THICK_MM))};\n"
        + "".join(
            f"{kind}_holes = [  // [x, y, diameter]\n"
            + "".join(
                f"    {_row((hole.x, hole.y, hole.drill_mm))},  // {hole.name}\n" for hole in found if hole.kind == kind
            )
            + "];\n"
            for kind in ("lamp", "button", "sound", "screw")
        )
    )


def number(value: float) -> str:
    """A length as short as it goes: two decimals at most."""
    return f"{round(value, 2):g}"


def _row(values: Iterable[float]) -> str:
    return "[" + ", ".join(number(value) for value in values) + "]"
