"""A document of many pages as PDF: headings, paragraphs, lists, tables, pictures and drawings, with page numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.platypus import (
    Flowable,
    Image,
    KeepTogether,
    PageBreak,
    Paragraph,
    Preformatted,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from vision.sheets.drawn import Drawing, read_drawing
from vision.sheets.lettering import BOLD, REGULAR, load_fonts
from vision.sheets.pdf import draw_shape

_ROOM_MM: Final = (174.0, 250.0)
_MARGIN_MM: Final = 18.0
_PICTURE_MM: Final = (120.0, 90.0)
_LINE: Final = Color(0.75, 0.75, 0.78)
_HEAD: Final = Color(0.93, 0.92, 0.89)


@dataclass(frozen=True, slots=True)
class Heading:
    """``level`` 1 begins a chapter on a page of its own."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class BookText:
    """A paragraph; ``mark`` stands before one of a list. Text as reportlab marks it up."""

    text: str
    mark: str = ""
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines to be typed, as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class BookPicture:
    """A PNG or JPEG, or one of the guide's SVG drawings."""

    path: Path


@dataclass(frozen=True, slots=True)
class BookTable:
    """A table; the first row is its head. A cell is text as reportlab marks it up, or a picture."""

    rows: tuple[tuple[str | BookPicture, ...], ...]


BookBlock = Heading | BookText | Listing | BookPicture | BookTable


class _Drawn(Flowable):  # type: ignore[misc]
    """A drawing, as wide as there is room for."""

    def __init__(self, drawing: Drawing, wide_mm: float) -> None:
        super().__init__()
        self._drawing, self._scale = drawing, wide_mm / drawing.width_mm
        self.width, self.height = wide_mm * mm, drawing.height_mm * self._scale * mm

    def draw(self) -> None:
        self.canv.translate(0, self.height)
        self.canv.scale(self._scale * mm, -self._scale * mm)
        for shape in self._drawing.shapes:
            draw_shape(self.canv, shape)


def book_pdf(blocks: Sequence[BookBlock], title: str, foot: str) -> bytes:
    """These blocks one after the other on A4, the same bytes every time; ``foot`` stands below every page."""
    load_fonts()
    pdfmetrics.registerFontFamily(REGULAR, normal=REGULAR, bold=BOLD, italic=REGULAR, boldItalic=BOLD)
    styles = _styles()
    out = io.BytesIO()
    margins = dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), _MARGIN_MM * mm)
    document = SimpleDocTemplate(
        out, pagesize=A4, title=title, author="En Garde Companion", invariant=1, initialFontName=REGULAR, **margins
    )

    def below(canvas: Any, page: Any) -> None:
        canvas.setFont(REGULAR, 7)
        canvas.drawString(_MARGIN_MM * mm, 10 * mm, foot)
        canvas.drawRightString(A4[0] - _MARGIN_MM * mm, 10 * mm, str(page.page))

    document.build(list(_flow(blocks, styles)), onFirstPage=below, onLaterPages=below)
    return out.getvalue()


def drawing_pdf(text: str) -> bytes:
    """One SVG drawing true to size on a page of its own."""
    from reportlab.pdfgen.canvas import Canvas

    drawing = read_drawing(text)
    load_fonts()
    canvas = Canvas("", invariant=1, initialFontName=REGULAR)
    canvas.setTitle(drawing.title)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setPageSize((drawing.width_mm * mm, drawing.height_mm * mm))
    canvas.translate(0, drawing.height_mm * mm)
    canvas.scale(mm, -mm)
    for shape in drawing.shapes:
        draw_shape(canvas, shape)
    canvas.showPage()
    data: bytes = canvas.getpdfdata()
    return data


def _styles() -> dict[str, ParagraphStyle]:
    text = ParagraphStyle("text", fontName=REGULAR, bulletFontName=REGULAR, fontSize=8.6, leading=12, spaceAfter=5)
    made = {"text": text, "cell": ParagraphStyle("cell", text, fontSize=7.2, leading=9.2, spaceAfter=0)}
    made["code"] = ParagraphStyle("code", text, fontSize=7.6, leading=10, leftIndent=10, backColor=_HEAD)
    for level, size in ((1, 20), (2, 13.5), (3, 10.5)):
        made[f"h{level}"] = ParagraphStyle(
            f"h{level}", text, fontName=BOLD, fontSize=size, leading=size * 1.25, spaceBefore=size, spaceAfter=size / 2
        )
    return made


def _flow(blocks: Sequence[BookBlock], styles: dict[str, ParagraphStyle]) -> Iterator[Any]:
    """What reportlab sets, a heading kept with what follows it."""
    waiting: list[Any] = []
    began = False
    for block in blocks:
        if isinstance(block, Heading):
            if block.level == 1 and began:
                yield PageBreak()
            waiting.append(Paragraph(block.text, styles[f"h{min(block.level, 3)}"]))
            began = True
            continue
        made = _set(block, styles)
        if waiting and not isinstance(block, BookTable):
            yield KeepTogether([*waiting, made])
        else:
            yield from (*waiting, made)
        waiting = []
    yield from waiting


def _set(block: BookBlock, styles: dict[str, ParagraphStyle]) -> Any:
    match block:
        case BookText(text, mark, depth):
            indent = 14 * (depth + bool(mark))
            style = ParagraphStyle("item", styles["text"], leftIndent=indent, bulletIndent=indent - 14)
            return Paragraph(text, style, bulletText=mark or None)
        case Listing(text):
            return KeepTogether([Preformatted(text, styles["code"]), Spacer(1, 2 * mm)])
        case BookPicture(path):
            return _picture(path, _ROOM_MM[0] if path.suffix == ".svg" else _PICTURE_MM[0], _PICTURE_MM[1])
        case BookTable(rows):
            return _table(rows, styles)
    raise AssertionError(block)


def _picture(path: Path, wide_mm: float, high_mm: float) -> Any:
    if path.suffix == ".svg":
        return _Drawn(read_drawing(path.read_text(encoding="utf-8")), wide_mm)
    image = Image(str(path))
    image._restrictSize(wide_mm * mm, high_mm * mm)
    return image


def _table(rows: tuple[tuple[str | BookPicture, ...], ...], styles: dict[str, ParagraphStyle]) -> Any:
    """Columns as wide as their longest words ask for, within the page."""
    columns = len(rows[0])
    longest = [max(_length(row[at]) for row in rows) for at in range(columns)]
    shares = [min(max(length, 5), 70) ** 0.75 for length in longest]
    widths = [_ROOM_MM[0] * share / sum(shares) for share in shares]
    cells = [
        [
            _picture(cell.path, width - 4, 45.0) if isinstance(cell, BookPicture) else Paragraph(cell, styles["cell"])
            for cell, width in zip(row, widths, strict=True)
        ]
        for row in rows
    ]
    style = [
        ("FONTNAME", (0, 0), (-1, -1), REGULAR),
        ("GRID", (0, 0), (-1, -1), 0.4, _LINE),
        ("BACKGROUND", (0, 0), (-1, 0), _HEAD),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        *((name, (0, 0), (-1, -1), 2.5) for name in ("LEFTPADDING", "RIGHTPADDING", "TOPPADDING", "BOTTOMPADDING")),
    ]
    return Table(cells, [width * mm for width in widths], repeatRows=1, style=style, spaceBefore=4, spaceAfter=8)


def _length(cell: str | BookPicture) -> int:
    return 30 if isinstance(cell, BookPicture) else len(cell)
