"""Nothing that is printed can steer a terminal: names, file names and what a file holds may have been chosen to.

A terminal obeys what follows an escape, and writes to the left of what comes after a sign that turns the direction.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
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
