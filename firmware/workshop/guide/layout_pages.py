"""The tables of ``hardware/layout.md``: where everything stands, and how long every tube and cable is."""

from __future__ import annotations

from typing import Final

from firmware.workshop.guide.camera_table import ABOVE, MOUNTINGS, heights
from firmware.workshop.guide.layout import MountingLayout, layout
from firmware.workshop.guide.mast import Mast
from firmware.workshop.guide.pages import table
from vision.camera.modules import MODULES, CameraModule
from vision.printed.table import Table

DRAWN: Final = next(module for module in MODULES if module.name == "Camera Module 3")
"""The module of the drawings: the one the guide recommends."""


def drawn_layout(of: Table, mast: Mast) -> MountingLayout:
    """What is drawn: in the middle of the good heights, with the middle one of the arms."""
    low, high = heights(DRAWN, ABOVE, of)
    assert high is not None
    return layout(of, mast, ABOVE, round((low.height_mm + high.height_mm) / 2, -1), 350.0)


def every_layout(of: Table, mast: Mast) -> tuple[tuple[CameraModule, MountingLayout], ...]:
    """The lowest and the highest place of every module that reads, on both mountings, with the longest arm."""
    found = []
    for mounting in MOUNTINGS:
        for module in MODULES:
            low, high = heights(module, mounting, of)
            if high is not None:
                found += [(module, layout(of, mast, mounting, seen.height_mm)) for seen in (low, high)]
    return tuple(found)


def layout_tables(of: Table, mast: Mast) -> dict[str, str]:
    """Every table by its name."""
    drawn = drawn_layout(of, mast)
    return {"stands": _stands(drawn), "cables": _cables(every_layout(of, mast))}


def _stands(drawn: MountingLayout) -> str:
    rows = [
        (box.name, f"{box.x0:.0f} to {box.x1:.0f}", f"{box.y0:.0f} to {box.y1:.0f}")
        for box in (drawn.board, drawn.mat, drawn.panel, drawn.screen)
    ]
    rows += [
        ("camera's lens", f"{drawn.lens[0]:.0f}", f"{drawn.lens[1]:.0f}"),
        ("upright", f"{drawn.upright[0]:.0f}", f"{drawn.upright[1]:.0f}"),
        ("the table's far edge", "", f"{drawn.edge_y:.0f}"),
    ]
    return table(("what", "x", "y"), rows)


def _cables(layouts: tuple[tuple[CameraModule, MountingLayout], ...]) -> str:
    def cm(length_mm: float) -> str:
        return f"{length_mm / 10:.0f}"

    return table(
        ("mounting", "module", "lens over track", "upright", "arm", "Pi's middle", "ribbon", "panel lead", "HDMI"),
        [
            (
                each.mounting.name,
                module.name,
                cm(each.lens_over_table - each.track_over_table),
                cm(each.upright_cut),
                cm(each.arm_cut),
                cm(each.pi_z),
                *(cm(cable.needed_mm) for cable in each.cables),
            )
            for module, each in layouts
        ],
    )
