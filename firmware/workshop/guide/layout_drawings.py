"""The whole table from above and from the side, to scale, with every cable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from firmware.workshop.guide.layout import PI_BOARD_MM, MountingLayout
from firmware.workshop.guide.mast import Mast
from firmware.workshop.guide.sheet import CHIP, GREY, INK, METAL, PAPER, GuideSheet, Point
from vision.printed.table import Table

_CABLE_INK: Final = {"camera ribbon": "#d8342b", "panel lead": "#2b62c9", "HDMI": "#2f9e4f"}
_EDGE_INK: Final = "#b9a184"
_WOOD: Final = "#f7efe2"
_PI_FILL: Final = "#a9d4a5"
_PLAY: Final = "#e6eefb"
_TRACK: Final = "#e9e4d8"
_AROUND_MM: Final = 60.0  # of the table is drawn beyond what stands on it
_SHADE: Final = "#9a9aa4"


@dataclass(frozen=True, slots=True)
class _View:
    """A sheet with a scale: ``at`` puts a place of the table, millimetres to the right and up, on it."""

    sheet: GuideSheet
    scale: float
    left: float
    top: float

    def at(self, across: float, up: float) -> Point:
        return 10 + (across - self.left) * self.scale, 28 + (self.top - up) * self.scale

    def box(self, across: tuple[float, float], up: tuple[float, float], fill: str, ink: str = INK) -> None:
        (x0, y0), (x1, y1) = self.at(across[0], up[1]), self.at(across[1], up[0])
        self.sheet.box(x0, y0, x1 - x0, y1 - y0, fill=fill, ink=ink)

    def words(self, across: float, up: float, words: str, *, size: float = 3.0, ink: str = INK) -> None:
        x, y = self.at(across, up)
        self.sheet.text(x, y + size / 3, words, size=size, anchor="middle", ink=ink)

    def line(self, *points: Point, ink: str = INK, wide: float = 0.4, dash: str = "") -> None:
        self.sheet.line(*(self.at(*point) for point in points), ink=ink, wide=wide, dash=dash)

    def measure(self, start: Point, end: Point, words: str) -> None:
        """A line with a bar at each end, and what it measures."""
        self.line(start, end, ink=GREY, wide=0.25)
        level = start[1] == end[1]
        bar = 2.5 / self.scale / 2
        for x, y in (start, end):
            self.line(
                (x, y - bar) if level else (x - bar, y), (x, y + bar) if level else (x + bar, y), ink=GREY, wide=0.25
            )
        x, y = self.at((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        anchor = "middle" if level else "start"
        self.sheet.text(x if level else x + 1.2, y - 1 if level else y + 0.9, words, size=2.5, ink=GREY, anchor=anchor)


def above_drawing(of: MountingLayout, table: Table, module: str) -> str:
    """Seen from above; the players sit below. The layout is one with the mast behind the board."""
    near = of.panel.y0 - _AROUND_MM
    sheet = GuideSheet(
        "The table from above",
        f"{module}, arm of {of.arm_cut / 10:g} cm. One to four at 100 %; measures in mm. The players sit below.",
    )
    view = _View(sheet, 0.25, of.board.x0 - _AROUND_MM, max(of.edge_y, of.upright[1] + 30))
    view.box((of.board.x0 - _AROUND_MM, of.board.x1 + _AROUND_MM), (near, of.edge_y), _WOOD, _EDGE_INK)
    _things(view, of, table)
    _mast_above(view, of)
    for cable in of.cables:
        view.line(*cable.way, ink=_CABLE_INK[cable.name], wide=0.8, dash="2.4 1.2")
    _measures_above(view, of, near)
    _legend(sheet, of, 238.0, 40.0)
    return sheet.svg()


def _things(view: _View, of: MountingLayout, table: Table) -> None:
    """Board, mat, panel and screen from above."""
    for box, fill in ((of.board, _TRACK), (of.mat, _PLAY), (of.panel, CHIP), (of.screen, METAL)):
        view.box((box.x0, box.x1), (box.y0, box.y1), fill)
    for box, ink in ((of.mat, INK), (of.panel, PAPER), (of.screen, INK)):
        view.words((box.x0 + box.middle[0]) / 2, box.middle[1], box.name, size=3.4, ink=ink)
    half = table.board_size_mm / 2
    for corner in table.corners:
        view.box((corner.x - half, corner.x + half), (corner.y - half, corner.y + half), PAPER, GREY)
        view.words(corner.x, corner.y, f"{corner.id}", ink=GREY)
    for number, space in enumerate(table.spaces_mm, 1):
        view.sheet.dot(*view.at(space.x, space.y), 0.5, fill=INK)
        if number in (1, len(table.spaces_mm)):
            view.words(space.x, space.y + 16, f"{number}")
    view.words((of.board.x0 + of.board.middle[0]) / 2, of.board.y0 + 22, "board, spaces 1 to 23", size=3.4)


def _mast_above(view: _View, of: MountingLayout) -> None:
    x, y = of.upright
    view.line(of.lens, of.upright, ink=_SHADE, wide=2.6)
    wide, deep = PI_BOARD_MM[0] / 2, of.pi_behind
    view.box((x - wide, x + wide), (y, y + deep), _SHADE)
    view.box((x - wide, x + wide), (y + deep, y + deep + 12), _PI_FILL)
    view.words(x - wide - 12, y + deep, "Pi", size=2.8)
    for place, radius in ((of.upright, 2.4), (of.lens, 2.0)):
        view.sheet.dot(*view.at(*place), radius, fill=METAL if place is of.upright else CHIP)
    view.sheet.text(*view.at(x - 52, y - 14), "upright", size=2.6)
    view.sheet.text(*view.at(of.lens[0] + 14, of.lens[1] - 4), "camera", size=2.6)


def _measures_above(view: _View, of: MountingLayout, near: float) -> None:
    left, right = of.board.x0, of.board.x1
    beside = left - 35
    view.measure((left, of.edge_y - 24), (of.lens[0], of.edge_y - 24), f"{of.lens[0] - left:.0f}")
    view.measure((beside, near), (beside, of.edge_y), f"{of.edge_y - near:.0f}")
    view.measure((left, near + 20), (right, near + 20), f"{right - left:.0f}")
    lens_x = of.screen.x1 + 30
    view.measure((lens_x, of.lens[1]), (lens_x, of.upright[1]), f"{of.upright[1] - of.lens[1]:.0f}")


def _legend(sheet: GuideSheet, of: MountingLayout, x: float, y: float) -> None:
    sheet.text(x, y, "Cables, with slack", size=3.2, bold=True)
    for row, cable in enumerate(of.cables):
        at = y + 8 + 11 * row
        sheet.line((x, at), (x + 8, at), ink=_CABLE_INK[cable.name], wide=0.8, dash="2.4 1.2")
        sheet.text(x + 10, at + 0.8, cable.name, size=3.0)
        sheet.text(x + 10, at + 5, f"{cable.needed_mm / 10:.0f} cm", size=3.0, ink=GREY)


def side_drawing(of: MountingLayout, mast: Mast, module: str) -> str:
    """Seen from the right, Black's side; the players sit on the left."""
    sheet = GuideSheet(
        "The table from the side",
        f"{module}, lens {of.lens_over_table / 10:g} cm over the table. One to five at 100 %; measures in mm, heights "
        "over the table.",
    )
    near = of.panel.y0 - _AROUND_MM
    view = _View(sheet, 0.2, near, of.arm_z + 25)
    view.box((near, of.edge_y), (-30, 0), _WOOD, _EDGE_INK)
    track_z = of.track_over_table
    for box, low, high, fill in (
        (of.panel, 0.0, of.panel.high, CHIP),
        (of.mat, 0.0, 2.0, _PLAY),
        (of.board, 0.0, max(track_z, 4.0), _TRACK),
        (of.screen, 0.0, of.screen.high, METAL),
    ):
        view.box((box.y0, box.y1), (low, high), fill)
    for box, lift in ((of.panel, 74.0), (of.mat, 16.0), (of.board, 20.0), (of.screen, of.screen.high + 14)):
        view.words(box.middle[1], lift, box.name, size=2.8)
    _mast_side(view, of, mast)
    _cables_side(view, of)
    _legend(sheet, of, 190.0, 40.0)
    x, y = 190.0, 92.0
    sheet.text(x, y, "To cut", size=3.2, bold=True)
    sheet.text(x, y + 6, f"upright: {of.upright_cut:.0f} mm", size=3.0)
    sheet.text(x, y + 11, f"arm: {of.arm_cut:.0f} mm", size=3.0)
    sheet.text(x, y + 19, "Ribbons longer than 1000 mm are rare:", size=2.6, ink=GREY)
    sheet.text(x, y + 23, "the Pi hangs as low as one of those lets it.", size=2.6, ink=GREY)
    return sheet.svg()


