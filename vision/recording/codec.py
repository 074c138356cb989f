"""How the frames of a recording are kept: what did not change is not kept twice, what no reader needs only coarsely.

A sensor's noise makes every frame differ from the one before in every pixel, so frames as they come cannot be kept
small. Here a block of 8 by 8 pixels stays as it was until it differs by more than noise; then it is taken over from
the camera for a few frames, so that every look after a change has pixels of its own, and now and then anyway. Pixels
are kept as finely as the noise is: rounded to a step below the noise's standard deviation, exactly where there is
none. The eyes look at the kept frames, not at the camera's, so whoever looks at them later sees the very same.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.board.zones import Zones
from vision.change.gate import CELL_PX, Mask
from vision.frame import Picture

FRAMES_AFTER_CHANGE: Final = 4
REFRESHED_EVERY_FRAMES: Final = 60
MOST_SIDE_PX: Final = 16384
_MOST_BITS: Final = 2  # of 250 and more, which is glare to the readers, 252 is left
_OVER_NOISE: Final = 1.75
_LEAST_CHANGE: Final = 2.0
_MOST_NOISE: Final = 24.0
_COARSE_CHANGE: Final = 4
_NOISE_MEAN: Final = 1.13  # the mean difference of two noisy pixels, in standard deviations of the noise
_NOISE_ROWS: Final = 32  # every so many rows are enough to measure it
_HEAD: Final = struct.Struct(">HHB")


class CodecError(ValueError):
    """Bytes that are no kept frame."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """What to change in the frame before. Masks have a byte for each 8 by 8 pixels, the last ones partly outside.

    ``fine_values`` (n, 8, 8) are the blocks of ``fine`` row by row, without the ``bits`` lowest bits;
    ``coarse_values`` (m,) the means of those of ``coarse``.
    """

    width: int
    height: int
    bits: int
    fine: Mask
    coarse: Mask
    fine_values: Picture
    coarse_values: Picture

    def packed(self) -> bytes:
        """The patch as bytes for ``restored``."""
        rows = self.fine_values.copy()
        # Neighbours are alike: what is left after taking one from the next packs better.
        rows[:, :, 1:] -= self.fine_values[:, :, :-1]
        rows[:, 1:, 0] -= self.fine_values[:, :-1, 0]
        squeeze = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
        parts = (np.packbits(self.fine), np.packbits(self.coarse), self.coarse_values, rows)
        body = b"".join(squeeze.compress(part.tobytes()) for part in parts) + squeeze.flush()
        return _HEAD.pack(self.width, self.height, self.bits) + body


class Keeper:
    """Turns a camera's luminance frames into kept ones, one after the other."""

    def __init__(self) -> None:
        self._held: Picture | None = None
        self._detail: Mask | None = None
        self._flat: Mask = np.zeros((0, 0), np.uint8)
        self._due: Mask = np.zeros((0, 0), np.uint8)
        self._count = 0

    def aim(self, zones: Zones | None) -> None:
        """From the next frame on keep only these zones in detail; None: everything."""
        self._detail = None if zones is None else detail_mask(zones)

    def keep(self, y: Picture) -> tuple[Picture, Patch]:
        """The kept frame, of the same size, and what changes the one before into it."""
        height, width = y.shape
        padded = _padded(y)
        rows, columns = padded.shape[0] // CELL_PX, padded.shape[1] // CELL_PX
        self._count += 1
        if self._held is None or self._held.shape != padded.shape:
            self._held = np.zeros_like(padded)
            self._flat = np.zeros((rows, columns), np.uint8)
            self._due = np.full((rows, columns), FRAMES_AFTER_CHANGE, np.uint8)
            self._detail = None  # zones of frames of another size
            noise = 0.0
        else:
            differs = _means(np.asarray(cv2.absdiff(padded, self._held), dtype=np.uint8))
            noise = _noise(padded, self._held)
            limit = min(_OVER_NOISE * noise + _LEAST_CHANGE, _MOST_NOISE)
            self._due[differs > limit] = FRAMES_AFTER_CHANGE
        refreshed = self._due.reshape(-1)[self._count % REFRESHED_EVERY_FRAMES :: REFRESHED_EVERY_FRAMES]
        np.maximum(refreshed, 1, out=refreshed)
        fine = (self._due | self._flat) > 0
        coarse = np.zeros_like(fine)
        means = np.zeros((0,), np.uint8)
        if self._detail is not None and self._detail.shape == fine.shape:
            outside = self._detail == 0
            fine &= ~outside
            thumb = _means(padded)
            apart = cv2.absdiff(thumb, np.ascontiguousarray(self._held[::CELL_PX, ::CELL_PX]))
            coarse = outside & ((apart >= _COARSE_CHANGE) | (self._flat == 0))
            means = np.asarray(thumb[coarse], dtype=np.uint8)
        self._due[fine] -= np.minimum(self._due[fine], 1)
        self._flat[fine], self._flat[coarse] = 0, 1
        bits = min(round(float(np.log2(max(noise / _NOISE_MEAN, 1.0)))), _MOST_BITS)
        values = _blocks(padded)[fine]
        if bits:
            half = np.uint8(1 << bits >> 1)
            values = np.right_shift(np.minimum(values, 255 - half) + half, bits, dtype=np.uint8)
        patch = Patch(width, height, bits, fine.view(np.uint8), coarse.view(np.uint8), values, means)
        self._held = _patched(self._held, patch)
        return self._held[:height, :width], patch


