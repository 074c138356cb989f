"""Paper, and the frame of pages to work with: title, deck and table, page number, and a ruler each way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from vision.printed.table import CardSize, Table
from vision.sheets.lettering import fitted, paragraph
from vision.sheets.shapes import GREY, INK, Group, Pen, Place, Rect, Shape, Stroke, Text, group

EDGE_MM: Final = 8.4  # home printers leave 3 to 6 mm blank; nothing of ours lies within 8
RULER_MM: Final = 100
_BESIDE_MM: Final = 8.0  # for the upright ruler
_HEAD_MM: Final = 7.2
_FOOT_MM: Final = 9.9
_TICKS_MM: Final = {10: 3.4, 5: 2.4, 1: 1.5}
_TICK_PEN: Final = Pen(INK, 0.15)
_NUMBER_MM: Final = 1.25


class SheetError(ValueError):
    """A table or card of which this sheet cannot be made."""


class Sentences(Protocol):
    """Looks up a sentence of the reader's language and fills in its facts."""

    def __call__(self, key: str, **facts: object) -> str: ...


class Paper(NamedTuple):
    """A paper's name and its size standing upright."""

    name: str
    width_mm: float
    height_mm: float


PAPERS: Final = {"a4": Paper("a4", 210.0, 297.0), "letter": Paper("letter", 215.9, 279.4)}


@dataclass(frozen=True, slots=True)
class Job:
    """A print job: the table and the name of its file, the paper, the size of the cards, the language.

    ``backs`` are the tokens for the labels on the cards' backs; ``slots`` marks the companion's slots on the mat.
    ``players`` are those a certificate is for.
    """

    table: Table
    table_name: str
    paper: Paper
    card: CardSize
    say: Sentences
    backs: tuple[str, ...] = ()
    slots: bool = False
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PaperPage:
    """A finished page. ``shapes`` are in its own frame, origin at the paper's top left."""

    width_mm: float
    height_mm: float
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pages that belong together and make one file. ``name`` is that of ``--only``; ``title`` is for people."""

    name: str
    title: str
    pages: tuple[PaperPage, ...]


class Content(NamedTuple):
    """The shapes of one page inside its frame; ``note`` stands beside the title.

    A page to be printed on the back of another is ``mirrored``: what keeps clear of its ruler there does so here.
    """

    shapes: tuple[Shape, ...]
    landscape: bool = False
    note: str = ""
    mirrored: bool = False


def size_of(paper: Paper, landscape: bool) -> tuple[float, float]:
    """Width and height of the paper as it is printed on."""
    return (paper.height_mm, paper.width_mm) if landscape else (paper.width_mm, paper.height_mm)


def room_on(paper: Paper, landscape: bool) -> Rect:
    """Where a page's own matter goes: inside margins, title, rulers and footer."""
    width, height = size_of(paper, landscape)
    left, top = EDGE_MM + _BESIDE_MM, EDGE_MM + _HEAD_MM
    return Rect(left, top, width - EDGE_MM - left, height - EDGE_MM - _FOOT_MM - top)


def sheet_of(job: Job, name: str, contents: Sequence[Content]) -> Sheet:
    """The pages of these contents, each in its frame."""
    title = job.say(f"sheet.{name}.title")
    pages = []
    for number, content in enumerate(contents, start=1):
        width, height = size_of(job.paper, content.landscape)
        counted = f"{number}/{len(contents)}"
        frame = _frame(job, (width, height), title, content, counted)
        pages.append(PaperPage(width, height, (*frame, *content.shapes)))
    return Sheet(name, title, tuple(pages))


