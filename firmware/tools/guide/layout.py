"""Where everything stands on the table, and how long every cable has to be: from the table file and the mast.

Places are in the board's own frame, millimetres; heights over the table's top are ``over_table``. The Pi hangs on the
mast's upright as low as the camera's ribbon lets it: the lower, the shorter its other cables.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from firmware.tools.guide.camera_table import ABOVE, MOUNTINGS, PLAYERS, Mounting, heights
from firmware.tools.guide.measures import HEIGHT_MM as PANEL_HIGH_MM
from firmware.tools.guide.measures import WIDTH_MM as PANEL_WIDE_MM
from firmware.tools.guide.measures import Mast
from firmware.tools.guide.pages import table
from vision.camera.modules import MODULES, CameraModule
from vision.printed.table import Table
from vision.printed.tags import MARGIN_CELLS, marker_bits

RIBBON_MM: Final = 1000.0
"""The camera's ribbon of the parts list."""

ARMS_MM: Final = (300.0, 400.0)
"""How long the arm may be cut, the shortest and the longest."""

ARM_BETWEEN_PLAYERS_MM: Final = 150.0
PI_LEAST_MM: Final = 80.0  # the middle of the upright Pi over the table: its card's end stays clear
SLACK: Final = 1.05  # no cable is pulled straight
_LOOP_MM: Final = 30.0  # at each end, so that the camera tilts and plugs can be pulled
_BEND_MM: Final = 30.0  # from the arm down the upright
_GAP_MM: Final = 20.0  # between what stands side by side
_MARGIN_MM: Final = 30.0  # from the board's end to a cable that goes round it
SCREEN_MM: Final = (250.0, 60.0, 170.0)  # the screen that is drawn: wide, deep, high


