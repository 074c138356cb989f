"""What the place that text goes to can show, and tables that fit it."""

from __future__ import annotations

import os
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

NEEDED: Final = "±│▁█⣿"  # every sign that plots and tables use beyond ASCII
GAP: Final = "  "


@dataclass(frozen=True, slots=True)
class Terminal:
    """``width`` in columns; None where nobody wraps lines (a file, a pipe). ``signs``: more than ASCII can be shown."""

    width: int | None = None
    colour: bool = False
    signs: bool = True

    @property
    def plus_minus(self) -> str:
        return "±" if self.signs else "+/-"

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text


def terminal_of(stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> Terminal:
    """What is known of this stream. Colour only where a person reads it and has not said NO_COLOR (no-color.org)."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        NEEDED.encode(encoding)
        signs = True
    except (UnicodeError, LookupError):
        signs = False
    if stream is None or not stream.isatty():
        return Terminal(None, False, signs)
    dumb = environment.get("TERM") == "dumb"
    return Terminal(shutil.get_terminal_size().columns, not dumb and not environment.get("NO_COLOR"), signs)


def columns_of(text: str) -> int:
    """How many columns of a terminal this text takes: East Asian letters two, accents of their own none."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    marks = sum(unicodedata.category(sign) in ("Mn", "Me", "Cf") for sign in text)
    return len(text) + wide - marks


def printable(text: str) -> str:
    """A name cannot move the cursor or break the table, whatever an old book has kept."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def table(
    terminal: Terminal,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int] = (),
    spare: Sequence[int] = (),
) -> list[str]:
    """Lines of columns as wide as their widest cell, under a ruled heading.

    ``right`` are flush right. ``spare`` are left out one by one, in this order, until the lines fit the terminal;
    what is too long even then, the terminal wraps.
    """
    cells = [[printable(cell) for cell in row] for row in (head, *rows)]
    widths = [max(columns_of(row[place]) for row in cells) for place in range(len(head))]
    kept = list(range(len(head)))
    for place in spare:
        if terminal.width is None or sum(widths[each] for each in kept) + len(GAP) * (len(kept) - 1) <= terminal.width:
            break
        kept.remove(place)
    lines = []
    for row in cells:
        parts = []
        for place in kept:
            blanks = " " * (widths[place] - columns_of(row[place]))
            parts.append(blanks + row[place] if place in right else row[place] + blanks)
        lines.append(GAP.join(parts).rstrip())
    rule = GAP.join("-" * widths[place] for place in kept)
    return [terminal.bold(lines[0]), terminal.dim(rule), *lines[1:]]