def _frame(job: Job, size: tuple[float, float], title: str, content: Content, counted: str) -> Iterator[Shape]:
    say, (width, height) = job.say, size
    right = width - EDGE_MM
    heading = f"{title} · {content.note}" if content.note else title
    about = say("sheet.page.about", deck=job.table.deck_letter, table=job.table_name)
    about_mm = min(75.0, width * 0.36)
    yield fitted((EDGE_MM, EDGE_MM + 3.6), heading, 3.4, right - EDGE_MM - about_mm - 4.0, bold=True)
    yield fitted((right, EDGE_MM + 3.6), f"{about} · {counted}", 2.0, about_mm, colour=GREY, anchor="right")
    corner = (EDGE_MM + _BESIDE_MM, height - EDGE_MM - _FOOT_MM + 1.4)
    yield ruler(corner)
    beside_mm = right - _TICK_PEN.width_mm if content.mirrored else corner[0] - 0.8
    yield ruler((beside_mm, corner[1]), upright=True)
    beside = corner[0] + RULER_MM + 8.0
    foot = Rect(beside, corner[1] + 0.2, right - beside, 8.0)
    yield from paragraph(foot, say("sheet.page.scale"), 1.9, colour=GREY, centred=True)


def ruler(at: Place, *, upright: bool = False) -> Group:
    """A ruler of 100 mm from a place on: to the right with its ticks below, or upward with its ticks to the left."""

    def line(along0: float, across0: float, along1: float, across1: float) -> Stroke:
        if upright:
            return Stroke((-across0, -along0), (-across1, -along1), _TICK_PEN)
        return Stroke((along0, across0), (along1, across1), _TICK_PEN)

    shapes: list[Shape] = []
    beyond = _TICKS_MM[10] + 0.4
    for mm in range(RULER_MM + 1):
        length = next(long for step, long in _TICKS_MM.items() if mm % step == 0)
        shapes.append(line(mm, 0.0, mm, length))
        if mm % 10 == 0 and upright:
            shapes.append(Text((-beyond, -mm + _NUMBER_MM / 2), str(mm), _NUMBER_MM, anchor="right"))
        elif mm % 10 == 0:
            text = f"{mm} mm" if mm == RULER_MM else str(mm)
            shapes.append(Text((mm, beyond + _NUMBER_MM), text, _NUMBER_MM, anchor="middle"))
    reach = _TICK_PEN.width_mm / 2  # the line joins the outer edges of the first and the last tick
    shapes.append(line(-reach, 0.0, RULER_MM + reach, 0.0))
    return group(shapes, at)


class Grid(NamedTuple):
    """Equal cells on a page: their top left corners, row by row, and which way the paper lies."""

    places: tuple[Place, ...]
    landscape: bool


def grid(paper: Paper, width_mm: float, height_mm: float, gap_mm: float) -> Grid:
    """As many cells of this size as fit a page, whichever way it lies. Raises SheetError when not one does."""
    best = Grid((), False)
    for landscape in (False, True):
        room = room_on(paper, landscape)
        columns = int((room.width + gap_mm) // (width_mm + gap_mm))
        rows = int((room.height + gap_mm) // (height_mm + gap_mm))
        if columns * rows > len(best.places):
            left = room.x + (room.width - columns * (width_mm + gap_mm) + gap_mm) / 2
            top = room.y + (room.height - rows * (height_mm + gap_mm) + gap_mm) / 2
            places = tuple(
                (left + column * (width_mm + gap_mm), top + row * (height_mm + gap_mm))
                for row in range(rows)
                for column in range(columns)
            )
            best = Grid(places, landscape)
    if not best.places:
        raise SheetError(
            f"a piece of {width_mm:.0f} x {height_mm:.0f} mm does not fit {paper.name} paper; "
            "correct the sizes in the table file"
        )
    return best


def filled(cells: Grid, pieces: Iterable[Sequence[Shape]], note: str = "") -> list[Content]:
    """Pieces laid into cells, over as many pages as it takes."""
    waiting = list(pieces)
    on_one = len(cells.places)
    return [
        Content(
            tuple(
                group(piece, place) for place, piece in zip(cells.places, waiting[start : start + on_one], strict=False)
            ),
            cells.landscape,
            note,
        )
        for start in range(0, len(waiting), on_one)
    ]