class Restorer:
    """Gives the kept frames back from their patches, one after the other."""

    def __init__(self) -> None:
        self._held: Picture | None = None

    def restored(self, data: bytes) -> Picture:
        """The next kept frame, (height, width). Raises CodecError for bytes that are no patch of it."""
        patch = _unpacked(data)
        shape = (patch.fine.shape[0] * CELL_PX, patch.fine.shape[1] * CELL_PX)
        if self._held is None or self._held.shape != shape:
            if not patch.fine.all():
                raise CodecError("a frame changes one that is not there")
            self._held = np.zeros(shape, np.uint8)
        self._held = _patched(self._held, patch)
        return self._held[: patch.height, : patch.width]


def detail_mask(zones: Zones) -> Mask:
    """The blocks that readers may look at closely: the boxes of the zones and of the corner markers."""
    rows, columns = zones.table.shape
    mask = np.zeros((rows, columns), np.uint8)
    for box in (zones.play_box, zones.strip_box, *zones.marker_boxes.values()):
        mask[
            max(0, box.y0 // CELL_PX - 1) : max(0, -(-box.y1 // CELL_PX) + 1),
            max(0, box.x0 // CELL_PX - 1) : max(0, -(-box.x1 // CELL_PX) + 1),
        ] = 1
    return mask


def _means(padded: Picture) -> Picture:
    """The mean of every block. In three steps, which is four times faster than in one and half a grey level higher."""
    small = padded
    for _ in range(3):
        size = (small.shape[1] // 2, small.shape[0] // 2)
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    return small


def _noise(now: Picture, before: Picture) -> float:
    """The mean difference that noise alone makes between two pictures.

    From how it differs a block further along: light that changes, changes both. What moves is in few places.
    """
    rows = slice(_NOISE_ROWS // 2, None, _NOISE_ROWS) if now.shape[0] > _NOISE_ROWS else slice(None)
    differs = now[rows].astype(np.int16) - before[rows]
    steps = np.abs(differs[:, CELL_PX:] - differs[:, :-CELL_PX])
    count = steps.shape[1] // CELL_PX
    if count == 0:
        return 0.0
    means = steps[:, : count * CELL_PX].reshape(-1, count, CELL_PX).mean(axis=2, dtype=np.float32)
    return float(np.median(means)) / float(np.sqrt(2.0))


def _patched(held: Picture, patch: Patch) -> Picture:
    new = held.copy()
    blocks = _blocks(new)
    blocks[patch.fine > 0] = patch.fine_values << patch.bits if patch.bits else patch.fine_values
    if patch.coarse_values.size:
        blocks[patch.coarse > 0] = patch.coarse_values[:, None, None]
    return new


def _blocks(padded: Picture) -> Picture:
    """A view (rows, columns, 8, 8) of a picture whose sides are multiples of 8."""
    rows, columns = padded.shape[0] // CELL_PX, padded.shape[1] // CELL_PX
    return padded.reshape(rows, CELL_PX, columns, CELL_PX).transpose(0, 2, 1, 3)


def _padded(y: Picture) -> Picture:
    down, across = -y.shape[0] % CELL_PX, -y.shape[1] % CELL_PX
    if not down and not across:
        return np.ascontiguousarray(y)
    return np.asarray(cv2.copyMakeBorder(y, 0, down, 0, across, cv2.BORDER_REPLICATE), dtype=np.uint8)


def _unpacked(data: bytes) -> Patch:
    try:
        width, height, bits = _HEAD.unpack_from(data)
        if not (0 < width <= MOST_SIDE_PX and 0 < height <= MOST_SIDE_PX and bits <= _MOST_BITS):
            raise CodecError(f"a frame of {width}x{height} pixels without {bits} bits cannot be")
        rows, columns = -(-height // CELL_PX), -(-width // CELL_PX)
        most = 2 * rows * columns + rows * columns * CELL_PX**2
        squeezed = zlib.decompressobj()
        body = np.frombuffer(squeezed.decompress(data[_HEAD.size :], most), np.uint8)
    except (struct.error, zlib.error) as error:
        raise CodecError(f"a frame cannot be unpacked: {error}") from error
    count = rows * columns
    packed = -(-count // 8)
    fine, coarse = (
        np.unpackbits(body[start : start + packed], count=count) if body.size >= start + packed else None
        for start in (0, packed)
    )
    if fine is None or coarse is None:
        raise CodecError("a frame ends before its blocks")
    many, means = int(fine.sum()), int(coarse.sum())
    rest = body[2 * packed :]
    if rest.size != means + many * CELL_PX**2:
        raise CodecError(f"a frame of {many} and {means} blocks has {rest.size} bytes of them")
    values = rest[means:].reshape(many, CELL_PX, CELL_PX).copy()
    values[:, :, 0] = np.cumsum(values[:, :, 0], axis=1, dtype=np.uint8)
    values = np.cumsum(values, axis=2, dtype=np.uint8)
    shape = (rows, columns)
    return Patch(width, height, bits, fine.reshape(shape), coarse.reshape(shape), values, rest[:means])
