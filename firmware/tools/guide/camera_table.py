"""What each camera module sees of the table from where it may hang: computed with the program's own geometry.

A mounting is a place above the table and where the camera looks from there; its height is what the builder chooses.
The lenses are taken as free of distortion, which real ones are not quite: the margin at the picture's edge is for that.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from firmware.tools.guide.pages import table
from vision.board.calibration import SURE_SIDE_PX, Calibration
from vision.camera.modules import MODULES, CameraModule
from vision.geometry import Camera, Floats, look_at
from vision.printed.table import CardSize, Table
from vision.printed.tags import QR_MODULES
from vision.sheets.face import largest_code_mm
from vision.synthetic.poses import POSITION_MM, holds_scene

MIN_MODULE_PX: Final = 2.5
"""Fewer pixels a module than this and labels go unread in ordinary light. Source: vision/READING.md, "QR"."""

GOOD_MODULE_PX: Final = 3.0
HEIGHTS_MM: Final = range(240, 1301, 20)
_ROOM: Final = 1.04  # a margin around what must be seen: nobody clamps a camera to the millimetre


@dataclass(frozen=True, slots=True)
class Mounting:
    """Where a camera hangs. ``place`` gives the lens and the point it looks at from the table and the height, in mm."""

    name: str
    place: Callable[[Table, float], tuple[tuple[float, float, float], tuple[float, float, float]]]


def _middle_mm(table: Table) -> tuple[float, float]:
    """The middle of everything that must be seen: the corner markers and the play area."""
    ys = [corner.y for corner in table.corners] + [table.play_area.y0, table.play_area.y1]
    xs = [corner.x for corner in table.corners] + [table.play_area.x0, table.play_area.x1]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def _above(table: Table, height_mm: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    x, y = _middle_mm(table)
    return (x, y, height_mm), (x, y, 0.0)


def _players(table: Table, height_mm: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    x, y = _middle_mm(table)
    return (x, POSITION_MM[1], height_mm), (x, y, 0.0)


ABOVE: Final = Mounting("above", _above)
PLAYERS: Final = Mounting("from the players' side", _players)
MOUNTINGS: Final = (ABOVE, PLAYERS)


@dataclass(frozen=True, slots=True)
class HeightSight:
    """What a camera sees from one height.

    ``tilt_deg`` is how far it looks up from straight down. ``module_px`` and ``tag_px`` are the smallest anywhere: of
    a label's module in the play area, of a tag's side on the 23 spaces; ``mm_per_px`` is the coarsest there.
    ``play_share`` is how much of the play area is in the picture, ``markers`` how many corner markers are whole in it.
    """

    module: CameraModule
    mounting: Mounting
    height_mm: float
    tilt_deg: float
    spaces: int
    markers: int
    play_share: float
    module_px: float
    tag_px: float
    mm_per_px: float

    @property
    def reads(self) -> bool:
        """Whether labels and tags are large enough everywhere."""
        return self.module_px >= MIN_MODULE_PX and self.tag_px >= SURE_SIDE_PX


def sight(module: CameraModule, mounting: Mounting, height_mm: float, table: Table) -> HeightSight:
    """What ``module`` sees of ``table`` from ``height_mm`` above the track."""
    lens, target = mounting.place(table, height_mm)
    camera = look_at(lens, target, 0.0, module.hfov_deg, module.width, module.height)
    views = Calibration(camera, 0.0, 0.0).spaces(table)
    play = _play_points(table)
    px_per_mm = float(_px_per_mm(camera, play).min())
    whole_markers = _inside(camera, _marker_points(table)).reshape(len(table.corners), -1).all(axis=1)
    return HeightSight(
        module=module,
        mounting=mounting,
        height_mm=height_mm,
        tilt_deg=math.degrees(math.atan2(math.dist(lens[:2], target[:2]), height_mm)),
        spaces=sum(view.visible for view in views),
        markers=int(whole_markers.sum()),
        play_share=float(_inside(camera, play).mean()),
        module_px=px_per_mm * table.qr_mm / QR_MODULES,
        tag_px=min(view.tag_side_px for view in views),
        mm_per_px=1 / px_per_mm,
    )


def sees_all(module: CameraModule, mounting: Mounting, height_mm: float, table: Table) -> bool:
    """Whether everything that must be seen is in the picture, with room to spare."""
    lens, target = mounting.place(table, height_mm)
    # The same camera with a smaller picture: what still fits has room around it.
    tight = look_at(
        lens, target, 0.0, _narrower_deg(module.hfov_deg), round(module.width / _ROOM), round(module.height / _ROOM)
    )
    return holds_scene(tight, table) and all(view.visible for view in Calibration(tight, 0.0, 0.0).spaces(table))


@lru_cache(maxsize=64)
def heights(module: CameraModule, mounting: Mounting, table: Table) -> tuple[HeightSight, HeightSight | None]:
    """The lowest height that sees everything, and the highest that sees it large enough; None where none does.

    Raises ValueError when the table is so large that no height up to 1.3 m sees it.
    """
    seen = (sight(module, mounting, each, table) for each in HEIGHTS_MM if sees_all(module, mounting, each, table))
    whole = list(seen)
    if not whole:
        raise ValueError(f"{module.name}: no height up to {HEIGHTS_MM[-1]} mm sees the whole of this table; measure it")
    return whole[0], next((each for each in reversed(whole) if each.reads), None)


def highest_reading(module: CameraModule, mounting: Mounting, table: Table) -> HeightSight | None:
    """From how high labels and tags are still large enough, whether or not all of them are in the picture."""
    seen = (sight(module, mounting, height_mm, table) for height_mm in reversed(HEIGHTS_MM))
    return next((each for each in seen if each.reads), None)


def _narrower_deg(hfov_deg: float) -> float:
    return math.degrees(2 * math.atan(math.tan(math.radians(hfov_deg) / 2) / _ROOM))


def _play_points(table: Table) -> Floats:
    area = table.play_area
    return np.array([(x, y, 0.0) for x in np.linspace(area.x0, area.x1, 13) for y in np.linspace(area.y0, area.y1, 7)])


def _marker_points(table: Table) -> Floats:
    """The four corners of each corner marker's white margin, one marker after the other, (4 N, 3) mm."""
    half_mm = 0.65 * table.board_size_mm
    ways = [(dx * half_mm, dy * half_mm) for dx in (-1, 1) for dy in (-1, 1)]
    return np.array([(corner.x + dx, corner.y + dy, corner.z) for corner in table.corners for dx, dy in ways])


def _inside(camera: Camera, points_mm: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    px = camera.project(points_mm)
    inside = (px > 0).all(axis=1) & (px < (camera.width - 1, camera.height - 1)).all(axis=1)
    return np.asarray(inside & (camera.depth_mm(points_mm) > 0))


def _px_per_mm(camera: Camera, points_mm: Floats) -> Floats:
    """The smaller of the densities along x and along y at each point."""
    here = camera.project(points_mm)
    along = [camera.project(points_mm + step) - here for step in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))]
    return np.asarray(np.minimum(*(np.linalg.norm(each, axis=1) for each in along)), dtype=np.float64)


# The tables of ``hardware/camera.md``.


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
