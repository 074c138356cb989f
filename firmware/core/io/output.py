"""Text that goes out does nothing where it arrives: names, file names and what a file holds may have been chosen to.

A terminal obeys what follows an escape, and writes to the left of what comes after a sign that turns the direction; a
spreadsheet computes what begins as a formula does.
"""

from __future__ import annotations

import csv
import io
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from typing import Any, Final, TextIO, cast

_OURS: Final = r"\r\n|\r\x1b\[K|\x1b\[[012]m"
"""Sequences that the program prints itself: CSV line ends, a line written again, bold, dim and neither."""
_STEERING: Final = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_EITHER: Final = re.compile(f"({_OURS})|{_STEERING}")


def plain(text: str) -> str:
    """The text with a question mark for whatever would steer a terminal."""
    return _EITHER.sub(lambda found: found[1] or "?", text)


class PlainStream:
    """A stream that prints what it is given as ``plain``; for everything else it is the one beneath."""

    def __init__(self, beneath: TextIO) -> None:
        self._beneath = beneath

    def write(self, text: str) -> int:
        """Print; gives how many letters were handed in."""
        self._beneath.write(plain(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._beneath, name)


@contextmanager
def plain_streams() -> Iterator[None]:
    """While this lasts, standard output and standard error are plain. A sign they cannot show is a question mark."""
    with ExitStack() as held:
        for stream, redirected in ((sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)):
            if stream is not None:
                if hasattr(stream, "reconfigure"):
                    stream.reconfigure(errors="replace")
                held.enter_context(redirected(cast(TextIO, PlainStream(stream))))
        yield


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
