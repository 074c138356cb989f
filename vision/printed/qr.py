"""QR codes to be printed and shown: cards' labels, and texts for telephones. Source: ISO/IEC 18004."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from vision.printed.tags import Bits

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
