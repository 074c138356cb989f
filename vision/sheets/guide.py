"""The players' guide: the whole game, and the table that referees it, on one page to keep beside the board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from vision.sheets.face import VALUE_COLOURS
from vision.sheets.lettering import fitted, paragraph
from vision.sheets.marks import arrow
from vision.sheets.page import EDGE_MM, Job, PaperPage, Sheet, size_of
from vision.sheets.shapes import FOLD, GREY, HAIR, INK, PALE, WHITE, Disc, Oblong, Pen, Rect, Shape, Stroke, Text

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
"""What is told, in the order in which it is needed, and how much of the page each part takes beside the others."""

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
_SPACES: Final = 23


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
    """What the screen calls the buttons and pages that the guide names."""
    return {name: job.say(key) for name, key in _NAMED.items()}


def _part(job: Job, number: int, part: str, row: Rect) -> Iterator[Shape]:
    yield Disc((row.x + 3.4, row.y + 3.4), 3.4, fill=FOLD)
    yield Text((row.x + 3.4, row.y + 4.9), str(number), 3.0, WHITE, bold=True, anchor="middle")
    picture = Rect(row.right - _PICTURE_MM, row.y + 1.0, _PICTURE_MM, row.height - 3.0)
    left = row.x + _NUMBER_MM
    wide = (picture.x - _GAP_MM if part in _PICTURES else row.right) - left
    yield fitted((left, row.y + 4.9), job.say(f"sheet.guide.{part}_title"), _TITLE_MM, wide, bold=True)
    told = job.say(f"sheet.guide.{part}", **buttons_of(job))
    yield from paragraph(Rect(left, row.y + 7.6, wide, row.height - 8.4), told, _TEXT_MM)
    if part in _PICTURES:
        yield from _PICTURES[part](picture)
    if number < len(PARTS):
        yield Stroke((row.x, row.bottom + 0.6), (row.right, row.bottom + 0.6), Pen(PALE, 0.2))


def _piste(box: Rect, white: int, black: int) -> Iterator[Shape]:
    """The 23 spaces with both fencers on them, in the upper half of the box."""
    cell = box.width / _SPACES
    line = _line(box)
    for space in range(1, _SPACES + 1):
        yield Oblong(Rect(box.x + (space - 1) * cell, line, cell, 1.7 * cell), fill=(0.97, 0.95, 0.90), pen=HAIR)
    for space in sorted({1, white, black, _SPACES}):
        yield Text((_x(box, space), line + 1.2 * cell), str(space), 1.25, GREY, anchor="middle")
    for space, fill in ((white, WHITE), (black, INK)):
        yield Disc((_x(box, space), line - 1.6), 1.5, fill=fill, pen=Pen(INK, 0.3))


def _line(box: Rect) -> float:
    """The upper edge of the spaces."""
    return box.y + 11.0


def _x(box: Rect, space: int) -> float:
    return box.x + (space - 0.5) * box.width / _SPACES


def _distance(box: Rect, white: int, black: int) -> Iterator[Shape]:
    """A bracket over both fencers with the number that counts."""
    high = _line(box) - 4.6
    pen = Pen(FOLD, 0.3)
    for space in (white, black):
        yield Stroke((_x(box, space), high + 1.0), (_x(box, space), high), pen)
    yield Stroke((_x(box, white), high), (_x(box, black), high), pen)
    middle = (_x(box, white) + _x(box, black)) / 2
    yield Text((middle, high - 1.0), str(black - white), 2.6, FOLD, bold=True, anchor="middle")


def _cards(box: Rect, values: tuple[int, ...], middle: float) -> Iterator[Shape]:
    """Cards side by side, under the spaces."""
    wide, gap = 5.0, 1.0
    left = middle - (len(values) * (wide + gap) - gap) / 2
    top = _line(box) + 5.6
    for number, value in enumerate(values):
        card = Rect(left + number * (wide + gap), top, wide, 7.0)
        yield Oblong(card, fill=WHITE, pen=Pen(GREY, 0.2), radius_mm=0.7)
        yield Text((card.middle[0], top + 4.9), str(value), 2.9, VALUE_COLOURS[value], bold=True, anchor="middle")


def _set_up(box: Rect) -> Iterator[Shape]:
    yield from _piste(box, 1, 23)
    yield from _distance(box, 1, 23)
    for space in (3, 21):
        yield from _backs(box, _x(box, space), 5)
    yield from _backs(box, box.middle[0], 1)


def _backs(box: Rect, middle: float, count: int) -> Iterator[Shape]:
    """Cards face down, fanned."""
    top = _line(box) + 5.6
    for number in range(count):
        x = middle - 2.5 + 1.3 * (number - (count - 1) / 2)
        yield Oblong(Rect(x, top, 5.0, 7.0), fill=(0.55, 0.16, 0.18), pen=Pen(WHITE, 0.25), radius_mm=0.7)


def _turn(box: Rect) -> Iterator[Shape]:
    yield from _piste(box, 5, 19)
    yield from arrow((_x(box, 5) + 2.0, _line(box) - 1.6), (_x(box, 8), _line(box) - 1.6), FOLD)
    yield from _cards(box, (3,), _x(box, 6))


def _attack(box: Rect) -> Iterator[Shape]:
    yield from _piste(box, 8, 13)
    yield from _distance(box, 8, 13)
    yield from _cards(box, (5, 5), _x(box, 8))


def _parry(box: Rect) -> Iterator[Shape]:
    yield from _attack(box)
    yield from _cards(box, (5, 5), _x(box, 16))


def _end(box: Rect) -> Iterator[Shape]:
    yield from _piste(box, 10, 13)
    yield from _distance(box, 10, 13)
    yield from _cards(box, (1, 2, 3, 5), _x(box, 6))
    yield from _cards(box, (1, 3, 3, 4), _x(box, 18))


_PICTURES: Final[Mapping[str, Callable[[Rect], Iterator[Shape]]]] = {
    "set_up": _set_up,
    "turn": _turn,
    "attack": _attack,
    "parry": _parry,
    "end": _end,
}
