"""What cards are made from: labels for their sleeves, whole playing cards, and labels for their backs.

Both labels of a card are on one slip that goes into its sleeve, with a stepped line where they come apart. All slips
for the backs look alike but for their codes, so that the companion can play with cards that no person can read: a code
says nothing but a token drawn by lot, and which card it belongs to is known once both sides were shown to the camera.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from engine.rules.cards import DECK, Card
from vision.printed.card_shape import LABEL_MARGIN_MM
from vision.printed.qr import qr_bits
from vision.printed.tags import back_payload
from vision.sheets.face import FIELD_LEFT_MM, FIELD_MM, VALUE_COLOURS, Face, face_on, upper_half
from vision.sheets.lettering import fitted, paragraph
from vision.sheets.marks import crossed_foils
from vision.sheets.page import Grid, Job, Sheet, SheetError, filled, grid, sheet_of, size_of
from vision.sheets.shapes import (
    CUT_PEN,
    FOLD,
    GREY,
    HAIR,
    PALE,
    WHITE,
    Code,
    Oblong,
    Path,
    Pen,
    PrintColour,
    Rect,
    Shape,
    Stroke,
    Text,
    group,
    half_round,
)

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
