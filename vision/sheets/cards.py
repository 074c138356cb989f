"""What cards are made from: labels for their sleeves, whole playing cards, labels for their backs, and strips to feel.

The value stands three times in each half of a front: large beside the code, to be read across the table; in a coloured
field at the left edge, where a fanned hand shows it; and as pips, for whoever sees no colours. Both labels of a card
are on one slip that goes into its sleeve, with a stepped line where they come apart. All slips for the backs look alike
but for their codes, so that the companion can play with cards that no person can read: a code says nothing but a token
drawn by lot, and which card it belongs to is known once both sides were shown to the camera.
Source: FORMATS.md, "Printed codes".
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.rules.cards import DECK, Card
from vision.printed.card_shape import LABEL_MARGIN_MM, USUAL_MARGIN
from vision.printed.table import CardSize, LabelMargin, Table
from vision.printed.tags import QR_MODULES, QUIET_MODULES, back_payload, payload, qr_bits
from vision.sheets.lettering import CAPITAL, FIGURE, fitted, numbered, paragraph, width_mm
from vision.sheets.page import Content, Grid, Job, Sheet, SheetError, filled, grid, room_on, sheet_of, size_of
from vision.sheets.shapes import (
    CUT_PEN,
    FOLD,
    FOLD_PEN,
    GREY,
    HAIR,
    INK,
    PALE,
    WHITE,
    Code,
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
    crossed_foils,
    group,
    half_round,
)

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


INSET_MM: Final = 0.65  # a slip is so much smaller than the card on every side; nine of the usual size fit A4
_STEP_PEN: Final = Pen(GREY, 0.15, (1.6, 1.2))
_STEP_OFF_MM: Final = 0.3  # the stepped line keeps off the other label's quiet zone
_ROW_PEN: Final = Pen(PALE, 0.2, (1.0, 1.0))
_MEASURES_MM: Final = 27.0
_ROUNDING_MM: Final = 3.0
_NAVY: Final[PrintColour] = (0.10, 0.17, 0.33)
_GOLD: Final[PrintColour] = (0.83, 0.68, 0.36)
_STEEL: Final[PrintColour] = (0.30, 0.40, 0.60)
_SLIP_EDGE_MM: Final = 2.0  # white, so that a slip cut a little askew looks like the others
_BACK_EDGE_MM: Final = 4.0  # white, so that a sheet fed a little askew does not show
_LATTICE_MM: Final = 6.0


def labels(job: Job) -> Sheet:
    """All 25 cards' labels, two each; what is left of the last page explains and gives blank slips."""
    return _labels(job, "labels")


def spares(job: Job) -> Sheet:
    """The same once more, for what gets lost or torn."""
    return _labels(job, "spares", job.say("sheet.labels.once"))


def _labels(job: Job, name: str, note: str = "") -> Sheet:
    face = face_on(job.card, job.table)
    cells = _slips(job, face)
    pieces: list[list[Shape]] = [[*_both(face, card, job.table.deck_letter), *_cut_lines(face)] for card in DECK]
    inside = _slip(face).grown(-4.0)
    box = Rect(inside.x, inside.bottom - _MEASURES_MM, inside.width, _MEASURES_MM)
    words = _words(face, job, name, _MEASURES_MM + 2.0)
    pieces.append([*words, *_measures(face, box, job.say("sheet.labels.edge"))])
    while len(pieces) % len(cells.places):
        pieces.append(list(_blank(face, job)))
    return sheet_of(job, name, filled(cells, pieces, note))


def cards(job: Job) -> Sheet:
    """25 fronts and a page of backs to print on the other side of each."""
    face = face_on(job.card, job.table)
    cells = grid(job.paper, face.width_mm, face.height_mm, 0.0)
    fronts = [list(_front(face, card, job.table.deck_letter)) for card in DECK]
    # The cells as they lie seen from the other side of a sheet turned over its upright edge.
    width, _ = size_of(job.paper, cells.landscape)
    behind = Grid(tuple((width - x - face.width_mm, y) for x, y in cells.places), cells.landscape)
    backs_of = filled(behind, [list(_back(face)) for _ in cells.places], job.say("sheet.cards.backs"))
    pages = [
        *filled(cells, fronts, job.say("sheet.cards.fronts")),
        *(page._replace(mirrored=True) for page in backs_of),
    ]
    return sheet_of(job, "cards", pages)