@dataclass(frozen=True, slots=True)
class Solid:
    """Something that stands on the table: its edges seen from above."""

    name: str
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def middle(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable from above, corner by corner, and how long it has to be, with slack."""

    name: str
    way: tuple[tuple[float, float], ...]
    needed_mm: float


@dataclass(frozen=True, slots=True)
class MountingLayout:
    """Everything for one mounting, height and arm. ``edge_y``: where the table's edge with the clamp is.

    ``arm_z`` and ``pi_z`` are the arm's axis and the Pi's middle over the table.
    """

    mounting: Mounting
    lens: tuple[float, float]
    lens_over_table: float
    upright: tuple[float, float]
    upright_cut: float
    arm_cut: float
    arm_z: float
    pi_z: float
    track_over_table: float
    edge_y: float
    board: Solid
    mat: Solid
    panel: Solid
    screen: Solid
    cables: tuple[Cable, ...]

    def cable(self, name: str) -> Cable:
        """The cable of this name. Raises KeyError for one that is not there."""
        return {each.name: each for each in self.cables}[name]


def table_under_track_mm(table: Table) -> float:
    """How far the table's top lies below the track: what the lowest corner marker says; 0 where all lie on it."""
    return -min(0.0, *(corner.z for corner in table.corners))


def layout(
    table: Table, mast: Mast, mounting: Mounting, height_mm: float, arm_mm: float | None = None
) -> MountingLayout:
    """The set-up with the lens ``height_mm`` over the track; the arm as long as it may be, unless it is given."""
    if arm_mm is None:
        arm_mm = ARM_BETWEEN_PLAYERS_MM if mounting is PLAYERS else ARMS_MM[-1]
    lens = mounting.place(table, height_mm)[0][:2]
    lens_z = height_mm + table_under_track_mm(table)
    reach, away = arm_mm - mast.arm_in_joints, 1 if mounting is ABOVE else -1
    upright = (lens[0], lens[1] + away * reach)
    board, mat = _board(table), _mat(table)
    panel = _panel(mat)
    screen = _screen(lens[0], board)
    arm_z = lens_z + mast.lens_below_arm
    pi_z = max(PI_LEAST_MM, arm_z - _ribbon_left_mm(mast, reach))
    return MountingLayout(
        mounting=mounting,
        lens=lens,
        lens_over_table=lens_z,
        upright=upright,
        upright_cut=mast.upright_cut(lens_z),
        arm_cut=arm_mm,
        arm_z=arm_z,
        pi_z=pi_z,
        track_over_table=table_under_track_mm(table),
        edge_y=upright[1] - away * mast.behind_edge,
        board=board,
        mat=mat,
        panel=panel,
        screen=screen,
        cables=(
            _ribbon(mast, lens, upright, arm_z - pi_z),
            _lead(upright, pi_z, board, panel, mast, away),
            _to_screen(upright, pi_z, board, screen, away),
        ),
    )


def _board(table: Table) -> Solid:
    cells = len(marker_bits(table.corners[0].id, table.dictionary))
    half = table.board_size_mm * (0.5 + MARGIN_CELLS / cells)
    xs, ys = [corner.x for corner in table.corners], [corner.y for corner in table.corners]
    return Solid("board", min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)


def _mat(table: Table) -> Solid:
    area = table.play_area
    return Solid("play area", area.x0, area.y0, area.x1, area.y1)


def _panel(mat: Solid) -> Solid:
    """Between the players, before the play area: both reach it, and nobody reaches over the cards."""
    x, far = mat.middle[0], mat.y0 - _GAP_MM
    return Solid("panel", x - PANEL_WIDE_MM / 2, far - PANEL_HIGH_MM, x + PANEL_WIDE_MM / 2, far)


def _screen(x: float, board: Solid) -> Solid:
    """Behind the board, where both look at it over the figures."""
    near = board.y1 + 5
    return Solid("screen", x - SCREEN_MM[0] / 2, near, x + SCREEN_MM[0] / 2, near + SCREEN_MM[1])


def _ribbon_fixed_mm(mast: Mast, reach: float) -> float:
    """What the ribbon needs without its way down the upright."""
    return mast.lens_below_arm + reach + _BEND_MM + mast.pi_board_behind


def _ribbon_left_mm(mast: Mast, reach: float) -> float:
    return (RIBBON_MM - _LOOP_MM) / SLACK - _ribbon_fixed_mm(mast, reach)


def _ribbon(mast: Mast, lens: tuple[float, float], upright: tuple[float, float], down: float) -> Cable:
    reach = abs(upright[1] - lens[1])
    return Cable("camera ribbon", (lens, upright), SLACK * (_ribbon_fixed_mm(mast, reach) + down) + _LOOP_MM)


def _lead(upright: tuple[float, float], pi_z: float, board: Solid, panel: Solid, mast: Mast, away: int) -> Cable:
    """Round the board's end, or straight to the panel from a mast between the players."""
    x, far = panel.middle[0], panel.y1 + _GAP_MM / 2
    beside = (board.x1 if away > 0 else panel.x1) + _MARGIN_MM
    on_table = upright[1] - away * (mast.behind_edge + _GAP_MM / 2)
    way = (upright, (upright[0], on_table), (beside, on_table), (beside, far), (x, far), (x, panel.y1))
    return Cable("panel lead", way, SLACK * (pi_z + _long(way)) + 2 * _LOOP_MM)


def _to_screen(upright: tuple[float, float], pi_z: float, board: Solid, screen: Solid, away: int) -> Cable:
    x, y = screen.middle[0], screen.y1
    if away < 0:
        beside = board.x1 + _MARGIN_MM
        way: tuple[tuple[float, float], ...] = (upright, (beside, upright[1]), (beside, y + _GAP_MM), (x, y + _GAP_MM))
    else:
        way = (upright, (x, y))
    return Cable("HDMI", way, SLACK * (pi_z + _long(way) + SCREEN_MM[2] / 2) + 2 * _LOOP_MM)


def _long(way: tuple[tuple[float, float], ...]) -> float:
    return sum(math.dist(here, there) for here, there in pairwise(way))


# The tables of ``hardware/layout.md``: where everything stands, and how long every tube and cable is.

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
