"""A competition's results to print: A4, the letters inside.

One font for all of a sheet: that of the project's other sheets, or the one of those for other scripts that has more of
its letters. A name in letters that it lacks is printed as the desk calls its fencer, and a sentence says so.
"""

from __future__ import annotations

import io
from collections.abc import Container
from html import escape
from typing import Any, NamedTuple
from unicodedata import normalize

from display.draw.fonts import font_files
from display.i18n import words
from engine.competition.competition import Competition
from firmware.extras.club.results import SELF, tables
from vision.sheets.lettering import BOLD, REGULAR, can_set, fall_back_on, letters_of


class Letters(NamedTuple):
    """A font for cells and one for headings, by reportlab's names, and the letters both have."""

    regular: str
    bold: str
    has: Container[int]


def results_pdf(now: Competition | None, language: str) -> bytes:
    """The results as a PDF file. Raises OSError where reportlab came without its fonts."""
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import KeepTogether, Paragraph, SimpleDocTemplate, Spacer
    from reportlab.platypus import Table as Sheet

    names = [] if now is None else [fencer.name for fencer in now.fencers.values()]
    letters = _letters("".join([*names, "" if now is None else now.name]))
    called = {} if now is None else _called(now, letters.has)
    found = [] if now is None else tables(now, language, called)
    out, heading = io.BytesIO(), ParagraphStyle("heading", fontName=letters.bold, fontSize=13, leading=20)
    small = ParagraphStyle("small", fontName=letters.regular, fontSize=8.5, leading=12)
    story: list[Any] = []
    for title, rows, headed in found:
        width = max(map(len, rows))
        style: list[tuple[Any, ...]] = [
            ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
            ("FONT", (0, 0), (-1, -1), letters.regular, 8.5),
            *([("FONT", (0, 0), (-1, 0), letters.bold, 8.5)] if headed else []),
            *(
                ("BACKGROUND", (column, at), (column, at), colors.grey)
                for at, row in enumerate(rows)
                for column, cell in enumerate(row)
                if cell == SELF
            ),
        ]
        cells = [[lettered(cell, letters.has) for cell in row] + [""] * (width - len(row)) for row in rows]
        sheet = Sheet(cells, style=style, hAlign="LEFT", repeatRows=int(headed))
        story += [KeepTogether([Paragraph(escape(lettered(title, letters.has)), heading), sheet]), Spacer(1, 10)]
    if any(name not in names for name in called.values()):
        story.insert(2, Paragraph(escape(words(language).say("club.other_letters")), small))
        story.insert(3, Spacer(1, 10))
    document = SimpleDocTemplate(out, pagesize=A4, title="En Garde", invariant=1, initialFontName=letters.regular)
    document.build(story or [Spacer(1, 1)])
    return out.getvalue()


def lettered(text: str, has: Container[int]) -> str:
    """The text in letters that there are: ``ő`` as ``o`` where it must be, a question mark where there is none."""
    plain = text.replace(SELF, "").replace("→", ">")
    return "".join(
        next((one for one in (each, normalize("NFKD", each)[0]) if can_set(one, has)), "?") for each in plain
    )


def _whole(text: str, has: Container[int]) -> bool:
    """Whether nothing of it is lost in these letters."""
    return all(can_set(each, has) or can_set(normalize("NFKD", each)[0], has) for each in text)


def _called(now: Competition, has: Container[int]) -> dict[str, str]:
    """How each fencer is printed: by name, else as the desk calls them, else by number in the list."""
    called = {}
    for number, (key, fencer) in enumerate(now.fencers.items(), 1):
        called[key] = next((each for each in (fencer.name, key) if _whole(each, has)), f"{number}.")
    return called


def _letters(text: str) -> Letters:
    """The fonts to print this text in: those that have most of its letters."""
    others = (Letters(font, font, letters_of(font)) for font in fall_back_on(font_files()))
    every = (Letters(REGULAR, BOLD, letters_of(REGULAR)), *others)
    return max(every, key=lambda letters: sum(can_set(letter, letters.has) for letter in text))
