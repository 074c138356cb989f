"""Small pictures beside the steps of the first page. Not to scale; each fills a box."""

from __future__ import annotations

from collections.abc import Iterator

from vision.printed.table import Table
from vision.sheets.face import VALUE_COLOURS, Face
from vision.sheets.marks import arrow, square
from vision.sheets.plan import plan
from vision.sheets.shapes import (
    FOLD,
    GREY,
    HAIR,
    INK,
    PALE,
    WHITE,
    Disc,
    Oblong,
    Path,
    Pen,
    PrintColour,
    Rect,
    Shape,
    Stroke,
    Text,
    group,
)

_PAPER: PrintColour = (0.97, 0.97, 0.95)
_WOOD: PrintColour = (0.80, 0.70, 0.52)
_RED: PrintColour = (0.68, 0.12, 0.14)


def _middle_of(box: Rect, width: float, height: float) -> Rect:
    x, y = box.middle
    return Rect(x - width / 2, y - height / 2, width, height)


def rulers(box: Rect) -> Iterator[Shape]:
    """A sheet with its printed ruler, and a wooden one laid against it."""
    page = _middle_of(box, 40.0, min(30.0, box.height))
    yield Oblong(page, fill=_PAPER, pen=Pen(GREY, 0.2))
    printed = page.bottom - 14.0
    yield Stroke((page.x + 4.0, printed), (page.x + 34.0, printed), Pen(INK, 0.3))
    for tick in range(11):
        yield Stroke((page.x + 4.0 + 3.0 * tick, printed), (page.x + 4.0 + 3.0 * tick, printed - 2.4), Pen(INK, 0.2))
    wood = Rect(page.x + 1.0, printed + 1.0, 38.0, 8.0)
    yield Oblong(wood, fill=_WOOD, radius_mm=0.6)
    for tick in range(12):
        yield Stroke((wood.x + 3.0 + 3.0 * tick, wood.y), (wood.x + 3.0 + 3.0 * tick, wood.y + 2.4), Pen(INK, 0.2))
    yield Text((page.middle[0], page.y + 8.0), "100 %", 3.6, FOLD, bold=True, anchor="middle")


def sleeve(face: Face, box: Rect) -> Iterator[Shape]:
    """A slip on its way into a sleeve that holds a card."""
    high = min(box.height * 0.86, (box.width - 12.0) / 2 * face.height_mm / face.width_mm)
    scale = high / face.height_mm
    wide = face.width_mm * scale
    sleeve_box = Rect(box.x + 1.0, box.bottom - high, wide + 1.4, high)
    yield Oblong(sleeve_box, fill=(0.88, 0.92, 0.97), pen=Pen(FOLD, 0.25), radius_mm=0.8)
    yield Oblong(Rect(sleeve_box.x + 0.7, sleeve_box.y + 1.4, wide, high - 2.1), fill=_WOOD, radius_mm=0.8)
    slip = Rect(sleeve_box.right + 5.0, box.y, wide, high)
    yield Oblong(slip, fill=WHITE, pen=HAIR)
    for turn in (False, True):
        x, y = face.code.x * scale, face.code.y * scale
        size = face.qr_mm * scale
        at = (
            Rect(slip.right - x - size, slip.bottom - y - size, size, size)
            if turn
            else Rect(slip.x + x, slip.y + y, size, size)
        )
        yield Oblong(at, fill=INK)
    yield Text(
        (slip.right - wide * 0.20, slip.y + high * 0.28), "3", wide * 0.24, VALUE_COLOURS[3], bold=True, anchor="middle"
    )
    yield from arrow(
        (slip.x - 0.6, box.bottom - high * 0.4), (sleeve_box.right - 5.0, box.bottom - high * 0.4), _RED, 0.6
    )


def ring(box: Rect) -> Iterator[Shape]:
    """A base from above in its ring, the tag in front of it."""
    x = box.middle[0]
    top = box.y + 9.0
    yield Oblong(Rect(x - 4.0, top, 8.0, 17.0), fill=_PAPER, pen=HAIR)
    yield Disc((x, top), 8.4, fill=_PAPER, pen=HAIR)
    yield Disc((x, top), 6.4, fill=GREY)
    yield Path(((x - 2.0, top + 3.0), (x, top - 4.0), (x + 2.0, top + 3.0)), fill=PALE)
    plate = square((x, top + 17.5), 12.0)
    yield Oblong(plate, fill=WHITE, pen=HAIR)
    yield Oblong(plate.grown(-1.8), fill=INK)
    yield Oblong(plate.grown(-3.8), fill=WHITE)
    yield Oblong(square((x + 0.8, top + 16.8), 2.4), fill=INK)


def board(table: Table, box: Rect) -> Iterator[Shape]:
    """The plan, as small as it gets."""
    yield from plan(table, box, numbers=False)


def mat(table: Table, box: Rect) -> Iterator[Shape]:
    """The mat in front of the board, a pile and a few cards on it."""
    yield group([*plan(table, box, numbers=False)])
    x, y = box.middle[0], box.middle[1] + 4.6
    for shift, turn in ((-6.0, -12.0), (-1.6, 4.0), (3.4, 12.0)):
        yield group(
            [Oblong(Rect(-1.6, -2.2, 3.2, 4.4), fill=WHITE, pen=Pen(INK, 0.15), radius_mm=0.3)], (x + shift, y), turn
        )


def pitch(box: Rect) -> Iterator[Shape]:
    """Spaces in a row with a measure from the first one's middle to another's."""
    step, left = 7.0, box.x + 4.5
    y = box.middle[1] + 1.0
    for number in range(6):
        x = left + step * number
        yield Oblong(square((x, y), step), fill=_PAPER if number % 2 else PALE, pen=HAIR)
        yield Disc((x, y), 0.5, fill=INK)
    yield from arrow((left + 17.0, y - 7.0), (left, y - 7.0), _RED)
    yield from arrow((left + 18.0, y - 7.0), (left + 5 * step, y - 7.0), _RED)
    for x in (left, left + 5 * step):
        yield Stroke((x, y - 9.0), (x, y - 1.0), Pen(_RED, 0.2))
    yield Text((left + 17.5, y - 8.6), "mm", 2.4, _RED, bold=True, anchor="middle")
