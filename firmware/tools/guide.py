"""``python -m firmware.tools.guide``: writes what follows from the table file into ``hardware/``.

The tables of camera.md and layout.md, and the printed parts' measures; the pages' words are written by hand.
``--check`` writes nothing and names the files that differ from what would be written.

The camera tables are computed with the program's own geometry. A mounting is a place above the table and where the
camera looks from there; its height is what the builder chooses. Lenses are taken as free of distortion, which real ones
are not quite: the margin at the picture's edge is for that. Places are in the board's own frame, millimetres; heights
over the table's top are ``over_table``.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from firmware.table.camera.setup import TABLE_FILE
from firmware.table.panel.pins import WIRES, PinKind, Wire
from vision.board.calibration import SURE_SIDE_PX, Calibration
from vision.camera.modules import MODULES, CameraModule
from vision.geometry import Camera, Floats, look_at
from vision.printed.table import CardSize, Table, load_table
from vision.printed.tags import MARGIN_CELLS, QR_MODULES, marker_bits
from vision.sheets.cards import largest_code_mm
from vision.synthetic.camera import POSITION_MM, holds_scene

_BLOCK: Final = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def filled(page: str, tables: Mapping[str, str]) -> str:
    """The page with its tables. Raises ValueError where it has places for others than these."""
    places = [name for _, name, _ in _BLOCK.findall(page)]
    if set(places) != set(tables):
        raise ValueError(f"the page has places for the tables {', '.join(places)}; there are {', '.join(tables)}")
    return _BLOCK.sub(lambda found: f"{found[1]}{tables[found[2]]}{found[3]}", page)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table, one line a row."""
    return "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in (head, ["---"] * len(head), *rows))


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

PANEL_WIDE_MM: Final = 190.0
PANEL_HIGH_MM: Final = 110.0
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
    found += [
        Hole("screw", "screw", x, y, SCREW_MM, 7.0) for x in (6.0, PANEL_WIDE_MM - 6) for y in (6.0, PANEL_HIGH_MM - 6)
    ]
    return tuple(found)


_HEAD: Final = (
    "// Made by `python -m firmware.tools.guide` from hardware/table.toml and firmware/table/panel/pins.py:\n"
    "// change those, not this.\n"
    "// All lengths in millimetres.\n"
)


def measures_text(table: Table) -> str:
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
        f"panel_mm = {_row((PANEL_WIDE_MM, PANEL_HIGH_MM, THICK_MM))};\n"
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


MIN_MODULE_PX: Final = 2.5
"""Fewer pixels a module than this and labels go unread in ordinary light. Source: vision/READING.md, "QR"."""

GOOD_MODULE_PX: Final = 3.0
HEIGHTS_MM: Final = range(240, 1301, 20)
_ROOM: Final = 1.04  # a margin around what must be seen: nobody clamps a camera to the millimetre