def backs(job: Job) -> Sheet:
    """A slip for every token of the job. Raises SheetError where it has none: they are drawn by lot."""
    if len(job.backs) < len(DECK):
        raise SheetError(
            f"labels for the backs need {len(DECK)} tokens, found {len(job.backs)}; "
            "engarde print draws them and keeps them in a file"
        )
    face = face_on(job.card, job.table)
    pieces = [*(list(_back_slip(face, token)) for token in job.backs), list(_words(face, job, "backs"))]
    return sheet_of(job, "backs", filled(_slips(job, face), pieces, job.say("sheet.backs.opaque")))


def _slips(job: Job, face: Face) -> Grid:
    """Where slips lie on a page; their own frame is the card's, so it begins outside the slip."""
    cells = grid(job.paper, face.width_mm - 2 * INSET_MM, face.height_mm - 2 * INSET_MM, 0.0)
    return Grid(tuple((x - INSET_MM, y - INSET_MM) for x, y in cells.places), cells.landscape)


def _slip(face: Face) -> Rect:
    """The slip that is cut out: a little smaller than the card on every side."""
    return face.edge.grown(-INSET_MM)


def _both(face: Face, card: Card, deck: str) -> Iterator[Shape]:
    yield from upper_half(face, card, deck)
    yield half_round(upper_half(face, card, deck), face.width_mm, face.height_mm)


def _cut_lines(face: Face) -> Iterator[Shape]:
    yield Oblong(_slip(face), pen=CUT_PEN)
    low, high = face.band.bottom - _STEP_OFF_MM, face.band.y + _STEP_OFF_MM
    middle, right = face.width_mm / 2, face.width_mm - INSET_MM
    yield Path(((INSET_MM, low), (middle, low), (middle, high), (right, high)), pen=_STEP_PEN, closed=False)


def _blank(face: Face, job: Job) -> Iterator[Shape]:
    """A slip without codes that shows where they belong: what is left of two torn ones makes one good one."""
    yield from _cut_lines(face)
    for rect in (face.quiet, _turned(face.quiet, face)):
        yield Oblong(rect, pen=_ROW_PEN)
    words = job.say("sheet.labels.blank")
    for rect in (face.code, _turned(face.code, face)):
        yield Oblong(rect, pen=HAIR)
        yield from paragraph(rect.grown(-3.0), words, 1.9, colour=GREY, anchor="middle", centred=True)


def _turned(rect: Rect, face: Face) -> Rect:
    return Rect(face.width_mm - rect.right, face.height_mm - rect.bottom, rect.width, rect.height)


def _words(face: Face, job: Job, name: str, below_mm: float = 0.0) -> Iterator[Shape]:
    """A slip that says how the others of this sheet are used, with so much room below its words."""
    slip = _slip(face)
    yield Oblong(slip, fill=(0.95, 0.96, 0.98), radius_mm=2.0)
    inside = slip.grown(-4.0)
    yield fitted((inside.x, inside.y + 3.2), job.say(f"sheet.{name}.guide_title"), 2.8, inside.width, bold=True)
    top = inside.y + 7.0
    body = Rect(inside.x, top, inside.width, inside.bottom - top - below_mm)
    yield from paragraph(body, job.say(f"sheet.{name}.guide"), 2.0)


