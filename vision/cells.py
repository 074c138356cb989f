"""A picture in cells of 8 by 8 pixels: their means, masks of them, and grey levels by their rank."""

from __future__ import annotations

import math
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.frame import Picture
from vision.geometry import Box, Floats

CELL_PX: Final = 8  # a good enough thumbnail: READING.md, "What a frame costs"
Mask = NDArray[np.uint8]
"""One byte for each cell of the thumbnail, 0 or 1."""
Thumb = NDArray[np.float32]
BLOCK_PX: Final = 8 * CELL_PX  # a label at usual distances is one to two
MAX_GAIN: Final = 0.3  # of brightness: more is the light of the room, and to be looked at
CONTRAST: Final = 12.0  # grey levels: what differs by less looks alike. From 8 to 12 nothing is read otherwise
CLIPPED: Final = 250.0  # of 255: a sensor that is full, less what noise takes away
SOME: Final = (slice(None, None, 4), slice(None, None, 4))  # some three thousand tell three numbers well enough


def thumbnail(y: Picture) -> Thumb:
    """The mean of every 8 by 8 pixels, (height // 8, width // 8) float32."""
    height, width = y.shape[0] // CELL_PX, y.shape[1] // CELL_PX
    if not height or not width:
        return np.zeros((height, width), np.float32)
    small = y[: height * CELL_PX, : width * CELL_PX]
    for part in (4, 2, 1):
        # Halving thrice is three times cheaper than an eighth at once: OpenCV has a way of its own for halving.
        small = np.asarray(cv2.resize(small, (part * width, part * height), interpolation=cv2.INTER_AREA))
    return np.asarray(small, dtype=np.float32)


def coarse(y: Picture) -> Thumb:
    """The mean of every 64 by 64 pixels, from every eighth of their rows: a tenth of the work of telling changes."""
    height, width = y.shape[0] // BLOCK_PX, y.shape[1] // BLOCK_PX
    if not (height and width):
        return np.zeros((0, 0), np.float32)
    rows = y[CELL_PX // 2 : height * BLOCK_PX : CELL_PX, : width * BLOCK_PX]
    for part in (4, 2, 1):
        rows = np.asarray(cv2.resize(rows, (8 * part * width, part * height), interpolation=cv2.INTER_AREA))
    return np.asarray(cv2.resize(rows, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


def stands_still(now: Thumb, before: Thumb, max_gain: float) -> bool:
    """Whether two ``coarse`` pictures are alike but for noise, a little shaking and this share of brightness.

    Hands, cards and figures that move show, lamps switched on and a camera pushed, and not what is smaller than about a
    card: this only ever spares a full look for a frame in between.
    """
    if now.shape != before.shape:
        return False
    gain = float(now.sum()) / max(1.0, float(before.sum()))
    return abs(gain - 1.0) <= max_gain and not bool((np.abs(now - gain * before) > CONTRAST).any())


def room_gain(now: Thumb, before: Thumb) -> float:
    """How many times as bright as ``before`` half of the picture is at least: the light of the room, whatever came.

    Both of the same shape. Grey levels, which follow a power of the light: other light multiplies them all alike.
    """
    return at_share(now[SOME] / np.maximum(before[SOME], 1.0), 0.5)


def relit(before: Thumb, now: Thumb, explained: float = MAX_GAIN) -> Thumb:
    """The thumbnail ``before`` in the light of now; as it was where that differs by less than is ``explained``."""
    gain = room_gain(now, before)
    if abs(gain - 1.0) <= explained:
        return before
    lit = np.minimum(before * np.float32(gain), np.float32(255.0))
    return np.asarray(
        np.where(before >= CLIPPED, np.maximum(lit, now), lit), np.float32
    )  # what burnt may have been brighter


def cells_under(points_px: Floats, margin: int = 0) -> tuple[slice, slice]:
    """The rows and columns of cells that hold these points (N, 2), and ``margin`` more all round."""
    across, down = zip(*points_px.tolist(), strict=True)  # of a few points Python finds the least sooner than numpy
    return _cells_between(min(down), max(down), margin), _cells_between(min(across), max(across), margin)


def _cells_between(low_px: float, high_px: float, margin: int) -> slice:
    if not math.isfinite(low_px + high_px):
        return slice(0, 0)  # nowhere in the picture
    low, high = math.floor(low_px / CELL_PX) - margin, math.ceil(high_px / CELL_PX) + margin
    return slice(max(low, 0), max(high, 0))


def box_of(cells: tuple[slice, slice]) -> Box:
    """The pixels of these rows and columns of cells."""
    rows, columns = cells
    return Box(columns.start * CELL_PX, rows.start * CELL_PX, columns.stop * CELL_PX, rows.stop * CELL_PX)


def both(one: Mask, other: Mask) -> Mask:
    """The cells that are in both masks."""
    return np.asarray(cv2.bitwise_and(one, other), dtype=np.uint8)


def without(one: Mask, other: Mask) -> Mask:
    """The cells that are in the first mask and not in the other."""
    return np.asarray(cv2.subtract(one, other), dtype=np.uint8)


def any_of(mask: Mask) -> bool:
    """Whether any cell is in a mask. numpy takes twice as long to say so, and twenty times as long over booleans."""
    return cv2.countNonZero(mask) > 0


def grown(mask: Mask, cells: int) -> Mask:
    """The mask with everything within ``cells`` cells of it."""
    size = 2 * cells + 1
    return np.asarray(cv2.dilate(mask, np.ones((size, size), np.uint8)), dtype=np.uint8)


def wide(cells: Mask) -> Mask:
    """Without what is narrower than three cells: edges that tremble, and nothing that came or went."""
    if not any_of(cells):
        return cells
    return np.asarray(cv2.morphologyEx(cells, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), dtype=np.uint8)


def parts_of(mask: Mask) -> list[tuple[int, int, int, int]]:
    """The boxes around what hangs together in a mask: left, top, width and height, in cells."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [(x, y, width, height) for x, y, width, height in map(cv2.boundingRect, outlines)]


def at_share(values: NDArray[Any], share: float) -> float:
    """The value that this share of all of them (0 up to 1) lies below; one of them, nothing between two.

    Raises ValueError when there are no values.
    """
    if not values.size:
        raise ValueError("expected at least one value to take by its rank, found none; leave out what is empty")
    number = min(int(share * values.size), values.size - 1)
    return float(np.partition(values, number, axis=None)[number])


def median(values: ArrayLike, axis: int | None = None, *, keepdims: bool = False) -> NDArray[Any]:
    """The middle value, between the two middle ones of an even number, as ``np.median`` where nothing is nan.

    That one loads all of ``numpy.ma`` with its first call, and takes twice the time for a few values.
    """
    given = np.asarray(values)
    given, along = (given.ravel(), 0) if axis is None else (given, axis)
    middle = [(given.shape[along] - 1) // 2, given.shape[along] // 2]
    ordered = np.partition(given, middle, axis=along)
    return np.asarray(np.take(ordered, middle, axis=along).mean(axis=along, keepdims=keepdims))
