"""The measures the printable parts take from the table file and the pin table, as an OpenSCAD file to include."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from firmware.panel.pins import WIRES, Wire
from firmware.workshop.guide.panel_layout import HEIGHT_MM, THICK_MM, WIDTH_MM, holes
from vision.printed.table import Table
from vision.printed.tags import MARGIN_CELLS, marker_bits

_HEAD: Final = (
    "// Made by `python -m firmware.workshop.guide` from hardware/table.toml and firmware/panel/pins.py:\n"
    "// change those, not this.\n"
    "// All lengths in millimetres.\n"
)


def measures_text(table: Table, wires: tuple[Wire, ...] = WIRES) -> str:
    """The OpenSCAD file."""
    tag, offset = table.fencer_size_mm, table.fencer_offset_mm
    cell_mm = tag / len(marker_bits(table.fencer_ids.white, table.dictionary))
    pitches = [
        abs(complex(there.x - here.x, there.y - here.y))
        for here, there in zip(table.spaces_mm, table.spaces_mm[1:], strict=False)
    ]
    found = holes(wires)
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