def _measures(face: Face, box: Rect, edge: str) -> Iterator[Shape]:
    """The card with its two codes, small, and how far they are from its edges."""
    scale = box.height / face.height_mm
    card = Rect(box.x, box.y, face.width_mm * scale, box.height)
    yield Oblong(card, fill=(1.0, 1.0, 1.0), pen=HAIR, radius_mm=1.0)
    for rect in (face.code, _turned(face.code, face)):
        at = Rect(card.x + rect.x * scale, card.y + rect.y * scale, rect.width * scale, rect.height * scale)
        yield Oblong(at, fill=FOLD)
    words = Rect(card.right + 3.0, box.y, box.right - card.right - 3.0, box.height - 4.0)
    yield from paragraph(words, edge, 1.8, colour=GREY, centred=True)
    yield Text((card.right + 3.0, box.bottom - 0.6), f"{face.width_mm:g} x {face.height_mm:g} mm", 1.7, GREY)


def _front(face: Face, card: Card, deck: str) -> Iterator[Shape]:
    colour = VALUE_COLOURS[card.value]
    frame_mm = (face.code.x - face.quiet_mm) / 2
    yield Oblong(face.edge, pen=CUT_PEN, radius_mm=_ROUNDING_MM)
    frame = Pen(colour, min(0.35, frame_mm / 2))
    yield Oblong(face.edge.grown(-frame_mm), pen=frame, radius_mm=_ROUNDING_MM - frame_mm)
    # Behind the pips: a pale field with the foils, between the two that show the value.
    beside = FIELD_LEFT_MM + FIELD_MM + 0.8
    band = Rect(beside, face.band.y + 0.8, face.width_mm - 2 * beside, face.band.height - 1.6)
    yield Oblong(band, fill=_pale(colour, 0.10), radius_mm=1.6)
    foil = _pale(colour, 0.34)
    yield group(crossed_foils(min(band.width * 0.62, band.height * 1.4), foil, foil), band.middle)
    yield from _both(face, card, deck)


def _pale(colour: PrintColour, share: float) -> PrintColour:
    """So much of a colour, the rest white."""
    red, green, blue = (1.0 - share + share * part for part in colour)
    return red, green, blue


def _back(face: Face) -> Iterator[Shape]:
    yield Oblong(face.edge, pen=CUT_PEN, radius_mm=_ROUNDING_MM)
    field = face.edge.grown(-_BACK_EDGE_MM)
    yield Oblong(field, fill=_NAVY, radius_mm=1.5)
    yield Oblong(field.grown(-1.4), pen=Pen(_GOLD, 0.35), radius_mm=0.8)
    inner = field.grown(-2.6)
    yield group(_lattice(inner), clip=inner)
    x, y = field.middle
    yield Oblong(Rect(x - 17.0, y - 11.0, 34.0, 22.0), fill=_NAVY, pen=Pen(_GOLD, 0.35), radius_mm=11.0)
    yield group(crossed_foils(26.0, _GOLD, WHITE), (x, y))


def _back_slip(face: Face, token: str) -> Iterator[Shape]:
    """Opaque, and behind the card in its sleeve; a code near either short edge, in the middle of it."""
    slip = _slip(face)
    field = slip.grown(-_SLIP_EDGE_MM)
    code = Rect((face.width_mm - face.qr_mm) / 2, LABEL_MARGIN_MM, face.qr_mm, face.qr_mm)
    half = (Oblong(code.grown(face.quiet_mm), fill=WHITE), Code(code, qr_bits(back_payload(token))))
    yield Oblong(field, fill=_NAVY)
    yield group(_lattice(field), clip=field)
    yield from (*half, half_round(half, face.width_mm, face.height_mm))
    yield group(crossed_foils(20.0, _GOLD, WHITE), slip.middle)
    yield Oblong(slip, pen=CUT_PEN)


def _lattice(field: Rect) -> Iterator[Shape]:
    """A back's pattern: diagonals both ways, alike however the card is turned."""
    x, y = field.middle
    reach = math.hypot(field.width, field.height)
    count = int(reach / _LATTICE_MM) + 1
    for number in range(-count, count + 1):
        at = x + (number + 0.5) * _LATTICE_MM
        for slope in (-reach, reach):
            yield Stroke((at - reach, y - slope), (at + reach, y + slope), Pen(_STEEL, 0.25))


