"""Whole playing cards, for those whose cards are lost or too good to cover: fronts, and backs that are all alike."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from engine.rules.cards import DECK, Card
from vision.sheets.face import FIELD_LEFT_MM, FIELD_MM, VALUE_COLOURS, Face, face_on, upper_half
from vision.sheets.marks import crossed_foils
from vision.sheets.page import Grid, Job, Sheet, filled, grid, sheet_of, size_of
from vision.sheets.shapes import CUT_PEN, WHITE, Oblong, Pen, PrintColour, Rect, Shape, Stroke, group, half_round

_ROUNDING_MM: Final = 3.0
NAVY: Final[PrintColour] = (0.10, 0.17, 0.33)
GOLD: Final[PrintColour] = (0.83, 0.68, 0.36)
_STEEL: Final[PrintColour] = (0.30, 0.40, 0.60)
_BACK_EDGE_MM: Final = 4.0  # white, so that a sheet fed a little askew does not show
_LATTICE_MM: Final = 6.0


def cards(job: Job) -> Sheet:
    """25 fronts and a page of backs to print on the other side of each."""
    face = face_on(job.card, job.table)
    cells = grid(job.paper, face.width_mm, face.height_mm, 0.0)
    fronts = filled(
        cells, [list(_front(face, card, job.table.deck_letter)) for card in DECK], job.say("sheet.cards.fronts")
    )
    back = [list(_back(face)) for _ in cells.places]
    backs = filled(_mirrored(cells, job, face), back, job.say("sheet.cards.backs"))
    return sheet_of(job, "cards", [*fronts, *(page._replace(mirrored=True) for page in backs)])


def _mirrored(cells: Grid, job: Job, face: Face) -> Grid:
    """The cells as they lie seen from the other side of a sheet turned over its upright edge."""
    width, _ = size_of(job.paper, cells.landscape)
    return Grid(tuple((width - x - face.width_mm, y) for x, y in cells.places), cells.landscape)


def _edge(face: Face) -> Rect:
    return Rect(0.0, 0.0, face.width_mm, face.height_mm)


def _front(face: Face, card: Card, deck: str) -> Iterator[Shape]:
    colour = VALUE_COLOURS[card.value]
    frame_mm = (face.code.x - face.quiet_mm) / 2
    inner = _edge(face).grown(-frame_mm)
    yield Oblong(_edge(face), pen=CUT_PEN, radius_mm=_ROUNDING_MM)
    yield Oblong(inner, pen=Pen(colour, min(0.35, frame_mm / 2)), radius_mm=_ROUNDING_MM - frame_mm)
    yield from _band(face, card.value)
    yield from upper_half(face, card, deck)
    yield half_round(upper_half(face, card, deck), face.width_mm, face.height_mm)


def _band(face: Face, value: int) -> Iterator[Shape]:
    """Behind the pips: a pale field with the foils, between the two that show the value."""
    colour = VALUE_COLOURS[value]
    beside = FIELD_LEFT_MM + FIELD_MM + 0.8
    band = Rect(beside, face.band.y + 0.8, face.width_mm - 2 * beside, face.band.height - 1.6)
    yield Oblong(band, fill=_pale(colour, 0.10), radius_mm=1.6)
    yield group(
        crossed_foils(min(band.width * 0.62, band.height * 1.4), _pale(colour, 0.34), _pale(colour, 0.34)), band.middle
    )


def _pale(colour: PrintColour, share: float) -> PrintColour:
    """So much of a colour, the rest white."""
    red, green, blue = (1.0 - share + share * part for part in colour)
    return red, green, blue


def _back(face: Face) -> Iterator[Shape]:
    yield Oblong(_edge(face), pen=CUT_PEN, radius_mm=_ROUNDING_MM)
    field = _edge(face).grown(-_BACK_EDGE_MM)
    yield Oblong(field, fill=NAVY, radius_mm=1.5)
    yield Oblong(field.grown(-1.4), pen=Pen(GOLD, 0.35), radius_mm=0.8)
    inner = field.grown(-2.6)
    yield group(lattice(inner), clip=inner)
    x, y = field.middle
    yield Oblong(Rect(x - 17.0, y - 11.0, 34.0, 22.0), fill=NAVY, pen=Pen(GOLD, 0.35), radius_mm=11.0)
    yield group(crossed_foils(26.0, GOLD, WHITE), (x, y))


def lattice(field: Rect) -> Iterator[Shape]:
    """A back's pattern: diagonals both ways, alike however the card is turned."""
    x, y = field.middle
    reach = math.hypot(field.width, field.height)
    count = int(reach / _LATTICE_MM) + 1
    for number in range(-count, count + 1):
        for slope in (-1.0, 1.0):
            at = (number + 0.5) * _LATTICE_MM
            yield _diagonal((x + at, y), slope, reach)


def _diagonal(through: tuple[float, float], slope: float, reach: float) -> Shape:
    x, y = through
    return Stroke((x - reach, y - slope * reach), (x + reach, y + slope * reach), Pen(_STEEL, 0.25))
