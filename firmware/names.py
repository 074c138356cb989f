"""People's names: what may be one, and when two spellings are one person."""

from __future__ import annotations

import unicodedata
from typing import Final

from firmware.errors import EngardeError

MAX_NAME: Final = 40
"""More letters than this break a screen and a table."""

# Control signs, halves of signs, private ones, line and paragraph ends.
_FORBIDDEN: Final = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
# Signs that turn the direction of what follows: a name with one rearranges the rest of its line.
_TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class BadNameError(EngardeError, ValueError):
    """This cannot be a player's name; the text says why and what can."""


def clean_name(text: str) -> str:
    """The name as it is kept: composed (NFC), without outer blanks, with single blanks inside. Raises BadNameError."""
    found = _forbidden(text)
    if found:
        raise BadNameError(f"a player's name has no control characters, {text[:MAX_NAME]!a} has {found}: leave it out.")
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name:
        raise BadNameError("a player's name has at least one letter, this one is empty: give one.")
    if len(name) > MAX_NAME:
        raise BadNameError(
            f"a player's name has at most {MAX_NAME} letters, {name[:20]!r}... has {len(name)}: shorten it."
        )
    return name


def _forbidden(name: str) -> str:
    """The first sign no name may have, as ``U+0007``; empty when there is none."""
    for sign in name:
        if sign in _TURNING or unicodedata.category(sign) in _FORBIDDEN:
            return f"U+{ord(sign):04X}"
    return ""


def person_key(name: str) -> str:
    """The same for every spelling of one person's name: letter case, blanks and ways to write an accent aside.

    Takes any text: an old scorebook, or another program, may have kept what would be refused today.
    """
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    return " ".join(folded.split())