INSIDE_MM: Final = 8.0
"""This much of a strip is held by the sleeve, behind the card."""
OUTSIDE_MM: Final = 7.0
"""This much stands out above the card, where a finger runs along it."""
NOTCH_MM: Final = 4.0
"""How wide and how deep a notch is."""
PITCH_MM: Final = 8.0
"""From notch to notch; less on narrow cards."""
FIRST_MM: Final = 7.0
"""How far the first notch is from the left end: further than any edge is taken for one."""
DOT_MM: Final = 2.5
"""How far apart the dots of a Braille cell are. Source: the usual size, 2.5 mm within and 6 mm between cells."""
CELL_MM: Final = 6.0
_BRAILLE_MM: Final = 13.0
_GAP_MM: Final = 3.0
_HOW_MM: Final = 28.0
_HOW: Final = 3
NUMBER_SIGN: Final = (3, 4, 5, 6)
BRAILLE: Final = {1: (1,), 2: (1, 2), 3: (1, 4), 4: (1, 4, 5), 5: (1, 5)}
"""The dots of each value, counted down the left column and then the right one, as in every language of the screen."""


def notches(job: Job) -> Sheet:
    """A strip for each of the 25 cards, as wide as the card, and how they are made and felt."""
    room = room_on(job.paper, landscape=False)
    wide, high = job.card.width_mm, INSIDE_MM + OUTSIDE_MM
    columns = max(1, int((room.width + _GAP_MM) // (wide + _GAP_MM)))
    rows = max(1, int((room.height - _HOW_MM + _GAP_MM) // (high + _GAP_MM)))
    values = [value for value in range(1, 6) for _ in range(5)]
    contents = []
    for first in range(0, len(values), columns * rows):
        shapes: list[Shape] = []
        texts = [job.say(f"sheet.notches.how_{number}") for number in range(1, _HOW + 1)]
        shapes += numbered(Rect(room.x, room.y + 1.0, room.width, _HOW_MM - 3.0), texts, 2.5)
        for place, value in enumerate(values[first : first + columns * rows]):
            row, column = divmod(place, columns)
            at = (room.x + column * (wide + _GAP_MM), room.y + _HOW_MM + row * (high + _GAP_MM))
            shapes += strip(at, wide, value)
        contents.append(Content(tuple(shapes)))
    return sheet_of(job, "notches", contents)


def strip(at: Place, wide: float, value: int) -> Iterator[Shape]:
    """One strip, its top left at ``at``: as many notches in its upper edge as its card says."""
    left, top = at
    bottom = top + INSIDE_MM + OUTSIDE_MM
    edge: list[Place] = [(left, top)]
    for middle in notch_places(value, wide):
        x = left + middle
        edge += [(x - NOTCH_MM / 2, top), (x, top + NOTCH_MM), (x + NOTCH_MM / 2, top)]
    yield Path((*edge, (left + wide, top), (left + wide, bottom), (left, bottom)), pen=CUT_PEN)
    held = top + OUTSIDE_MM
    yield Stroke((left, held), (left + wide, held), FOLD_PEN)
    yield Text((left + 3.0, bottom - 2.6), str(value), 3.6, INK, bold=True)
    for dot in braille_dots(value):
        yield Disc((left + wide - _BRAILLE_MM + dot[0], top + 1.0 + dot[1]), 0.65, fill=GREY, pen=Pen(GREY, 0.1))


def notch_places(value: int, wide: float) -> tuple[float, ...]:
    """Where the notches of a value are on a strip so wide, from its left end, in millimetres."""
    pitch = min(PITCH_MM, (wide - FIRST_MM - _BRAILLE_MM - NOTCH_MM) / 4)
    return tuple(FIRST_MM + number * pitch for number in range(value))


def braille_dots(value: int) -> tuple[Place, ...]:
    """The dots of the number in Braille, a number sign and a digit, from the top left dot, in millimetres."""
    found = []
    for cell, dots in enumerate((NUMBER_SIGN, BRAILLE[value])):
        for dot in dots:
            column, row = divmod(dot - 1, 3)
            found.append((cell * CELL_MM + column * DOT_MM, row * DOT_MM))
    return tuple(found)
