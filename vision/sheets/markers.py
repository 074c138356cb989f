"""The board's corner markers, each on a piece of its own, and the tabs that carry the fencers' tags.

A tab is a paper ring that slips over the base, a step, and the tag flat in front at its height. Unfolded, with the
ring's middle as origin and y towards the players: the ring and its neck lie on the board, a riser as high as the tag's
place lifts the plate, and three skirts with feet hold it there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from engine.rules.track import Side
from vision.printed.table import Corner, Table
from vision.sheets.lettering import centred_line, fitted, numbered
from vision.sheets.page import Content, Job, Sheet, SheetError, room_on, sheet_of
from vision.sheets.pictures import drawing, plan
from vision.sheets.shapes import (
    CUT_PEN,
    FOLD_PEN,
    GREY,
    HAIR,
    INK,
    PALE,
    Disc,
    Oblong,
    Path,
    Pen,
    Place,
    Rect,
    Shape,
    Stroke,
    Text,
    cross,
    group,
    margin_mm,
    marker,
    square,
)

_CORNER_RIM_MM: Final = 3.2
_LABEL_MM: Final = 10.0
_GAP_MM: Final = 6.0
_PLAN_MM: Final = 74.0
_WORDS_MM: Final = 50.0
_TICK_MM: Final = 2.4


def corners(job: Job) -> Sheet:
    """All of the board's markers. Raises SheetError when they do not fit a page."""
    table = job.table
    room = room_on(job.paper, landscape=False)
    side = table.board_size_mm + 2 * (margin_mm(table.board_size_mm, table.dictionary) + _CORNER_RIM_MM)
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
        shapes.append(group(_corner_piece(job, corner, side), at))
    shapes += plan(table, Rect(room.x, room.bottom - _PLAN_MM + 2.0, room.width, _PLAN_MM - 4.0))
    return sheet_of(job, "corners", [Content(tuple(shapes))])


def _as_they_lie(found: tuple[Corner, ...]) -> list[Corner]:
    """Far ones first, each row from the left."""
    middle = sum(corner.y for corner in found) / len(found)
    return sorted(found, key=lambda corner: (corner.y < middle, corner.x))


def _corner_piece(job: Job, corner: Corner, side: float) -> Iterator[Shape]:
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


RISE_PEN: Final = Pen((0.80, 0.15, 0.15), 0.35, (0.35, 0.9))
_PLATE_RIM_MM: Final = 0.5  # paper between the tag's white margin and the plate's edge
_BETWEEN_MM: Final = 0.4  # two rings on neighbouring spaces keep so far apart
_RING_WALL_MM: Final = 1.8
_MIN_RING_MM: Final = 8.0
_FLAT_MM: Final = 0.5  # below this height the paper just lies flat
_MAX_HEIGHT_MM: Final = 25.0
_FOOT_MM: Final = 7.0
_SLITS: Final = 16
_COPIES: Final = 2
_CAPTION_MM: Final = 9.0


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab's unfolded geometry, mm. ``tag`` is the tag's middle, ``high`` its height above the board."""

    tag: Place
    plate: Rect
    high: float
    ring_mm: float
    neck_mm: float

    @property
    def low_fold(self) -> float:
        """Where the neck leaves the board."""
        return self.plate.y - self.high

    @property
    def foot_mm(self) -> float:
        """How deep the skirts' feet are; none where the plate lies flat."""
        return min(_FOOT_MM, self.plate.width / 2 - 2.0) if self.high else 0.0

    @property
    def bounds(self) -> Rect:
        """Everything that is cut out."""
        reach = self.plate.width / 2 + self.high + self.foot_mm
        left, right = min(-self.ring_mm, self.tag[0] - reach), max(self.ring_mm, self.tag[0] + reach)
        bottom = self.plate.bottom + self.high + self.foot_mm
        return Rect(left, -self.ring_mm, right - left, bottom + self.ring_mm)