def _mast_side(view: _View, of: MountingLayout, mast: Mast) -> None:
    y, half = of.upright[1], mast.tube / 2
    top = of.arm_z - mast.arm_above_upright
    view.box((y - half, y + half), (-mast.in_clamp, top), METAL)
    view.box((of.lens[1] - 15, of.lens[1] - 15 + of.arm_cut), (of.arm_z - half, of.arm_z + half), METAL)
    view.box((y - 12, y + 12), (-mast.in_clamp, 14), _SHADE)  # the clamp on the table's edge
    view.box((y - 45, y), (0, 14), _SHADE)
    view.box((y - 12, y + 12), (top - 45, top), _SHADE)
    view.box((of.lens[1] - 15, of.lens[1] + 15), (of.lens_over_table + 12, of.arm_z + 12), _SHADE)
    view.box((of.lens[1] - 12, of.lens[1] + 12), (of.lens_over_table, of.lens_over_table + 12), CHIP)
    tall = PI_BOARD_MM[1] / 2
    view.box((y + half, y + of.pi_behind), (of.pi_z - 30, of.pi_z + 30), _SHADE)
    view.box((y + of.pi_behind, y + of.pi_behind + 14), (of.pi_z - tall, of.pi_z + tall), _PI_FILL)
    view.words(y + of.pi_behind + 30, of.pi_z + tall - 8, "Pi", size=3)
    view.measure((of.lens[1], 0), (of.lens[1], of.lens_over_table), f"{of.lens_over_table:.0f}")
    view.measure((y + 75, 0), (y + 75, of.pi_z), f"{of.pi_z:.0f}")
    view.measure((of.lens[1], of.arm_z + 20), (y, of.arm_z + 20), f"{abs(y - of.lens[1]):.0f}")


def _cables_side(view: _View, of: MountingLayout) -> None:
    y, behind = of.upright[1], of.upright[1] + of.pi_behind
    ways = {
        "camera ribbon": (
            (of.lens[1], of.lens_over_table + 20),
            (of.lens[1] + 20, of.arm_z + 10),
            (y + 10, of.arm_z + 10),
            (y + 14, of.pi_z + 50),
            (behind, of.pi_z),
        ),
        "panel lead": ((behind, of.pi_z - 20), (y + 16, 2), (of.panel.y1, 2)),
        "HDMI": ((behind, of.pi_z + 10), (y - 14, of.pi_z - 60), (of.screen.y1, of.screen.high / 2)),
    }
    for name, way in ways.items():
        view.line(*way, ink=_CABLE_INK[name], wide=0.8, dash="2.4 1.2")
