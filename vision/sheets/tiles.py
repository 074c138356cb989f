"""A drawing larger than paper, cut into pages that overlap, with crosses that must meet when they are joined."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from vision.sheets.lettering import bounds_of, fitted
from vision.sheets.marks import cross
from vision.sheets.page import Content, Job, SheetError, room_on
from vision.sheets.shapes import FOLD, GREY, Pen, Rect, Shape, Stroke, Text, group

OVERLAP_MM: Final = 8.0
_CROSS_MM: Final = 2.6
_CROSS_IN_MM: Final = 5.0  # from the drawing's edge to a cross
_CROSS_PEN: Final = Pen(FOLD, 0.15)
_SEAM_PEN: Final = Pen(FOLD, 0.2, (2.0, 1.4))
_EDGE_PEN: Final = Pen(FOLD, 0.25)

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LargeDrawing:
    """Something large in a frame of its own, origin at its top left.

    No seam goes through what is in ``whole``, nor, if it can be helped, through words.
    """

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]
    whole: tuple[Rect, ...] = ()


def spans(length_mm: float, most_mm: float, whole: Sequence[Span], words: Sequence[Span] = ()) -> list[Span]:
    """Stretches that cover a length, each at most so long, overlapping where nothing lies that must stay whole.

    As few as it takes, and about equally long. Raises SheetError when there is no place for a seam.
    """
    if length_mm <= most_mm:
        return [(0.0, length_mm)]
    fewest = math.ceil((length_mm - OVERLAP_MM) / (most_mm - OVERLAP_MM))
    for count, kept in ((fewest, (*whole, *words)), *((fewest + more, whole) for more in range(4))):
        even = (length_mm + (count - 1) * OVERLAP_MM) / count
        for more_mm in range(int(most_mm - even) + 1):
            found = _stretch(length_mm, even + more_mm, kept)
            if found is not None and len(found) == count:
                return found
    raise SheetError(
        f"a drawing of {length_mm:.0f} mm cannot be joined from pages of {most_mm:.0f} mm: its markers are in the way "
        "of every seam; move the corner markers in the table file"
    )


def _stretch(length_mm: float, most_mm: float, whole: Sequence[Span]) -> list[Span] | None:
    found: list[Span] = []
    start = 0.0
    while start + most_mm < length_mm - 1e-6:
        seam = start + most_mm - OVERLAP_MM
        while any(seam < high and low < seam + OVERLAP_MM for low, high in whole):
            seam -= 1.0
        if seam <= start:
            return None
        found.append((start, seam + OVERLAP_MM))
        start = seam
    return [*found, (start, length_mm)]


def tiled(job: Job, drawing: LargeDrawing) -> list[Content]:
    """The drawing's pages, the paper lying whichever way takes fewer."""
    words = [bounds_of(shape) for shape in drawing.shapes if isinstance(shape, Text)]
    ways = []
    for landscape in (False, True):
        room = room_on(job.paper, landscape)
        across = ([(rect.x, rect.right) for rect in rects] for rects in (drawing.whole, words))
        down = ([(rect.y, rect.bottom) for rect in rects] for rects in (drawing.whole, words))
        columns = spans(drawing.width_mm, room.width, *across)
        rows = spans(drawing.height_mm, room.height, *down)
        ways.append((len(columns) * len(rows), landscape, columns, rows))
    _, landscape, columns, rows = min(ways, key=lambda way: way[:2])
    return [
        _tile(job, drawing, landscape, (columns, rows), (column, row))
        for row in range(len(rows))
        for column in range(len(columns))
    ]


def _tile(
    job: Job, drawing: LargeDrawing, landscape: bool, cut: tuple[list[Span], list[Span]], at: tuple[int, int]
) -> Content:
    (columns, rows), (column, row) = cut, at
    (left, right), (top, bottom) = columns[column], rows[row]
    room = room_on(job.paper, landscape)
    window = Rect(left, top, right - left, bottom - top)
    origin = (room.x + (room.width - window.width) / 2 - left, room.y + (room.height - window.height) / 2 - top)
    shapes = [*drawing.shapes, *_seams(columns, rows, drawing), *_edges(columns, rows, at, window)]
    note = ""
    if len(columns) * len(rows) > 1:
        key = "sheet.tile.part" if len(rows) == 1 else "sheet.tile.grid"
        note = job.say(key, column=column + 1, columns=len(columns), row=row + 1, rows=len(rows))
    return Content((group(shapes, origin, clip=window), *_joining(job, room, window, at)), landscape, note)


def _seams(columns: list[Span], rows: list[Span], drawing: LargeDrawing) -> Iterator[Shape]:
    """The crosses of every overlap, in the drawing's frame: both pages show the same ones."""
    xs, ys = ([(start + end) / 2 for (_, end), (start, _) in pairwise(along)] for along in (columns, rows))
    places = [(x, y) for x in xs for y in (_CROSS_IN_MM, drawing.height_mm - _CROSS_IN_MM)]
    places += [(x, y) for y in ys for x in (_CROSS_IN_MM, drawing.width_mm - _CROSS_IN_MM)]
    for place in places:
        yield from cross(place, _CROSS_MM, _CROSS_PEN)


def _edges(columns: list[Span], rows: list[Span], at: tuple[int, int], window: Rect) -> Iterator[Shape]:
    """Where this page is cut to lie on the one before it (solid), and where the next one's edge comes (dashed)."""
    column, row = at
    if column > 0:
        yield Stroke((window.x, window.y), (window.x, window.bottom), _EDGE_PEN)
    if column + 1 < len(columns):
        x = columns[column + 1][0]
        yield Stroke((x, window.y), (x, window.bottom), _SEAM_PEN)
    if row > 0:
        yield Stroke((window.x, window.y), (window.right, window.y), _EDGE_PEN)
    if row + 1 < len(rows):
        y = rows[row + 1][0]
        yield Stroke((window.x, y), (window.right, y), _SEAM_PEN)


def _joining(job: Job, room: Rect, window: Rect, at: tuple[int, int]) -> Iterator[Shape]:
    """How the pages are joined, said where there is room beside the drawing."""
    free = (room.height - window.height) / 2
    if at != (0, 0) and free > 4.0:
        text = job.say("sheet.tile.join")
        yield fitted((room.x, room.y + free - 1.6), text, 1.9, room.width, colour=GREY)
