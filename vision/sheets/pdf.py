"""Writes a sheet as PDF: vectors only, millimetres kept to the last digit."""

from __future__ import annotations

from typing import Any, Final

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from vision.sheets.lettering import CAPITAL, font_of, runs, width_mm
from vision.sheets.page import Sheet
from vision.sheets.shapes import BLACK, Code, Disc, Group, Oblong, Path, Pen, PrintColour, Shape, Stroke, Text

_MAKER: Final = "En Garde Companion"


def pdf_bytes(sheet: Sheet, language: str = "en") -> bytes:
    """The sheet as PDF, the same bytes every time. It asks the program that prints it not to scale it."""
    # Its own default is a font that is not embedded, which print shops refuse even where it is not used.
    canvas = Canvas("", invariant=1, lang=language, initialFontName=font_of(bold=False))
    canvas.setTitle(sheet.title)
    canvas.setAuthor(_MAKER)
    canvas.setCreator(_MAKER)
    canvas.setSubject(sheet.name)
    canvas.setViewerPreference("PrintScaling", "None")
    for page in sheet.pages:
        canvas.setPageSize((page.width_mm * mm, page.height_mm * mm))
        canvas.translate(0, page.height_mm * mm)
        canvas.scale(mm, -mm)
        for shape in page.shapes:
            draw_shape(canvas, shape)
        canvas.showPage()
    data: bytes = canvas.getpdfdata()
    return data


def draw_shape(canvas: Any, shape: Shape) -> None:
    """Draw onto a reportlab canvas that counts millimetres from the top left."""
    match shape:
        case Group():
            _draw_group(canvas, shape)
        case Text():
            _draw_text(canvas, shape)
        case Code():
            _draw_code(canvas, shape)
        case Stroke(start, end, pen):
            _take(canvas, pen)
            canvas.line(*start, *end)
        case Oblong(rect, fill, pen, radius):
            _take(canvas, pen, fill)
            if radius:
                canvas.roundRect(*rect, radius, stroke=pen is not None, fill=fill is not None)
            else:
                canvas.rect(*rect, stroke=pen is not None, fill=fill is not None)
        case Disc(middle, radius, fill, pen):
            _take(canvas, pen, fill)
            canvas.circle(*middle, radius, stroke=pen is not None, fill=fill is not None)
        case Path(points, fill, pen, closed):
            _take(canvas, pen, fill)
            path = canvas.beginPath()
            path.moveTo(*points[0])
            for point in points[1:]:
                path.lineTo(*point)
            if closed:
                path.close()
            canvas.drawPath(path, stroke=pen is not None, fill=fill is not None)


def _draw_group(canvas: Any, group: Group) -> None:
    canvas.saveState()
    canvas.translate(*group.at)
    canvas.rotate(group.turn_deg)  # the y axis points down, so this turns clockwise
    if group.clip is not None:
        window = canvas.beginPath()
        window.rect(*group.clip)
        canvas.clipPath(window, stroke=0, fill=0)
    for shape in group.shapes:
        draw_shape(canvas, shape)
    canvas.restoreState()


def _draw_text(canvas: Any, text: Text) -> None:
    canvas.saveState()
    canvas.translate(*text.at)
    canvas.scale(1, -1)
    canvas.setFillColorRGB(*text.colour)
    wide = width_mm(text.text, text.size_mm, bold=text.bold)
    left = {"left": 0.0, "middle": -wide / 2, "right": -wide}[text.anchor]
    for font, piece in runs(text.text, bold=text.bold):
        canvas.setFont(font, text.size_mm / CAPITAL)
        canvas.drawString(left, 0, piece)
        left += canvas.stringWidth(piece, font, text.size_mm / CAPITAL)
    canvas.restoreState()


def _draw_code(canvas: Any, code: Code) -> None:
    """All black cells as one path: what fills them at once leaves no seams between neighbours."""
    rows, columns = code.bits.shape
    wide, high = code.rect.width / columns, code.rect.height / rows
    path = canvas.beginPath()
    for row in range(rows):
        start: int | None = None
        for column in range(columns + 1):
            dark = column < columns and bool(code.bits[row, column])
            if dark and start is None:
                start = column
            elif not dark and start is not None:
                path.rect(code.rect.x + start * wide, code.rect.y + row * high, (column - start) * wide, high)
                start = None
    _take(canvas, None, BLACK)
    canvas.drawPath(path, stroke=0, fill=1, fillMode=1)


def _take(canvas: Any, pen: Pen | None, fill: PrintColour | None = None) -> None:
    if fill is not None:
        canvas.setFillColorRGB(*fill)
    if pen is not None:
        canvas.setStrokeColorRGB(*pen.colour)
        canvas.setLineWidth(pen.width_mm)
        canvas.setDash(list(pen.dash_mm))
