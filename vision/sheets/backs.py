"""Labels for the cards' backs, so that the companion can play with cards that no person can read.

All slips look alike but for their codes, and a code says nothing but a token that was drawn by lot: which card it
belongs to is known once both sides were shown to the camera. Opaque, and behind the card in its sleeve.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.rules.cards import DECK
from vision.printed.card_shape import LABEL_MARGIN_MM
from vision.printed.qr import qr_bits
from vision.printed.tags import back_payload
from vision.sheets.face import Face, face_on
from vision.sheets.labels import cells_for, guide_cell, slip_of
from vision.sheets.marks import crossed_foils
from vision.sheets.page import Content, Job, Sheet, SheetError, filled, sheet_of
from vision.sheets.playing import GOLD, NAVY, lattice
from vision.sheets.shapes import CUT_PEN, WHITE, Code, Oblong, Rect, Shape, group, half_round

_EDGE_MM: Final = 2.0  # white, so that a slip cut a little askew looks like the others


def backs(job: Job) -> Sheet:
    """A slip for every token of the job. Raises SheetError where it has none: they are drawn by lot."""
    if len(job.backs) < len(DECK):
        raise SheetError(
            f"labels for the backs need {len(DECK)} tokens, found {len(job.backs)}; "
            "engarde print draws them and keeps them in a file"
        )
    return sheet_of(job, "backs", _pages(job))


def _pages(job: Job) -> list[Content]:
    face = face_on(job.card, job.table)
    pieces = [list(_slip(face, token)) for token in job.backs]
    pieces.append(list(guide_cell(face, job, "backs")))
    return filled(cells_for(job, face), pieces, job.say("sheet.backs.opaque"))


def back_code(face: Face) -> Rect:
    """The upper code's modules on a back: near the upper edge, in the middle between the others."""
    return Rect((face.width_mm - face.qr_mm) / 2, LABEL_MARGIN_MM, face.qr_mm, face.qr_mm)


def _slip(face: Face, token: str) -> Iterator[Shape]:
    slip = slip_of(face)
    field = slip.grown(-_EDGE_MM)
    yield Oblong(field, fill=NAVY)
    yield group(lattice(field), clip=field)
    for half in (list(_half(face, token)), [half_round(_half(face, token), face.width_mm, face.height_mm)]):
        yield from half
    x, y = slip.middle
    yield group(crossed_foils(20.0, GOLD, WHITE), (x, y))
    yield Oblong(slip, pen=CUT_PEN)


def _half(face: Face, token: str) -> Iterator[Shape]:
    code = back_code(face)
    yield Oblong(code.grown(face.quiet_mm), fill=WHITE)
    yield Code(code, qr_bits(back_payload(token)))
