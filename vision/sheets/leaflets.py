"""Pages to read: the first page, the players' guide beside the board, and a certificate for the wall."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from vision.printed.table import Table
from vision.sheets.lettering import centred_line, fitted, paragraph
from vision.sheets.page import EDGE_MM, Content, Job, PaperPage, Sheet, room_on, sheet_of, size_of
from vision.sheets.pictures import board_small, drawing, drawings, mat_small
from vision.sheets.shapes import (
    FOLD,
    GREY,
    HAIR,
    INK,
    PALE,
    WHITE,
    Disc,
    Group,
    Oblong,
    Pen,
    Rect,
    Shape,
    Stroke,
    Text,
    crossed_foils,
    group,
)

_GAP_MM: Final = 5.0
_NUMBER_MM: Final = 10.0
_BESIDE: Final[Mapping[str, Callable[[Table, Rect], Group]]] = {"corners": board_small, "mat": mat_small}
"""Pictures of this very table; the others are files."""

# The first page: what to cut, where everything goes, and what to measure.

_STEP_PICTURE_MM: Final = 52.0
_FACTS_MM: Final = 38.0
_STEPS: Final = ("print", "labels", "tabs", "corners", "mat", "measure")


def start(job: Job) -> Sheet:
    """One page of six steps, and the measures these sheets were made for."""
    room = room_on(job.paper, landscape=False)
    high = (room.height - _FACTS_MM - 3.0) / len(_STEPS)
    shapes: list[Shape] = []
    for number, step in enumerate(_STEPS, start=1):
        row = Rect(room.x, room.y + 2.0 + (number - 1) * high, room.width, high - 3.0)
        picture = Rect(row.right - _STEP_PICTURE_MM, row.y, _STEP_PICTURE_MM, row.height)
        left = row.x + _NUMBER_MM
        wide = picture.x - _GAP_MM - left
        shapes += _head(row, number, job.say(f"sheet.start.{step}_title"), 3.0, wide)
        shapes += paragraph(Rect(left, row.y + 8.4, wide, row.height - 8.4), job.say(f"sheet.start.{step}"), 2.5)
        shapes.append(_BESIDE[step](job.table, picture) if step in _BESIDE else drawing(step, picture))
        shapes.append(Stroke((row.x, row.bottom + 1.2), (row.right, row.bottom + 1.2), Pen(PALE, 0.2)))
    shapes += _facts(job, Rect(room.x, room.bottom - _FACTS_MM, room.width, _FACTS_MM - 1.0))
    return sheet_of(job, "start", [Content(tuple(shapes))])


def _head(row: Rect, number: int, title: str, size_mm: float, room_mm: float) -> Iterator[Shape]:
    """The number of a step at the left end of its row, and its title."""
    yield Disc((row.x + 3.4, row.y + 3.4), 3.4, fill=FOLD)
    yield Text((row.x + 3.4, row.y + 4.9), str(number), 3.0, WHITE, bold=True, anchor="middle")
    yield fitted((row.x + _NUMBER_MM, row.y + 4.9), title, size_mm, room_mm, bold=True)


def _facts(job: Job, box: Rect) -> Iterator[Shape]:
    """The table's measures, to compare with one's own."""
    say, table = job.say, job.table
    yield Oblong(box, fill=(0.95, 0.96, 0.98), pen=HAIR, radius_mm=2.0)
    inside = box.grown(-4.0)
    title = say("sheet.start.facts_title", table=job.table_name)
    yield fitted((inside.x, inside.y + 2.6), title, 2.6, inside.width, bold=True)
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


# The guide: the whole game, and the table that referees it. Neither it nor the certificate has rulers: nothing of them
# is cut out, nor has a size to be checked.

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
"""The screen's names of the buttons and pages that the guide mentions."""
_HEAD_MM: Final = 11.0
_PART_PICTURE_MM: Final = 60.0


