"""The flat parts of a table, over as many pages as it takes: the play mat, and a track for those without the 3D board.

On the mat cards are laid; it has a place for the pile and says whose half is whose when hands are shown. Track and
markers are one drawing: markers laid by hand a millimetre or two off would cost accuracy (READING.md). What is larger
than paper is cut into pages that overlap, with crosses that must meet when they are joined."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from vision.printed.table import Table
from vision.sheets.lettering import bounds_of, centred_line, fitted
from vision.sheets.page import Content, Job, Sheet, SheetError, room_on, sheet_of
from vision.sheets.shapes import (
    CUT_PEN,
    FOLD,
    GREY,
    INK,
    PALE,
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
    cross,
    crossed_foils,
    group,
    margin_mm,
    marker,
    square,
)

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


_MAT_BORDER_MM: Final = 12.0  # of the mat around the play area
_FROM_EDGE_MM: Final = 12.0  # from the play area's far edge to the pile
_WHITE_HALF: Final[PrintColour] = (0.985, 0.975, 0.94)
_BLACK_HALF: Final[PrintColour] = (0.93, 0.945, 0.965)
_PLAY_PEN: Final = Pen(INK, 0.5)


def mat(job: Job) -> Sheet:
    """The play area with a border, over as many pages as it takes."""
    area = job.table.play_area
    width, height = area.x1 - area.x0 + 2 * _MAT_BORDER_MM, area.y1 - area.y0 + 2 * _MAT_BORDER_MM
    play = Rect(_MAT_BORDER_MM, _MAT_BORDER_MM, area.x1 - area.x0, area.y1 - area.y0)
    return sheet_of(job, "mat", tiled(job, LargeDrawing(width, height, tuple(_mat(job, play)))))


def _mat(job: Job, play: Rect) -> Iterator[Shape]:
    say = job.say
    x, _ = play.middle
    yield Oblong(play.grown(_MAT_BORDER_MM - 0.2), pen=CUT_PEN)
    yield Oblong(Rect(play.x, play.y, play.width / 2, play.height), fill=_WHITE_HALF)
    yield Oblong(Rect(x, play.y, play.width / 2, play.height), fill=_BLACK_HALF)
    pile = Rect(x - job.card.width_mm / 2, play.y + _FROM_EDGE_MM, job.card.width_mm, job.card.height_mm)
    top = play.y
    if pile.bottom + 20.0 < play.bottom and pile.width + 40.0 < play.width:
        top = pile.bottom + 3.0
        yield from _pile(job, pile)
    yield Stroke((x, top), (x, play.bottom), Pen(GREY, 0.4, (4.0, 2.0)))
    yield Oblong(play, pen=_PLAY_PEN)
    yield Oblong(play.grown(2.0), pen=Pen(GREY, 0.2))
    if job.slots:
        yield from _slots(job, play)
    half = play.width / 2 - 16.0
    foot = play.bottom - 13.0 if not job.slots else play.y + 12.0
    for side, middle in (("white", play.x + play.width / 4), ("black", play.right - play.width / 4)):
        yield centred_line((middle, foot), say(f"name.{side}"), 6.0, half, bold=True)
        yield centred_line((middle, foot + 7.0), say("sheet.mat.hand"), 2.8, half)
    yield centred_line((x, play.y - 4.6), say("sheet.mat.edge"), 2.4, play.width)


def _pile(job: Job, pile: Rect) -> Iterator[Shape]:
    yield Oblong(pile.grown(2.0), fill=(1.0, 1.0, 1.0), pen=Pen(GREY, 0.3), radius_mm=4.0)
    yield Oblong(pile, pen=Pen(PALE, 0.3, (2.0, 1.5)), radius_mm=3.0)
    yield group(crossed_foils(34.0, PALE, PALE), (pile.middle[0], pile.middle[1] - 8.0))
    x, y = pile.middle
    yield centred_line((x, y + 20.0), job.say("sheet.mat.pile_title"), 5.0, pile.width - 8.0, bold=True)
    yield centred_line((x, y + 27.0), job.say("sheet.mat.pile"), 2.2, pile.width - 6.0)


def _slots(job: Job, play: Rect) -> Iterator[Shape]:
    """The companion's five places, numbered; its cards lie on the numbers, so these stand above them, too."""
    area = job.table.play_area
    for number, (x_mm, y_mm) in enumerate(job.table.slots_mm, start=1):
        x, y = play.x + x_mm - area.x0, play.y + area.y1 - y_mm
        place = Rect(x - job.card.width_mm / 2, y - job.card.height_mm / 2, job.card.width_mm, job.card.height_mm)
        yield Oblong(place.grown(1.0), fill=WHITE, pen=Pen(GREY, 0.4), radius_mm=3.0)
        yield Text((x, y + 14.0), str(number), 28.0, PALE, bold=True, anchor="middle")
        yield centred_line((x, place.y + 8.0), job.say("sheet.mat.slot"), 2.4, place.width - 8.0)
        yield Disc((x, place.y - 5.4), 3.6, fill=GREY)
        yield Text((x, place.y - 3.7), str(number), 3.4, WHITE, bold=True, anchor="middle")


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
    shapes = tuple(_track(job, at, size))
    return sheet_of(job, "track", tiled(job, LargeDrawing(size.width, size.height, shapes, whole)))


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


def _track(job: Job, at: At, size: Rect) -> Iterator[Shape]:
    table = job.table
    yield Oblong(size.grown(-0.2), pen=CUT_PEN)
    for number, (space, half) in enumerate(zip(table.spaces_mm, _half_pitches(table), strict=True), start=1):
        yield from _space(at(space.x, space.y), number, half)
    for end, side, way in ((1, "white", 1.0), (len(table.spaces_mm), "black", -1.0)):
        space = table.space_mm(end)
        x, y = at(space.x, space.y)
        above = y - _DEPTH_MM / 2 - 4.0
        yield centred_line((x, above), job.say(f"name.{side}"), 3.4, 40.0, INK, bold=True)
        yield Path(((x + way * 22.0, above - 1.7), (x + way * 18.5, above - 3.4), (x + way * 18.5, above)), fill=GREY)
    area = table.play_area
    start_x, y = at(area.x0 - _MAT_BORDER_MM, area.y1 + _MAT_BORDER_MM)
    end_x, _ = at(area.x1 + _MAT_BORDER_MM, area.y1)
    if y < size.height - 1.0:
        yield Stroke((start_x, y), (end_x, y), Pen(GREY, 0.3, (3.0, 2.0)))
        middle = (start_x + end_x) / 2
        yield centred_line((middle, y + 4.0), job.say("sheet.track.mat"), 2.0, 150.0)
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
