"""A text as a QR code, for telephones: its modules as rows, dark or light."""

from __future__ import annotations

import segno

Rows = tuple[tuple[bool, ...], ...]
"""The modules from the top left, True for a dark one, without the quiet zone of four that belongs around them."""


def qr_rows(text: str) -> Rows:
    """The smallest code that holds this text, with a twelfth of it spare for dirt."""
    return tuple(tuple(bool(module) for module in row) for row in segno.make(text, error="l", micro=False).matrix)
