"""The players' guide: the whole game, and the table that referees it, on one page to keep beside the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from vision.sheets.lettering import fitted, paragraph
from vision.sheets.marks import number_disc
from vision.sheets.page import EDGE_MM, Job, PaperPage, Sheet, size_of
from vision.sheets.pictures import drawing, drawings
from vision.sheets.shapes import PALE, Pen, Rect, Shape, Stroke

PARTS: Final[Mapping[str, float]] = {
    "aim": 0.67,
    "set_up": 0.97,
    "turn": 0.97,
    "attack": 1.13,
    "parry": 1.3,
    "end": 1.22,
    "table": 0.93,
    "trouble": 0.81,
}
"""The parts in the order in which they are needed, and each one's share of the page."""

_NAMED: Final = {
    "undo": "key.undo",
    "menu": "key.menu",
    "learn": "lessons.menu.learn",
    "hints": "coach.menu_hints",
    "refused": "tone.refused",
}
_HEAD_MM: Final = 11.0
_PICTURE_MM: Final = 60.0
_GAP_MM: Final = 5.0
_NUMBER_MM: Final = 10.0
_TITLE_MM: Final = 3.5
_TEXT_MM: Final = 2.6


def guide(job: Job) -> Sheet:
    """One page of eight parts, most of them with a picture.

    Nothing on it is cut out or has a size to be checked, so that it has no rulers: it lies beside the board.
    """
    width, height = size_of(job.paper, landscape=False)
    head = EDGE_MM + _HEAD_MM
    room = Rect(EDGE_MM, head, width - 2 * EDGE_MM, height - EDGE_MM - head)
    title = job.say("sheet.guide.title")
    share = room.height / sum(PARTS.values())
    top = room.y
    shapes: list[Shape] = [fitted((EDGE_MM, EDGE_MM + 5.6), title, 5.0, room.width, bold=True)]
    for number, (part, weight) in enumerate(PARTS.items(), start=1):
        shapes += _part(job, number, part, Rect(room.x, top, room.width, weight * share - 2.5))
        top += weight * share
    return Sheet("guide", title, (PaperPage(width, height, tuple(shapes)),))


def buttons_of(job: Job) -> dict[str, str]:
    """The screen's names of the buttons and pages that the guide mentions."""
    return {name: job.say(key) for name, key in _NAMED.items()}


def _part(job: Job, number: int, part: str, row: Rect) -> Iterator[Shape]:
    yield from number_disc(row, number)
    picture = Rect(row.right - _PICTURE_MM, row.y + 1.0, _PICTURE_MM, row.height - 3.0)
    left = row.x + _NUMBER_MM
    wide = (picture.x - _GAP_MM if part in drawings() else row.right) - left
    yield fitted((left, row.y + 4.9), job.say(f"sheet.guide.{part}_title"), _TITLE_MM, wide, bold=True)
    told = job.say(f"sheet.guide.{part}", **buttons_of(job))
    yield from paragraph(Rect(left, row.y + 7.6, wide, row.height - 8.4), told, _TEXT_MM)
    if part in drawings():
        yield drawing(part, picture)
    if number < len(PARTS):
        yield Stroke((row.x, row.bottom + 0.6), (row.right, row.bottom + 0.6), Pen(PALE, 0.2))
