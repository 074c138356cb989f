"""The print on a card or its label: the code where the eyes expect it, and the value beside it.

The value stands three times in each half: large beside the code, to be read across the table; in a coloured field at
the left edge, where a fanned hand shows it; and as pips, for whoever sees no colours.
Source: FORMATS.md, "Printed codes".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.rules.cards import Card
from vision.printed.card_shape import USUAL_MARGIN
from vision.printed.qr import qr_bits
from vision.printed.table import CardSize, LabelMargin, Table
from vision.printed.tags import QR_MODULES, QUIET_MODULES, payload
from vision.sheets.lettering import CAPITAL, FIGURE, width_mm
from vision.sheets.page import SheetError
from vision.sheets.shapes import GREY, WHITE, Code, Oblong, Path, Place, PrintColour, Rect, Shape, Text

VALUE_COLOURS: Final[dict[int, PrintColour]] = {
    1: (0.09, 0.33, 0.56),
    2: (0.10, 0.42, 0.20),
    3: (0.62, 0.38, 0.02),
    4: (0.68, 0.12, 0.14),
    5: (0.40, 0.17, 0.47),
}
FIELD_MM: Final = 13.5  # the coloured field's width: less than a fanned hand shows of a card
FIELD_LEFT_MM: Final = 1.5
_EDGE_MM: Final = 0.9  # white between a quiet zone and the card's edge
_MIN_COLUMN_MM: Final = 14.0
_MIN_BAND_MM: Final = 9.0
_DICE: Final[dict[int, tuple[Place, ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Face:
    """The geometry of a card's front: its size and its codes', mm; origin at the card's top left corner."""

    width_mm: float
    height_mm: float
    qr_mm: float
    margin: LabelMargin = USUAL_MARGIN

    @property
    def edge(self) -> Rect:
        """The whole card."""
        return Rect(0.0, 0.0, self.width_mm, self.height_mm)

    @property
    def quiet_mm(self) -> float:
        """The width of the quiet zone around a code."""
        return self.qr_mm * QUIET_MODULES / QR_MODULES

    @property
    def code(self) -> Rect:
        """The upper code's modules."""
        return Rect(self.margin.across_mm, self.margin.down_mm, self.qr_mm, self.qr_mm)

    @property
    def quiet(self) -> Rect:
        """The upper code with its quiet zone."""
        return self.code.grown(self.quiet_mm)

    @property
    def band(self) -> Rect:
        """The free band between both codes. Its left half is the upper code's, its right half the lower's."""
        return Rect(0.0, self.quiet.bottom, self.width_mm, self.height_mm - 2 * self.quiet.bottom)

    @property
    def column(self) -> Rect:
        """Beside the upper code."""
        left = self.quiet.right + 0.6
        top = self.margin.down_mm
        return Rect(left, top - 1.0, self.width_mm - 2.6 - left, self.quiet.bottom - top)


def face_on(card: CardSize, table: Table) -> Face:
    """The front of a card of this size with this table's codes, where its file has them. Raises as ``face_of``."""
    return face_of(card, table.qr_mm, table.label_margin or USUAL_MARGIN)


def face_of(card: CardSize, qr_mm: float, margin: LabelMargin = USUAL_MARGIN) -> Face:
    """The front of a card with codes of this size, so far from its edges.

    Raises SheetError when two codes with their quiet zones and a legible value do not fit it.
    """
    room = largest_code_mm(card, margin)
    if qr_mm > room:
        raise SheetError(
            f"[cards] qr_mm: codes of {qr_mm:g} mm leave no room for the value on cards of {card.width_mm:g} x "
            f"{card.height_mm:g} mm, which hold {room:.1f} mm at most; make them smaller in the table file"
        )
    return Face(card.width_mm, card.height_mm, qr_mm, margin)


def largest_code_mm(card: CardSize, margin: LabelMargin = USUAL_MARGIN) -> float:
    """The largest code that a card of this size holds twice, with quiet zones and a legible value beside it."""
    return min(
        (min(margin) - _EDGE_MM) * QR_MODULES / QUIET_MODULES,
        _largest(card.width_mm - margin.across_mm - _MIN_COLUMN_MM - 3.2),
        _largest((card.height_mm - _MIN_BAND_MM) / 2 - margin.down_mm),
    )


def _largest(room_mm: float) -> float:
    """The largest code that fits here with its quiet zone on one side."""
    return room_mm * QR_MODULES / (QR_MODULES + QUIET_MODULES)


def upper_half(face: Face, card: Card, deck: str) -> Iterator[Shape]:
    """The upper half of a front; the lower one is the same, turned half round."""
    colour = VALUE_COLOURS[card.value]
    yield Oblong(face.quiet, fill=WHITE)
    yield Code(face.code, qr_bits(payload(card, deck)))
    yield from _beside(face, card, colour)
    yield from _field(face, card.value, colour)


def _beside(face: Face, card: Card, colour: PrintColour) -> Iterator[Shape]:
    column = face.column
    middle = column.middle[0]
    high = min(column.width / _digit_width(card.value), column.height - 11.0)
    yield _digit((middle, column.y + high), card.value, high, colour)
    step = min(4.4, column.width / 5)
    top = column.y + high + 4.2
    for number in range(card.value):
        yield pip((middle + (number - (card.value - 1) / 2) * step, top), step * 0.4, colour)
    yield Text((middle, min(top + 5.4, column.bottom)), f"{card.value}{card.letter}", 2.2, GREY, anchor="middle")


def _field(face: Face, value: int, colour: PrintColour) -> Iterator[Shape]:
    band = face.band
    field = Rect(FIELD_LEFT_MM, band.y + 0.8, FIELD_MM, band.height - 1.6)
    yield Oblong(field, fill=colour, radius_mm=1.6)
    high = min(field.height - 3.0, (FIELD_MM - 2.0) / _digit_width(value))
    yield _digit((field.middle[0], field.middle[1] + high / 2), value, high, WHITE)
    reach = min(4.0, field.height / 2 - 2.0)
    x = (field.right + face.width_mm / 2) / 2
    for across, down in _DICE[value]:
        yield pip((x + across * reach, field.middle[1] + down * reach), 1.5, colour)


def pip(middle: Place, reach_mm: float, colour: PrintColour) -> Path:
    """A diamond."""
    x, y = middle
    return Path(((x, y - reach_mm), (x + reach_mm, y), (x, y + reach_mm), (x - reach_mm, y)), fill=colour)


def _digit(at: Place, value: int, high_mm: float, colour: PrintColour) -> Text:
    return Text(at, str(value), high_mm * CAPITAL / FIGURE, colour, bold=True, anchor="middle")


def _digit_width(value: int) -> float:
    """Of a digit one high."""
    return width_mm(str(value), CAPITAL, bold=True) / FIGURE
