"""A flat track of 23 spaces with its markers, for those without the 3D board.

Track and markers are one drawing: markers laid by hand a millimetre or two off would cost accuracy (READING.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from vision.printed.table import Table
from vision.sheets.lettering import bounds_of, fitted
from vision.sheets.marks import margin_mm, marker, square
from vision.sheets.mat import BORDER_MM as MAT_BORDER_MM
from vision.sheets.page import Job, Sheet, SheetError, sheet_of
from vision.sheets.shapes import (
    CUT_PEN,
    GREY,
    INK,
    WHITE,
    Disc,
    Oblong,
    Path,
    Pen,
    Place,
    PrintColour,
    Rect,
    Shape,
    Stroke,
    Text,
)
from vision.sheets.tiles import LargeDrawing, tiled

At = Callable[[float, float], Place]
"""From the board's millimetres to a drawing's."""

_DEPTH_MM: Final = 40.0
_BORDER_MM: Final = 2.0  # beyond the markers' white margin
_BASE_MM: Final = 11.0
_LIGHT: Final[PrintColour] = (0.96, 0.95, 0.91)
_DARK: Final[PrintColour] = (0.86, 0.86, 0.83)
_BLACK_END: Final[PrintColour] = (0.30, 0.31, 0.35)
_LINE: Final = Pen((0.35, 0.36, 0.40), 0.3)
_MIDDLE: Final[PrintColour] = (0.68, 0.12, 0.14)


def track(job: Job) -> Sheet:
    """The track over as many pages as it takes. Raises SheetError for a board that is not straight and flat."""
    table = job.table
    _check_flat(table)
    reach = table.board_size_mm / 2 + margin_mm(table.board_size_mm, table.dictionary)
    xs = [corner.x for corner in table.corners]
    ys = [corner.y for corner in table.corners]
    first, last = table.spaces_mm[0], table.spaces_mm[-1]
    end_mm = _half_pitches(table)[0]
    left = min(min(xs) - reach, first.x - end_mm) - _BORDER_MM
    right = max(max(xs) + reach, last.x + end_mm) + _BORDER_MM
    high = max(max(ys) + reach, first.y + _DEPTH_MM / 2) + _BORDER_MM
    low = min(min(ys) - reach, first.y - _DEPTH_MM / 2) - _BORDER_MM

    def at(x: float, y: float) -> Place:
        return x - left, high - y

    size = Rect(0.0, 0.0, right - left, high - low)
    whole = tuple(square(at(corner.x, corner.y), 2 * reach) for corner in table.corners)
    shapes = tuple(_shapes(job, at, size))
    words = tuple(bounds_of(shape) for shape in shapes if isinstance(shape, Text))
    return sheet_of(job, "track", tiled(job, LargeDrawing(size.width, size.height, shapes, whole, words)))


def _check_flat(table: Table) -> None:
    cure = "leave --track out and use the board that was measured, or another table file"
    spaces = list(enumerate(table.spaces_mm, start=1))
    high = [(f"space {number}", space.z) for number, space in spaces]
    for named, z_mm in (*high, *((f"marker {corner.id}", corner.z) for corner in table.corners)):
        if z_mm != 0.0:
            raise SheetError(f"a flat track cannot stand for this table: {named} lies at z = {z_mm:g} mm; {cure}")
    for (_, before), (number, space) in pairwise(spaces):
        if space.y != before.y or space.x <= before.x:
            raise SheetError(
                f"a flat track is drawn straight, and space {number} of this table lies off the line; {cure}"
            )


def _half_pitches(table: Table) -> list[float]:
    """Half the way to the nearer neighbour, for each space."""
    xs = [space.x for space in table.spaces_mm]
    steps = [after - before for before, after in pairwise(xs)]
    return [min(before, after) / 2 for before, after in zip([steps[0], *steps], [*steps, steps[-1]], strict=True)]


def _shapes(job: Job, at: At, size: Rect) -> Iterator[Shape]:
    table = job.table
    yield Oblong(size.grown(-0.2), pen=CUT_PEN)
    for number, (space, half) in enumerate(zip(table.spaces_mm, _half_pitches(table), strict=True), start=1):
        yield from _space(at(space.x, space.y), number, half)
    for end, side, way in ((1, "white", 1.0), (len(table.spaces_mm), "black", -1.0)):
        space = table.space_mm(end)
        x, y = at(space.x, space.y)
        above = y - _DEPTH_MM / 2 - 4.0
        yield fitted((x, above), job.say(f"name.{side}"), 3.4, 40.0, bold=True, anchor="middle")
        yield Path(((x + way * 22.0, above - 1.7), (x + way * 18.5, above - 3.4), (x + way * 18.5, above)), fill=GREY)
    area = table.play_area
    start_x, y = at(area.x0 - MAT_BORDER_MM, area.y1 + MAT_BORDER_MM)
    end_x, _ = at(area.x1 + MAT_BORDER_MM, area.y1)
    if y < size.height - 1.0:
        yield Stroke((start_x, y), (end_x, y), Pen(GREY, 0.3, (3.0, 2.0)))
        middle = (start_x + end_x) / 2
        yield fitted((middle, y + 4.0), job.say("sheet.track.mat"), 2.0, 150.0, colour=GREY, anchor="middle")
    for corner in table.corners:
        yield from marker(at(corner.x, corner.y), corner.id, table.board_size_mm, table.dictionary)


def _space(middle: Place, number: int, half_mm: float) -> Iterator[Shape]:
    x, y = middle
    fill = {1: WHITE, 23: _BLACK_END}.get(number, _LIGHT if number % 2 else _DARK)
    ink = WHITE if number == 23 else INK
    yield Oblong(Rect(x - half_mm, y - _DEPTH_MM / 2, 2 * half_mm, _DEPTH_MM), fill=fill, pen=_LINE)
    yield Disc((x, y), min(_BASE_MM, half_mm - 1.5), pen=Pen(GREY, 0.2, (1.2, 0.9)))
    if number == 12:
        for edge in (-_DEPTH_MM / 2 + 0.9, _DEPTH_MM / 2 - 0.9):
            yield Stroke((x - half_mm + 0.6, y + edge), (x + half_mm - 0.6, y + edge), Pen(_MIDDLE, 0.9))
    yield Text((x, y - _DEPTH_MM / 2 + 6.2), str(number), 3.8, ink, bold=True, anchor="middle")