def tab_of(table: Table) -> Tab:
    """The tab for this table. Raises SheetError where its tag's place leaves no room for one."""
    offset = table.fencer_offset_mm
    half = table.fencer_size_mm / 2 + margin_mm(table.fencer_size_mm, table.dictionary) + _PLATE_RIM_MM
    high = offset.z if offset.z >= _FLAT_MM else 0.0
    places = table.spaces_mm
    nearest = min(math.dist((a.x, a.y), (b.x, b.y)) for a, b in pairwise(places))
    ring = min((nearest - _BETWEEN_MM) / 2, -offset.y - half)
    if (nearest - _BETWEEN_MM) / 2 < _MIN_RING_MM:
        raise SheetError(
            f"[track] pitch_mm: two spaces lie {nearest:g} mm apart, and the rings of two fencers side by side need "
            f"{2 * _MIN_RING_MM + _BETWEEN_MM:g} mm; print the rings of hardware/printables instead of paper tabs"
        )
    if ring < _MIN_RING_MM or not 0.0 <= offset.z <= _MAX_HEIGHT_MM or abs(offset.x) > half:
        raise SheetError(
            f"[fencers] offset_mm: no tab can be folded that holds a tag of {table.fencer_size_mm:g} mm at "
            f"[{offset.x:g}, {offset.y:g}, {offset.z:g}]; the tag belongs at least {half + _MIN_RING_MM:.0f} mm in "
            f"front of the base (y negative), beside it by at most {half:.0f} mm and 0 to {_MAX_HEIGHT_MM:g} mm high"
        )
    # The riser stands upright, so on the flat paper everything beyond it is its height further away.
    tag = (offset.x, -offset.y + high)
    return Tab(tag, square(tag, 2 * half), high, ring, min(0.7 * ring, half - 3.0))


def tabs(job: Job) -> Sheet:
    """Both fencers' tabs, each twice."""
    table = job.table
    tab = tab_of(table)
    room = room_on(job.paper, landscape=False)
    bounds = tab.bounds
    high = bounds.height + _CAPTION_MM
    words_mm = room.height - 2 * high - 4.0
    if words_mm < 40.0 or 2 * bounds.width + 6.0 > room.width:
        raise SheetError(
            f"[fencers] size_mm: four tabs for tags of {table.fencer_size_mm:g} mm, {table.fencer_offset_mm.z:g} mm "
            "high, do not fit a page; make the tags smaller, or lower or nearer in offset_mm"
        )
    shapes = list(_tab_words(job, tab, Rect(room.x, room.y, room.width, min(words_mm, 76.0))))
    gap = (room.width - 2 * bounds.width) / 3
    for row in range(_COPIES):
        for column, side in enumerate(Side):
            left = room.x + gap + column * (bounds.width + gap)
            top = room.bottom - (_COPIES - row) * high
            piece = [*_caption(job, side, bounds, spare=row > 0), *_tab_piece(job, tab, side)]
            shapes.append(group(piece, (left - bounds.x, top + _CAPTION_MM - bounds.y)))
    return sheet_of(job, "tabs", [Content(tuple(shapes))])


def _caption(job: Job, side: Side, bounds: Rect, *, spare: bool) -> Iterator[Shape]:
    text = job.say("sheet.tabs.caption", side=job.say(f"name.{side.value}"), id=job.table.fencer_ids[side])
    if spare:
        text = f"{text} · {job.say('sheet.tabs.spare')}"
    at = (bounds.middle[0], bounds.y - 3.2)
    yield centred_line(at, text, 2.4, bounds.width + 24.0, INK, bold=True)


def _tab_piece(job: Job, tab: Tab, side: Side) -> Iterator[Shape]:
    table = job.table
    yield Path(tuple(_outline(tab)), pen=CUT_PEN)
    yield from _ring(tab)
    yield from _folds(tab)
    yield from marker(tab.tag, table.fencer_ids[side], table.fencer_size_mm, table.dictionary)
    below_ring = max(tab.ring_mm, 0.0)
    if tab.low_fold - below_ring > 3.6:
        middle = (tab.tag[0] * 0.9, (tab.low_fold + below_ring) / 2 + 1.0)
        yield centred_line(middle, job.say(f"name.{side.value}"), 2.0, 2 * tab.neck_mm - 2.0, INK, bold=True)


def _outline(tab: Tab) -> list[Place]:
    plate, x, high, foot, neck = tab.plate, tab.tag[0], tab.high, tab.foot_mm, tab.neck_mm
    mitre = 0.6 * foot

    def side(edge: float, out: float) -> list[Place]:
        """From the neck to the middle of the plate's lower edge: the skirt beside the plate, half of the one below."""
        if not high:
            return [(x + out * neck, plate.y), (edge, plate.y), (edge, plate.bottom)]
        beside, foot_end = edge + out * high, edge + out * high + out * foot
        return [
            (x + out * neck, plate.y),
            (edge, plate.y),
            (beside, plate.y),
            (foot_end, plate.y + mitre),
            (foot_end, plate.bottom - mitre),
            (beside, plate.bottom),
            (edge, plate.bottom),
            (edge, plate.bottom + high),
            (edge - out * mitre, plate.bottom + high + foot),
        ]

    return [*_ground(tab), *side(plate.x, -1.0), *reversed(side(plate.right, 1.0))]


