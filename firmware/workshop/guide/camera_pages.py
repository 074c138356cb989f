"""The tables of ``hardware/camera.md``."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

from firmware.workshop.guide.camera_table import (
    ABOVE,
    GOOD_MODULE_PX,
    MIN_MODULE_PX,
    MOUNTINGS,
    HeightSight,
    Mounting,
    heights,
    highest_reading,
)
from firmware.workshop.guide.pages import table
from vision.camera.modules import MODULES, CameraModule
from vision.printed.table import CardSize, Table
from vision.sheets.face import largest_code_mm


def camera_tables(of: Table) -> dict[str, str]:
    """Every table by its name."""
    tables = {
        "modules": table(
            ("module", "picture, px", "field", "`[camera]` in your table file"),
            [
                (
                    module.name,
                    f"{module.width} by {module.height}",
                    f"{module.hfov_deg:.0f}° by {_vertical_deg(module):.0f}°",
                    f"`width = {module.width}` `height = {module.height}` `hfov_deg = {module.hfov_deg:.1f}`",
                )
                for module in MODULES
            ],
        )
    }
    tables["places"] = table(
        ("mounting", "lens above x", "and y", "looks at x", "and y"),
        [
            (mounting.name, *(f"{value:.0f}" for point in mounting.place(of, 0.0) for value in point[:2]))
            for mounting in MOUNTINGS
        ],
    )
    for mounting, name in zip(MOUNTINGS, ("above", "players"), strict=True):
        tables[name] = _heights(mounting, of)
    tables["partly"] = _partly(of)
    tables["cards"] = _cards(of)
    return tables


_SIGHT_HEAD = ("px a module", "tag side, px", "mm a px", "spaces", "play area")


def _cells(seen: HeightSight) -> tuple[str, ...]:
    return (
        f"{seen.module_px:.2f}",
        f"{seen.tag_px:.0f}",
        f"{seen.mm_per_px:.2f}",
        f"{seen.spaces}",
        f"{100 * seen.play_share:.0f} %",
    )


def _heights(mounting: Mounting, of: Table) -> str:
    rows = []
    for module in MODULES:
        low, high = heights(module, mounting, of)
        if high is None:
            span = "nowhere"
            word = f"too small everywhere: {'labels' if low.module_px < MIN_MODULE_PX else 'tags'}"
        else:
            span = f"{low.height_mm / 10:g} to {high.height_mm / 10:g} cm"
            word = "good" if low.module_px >= GOOD_MODULE_PX else "enough in good light"
        rows.append((module.name, span, f"{low.height_mm / 10:g} cm", f"{low.tilt_deg:.0f}°", *_cells(low), word))
    return table(("module", "hang it at", "lowest that sees all", "tilt there", *_SIGHT_HEAD, "verdict"), rows)


def _partly(of: Table) -> str:
    """For modules that see all of it too small: how much is left from the highest place that reads."""
    rows = []
    for module in MODULES:
        if heights(module, ABOVE, of)[1] is not None:
            continue
        reading = highest_reading(module, ABOVE, of)
        if reading is not None:
            rows.append((module.name, f"{reading.height_mm / 10:g} cm", *_cells(reading), reading.markers))
    return table(("module", "height", *_SIGHT_HEAD, "corner markers"), rows)


CARDS: Final = (
    ("mini", CardSize(44, 68)),
    ("American", CardSize(56, 87)),
    ("European", CardSize(59, 92)),
    ("poker, our default", CardSize(63, 88)),
    ("tarot", CardSize(70, 120)),
)
"""Sizes that cards and their sleeves are sold in, across and down."""


def _cards(of: Table) -> str:
    """For each size of card the largest code up to the table's own, and where each module hung above reads it."""
    modules = [module for module in MODULES if heights(module, ABOVE, of)[1] is not None]
    rows = []
    for name, card in CARDS:
        code_mm = math.floor(2 * min(of.qr_mm, largest_code_mm(card))) / 2
        printed = replace(of, qr_mm=code_mm)
        rows.append(
            (
                f"{name}, {card.width_mm:g} x {card.height_mm:g} mm",
                f"{code_mm:g} mm",
                *(_span(*heights(module, ABOVE, printed)) for module in modules),
            )
        )
    return table(("cards or sleeves", "code", *(module.name for module in modules)), rows)


def _span(low: HeightSight, high: HeightSight | None) -> str:
    return "nowhere" if high is None else f"{low.height_mm / 10:g} to {high.height_mm / 10:g} cm"


def _vertical_deg(module: CameraModule) -> float:
    half = math.tan(math.radians(module.hfov_deg) / 2) * module.height / module.width
    return math.degrees(2 * math.atan(half))
