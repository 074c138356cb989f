"""The table from above, drawn small: track, markers, play area, and how far markers are from each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from vision.printed.table import Corner, Table
from vision.sheets.marks import square
from vision.sheets.shapes import GREY, INK, PALE, Disc, Oblong, Pen, Place, Rect, Shape, Text


def plan(table: Table, box: Rect, *, numbers: bool = True) -> Iterator[Shape]:
    """The plan to fill a box, as players see the table; ``numbers`` writes ids, spaces and distances into it."""
    reach = table.board_size_mm
    area = table.play_area
    xs = [*(corner.x for corner in table.corners), *(space.x for space in table.spaces_mm), area.x0, area.x1]
    ys = [*(corner.y for corner in table.corners), *(space.y for space in table.spaces_mm), area.y0, area.y1]
    left, right, low, high = min(xs) - reach, max(xs) + reach, min(ys) - reach, max(ys) + reach
    scale = min(box.width / (right - left), box.height / (high - low))
    origin = (box.middle[0] - scale * (left + right) / 2, box.middle[1] + scale * (low + high) / 2)

    def at(x: float, y: float) -> Place:
        return origin[0] + scale * x, origin[1] - scale * y

    corner = at(area.x0, area.y1)
    yield Oblong(
        Rect(*corner, scale * (area.x1 - area.x0), scale * (area.y1 - area.y0)),
        fill=(0.93, 0.96, 0.92),
        pen=Pen(GREY, 0.2),
    )
    for number, space in enumerate(table.spaces_mm, start=1):
        fill = (0.87, 0.87, 0.84) if number % 2 else PALE
        yield Disc(at(space.x, space.y), scale * 12.0, fill=fill, pen=Pen(GREY, 0.1))
        if numbers and number in (1, 12, 23):
            x, y = at(space.x, space.y)
            yield Text((x, y - scale * 12.0 - 0.8), str(number), 1.5, GREY, anchor="middle")
    for one in table.corners:
        x, y = at(one.x, one.y)
        yield Oblong(square((x, y), max(scale * table.board_size_mm, 5.0 if numbers else 2.6)), fill=INK)
        if numbers:
            yield Text((x, y + 1.0), str(one.id), 2.0, (1.0, 1.0, 1.0), bold=True, anchor="middle")
    if numbers:
        yield from _distances(table, at)


def _distances(table: Table, at: Callable[[float, float], Place]) -> Iterator[Shape]:
    corners = _around(table)
    pairs = list(zip(corners, (*corners[1:], corners[0]), strict=True))
    for one, other in pairs[: len(corners) if len(corners) > 2 else 1]:
        apart = math.dist((one.x, one.y), (other.x, other.y))
        x, y = at((one.x + other.x) / 2, (one.y + other.y) / 2)
        yield Text((x, y + 0.7), f"{round(apart, 1):g} mm", 1.9, INK, bold=True, anchor="middle")


def _around(table: Table) -> list[Corner]:
    """The markers in the order in which one walks around the table, from the file's first one."""
    x = sum(corner.x for corner in table.corners) / len(table.corners)
    y = sum(corner.y for corner in table.corners) / len(table.corners)
    first = table.corners[0]
    begin = math.atan2(first.y - y, first.x - x)
    return sorted(table.corners, key=lambda corner: (begin - math.atan2(corner.y - y, corner.x - x)) % math.tau)
