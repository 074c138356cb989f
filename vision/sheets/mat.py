"""The play mat: where cards are laid, a place for the pile, and whose half is whose when hands are shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from vision.sheets.lettering import bounds_of, fitted
from vision.sheets.marks import crossed_foils
from vision.sheets.page import Job, Sheet, sheet_of
from vision.sheets.shapes import (
    CUT_PEN,
    GREY,
    INK,
    PALE,
    WHITE,
    Disc,
    Oblong,
    Pen,
    PrintColour,
    Rect,
    Shape,
    Stroke,
    Text,
    group,
)
from vision.sheets.tiles import LargeDrawing, tiled

BORDER_MM: Final = 12.0  # of the mat around the play area
_FROM_EDGE_MM: Final = 12.0  # from the play area's far edge to the pile
_WHITE_HALF: Final[PrintColour] = (0.985, 0.975, 0.94)
_BLACK_HALF: Final[PrintColour] = (0.93, 0.945, 0.965)
_EDGE_PEN: Final = Pen(INK, 0.5)


def mat(job: Job) -> Sheet:
    """The play area with a border, over as many pages as it takes."""
    area = job.table.play_area
    width, height = area.x1 - area.x0 + 2 * BORDER_MM, area.y1 - area.y0 + 2 * BORDER_MM
    play = Rect(BORDER_MM, BORDER_MM, area.x1 - area.x0, area.y1 - area.y0)
    shapes = tuple(_shapes(job, play))
    words = tuple(bounds_of(shape) for shape in shapes if isinstance(shape, Text))
    return sheet_of(job, "mat", tiled(job, LargeDrawing(width, height, shapes, words=words)))


def _shapes(job: Job, play: Rect) -> Iterator[Shape]:
    say = job.say
    x, _ = play.middle
    yield Oblong(play.grown(BORDER_MM - 0.2), pen=CUT_PEN)
    yield Oblong(Rect(play.x, play.y, play.width / 2, play.height), fill=_WHITE_HALF)
    yield Oblong(Rect(x, play.y, play.width / 2, play.height), fill=_BLACK_HALF)
    pile = Rect(x - job.card.width_mm / 2, play.y + _FROM_EDGE_MM, job.card.width_mm, job.card.height_mm)
    top = play.y
    if pile.bottom + 20.0 < play.bottom and pile.width + 40.0 < play.width:
        top = pile.bottom + 3.0
        yield from _pile(job, pile)
    yield Stroke((x, top), (x, play.bottom), Pen(GREY, 0.4, (4.0, 2.0)))
    yield Oblong(play, pen=_EDGE_PEN)
    yield Oblong(play.grown(2.0), pen=Pen(GREY, 0.2))
    if job.slots:
        yield from _slots(job, play)
    half = play.width / 2 - 16.0
    foot = play.bottom - 13.0 if not job.slots else play.y + 12.0
    for side, middle in (("white", play.x + play.width / 4), ("black", play.right - play.width / 4)):
        yield fitted((middle, foot), say(f"name.{side}"), 6.0, half, colour=GREY, bold=True, anchor="middle")
        yield fitted((middle, foot + 7.0), say("sheet.mat.hand"), 2.8, half, colour=GREY, anchor="middle")
    words = say("sheet.mat.edge")
    yield fitted((x, play.y - 4.6), words, 2.4, play.width, colour=GREY, anchor="middle")


def _pile(job: Job, pile: Rect) -> Iterator[Shape]:
    yield Oblong(pile.grown(2.0), fill=(1.0, 1.0, 1.0), pen=Pen(GREY, 0.3), radius_mm=4.0)
    yield Oblong(pile, pen=Pen(PALE, 0.3, (2.0, 1.5)), radius_mm=3.0)
    yield group(crossed_foils(34.0, PALE, PALE), (pile.middle[0], pile.middle[1] - 8.0))
    yield fitted(
        (pile.middle[0], pile.middle[1] + 20.0),
        job.say("sheet.mat.pile_title"),
        5.0,
        pile.width - 8.0,
        colour=GREY,
        bold=True,
        anchor="middle",
    )
    yield fitted(
        (pile.middle[0], pile.middle[1] + 27.0),
        job.say("sheet.mat.pile"),
        2.2,
        pile.width - 6.0,
        colour=GREY,
        anchor="middle",
    )


def _slots(job: Job, play: Rect) -> Iterator[Shape]:
    """The companion's five places, numbered; its cards lie on the numbers, so these stand above them, too."""
    area = job.table.play_area
    for number, (x_mm, y_mm) in enumerate(job.table.slots_mm, start=1):
        x, y = play.x + x_mm - area.x0, play.y + area.y1 - y_mm
        place = Rect(x - job.card.width_mm / 2, y - job.card.height_mm / 2, job.card.width_mm, job.card.height_mm)
        yield Oblong(place.grown(1.0), fill=WHITE, pen=Pen(GREY, 0.4), radius_mm=3.0)
        yield Text((x, y + 14.0), str(number), 28.0, PALE, bold=True, anchor="middle")
        yield fitted(
            (x, place.y + 8.0), job.say("sheet.mat.slot"), 2.4, place.width - 8.0, colour=GREY, anchor="middle"
        )
        yield Disc((x, place.y - 5.4), 3.6, fill=GREY)
        yield Text((x, place.y - 3.7), str(number), 3.4, WHITE, bold=True, anchor="middle")
