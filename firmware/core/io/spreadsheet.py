"""Tables for spreadsheets, in which no cell is a formula, whatever a player is called."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final

_FORMULA: Final = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")
"""Signs that begin a formula; the wide ones do with East Asian keyboards. Source: OWASP, "CSV Injection"."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """The rows as RFC 4180 has it. A text that a spreadsheet would take for a formula gets an apostrophe in front."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([_cell(each) for each in row] for row in rows)
    return out.getvalue()


def csv_bytes(text: str) -> bytes:
    """The file of such a table that Excel opens, too: without a byte order mark it takes UTF-8 for Windows-1252."""
    return text.encode("utf-8-sig")


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.lstrip(" \ufeff\u3000").startswith(_FORMULA) else value