def guide(job: Job) -> Sheet:
    """One page of eight parts, most of them with a picture."""
    width, height = size_of(job.paper, landscape=False)
    head = EDGE_MM + _HEAD_MM
    room = Rect(EDGE_MM, head, width - 2 * EDGE_MM, height - EDGE_MM - head)
    title, named = job.say("sheet.guide.title"), {name: job.say(key) for name, key in _NAMED.items()}
    share = room.height / sum(PARTS.values())
    top = room.y
    shapes: list[Shape] = [fitted((EDGE_MM, EDGE_MM + 5.6), title, 5.0, room.width, bold=True)]
    for number, (part, weight) in enumerate(PARTS.items(), start=1):
        row = Rect(room.x, top, room.width, weight * share - 2.5)
        picture = Rect(row.right - _PART_PICTURE_MM, row.y + 1.0, _PART_PICTURE_MM, row.height - 3.0)
        left = row.x + _NUMBER_MM
        wide = (picture.x - _GAP_MM if part in drawings() else row.right) - left
        shapes += _head(row, number, job.say(f"sheet.guide.{part}_title"), 3.5, wide)
        text = Rect(left, row.y + 7.6, wide, row.height - 8.4)
        shapes += paragraph(text, job.say(f"sheet.guide.{part}", **named), 2.6)
        if part in drawings():
            shapes.append(drawing(part, picture))
        if number < len(PARTS):
            shapes.append(Stroke((row.x, row.bottom + 0.6), (row.right, row.bottom + 0.6), Pen(PALE, 0.2)))
        top += weight * share
    return Sheet("guide", title, (PaperPage(width, height, tuple(shapes)),))


def certificate(job: Job) -> Sheet:
    """One page, across: for the players of the job, or with lines to write names on where it has none."""
    width, height = size_of(job.paper, landscape=True)
    room = Rect(EDGE_MM, EDGE_MM, width - 2 * EDGE_MM, height - 2 * EDGE_MM)
    title = job.say("sheet.certificate.title")
    return Sheet("certificate", title, (PaperPage(width, height, tuple(_certificate(job, title, room))),))


def _certificate(job: Job, title: str, room: Rect) -> Iterator[Shape]:
    yield Oblong(room.grown(-2.0), pen=Pen(FOLD, 0.9), radius_mm=4.0)
    yield Oblong(room.grown(-4.0), pen=HAIR, radius_mm=3.0)
    middle, wide, count = room.middle[0], room.width - 30.0, len(job.players) or 2
    yield group(crossed_foils(34.0, GREY, INK), (middle, room.y + 24.0))
    yield centred_line((middle, room.y + 43.0), title, 4.0, wide)
    head = job.say("sheet.certificate.head", count=count)
    yield centred_line((middle, room.y + 60.0), head, 9.0, wide, INK, bold=True)
    top = room.y + 80.0
    if job.players:
        step = min(18.0, 40.0 / len(job.players))
        for number, name in enumerate(job.players):
            yield centred_line((middle, top + number * step), name, 8.0, wide, INK, bold=True)
        top += step * (len(job.players) - 1)
    else:
        for number in range(2):
            across = middle + (number - 0.5) * wide / 2
            yield Stroke((across - wide * 0.2, top), (across + wide * 0.2, top), HAIR)
    for number, skill in enumerate(("touch", "parry", "end")):
        row = Rect(room.x + 20.0, top + 12.0 + number * 12.0, room.width - 40.0, 12.0)
        yield from paragraph(row, job.say(f"sheet.certificate.{skill}", count=count), 4.0, anchor="middle")
    base = room.bottom - 14.0
    for place, key in ((0.25, "date"), (0.75, "referee")):
        across = room.x + room.width * place
        yield Stroke((across - 36.0, base), (across + 36.0, base), HAIR)
        yield centred_line((across, base + 5.0), job.say(f"sheet.certificate.{key}"), 2.6, 72.0)
