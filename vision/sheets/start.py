"""The first page: what to cut, where everything goes, and what to measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from vision.sheets import pictures
from vision.sheets.lettering import fitted, paragraph
from vision.sheets.marks import number_disc
from vision.sheets.page import Content, Job, Sheet, room_on, sheet_of
from vision.sheets.shapes import HAIR, PALE, Oblong, Pen, Rect, Shape, Stroke

_PICTURE_MM: Final = 52.0
_GAP_MM: Final = 5.0
_NUMBER_MM: Final = 8.0
_FACTS_MM: Final = 38.0
_STEPS: Final = ("print", "labels", "tabs", "corners", "mat", "measure")
_PICTURES: Final = {"corners": pictures.board, "mat": pictures.mat}
"""Pictures of this very table; the others are files."""


def start(job: Job) -> Sheet:
    """One page of six steps, and the measures these sheets were made for."""
    room = room_on(job.paper, landscape=False)
    high = (room.height - _FACTS_MM - 3.0) / len(_STEPS)
    shapes: list[Shape] = []
    for number, step in enumerate(_STEPS, start=1):
        row = Rect(room.x, room.y + 2.0 + (number - 1) * high, room.width, high - 3.0)
        shapes += _step(job, number, step, row)
    shapes += _facts(job, Rect(room.x, room.bottom - _FACTS_MM, room.width, _FACTS_MM - 1.0))
    return sheet_of(job, "start", [Content(tuple(shapes))])


def _step(job: Job, number: int, step: str, row: Rect) -> Iterator[Shape]:
    yield from number_disc(row, number)
    left = row.x + _NUMBER_MM + 2.0
    picture = Rect(row.right - _PICTURE_MM, row.y, _PICTURE_MM, row.height)
    wide = picture.x - _GAP_MM - left
    yield fitted((left, row.y + 4.9), job.say(f"sheet.start.{step}_title"), 3.0, wide, bold=True)
    yield from paragraph(Rect(left, row.y + 8.4, wide, row.height - 8.4), job.say(f"sheet.start.{step}"), 2.5)
    yield _PICTURES[step](job.table, picture) if step in _PICTURES else pictures.drawing(step, picture)
    yield Stroke((row.x, row.bottom + 1.2), (row.right, row.bottom + 1.2), Pen(PALE, 0.2))


def _facts(job: Job, box: Rect) -> Iterator[Shape]:
    """The table's measures, to compare with one's own."""
    say, table = job.say, job.table
    yield Oblong(box, fill=(0.95, 0.96, 0.98), pen=HAIR, radius_mm=2.0)
    inside = box.grown(-4.0)
    yield fitted(
        (inside.x, inside.y + 2.6), say("sheet.start.facts_title", table=job.table_name), 2.6, inside.width, bold=True
    )
    first, second, last = table.spaces_mm[0], table.spaces_mm[1], table.spaces_mm[-1]
    offset, area = table.fencer_offset_mm, table.play_area
    facts = (
        say("sheet.start.fact_deck", deck=table.deck_letter, size=f"{table.qr_mm:g}"),
        say("sheet.start.fact_pitch", pitch=f"{second.x - first.x:g}", length=f"{last.x - first.x:g}"),
        say("sheet.start.fact_corners", size=f"{table.board_size_mm:g}", count=len(table.corners)),
        say("sheet.start.fact_tabs", size=f"{table.fencer_size_mm:g}", far=f"{-offset.y:g}", high=f"{offset.z:g}"),
        say("sheet.start.fact_area", width=f"{area.x1 - area.x0:g}", depth=f"{area.y1 - area.y0:g}"),
        say("sheet.start.fact_cards", width=f"{job.card.width_mm:g}", height=f"{job.card.height_mm:g}"),
    )
    half = inside.width / 2
    for number, fact in enumerate(facts):
        column, row = divmod(number, 3)
        cell = Rect(inside.x + column * half, inside.y + 6.0 + row * 7.6, half - 4.0, 7.2)
        yield from paragraph(cell, fact, 2.1, centred=True)
