"""How wide text is, where it breaks, and what size fits. The fonts travel inside the PDF: same everywhere."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from unicodedata import bidirectional, category

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from vision.sheets.shapes import GREY, INK, Anchor, Place, PrintColour, Rect, Text

REGULAR: Final = "EngardeSheets"
BOLD: Final = "EngardeSheets-Bold"
_fallbacks: Final[list[str]] = []
_found = find_spec("font_source_sans_pro")
_FAMILY: Final = Path(*list((_found and _found.submodule_search_locations) or ("",))[:1]) / "files"
_IS_THERE: Final = (_FAMILY / "SourceSansPro-Semibold.ttf").is_file()
"""The family of the screen; else Bitstream Vera, which comes with reportlab, has fewer letters, and is wider."""
_FILES: Final = {
    REGULAR: str(_FAMILY / "SourceSansPro-Semibold.ttf") if _IS_THERE else "Vera.ttf",
    BOLD: str(_FAMILY / "SourceSansPro-Black.ttf") if _IS_THERE else "VeraBd.ttf",
}
CAPITAL, FIGURE = (0.66, 0.65) if _IS_THERE else (0.729, 0.742)  # of this font's size
LEADING: Final = 1.95  # from line to line, of a capital's height
_MEASURE: Final = re.compile(r"(\d) (mm|g|%)")  # stays on one line
_SMALLER: Final = 0.97
_MIN_MM: Final = 1.25


class TextTooLongError(ValueError):
    """A text that does not fit its place even in the smallest letters."""


@cache
def load_fonts() -> None:
    """Makes the two fonts known to reportlab. Raises OSError where neither the family nor reportlab's own are there."""
    for name, file in _FILES.items():
        try:
            pdfmetrics.registerFont(TTFont(name, file))
        except Exception as error:
            raise OSError(f"the font {file} cannot be loaded ({error}); install font-source-sans-pro") from error


def fall_back_on(files: Sequence[Path]) -> tuple[str, ...]:
    """Have letters that the two fonts lack taken from these, in this order; their names for reportlab.

    A file that is no TrueType font, or is gone, or is one of the two, is left out.
    """
    _fallbacks[:] = [
        f"{REGULAR}-{file.stem}" for file in files if str(file) not in _FILES.values() and _registered(file)
    ]
    return tuple(_fallbacks)


@cache
def _registered(file: Path) -> bool:
    try:
        pdfmetrics.registerFont(TTFont(f"{REGULAR}-{file.stem}", str(file)))
    except (TTFError, OSError):
        return False
    return True


def letters_of(font: str) -> Container[int]:
    """The code points that one of these fonts has letters for."""
    load_fonts()
    letters: Container[int] = pdfmetrics.getFont(font).face.charToGlyph
    return letters


def can_set(letter: str, has: Container[int]) -> bool:
    """Whether a letter is set in a font that has these: none of a script that runs from right to left."""
    return ord(letter) in has and bidirectional(letter) not in ("R", "AL")


def runs(text: str, *, bold: bool = False) -> list[tuple[str, str]]:
    """The text in pieces, each with the name of its font; what none has is a question mark."""
    fonts = (font_of(bold), *_fallbacks)
    found: list[tuple[str, str]] = []
    for letter in text:
        seen = category(letter)[0] not in "ZC"  # a blank of any width is one in every font
        having = (font for font in fonts if not seen or can_set(letter, letters_of(font)))
        font, piece = next(((font, letter) for font in having), (fonts[0], "?"))
        if found and found[-1][0] == font:
            piece = found.pop()[1] + piece
        found.append((font, piece))
    return found


def font_of(bold: bool) -> str:
    """The name under which reportlab knows the font."""
    load_fonts()
    return BOLD if bold else REGULAR


def width_mm(text: str, size_mm: float, *, bold: bool = False) -> float:
    """How wide a line is in letters whose capitals are so high."""
    size = size_mm / CAPITAL
    return sum(float(pdfmetrics.stringWidth(piece, font, size)) for font, piece in runs(text, bold=bold))


