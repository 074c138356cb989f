"""A certificate for those who have learned the game, with their names, to hang on the wall."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from vision.sheets.lettering import fitted, paragraph
from vision.sheets.marks import crossed_foils
from vision.sheets.page import EDGE_MM, Job, PaperPage, Sheet, size_of
from vision.sheets.shapes import FOLD, GREY, HAIR, INK, Oblong, Pen, Rect, Shape, Stroke, group

_TITLE_MM: Final = 9.0
_NAME_MM: Final = 8.0
_TEXT_MM: Final = 4.0
_LINES: Final = ("touch", "parry", "end")
"""Skills that it names, a line each."""


def certificate(job: Job) -> Sheet:
    """One page, across: for the players of the job, or with lines to write names on where it has none.

    Nothing on it has a size to be checked, so that it has no rulers: it is to hang on a wall.
    """
    width, height = size_of(job.paper, landscape=True)
    room = Rect(EDGE_MM, EDGE_MM, width - 2 * EDGE_MM, height - 2 * EDGE_MM)
    title = job.say("sheet.certificate.title")
    return Sheet("certificate", title, (PaperPage(width, height, tuple(_drawn(job, title, room))),))


def _drawn(job: Job, title: str, room: Rect) -> Iterator[Shape]:
    yield Oblong(room.grown(-2.0), pen=Pen(FOLD, 0.9), radius_mm=4.0)
    yield Oblong(room.grown(-4.0), pen=HAIR, radius_mm=3.0)
    middle, _ = room.middle
    wide = room.width - 30.0
    yield group(crossed_foils(34.0, GREY, INK), (middle, room.y + 24.0))
    yield fitted((middle, room.y + 43.0), title, _TEXT_MM, wide, colour=GREY, anchor="middle")
    head = job.say("sheet.certificate.head", count=len(job.players) or 2)
    yield fitted((middle, room.y + 60.0), head, _TITLE_MM, wide, bold=True, anchor="middle")
    top = room.y + 80.0
    if job.players:
        step = min(18.0, 40.0 / len(job.players))
        for number, name in enumerate(job.players):
            yield fitted((middle, top + number * step), name, _NAME_MM, wide, bold=True, anchor="middle")
        top += step * (len(job.players) - 1)
    else:
        for number in range(2):
            across = middle + (number - 0.5) * wide / 2
            yield Stroke((across - wide * 0.2, top), (across + wide * 0.2, top), HAIR)
    for number, line in enumerate(_LINES):
        row = Rect(room.x + 20.0, top + 12.0 + number * 12.0, room.width - 40.0, 12.0)
        told = job.say(f"sheet.certificate.{line}", count=len(job.players) or 2)
        yield from paragraph(row, told, _TEXT_MM, anchor="middle")
    base = room.bottom - 14.0
    for place, key in ((0.25, "date"), (0.75, "referee")):
        across = room.x + room.width * place
        yield Stroke((across - 36.0, base), (across + 36.0, base), HAIR)
        yield fitted((across, base + 5.0), job.say(f"sheet.certificate.{key}"), 2.6, 72.0, colour=GREY, anchor="middle")
