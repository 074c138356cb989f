"""The board's markers, each on a piece of its own, and a plan of where they lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from vision.printed.table import Corner
from vision.sheets.lettering import centred_line, numbered
from vision.sheets.marks import margin_mm, marker
from vision.sheets.page import Content, Job, Sheet, SheetError, room_on, sheet_of
from vision.sheets.pictures import plan
from vision.sheets.shapes import CUT_PEN, INK, Oblong, Path, Pen, Rect, Shape, Stroke, group

_RIM_MM: Final = 3.2
_LABEL_MM: Final = 10.0
_GAP_MM: Final = 6.0
_PLAN_MM: Final = 74.0
_WORDS_MM: Final = 50.0
_TICK_MM: Final = 2.4


def corners(job: Job) -> Sheet:
    """All of the board's markers. Raises SheetError when they do not fit a page."""
    table = job.table
    room = room_on(job.paper, landscape=False)
    side = table.board_size_mm + 2 * (margin_mm(table.board_size_mm, table.dictionary) + _RIM_MM)
    high = side + _LABEL_MM
    columns = max(1, int((room.width + _GAP_MM) // (side + _GAP_MM)))
    # Two rows of two look like the board they belong to.
    columns = min(columns, 2 if len(table.corners) == 4 else 3)
    rows = -(-len(table.corners) // columns)
    how = [job.say(f"sheet.corners.how_{step}") for step in range(1, 4)]
    shapes: list[Shape] = list(numbered(Rect(room.x, room.y + 2.0, room.width, _WORDS_MM - 6.0), how, 2.5))
    top = room.y + _WORDS_MM
    if rows * (high + _GAP_MM) > room.bottom - _PLAN_MM - top + _GAP_MM or side > room.width:
        raise SheetError(
            f"[board] size_mm: {len(table.corners)} markers of {table.board_size_mm:g} mm do not fit a page with their "
            "plan; make them smaller"
        )
    wide = columns * (side + _GAP_MM) - _GAP_MM
    for number, corner in enumerate(_as_they_lie(table.corners) if columns == 2 else table.corners):
        row, column = divmod(number, columns)
        at = (room.middle[0] - wide / 2 + column * (side + _GAP_MM), top + row * (high + _GAP_MM))
        shapes.append(group(_piece(job, corner, side), at))
    shapes += plan(table, Rect(room.x, room.bottom - _PLAN_MM + 2.0, room.width, _PLAN_MM - 4.0))
    return sheet_of(job, "corners", [Content(tuple(shapes))])


def _as_they_lie(found: tuple[Corner, ...]) -> list[Corner]:
    """Far ones first, each row from the left."""
    middle = sum(corner.y for corner in found) / len(found)
    return sorted(found, key=lambda corner: (corner.y < middle, corner.x))


def _piece(job: Job, corner: Corner, side: float) -> Iterator[Shape]:
    table = job.table
    middle = side / 2
    yield Oblong(Rect(0.0, 0.0, side, side + _LABEL_MM), pen=CUT_PEN)
    yield from marker((middle, middle), corner.id, table.board_size_mm, table.dictionary)
    for start, end in (
        ((0.0, middle), (_TICK_MM, middle)),
        ((side, middle), (side - _TICK_MM, middle)),
        ((middle, side), (middle, side - _TICK_MM)),
    ):
        yield Stroke(start, end, Pen(INK, 0.2))
    yield Path(((middle, 0.6), (middle + 1.8, 2.8), (middle - 1.8, 2.8)), fill=INK)
    place = f"x {corner.x:g}   y {corner.y:g}   z {corner.z:g} mm"
    caption = job.say("sheet.corners.caption", id=corner.id)
    yield centred_line((middle, side + 3.0), caption, 2.4, side - 3.0, INK, bold=True)
    yield centred_line((middle, side + 7.2), place, 2.0, side - 3.0)
