"""Reads the frames of recordings of version 1, in which a block was kept in every pixel, in one grey, or not at all."""

from __future__ import annotations

import struct
from typing import Final

import numpy as np

from vision.change.gate import CELL_PX
from vision.frame import Picture
from vision.recording.blocks import CodecError, frame_shape, inflated, marked, put_blocks

_MOST_BITS: Final = 2  # as the first version of the format allowed
_HEAD: Final = struct.Struct(">HHB")


class FirstRestorer:
    """Gives the kept frames back from their patches, one after the other."""

    def __init__(self) -> None:
        self._held: Picture | None = None

    def restored(self, data: bytes) -> Picture:
        """The next kept frame, (height, width). Raises CodecError for bytes that are no patch of it."""
        try:
            width, height, bits = _HEAD.unpack_from(data)
        except struct.error as error:
            raise CodecError(f"a frame cannot be unpacked: {error}") from error
        if bits > _MOST_BITS:
            raise CodecError(f"a frame without {bits} bits cannot be")
        rows, columns = frame_shape(width, height)
        count = rows * columns
        packed = -(-count // 8)
        body = inflated(data[_HEAD.size :], 2 * packed + count + count * CELL_PX**2)
        if body.size < 2 * packed:
            raise CodecError("a frame ends before its blocks")
        fine, coarse = (
            np.unpackbits(body[start : start + packed], count=count).reshape(rows, columns) for start in (0, packed)
        )
        many, means = int(fine.sum()), int(coarse.sum())
        rest = body[2 * packed :]
        if rest.size != means + many * CELL_PX**2:
            raise CodecError(f"a frame of {many} and {means} blocks has {rest.size} bytes of them")
        shape = (rows * CELL_PX, columns * CELL_PX)
        if self._held is None or self._held.shape != shape:
            if not fine.all():
                raise CodecError("a frame changes one that is not there")
            self._held = np.zeros(shape, np.uint8)
        values = rest[means:].reshape(many, CELL_PX, CELL_PX).copy()
        values[:, :, 0] = np.cumsum(values[:, :, 0], axis=1, dtype=np.uint8)
        values = np.cumsum(values, axis=2, dtype=np.uint8)
        self._held = self._held.copy()
        put_blocks(self._held, marked(fine), values << bits)
        put_blocks(self._held, marked(coarse), np.repeat(rest[:means], CELL_PX**2))
        return self._held[:height, :width]
