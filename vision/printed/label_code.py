"""The modules of the cards' QR labels as data, many texts at once: version 1, level H, alphanumeric, in every mask.

For a reader, which needs all of them in the moment it starts. What is printed and drawn comes from ``qr``.
Source: ISO/IEC 18004 (placement, masks, error correction).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from vision.printed.tags import QR_MODULES, Bits

_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_TEXT_BYTES, _CORRECTION_BYTES = 9, 17  # of version 1 at level H. Source: ISO/IEC 18004
_POLYNOMIAL: Final = 0x11D  # of the field of 256 elements


def unmasked_codes(texts: Sequence[str]) -> Bits:
    """The modules that hold these texts, (texts, 441) row by row, before a mask is put on them: True is black.

    What every code has alike, and what tells the mask, is False. Texts have 8 or 10 characters of the set, as those of
    ``payload`` and ``back_payload``; raises ValueError for an odd number, and for other characters.
    """
    codes = np.zeros((len(texts), QR_MODULES**2), dtype=bool)
    held = np.array([list(_with_correction(_text_bytes(text))) for text in texts], dtype=np.uint8)
    codes[:, _places()] = np.unpackbits(held, axis=1)
    return codes


@lru_cache(maxsize=1)
def masks() -> Bits:
    """The modules that each mask turns over, (8, 441)."""
    down, across = np.mgrid[0:QR_MODULES, 0:QR_MODULES].reshape(2, -1)
    by = down * across
    patterns = [
        (down + across) % 2,
        down % 2,
        across % 3,
        (down + across) % 3,
        (down // 2 + across // 3) % 2,
        by % 2 + by % 3,
        (by % 2 + by % 3) % 2,
        ((down + across) % 2 + by % 3) % 2,
    ]
    return np.asarray((np.array(patterns) == 0) & _holds_text().ravel())


def _text_bytes(text: str) -> bytes:
    """The text with its mode and length, filled up."""
    bits = f"0010{len(text):09b}"
    for first, second in zip(text[::2], text[1::2], strict=True):
        bits += f"{45 * _LETTERS.index(first) + _LETTERS.index(second):011b}"
    bits = f"{bits}0000"[: 8 * _TEXT_BYTES]
    bits += "0" * (-len(bits) % 8)
    return (int(bits, 2).to_bytes(len(bits) // 8, "big") + b"\xec\x11" * _TEXT_BYTES)[:_TEXT_BYTES]


def _with_correction(text: bytes) -> bytes:
    """These bytes with the remainder of their division by the generator: Reed-Solomon."""
    rest = int.from_bytes(text + bytes(_CORRECTION_BYTES), "big")
    first = 8 * len(text) - 1
    for bit in range(first, -1, -1):
        if rest >> (8 * _CORRECTION_BYTES + bit) & 1:
            rest ^= _generators()[bit % 8] << (bit - bit % 8)
    return text + rest.to_bytes(_CORRECTION_BYTES, "big")


@lru_cache(maxsize=1)
def _generators() -> tuple[int, ...]:
    """The generator, its highest byte 1, and 2 to 128 times it."""
    generator, root = [1], 1
    for _ in range(_CORRECTION_BYTES):
        generator = [a ^ _times(root, b) for a, b in zip([*generator, 0], [0, *generator], strict=True)]
        root = _times(root, 2)
    return tuple(int.from_bytes(_times(1 << bit, each) for each in generator) for bit in range(8))


def _times(one: int, other: int) -> int:
    """The product of two elements of the field."""
    product = 0
    while other:
        product ^= one * (other & 1)
        one = one << 1 ^ _POLYNOMIAL * (one >> 7)
        other >>= 1
    return product


def _holds_text() -> Bits:
    """The modules that hold text and correction, (21, 21): not the corners' squares, the formats and the timing."""
    holds = np.ones((QR_MODULES, QR_MODULES), dtype=bool)
    holds[:9, :9] = holds[:9, -8:] = holds[-8:, :9] = holds[6] = holds[:, 6] = False
    return holds


@lru_cache(maxsize=1)
def _places() -> list[int]:
    """The numbers of the modules that hold a bit each, in their order: up and down in pairs of columns."""
    holds, down, places = _holds_text(), range(QR_MODULES), list[int]()
    for turn, right in enumerate((*range(20, 7, -2), 5, 3, 1)):
        for row in down if turn % 2 else reversed(down):
            places += [row * QR_MODULES + column for column in (right, right - 1) if holds[row, column]]
    return places
