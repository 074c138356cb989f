"""The marks a camera reads: of corners and fencers, and QR codes. Source: FORMATS.md, "Printed codes"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.rules.cards import Card
from engine.strict.text import shown

Bits = NDArray[np.bool_]

DICTIONARY: Final = "DICT_APRILTAG_36h11"
ID_SETS: Final = (range(8), range(293, 301))
"""Ids that a table file may name: the first eight are the commonest markers in the world; beside other people's markers
one prints the eight from the middle of the dictionary."""
OWN_IDS: Final = tuple(number for ids in ID_SETS for number in ids)
QR_MODULES: Final = 21  # a side: version 1 holds ten characters at level H. Source: ISO/IEC 18004
FINDER_MODULES: Final = 7  # a side of the pattern in three of its corners. Source: ISO/IEC 18004
FINDER_PATTERNS: Final = 3  # in a code. Source: ISO/IEC 18004
QUIET_MODULES: Final = 4  # around it. Source: ISO/IEC 18004; without them nothing is read (vision/READING.md, "QR")
MARGIN_CELLS: Final = 1  # of white around a marker's black border, which tells it from what it lies on

TOKEN_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Letters of a back's token: none that is easily taken for another."""
TOKEN_LENGTH: Final = 6  # of 32 letters: a billion, so that two sets of backs are never alike by chance

_PAYLOAD: Final = re.compile(r"EG1:([A-Z]):([1-5])([A-E])")
_BACK: Final = re.compile(f"EGB:([{TOKEN_LETTERS}]{{{TOKEN_LENGTH}}})")


def aruco_dictionary(name: str = DICTIONARY) -> Any:
    """OpenCV's dictionary of this name, such as ``DICT_APRILTAG_36h11``. Raises ValueError for a name it lacks."""
    number = getattr(cv2.aruco, name, None) if name.startswith("DICT_") else None
    if not isinstance(number, int):
        raise ValueError(f"OpenCV has no marker dictionary called {name!r}; the printed sheets use {DICTIONARY}")
    return cv2.aruco.getPredefinedDictionary(number)


@lru_cache(maxsize=64)
def marker_bits(marker_id: int, dictionary: str = DICTIONARY) -> Bits:
    """A marker's cells with its black border, without the white margin: (8, 8) for 36h11, True is black, row 0 its top.

    Raises ValueError when the dictionary has no such marker.
    """
    words = aruco_dictionary(dictionary)
    count = len(words.bytesList)
    if not 0 <= marker_id < count:
        raise ValueError(f"{dictionary} has markers 0 to {count - 1}, found id {marker_id}; choose one of those")
    cells = int(words.markerSize) + 2
    bits = np.asarray(cv2.aruco.generateImageMarker(words, marker_id, cells, borderBits=1)) < 128
    bits.setflags(write=False)
    return bits


def payload(card: Card, deck: str) -> str:
    """The text of this card's QR label, such as ``EG1:A:3B`` (format, deck letter, card)."""
    if re.fullmatch("[A-Z]", deck) is None:
        raise ValueError(f"a deck's letter is one of A to Z, found {deck!r}; see [deck] in hardware/table.toml")
    return f"EG1:{deck}:{card.value}{card.letter.upper()}"


def parse_payload(text: str) -> tuple[str, Card] | None:
    """The deck letter and card of one of our labels; None for any other code in view."""
    found = _PAYLOAD.fullmatch(text)
    if found is None:
        return None
    deck, value, letter = found.groups()
    return deck, Card(int(value), letter.lower())


def back_payload(token: str) -> str:
    """The text of the label on a card's back, such as ``EGB:7KQ2XN``. It has nothing to do with the card's value."""
    text = f"EGB:{token}"
    if _BACK.fullmatch(text) is None:
        raise ValueError(
            f"a back's token is {TOKEN_LENGTH} of {TOKEN_LETTERS}, found {shown(token)}; print the backs again"
        )
    return text


def parse_back(text: str) -> str | None:
    """The token of a card's back; None for any other code in view."""
    found = _BACK.fullmatch(text)
    return found[1] if found is not None else None


Rows = tuple[tuple[bool, ...], ...]
"""The modules from the top left, True for a dark one, without the quiet zone of four that belongs around them."""


@lru_cache(maxsize=256)
def qr_bits(text: str) -> Bits:
    """The label's modules, (21, 21): True is black. Version 1, level H, alphanumeric, no quiet zone.

    The mask is the encoder's own choice: a reader must not count on one. Raises ValueError when the text does not fit
    (at most 10 characters of the alphanumeric set, ISO/IEC 18004).
    """
    try:
        rows = _rows(text, version=1, error="h", mode="alphanumeric", boost_error=False)
    except ValueError as error:
        raise ValueError(
            f"{text!r} does not fit a QR label of version 1, level H: expected up to 10 characters of A to Z, 0 to 9 "
            f"and space $%*+-./: ({error}); print a payload such as EG1:A:3B"
        ) from error
    bits = np.array(rows)
    bits.setflags(write=False)
    return bits


def qr_rows(text: str) -> Rows:
    """The smallest code that holds this text, with a twelfth of it spare for dirt."""
    return _rows(text, error="l")


def _rows(text: str, **how: Any) -> Rows:
    import segno  # brings a client for the web: a start at a real table does without

    return tuple(tuple(bool(module) for module in row) for row in segno.make(text, micro=False, **how).matrix)
