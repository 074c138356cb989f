"""A failure that is told to whoever runs the program: one plain sentence, no traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class EngardeError(Exception):
    """Ends a command with exit status 1. Its text is the sentence: the thing, expected, found, the cure."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """``, did you mean X?`` for the known word most like this one; empty when none is like it."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f", did you mean {close[0]}?" if close else ""
