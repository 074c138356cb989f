"""The labels: both of a card on one slip that goes into its sleeve, with a stepped line where they come apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.rules.cards import DECK, Card
from vision.sheets.face import Face, face_on, upper_half
from vision.sheets.lettering import fitted, paragraph
from vision.sheets.page import Content, Grid, Job, Sheet, filled, grid, sheet_of
from vision.sheets.shapes import CUT_PEN, FOLD, GREY, HAIR, PALE, Oblong, Path, Pen, Rect, Shape, Text, half_round

INSET_MM: Final = 0.65  # a slip is so much smaller than the card on every side; nine of the usual size fit A4
_GAP_MM: Final = 0.0  # one cut parts two slips
_STEP_PEN: Final = Pen(GREY, 0.15, (1.6, 1.2))
_STEP_OFF_MM: Final = 0.3  # the stepped line keeps off the other label's quiet zone
_ROW_PEN: Final = Pen(PALE, 0.2, (1.0, 1.0))


def labels(job: Job) -> Sheet:
    """All 25 cards' labels, two each; what is left of the last page explains and gives blank slips."""
    return sheet_of(job, "labels", _pages(job, "labels"))


def spares(job: Job) -> Sheet:
    """The same once more, for what gets lost or torn."""
    return sheet_of(job, "spares", _pages(job, "spares"))


def _pages(job: Job, name: str) -> list[Content]:
    face = face_on(job.card, job.table)
    cells = cells_for(job, face)
    pieces: list[list[Shape]] = [list(_slip(face, card, job.table.deck_letter)) for card in DECK]
    pieces.append(list(_guide(face, job, name)))
    while len(pieces) % len(cells.places):
        pieces.append(list(_blank(face, job)))
    return filled(cells, pieces, job.say("sheet.labels.once") if name == "spares" else "")


def cells_for(job: Job, face: Face) -> Grid:
    """Where slips lie on a page; their own frame is the card's, so it begins outside the slip."""
    wide, high = face.width_mm - 2 * INSET_MM, face.height_mm - 2 * INSET_MM
    cells = grid(job.paper, wide, high, _GAP_MM)
    return Grid(tuple((x - INSET_MM, y - INSET_MM) for x, y in cells.places), cells.landscape)


def _slip(face: Face, card: Card, deck: str) -> Iterator[Shape]:
    yield from upper_half(face, card, deck)
    yield half_round(upper_half(face, card, deck), face.width_mm, face.height_mm)
    yield from _outline(face)


def _outline(face: Face) -> Iterator[Shape]:
    yield Oblong(slip_of(face), pen=CUT_PEN)
    low, high = face.band.bottom - _STEP_OFF_MM, face.band.y + _STEP_OFF_MM
    middle, right = face.width_mm / 2, face.width_mm - INSET_MM
    step = ((INSET_MM, low), (middle, low), (middle, high), (right, high))
    yield Path(step, pen=_STEP_PEN, closed=False)


def slip_of(face: Face) -> Rect:
    """The slip that is cut out: a little smaller than the card on every side."""
    return Rect(0.0, 0.0, face.width_mm, face.height_mm).grown(-INSET_MM)


def _blank(face: Face, job: Job) -> Iterator[Shape]:
    """A slip without codes that shows where they belong: what is left of two torn ones makes one good one."""
    yield from _outline(face)
    for rect in (face.quiet, _turned(face.quiet, face)):
        yield Oblong(rect, pen=_ROW_PEN)
    for rect in (face.code, _turned(face.code, face)):
        yield Oblong(rect, pen=HAIR)
        yield from paragraph(
            rect.grown(-3.0), job.say("sheet.labels.blank"), 1.9, colour=GREY, anchor="middle", centred=True
        )


def _turned(rect: Rect, face: Face) -> Rect:
    return Rect(face.width_mm - rect.right, face.height_mm - rect.bottom, rect.width, rect.height)


def _guide(face: Face, job: Job, name: str) -> Iterator[Shape]:
    """A cell of words: how the slips are used, with the measures that count."""
    picture_mm = 27.0
    yield from guide_cell(face, job, name, picture_mm + 2.0)
    inside = slip_of(face).grown(-4.0)
    box = Rect(inside.x, inside.bottom - picture_mm, inside.width, picture_mm)
    yield from _measures(face, box, job.say("sheet.labels.edge"))


def guide_cell(face: Face, job: Job, name: str, below_mm: float = 0.0) -> Iterator[Shape]:
    """A slip with the words of this sheet's guide, and so much room below them."""
    slip = slip_of(face)
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
    size = f"{face.width_mm:g} x {face.height_mm:g} mm"
    yield Text((card.right + 3.0, box.bottom - 0.6), size, 1.7, GREY)