@dataclass(frozen=True, slots=True)
class Mounting:
    """A place for the camera: over the middle of everything that must be seen, or ``beside`` it at the players."""

    name: str
    beside: bool = False

    def place(self, table: Table, height_mm: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """Lens and target, in mm."""
        ys = [corner.y for corner in table.corners] + [table.play_area.y0, table.play_area.y1]
        xs = [corner.x for corner in table.corners] + [table.play_area.x0, table.play_area.x1]
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        return (x, POSITION_MM[1] if self.beside else y, height_mm), (x, y, 0.0)


ABOVE: Final = Mounting("above")
PLAYERS: Final = Mounting("from the players' side", beside=True)
MOUNTINGS: Final = (ABOVE, PLAYERS)


@dataclass(frozen=True, slots=True)
class HeightSight:
    """The view of a camera from one height.

    ``tilt_deg`` is how far it looks up from straight down. ``module_px`` and ``tag_px`` are the smallest anywhere: of
    a label's module in the play area, of a tag's side on the 23 spaces; ``mm_per_px`` is the coarsest there.
    ``play_share`` is how much of the play area is in the picture, ``markers`` how many corner markers are whole in it.
    """

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
    """The view that ``module`` has of ``table`` from ``height_mm`` above the track."""
    lens, target = mounting.place(table, height_mm)
    camera = look_at(lens, target, 0.0, module.hfov_deg, module.width, module.height)
    views = Calibration(camera, 0.0, 0.0).spaces(table)
    play = _play_points(table)
    px_per_mm = float(_px_per_mm(camera, play).min())
    whole_markers = _inside(camera, _marker_points(table)).reshape(len(table.corners), -1).all(axis=1)
    return HeightSight(
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
    width, height = round(module.width / _ROOM), round(module.height / _ROOM)
    tight = look_at(lens, target, 0.0, _part_deg(module.hfov_deg, 1 / _ROOM), width, height)
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


def _part_deg(field_deg: float, part: float) -> float:
    """The field of view of this part of a picture's width."""
    return math.degrees(2 * math.atan(math.tan(math.radians(field_deg) / 2) * part))


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
    modules = [
        (
            *(
                each.name,
                f"{each.width} by {each.height}",
                f"{each.hfov_deg:.0f}° by {_part_deg(each.hfov_deg, each.height / each.width):.0f}°",
            ),
            f"`width = {each.width}` `height = {each.height}` `hfov_deg = {each.hfov_deg:.1f}`",
        )
        for each in MODULES
    ]
    places = [
        (each.name, *(f"{value:.0f}" for point in each.place(of, 0.0) for value in point[:2])) for each in MOUNTINGS
    ]
    return {
        "modules": markdown_table(("module", "picture, px", "field", "`[camera]` in your table file"), modules),
        "places": markdown_table(("mounting", "lens above x", "and y", "looks at x", "and y"), places),
        "above": _heights(ABOVE, of),
        "players": _heights(PLAYERS, of),
        "partly": _partly(of),
        "cards": _cards(of),
    }


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
    return markdown_table(("module", "hang it at", "lowest that sees all", "tilt there", *_SIGHT_HEAD, "verdict"), rows)


def _partly(of: Table) -> str:
    """For modules that see all of it too small: how much is left from the highest place that reads."""
    rows = []
    for module in MODULES:
        if heights(module, ABOVE, of)[1] is not None:
            continue
        reading = highest_reading(module, ABOVE, of)
        if reading is not None:
            rows.append((module.name, f"{reading.height_mm / 10:g} cm", *_cells(reading), reading.markers))
    return markdown_table(("module", "height", *_SIGHT_HEAD, "corner markers"), rows)


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
    return markdown_table(("cards or sleeves", "code", *(module.name for module in modules)), rows)


def _span(low: HeightSight, high: HeightSight | None) -> str:
    return "nowhere" if high is None else f"{low.height_mm / 10:g} to {high.height_mm / 10:g} cm"


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


class Cable(NamedTuple):
    """A cable from above, corner by corner, and how long it has to be, with slack."""

    way: tuple[tuple[float, float], ...]
    needed_mm: float


@dataclass(frozen=True, slots=True)
class MountingLayout:
    """Everything for one mounting, height and arm. ``edge_y``: where the table's edge with the clamp is.

    ``arm_z`` and ``pi_z`` are the arm's axis and the Pi's middle over the table.
    """

    mounting: Mounting
    lens_over_track: float
    lens: tuple[float, float]
    lens_over_table: float
    upright: tuple[float, float]
    upright_cut: float
    arm_cut: float
    arm_z: float
    pi_z: float
    edge_y: float
    board: Solid
    mat: Solid
    panel: Solid
    screen: Solid
    cables: Mapping[str, Cable]


def layout(
    table: Table, mast: Mast, mounting: Mounting, height_mm: float, arm_mm: float | None = None
) -> MountingLayout:
    """The set-up with the lens ``height_mm`` over the track; the arm as long as it may be, unless it is given."""
    if arm_mm is None:
        arm_mm = ARM_BETWEEN_PLAYERS_MM if mounting is PLAYERS else ARMS_MM[-1]
    lens = mounting.place(table, height_mm)[0][:2]
    lens_z = height_mm - min(0.0, *(corner.z for corner in table.corners))  # the lowest marker lies on the table
    reach, away = arm_mm - mast.arm_in_joints, 1 if mounting is ABOVE else -1
    upright = (lens[0], lens[1] + away * reach)
    cells = len(marker_bits(table.corners[0].id, table.dictionary))
    half = table.board_size_mm * (0.5 + MARGIN_CELLS / cells)
    xs, ys = [corner.x for corner in table.corners], [corner.y for corner in table.corners]
    board = Solid("board", min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half)
    mat = Solid("play area", table.play_area.x0, table.play_area.y0, table.play_area.x1, table.play_area.y1)
    # Between the players, before the play area: both reach it, and nobody reaches over the cards.
    x, far, half = mat.middle[0], mat.y0 - _GAP_MM, PANEL_WIDE_MM / 2
    panel = Solid("panel", x - half, far - PANEL_HIGH_MM, x + half, far)
    # Behind the board, where both look at it over the figures.
    wide, deep, high = SCREEN_MM
    screen = Solid("screen", lens[0] - wide / 2, board.y1 + 5, lens[0] + wide / 2, board.y1 + 5 + deep)
    arm_z, ribbon_mm = lens_z + mast.lens_below_arm, mast.lens_below_arm + reach + _BEND_MM + mast.pi_board_behind
    pi_z = max(PI_LEAST_MM, arm_z - ((RIBBON_MM - _LOOP_MM) / SLACK - ribbon_mm))
    edge_y = upright[1] - away * mast.behind_edge
    # Round the board's end, or straight to the panel from a mast between the players.
    beside, on_table = (board.x1 if away > 0 else panel.x1) + _MARGIN_MM, edge_y - away * _GAP_MM / 2
    near = panel.y1 + _GAP_MM / 2
    lead = (upright, (upright[0], on_table), (beside, on_table), (beside, near), (x, near), (x, panel.y1))
    plug = (screen.middle[0], screen.y1)
    beside, behind = board.x1 + _MARGIN_MM, screen.y1 + _GAP_MM
    to_screen = (upright, plug) if away > 0 else (upright, (beside, upright[1]), (beside, behind), (plug[0], behind))
    cables = {
        "camera ribbon": Cable((lens, upright), SLACK * (ribbon_mm + arm_z - pi_z) + _LOOP_MM),
        "panel lead": Cable(lead, SLACK * (pi_z + _long(lead)) + 2 * _LOOP_MM),
        "HDMI": Cable(to_screen, SLACK * (pi_z + _long(to_screen) + high / 2) + 2 * _LOOP_MM),
    }
    cut, solids = mast.upright_cut(lens_z), (board, mat, panel, screen)
    return MountingLayout(mounting, height_mm, lens, lens_z, upright, cut, arm_mm, arm_z, pi_z, edge_y, *solids, cables)


def _long(way: Iterable[tuple[float, float]]) -> float:
    return sum(math.dist(here, there) for here, there in pairwise(way))


# The tables of ``hardware/layout.md``: where everything stands, and how long every tube and cable is.

DRAWN: Final = next(module for module in MODULES if module.name == "Camera Module 3")
"""The module of the drawings: the one the guide recommends."""


def drawn_layout(of: Table, mast: Mast) -> MountingLayout:
    """The layout that is drawn: in the middle of the good heights, with the middle one of the arms."""
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
    drawn = drawn_layout(of, mast)

    def cm(length_mm: float) -> str:
        return f"{length_mm / 10:.0f}"

    rows = [
        (box.name, f"{box.x0:.0f} to {box.x1:.0f}", f"{box.y0:.0f} to {box.y1:.0f}")
        for box in (drawn.board, drawn.mat, drawn.panel, drawn.screen)
    ]
    rows += [
        ("camera's lens", f"{drawn.lens[0]:.0f}", f"{drawn.lens[1]:.0f}"),
        ("upright", f"{drawn.upright[0]:.0f}", f"{drawn.upright[1]:.0f}"),
        ("the table's far edge", "", f"{drawn.edge_y:.0f}"),
    ]
    head = ("mounting", "module", "lens over track", "upright", "arm", "Pi's middle", "ribbon", "panel lead", "HDMI")
    lengths = [
        (
            *(each.mounting.name, module.name, cm(each.lens_over_track), cm(each.upright_cut), cm(each.arm_cut)),
            *(cm(each.pi_z), *(cm(cable.needed_mm) for cable in each.cables.values())),
        )
        for module, each in every_layout(of, mast)
    ]
    return {"stands": markdown_table(("what", "x", "y"), rows), "cables": markdown_table(head, lengths)}


HARDWARE: Final = TABLE_FILE.parent


def guide_files(hardware: Path = HARDWARE) -> dict[Path, str]:
    """The text each file has to have. Pages are read first: only their tables are made, the words are written by hand.

    Raises OSError when a page or the table file is missing, ValueError when a page has no place for a table.
    """
    table = load_table(hardware / "table.toml")
    made = {hardware / "printables" / "measures.scad": measures_text(table)}
    mast = load_mast(hardware / "printables" / "mast.scad")
    for name, tables in (("camera.md", camera_tables(table)), ("layout.md", layout_tables(table, mast))):
        path = hardware / name
        made[path] = filled(path.read_text(encoding="utf-8"), tables)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 when ``--check`` finds a file that is not what it would be."""
    parser = argparse.ArgumentParser(prog="python -m firmware.tools.guide", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hardware", type=Path, default=HARDWARE, metavar="DIR", help="the guide's folder")
    parser.add_argument("--check", action="store_true", help="write nothing, tell what differs")
    asked = parser.parse_args(arguments)
    stale = [
        (path, text)
        for path, text in guide_files(asked.hardware).items()
        if not path.exists() or path.read_bytes() != text.encode()
    ]
    for path, text in stale:
        print(f"{path} {'is not what it would be' if asked.check else 'written'}")
        if not asked.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    if not stale:
        print("Everything is as it would be.")
    return 1 if stale and asked.check else 0


if __name__ == "__main__":
    raise SystemExit(main())