def fitted(
    at: Place,
    text: str,
    size_mm: float,
    room_mm: float,
    *,
    colour: PrintColour = INK,
    bold: bool = False,
    anchor: Anchor = "left",
) -> Text:
    """One line, in smaller letters where it would be wider than its room.

    Raises TextTooLongError when even the smallest legible letters are too wide.
    """
    wide = width_mm(text, size_mm, bold=bold)
    size = size_mm if wide <= room_mm else size_mm * room_mm / wide
    if size < _MIN_MM:
        raise TextTooLongError(f"{text!r} needs more than {room_mm:.0f} mm; shorten it in the catalogue")
    return Text(at, text, size, colour, bold, anchor)


def centred_line(
    at: Place, text: str, size_mm: float, room_mm: float, colour: PrintColour = GREY, *, bold: bool = False
) -> Text:
    """One line around a place, as ``fitted``."""
    return fitted(at, text, size_mm, room_mm, colour=colour, bold=bold, anchor="middle")


def wrapped(text: str, size_mm: float, room_mm: float) -> list[str]:
    """The text in lines no wider than the room, broken at spaces (never at a no-break space)."""
    lines: list[str] = []
    line = ""
    for word in _MEASURE.sub("\\1\u00a0\\2", text).split(" "):
        longer = f"{line} {word}" if line else word
        if line and width_mm(longer, size_mm) > room_mm:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def paragraph(
    box: Rect, text: str, size_mm: float, *, colour: PrintColour = INK, anchor: Anchor = "left", centred: bool = False
) -> tuple[Text, ...]:
    """Text filling a box from its top, or around its middle; smaller letters where it would run out of it.

    Raises TextTooLongError when it does not fit in the smallest legible letters.
    """
    size = size_mm
    while True:
        lines = wrapped(text, size, box.width)
        widest = max(width_mm(line, size) for line in lines)
        high = block_mm(len(lines), size)
        if widest <= box.width and high <= box.height + 1e-6:
            break
        size *= _SMALLER
        if size < _MIN_MM:
            raise TextTooLongError(
                f"{text!r} needs more than {box.width:.0f} x {box.height:.0f} mm; shorten it in the catalogue"
            )
    x = {"left": box.x, "middle": box.middle[0], "right": box.right}[anchor]
    top = box.y + (box.height - high) / 2 if centred else box.y
    return tuple(
        Text((x, top + size * (1.0 + LEADING * number)), line, size, colour, anchor=anchor)
        for number, line in enumerate(lines)
    )


def bounds_of(line: Text) -> Rect:
    """The box around a line of text, tails included; in the line's own frame."""
    wide = width_mm(line.text, line.size_mm, bold=line.bold)
    left = line.at[0] - {"left": 0.0, "middle": wide / 2, "right": wide}[line.anchor]
    return Rect(left, line.at[1] - line.size_mm, wide, 1.3 * line.size_mm)


def numbered(box: Rect, texts: Sequence[str], size_mm: float) -> tuple[Text, ...]:
    """Paragraphs numbered from 1, one under the other; smaller letters where they would run out of the box.

    Raises TextTooLongError when they do not fit in the smallest legible letters.
    """
    size = size_mm
    while size >= _MIN_MM:
        indent, gap = 3.4 * size, 0.9 * size
        heights = [block_mm(len(wrapped(text, size, box.width - indent)), size) for text in texts]
        if sum(heights) + gap * (len(texts) - 1) <= box.height:
            break
        size *= _SMALLER
    else:
        raise TextTooLongError(f"{texts[0]!r} and what follows needs more than {box.height:.0f} mm; shorten it")
    lines: list[Text] = []
    top = box.y
    for number, (text, high) in enumerate(zip(texts, heights, strict=True), start=1):
        lines.append(Text((box.x, top + size), f"{number}.", size, INK, bold=True))
        lines += paragraph(Rect(box.x + indent, top, box.width - indent, high), text, size)
        top += high + gap
    return tuple(lines)


def block_mm(lines: int, size_mm: float) -> float:
    """The height of so many lines, from the first one's capitals to under the last one's tails."""
    return size_mm * (1.35 + LEADING * (lines - 1))