def _ground(tab: Tab) -> list[Place]:
    """Ring and neck on the board: from the neck's right end round the ring to its left end."""
    angles = np.linspace(0, 2 * math.pi, 120, endpoint=False)
    rim = np.column_stack([np.cos(angles), np.sin(angles)]) * tab.ring_mm
    ends = np.array([[tab.tag[0] + tab.neck_mm, tab.low_fold], [tab.tag[0] - tab.neck_mm, tab.low_fold]])
    points = np.vstack([rim, ends])
    hull = cv2.convexHull(points.astype(np.float32), returnPoints=False, clockwise=True)
    order = [int(number) for number in hull.ravel()]
    # The hull goes round one way or the other, as y points down: it has to end with the neck's left end.
    right, left = len(rim), len(rim) + 1
    start = order.index(right)
    order = order[start:] + order[:start]
    if order[1] == left:
        order = [order[0], *reversed(order[1:])]
    return [(float(points[number, 0]), float(points[number, 1])) for number in order]


def _ring(tab: Tab) -> Iterator[Shape]:
    most = tab.ring_mm - _RING_WALL_MM
    least = max(most / 2, 4.0)
    for number in range(_SLITS):
        angle = 2 * math.pi * (number + 0.5) / _SLITS
        c, s = math.cos(angle), math.sin(angle)
        yield Stroke((least * c, least * s), (most * c, most * s), CUT_PEN)
    yield Disc((0.0, 0.0), least, pen=CUT_PEN)
    for diameter in range(2 * math.ceil(least), 2 * math.floor(most) + 1, 2):
        yield Disc((0.0, 0.0), diameter / 2, pen=Pen(PALE, 0.12))
    yield Disc((0.0, 0.0), most, pen=Pen(PALE, 0.12))
    yield from cross((0.0, 0.0), 1.5, HAIR)
    yield Text((0.0, -1.8), f"Ø {2 * least:.0f}-{math.floor(2 * most + 1e-9)}", 1.4, GREY, anchor="middle")


def _folds(tab: Tab) -> Iterator[Shape]:
    if not tab.high:
        return
    plate, x, high = tab.plate, tab.tag[0], tab.high
    yield Stroke((x - tab.neck_mm, tab.low_fold), (x + tab.neck_mm, tab.low_fold), RISE_PEN)
    yield Stroke((x - tab.neck_mm, plate.y), (x + tab.neck_mm, plate.y), FOLD_PEN)
    for edge, way in ((plate.x, -1.0), (plate.right, 1.0)):
        yield Stroke((edge, plate.y), (edge, plate.bottom), FOLD_PEN)
        yield Stroke((edge + way * high, plate.y), (edge + way * high, plate.bottom), FOLD_PEN)
    yield Stroke((plate.x, plate.bottom), (plate.right, plate.bottom), FOLD_PEN)
    yield Stroke((plate.x, plate.bottom + high), (plate.right, plate.bottom + high), FOLD_PEN)


def _tab_words(job: Job, tab: Tab, box: Rect) -> Iterator[Shape]:
    """How it is made, what the lines mean, and a folded tab from the side."""
    say = job.say
    picture_mm = 66.0
    text = Rect(box.x, box.y, box.width - picture_mm - 6.0, box.height - 4.0)
    yield from numbered(text, [say(f"sheet.tabs.how_{step}") for step in range(1, 5)], 2.5)
    left = box.right - picture_mm
    for row, (key, pen) in enumerate((("cut", Pen(INK, 0.3)), ("down", FOLD_PEN), ("up", RISE_PEN))):
        y = box.y + 2.0 + row * 6.0
        yield Stroke((left, y), (left + 13.0, y), pen)
        yield fitted((left + 15.5, y + 0.9), say(f"sheet.tabs.{key}"), 2.2, picture_mm - 15.5)
    if tab.high:
        side = Rect(left, box.y + 24.0, picture_mm, min(38.0, box.height - 25.0))
        yield drawing("tab_side", side)
        offset, low = job.table.fencer_offset_mm, side.middle[1]
        yield Text((left + 28.25, low + 18.4), f"{-offset.y:g} mm", 1.8, anchor="middle")
        yield Text((left + 44.5, low + 5.8), f"{offset.z:g} mm", 1.8, anchor="middle")
