"""People's names: what may be one, and when two spellings are one person.

Every name passes here, wherever it comes from: typed, in settings, in a game record or an export, in a recording's
header. One that an older book has kept is shown as ``shown_name`` has it.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from display.draw import fonts
from firmware.core.errors import EngardeError

MAX_NAME: Final = 40
"""More letters than this break a screen and a table."""

# Control signs, halves of signs, private ones, line and paragraph ends.
_FORBIDDEN: Final = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
# Signs that turn the direction of what follows: a name with one rearranges the rest of its line.
_TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


# Signs without a picture that are neither of these: blanks of no width, fillers, joiners, variants of the sign before.
_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(code)
    for first, last in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0000, 0xE0FFF))
    for code in range(first, last + 1)
}
_JOINERS: Final = "\u200c\u200d"
"""Between letters of some scripts, and in pictures made of several, these two change what is seen."""


class BadNameError(EngardeError, ValueError):
    """This cannot be a player's name; the text says why and what can."""


class OtherLettersError(BadNameError):
    """A name has ``letters`` that can be neither shown nor printed here."""

    def __init__(self, name: str, letters: str) -> None:
        lacking = [each.name for each in fonts.SYSTEM_FONTS if not each.is_file()]
        cure = f", or install {fonts.PACKAGES}" if lacking else ""
        super().__init__(
            f"a player's name is shown and printed, {name!a} has {len(letters)} letters that no font here sets one "
            f"after the other from left to right: write it in others{cure}."
        )
        self.letters = letters


def clean_name(text: str) -> str:
    """The name as it is kept: composed (NFC), without invisible signs and outer blanks, with single blanks inside.

    Raises BadNameError.
    """
    found = _forbidden(text)
    if found:
        raise BadNameError(f"a player's name has no control characters, {text[:MAX_NAME]!a} has {found}: leave it out.")
    name = _composed("".join(sign for place, sign in enumerate(text) if not _is_unseen(text, place)))
    if not name:
        raise BadNameError("a player's name has at least one letter, this one is empty: give one.")
    if len(name) > MAX_NAME:
        raise BadNameError(
            f"a player's name has at most {MAX_NAME} letters, {name[:20]!r}... has {len(name)}: shorten it."
        )
    return name


def new_name(text: str) -> str:
    """``clean_name`` of a name that is given now: its letters are shown and printed here. Raises BadNameError.

    A name that was kept before is kept, and shown with a question mark for each letter that nothing is set in.
    """
    name = clean_name(text)
    missing = fonts.unwritable(name)
    if missing:
        raise OtherLettersError(name, missing)
    return name


def _forbidden(name: str) -> str:
    """The first sign no name may have, as ``U+0007``; empty when there is none."""
    for sign in name:
        if sign in _TURNING or unicodedata.category(sign) in _FORBIDDEN:
            return f"U+{ord(sign):04X}"
    return ""


def person_key(name: str) -> str:
    """The same for every spelling of one person's name, whatever its letter case, blanks, accents and invisible signs.

    Takes any text: an old scorebook, or another program, may have kept what would be refused today.
    """
    seen = "".join(sign for sign in name if not _has_no_picture(sign))
    return _composed(unicodedata.normalize("NFD", seen).casefold())


def shown_name(name: str) -> str:
    """A name that a scorebook has kept, as it may be shown: what no name may have is a question mark."""
    return "".join("?" if _forbidden(sign) else sign for sign in name)


def _composed(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _has_no_picture(sign: str) -> bool:
    return sign in _UNSEEN or (unicodedata.category(sign) == "Cf" and sign not in _TURNING)


def _is_unseen(text: str, place: int) -> bool:
    """Whether the sign at this place is invisible and changes no neighbour."""
    sign = text[place]
    if sign not in _JOINERS:
        return _has_no_picture(sign)
    around = (text[place - 1 : place], text[place + 1 : place + 2])
    return not all(each and unicodedata.category(each) in ("Lo", "Mn", "Mc", "So", "Sk") for each in around)
