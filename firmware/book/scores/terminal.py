"""The terminal's width and signs, tables that fit it, and rows of bars."""

from __future__ import annotations

import math
import os
import shutil
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TextIO

NEEDED: Final = "±▁█"  # every sign that plots and tables use beyond ASCII
GAP: Final = "  "
NO_BREAK: Final = "\u00a0\u202f"
"""Blanks that Python counts as not printable."""


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

    def spelled(self, text: str) -> str:
        """A sentence in the signs that there are; letters are left to the stream, which may have more than ASCII's."""
        return text.replace("±", self.plus_minus)

    def dim(self, text: str) -> str:
        return f"\x1b[2m{text}\x1b[0m" if self.colour else text


def terminal_of(stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> Terminal:
    """The terminal behind this stream. Colour only where a person reads it and has not set NO_COLOR (no-color.org)."""
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
    return "".join(" " if sign in NO_BREAK else sign if sign.isprintable() else "?" for sign in text)


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


BLOCKS: Final = "▁▂▃▄▅▆▇█"
PLAIN_BLOCKS: Final = "_.:-=+*#"


def sparkline(values: Sequence[float], low: float, high: float, width: int, *, signs: bool = True) -> str:
    """The values as a row of bars of eight heights between ``low`` and ``high``, at most ``width`` of them.

    Of more values than that the last of each stretch is shown, so that the newest always is.
    """
    blocks = BLOCKS if signs else PLAIN_BLOCKS
    count = min(width, len(values))
    shown = [values[(place + 1) * len(values) // count - 1] for place in range(count)]
    span = (high - low) or 1.0
    return "".join(blocks[max(0, min(7, math.floor((value - low) / span * 8)))] for value in shown)
