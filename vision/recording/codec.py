"""How a kept frame is written down: for each block of 8 by 8 pixels, what becomes of it.

It stays as it was; or it is written anew, pixel by pixel, in sixteen greys (``ROUGH``, 4 by 4 pixels each) or in one
(``FLAT``); or it goes back to what stood there for long before something passed over it. ``Screen`` does this, the
same way when a frame is kept and when it is read again, so that both have the very same pixels."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cells import CELL_PX, Mask
from vision.frame import Picture
from vision.limits import MAX_PIXELS

MAX_SIDE_PX: Final = 16384  # far more than any camera has: a file that claims more is damaged
_WORDS: Final = {8: np.uint64, 4: np.uint32}


class CodecError(ValueError):
    """Bytes that are no kept frame."""


def padded(y: Picture) -> Picture:
    """The picture grown to whole blocks, its last rows and columns repeated."""
    down, across = -y.shape[0] % CELL_PX, -y.shape[1] % CELL_PX
    if not down and not across:
        return np.ascontiguousarray(y)
    return np.asarray(cv2.copyMakeBorder(y, 0, down, 0, across, cv2.BORDER_REPLICATE), dtype=np.uint8)


def blocks_at(picture: Picture, mask: NDArray[np.bool_]) -> Picture:
    """Copies (n, side, side) of the blocks of a picture that are marked in ``mask`` (rows, columns), row by row.

    The side is 8 in a whole picture and 4 in one of half its size.
    """
    words, at, side = _rows_at(picture, mask)
    return words.take(at).view(np.uint8).reshape(-1, side, side)


def put_blocks(picture: Picture, mask: NDArray[np.bool_], values: Picture) -> None:
    """Write blocks (n, side, side) where ``mask`` marks them, the other way round from ``blocks_at``."""
    words, at, side = _rows_at(picture, mask)
    words[at] = np.ascontiguousarray(values).reshape(-1, side * side).view(_WORDS[side])


def differing(one: Picture, other: Picture) -> NDArray[np.bool_]:
    """The blocks (rows, columns) in which two padded pictures of one size differ anywhere."""
    rows, columns = one.shape[0] // CELL_PX, one.shape[1] // CELL_PX
    words, others = (each.view(np.uint64).reshape(rows, CELL_PX, columns) for each in (one, other))
    return np.asarray((words != others).any(axis=1), dtype=np.bool_)


def halved(picture: Picture) -> Picture:
    """The means of every 2 by 2 pixels. Halving thrice is four times faster than an eighth at once."""
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def frame_shape(width: int, height: int) -> tuple[int, int]:
    """Rows and columns of blocks of a frame of this size. Raises CodecError for one that no camera takes."""
    if not (0 < width <= MAX_SIDE_PX and 0 < height <= MAX_SIDE_PX and width * height <= MAX_PIXELS):
        raise CodecError(f"a frame of {width}x{height} pixels cannot be")
    return -(-height // CELL_PX), -(-width // CELL_PX)


def inflated(data: bytes, most: int) -> Picture:
    """These bytes unpacked, (n,); never more than ``most`` and one, whatever they claim. Raises CodecError."""
    try:
        return np.frombuffer(zlib.decompressobj().decompress(data, most + 1), np.uint8)
    except zlib.error as error:
        raise CodecError(f"a frame cannot be unpacked: {error}") from error


def _rows_at(
    picture: Picture, mask: NDArray[np.bool_]
) -> tuple[NDArray[np.unsignedinteger[Any]], NDArray[np.intp], int]:
    """A picture as words (k,), each a row of a block; which of them are the marked blocks' (n, side); and the side.

    A busy frame has some hundred blocks taken out and put back ten times over: asked for by number they cost a third
    of what choosing them by the mask itself costs.
    """
    rows, columns = mask.shape
    side = picture.shape[0] // rows
    row, column = np.divmod(np.flatnonzero(mask), columns)
    first = row * (side * columns) + column
    return picture.view(_WORDS[side]).reshape(-1), first[:, None] + np.arange(0, side * columns, columns), side


def marked(mask: Mask) -> NDArray[np.bool_]:
    """A mask of bytes, 0 or 1, as one to choose by."""
    return mask.view(np.bool_)


MAX_BITS: Final = 2  # of 250 and more, which is glare to the readers, 252 is left
RESTED_FRAMES: Final = 6
"""A block that stood so many frames is remembered when something comes over it."""
_ROUGH_BITS: Final = 2  # left out of what nobody reads: 64 greys are enough to look at
_HALF_PX: Final = CELL_PX // 2  # of a block in a picture of half the size
_HEAD: Final = struct.Struct(">HHBI")
_PIXELS: Final = CELL_PX * CELL_PX
_NO_ROUGH: Final[Picture] = np.zeros((0, 2, 2), np.uint8)
_NO_FLAT: Final[Picture] = np.zeros((0,), np.uint8)


class BlockFate(IntEnum):
    """How a block is kept."""

    SAME = 0
    FINE = 1
    ROUGH = 2
    FLAT = 3
    BACK = 4
    DRIFTED = 5  # as FINE, but written as what is new against the frame before


Parts = NDArray[np.uint8]
"""One ``BlockFate`` for each block, (rows, columns)."""


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """The changes to the frame before.

    ``fine`` (n, 8, 8) are the blocks that are FINE row by row, without their ``bits`` lowest bits; ``before`` is
    the whole kept picture before, padded; ``rough`` (m, 2, 2) without two; ``flat`` (k,). ``parts`` has no DRIFTED.
    """

    width: int
    height: int
    bits: int
    parts: Parts
    fine: Picture
    before: Picture
    rough: Picture = field(default_factory=lambda: _NO_ROUGH)
    flat: Picture = field(default_factory=lambda: _NO_FLAT)

    def packed(self) -> bytes:
        """The patch as bytes for ``unpacked``."""
        inside = _inside(self.fine)
        between = self.fine - (blocks_at(self.before, self.parts == BlockFate.FINE) >> self.bits)
        drifted = _size(between) < _size(inside)
        parts = self.parts.copy()
        parts[parts == BlockFate.FINE] = np.where(drifted, np.uint8(BlockFate.DRIFTED), np.uint8(BlockFate.FINE))
        rough = self.rough.reshape(-1, _HALF_PX).copy()
        rough[:, 1:] -= rough[:, :1]
        rough[1:, 0] -= rough[:-1, 0].copy()
        flat = self.flat.copy()
        flat[1:] -= self.flat[:-1]
        plan = zlib.compress(parts.tobytes(), 6)
        squeeze = zlib.compressobj(1, zlib.DEFLATED, zlib.MAX_WBITS, 9, zlib.Z_RLE)
        new = np.where(drifted[:, None, None], between, inside)
        body = b"".join(squeeze.compress(part.tobytes()) for part in (flat, rough, new)) + squeeze.flush()
        return _HEAD.pack(self.width, self.height, self.bits, len(plan)) + plan + body


class Screen:
    """The kept picture as it stands, and what is remembered behind what passes over it."""

    def __init__(self, width: int, height: int) -> None:
        """Raises CodecError for a size that no camera takes."""
        rows, columns = frame_shape(width, height)
        self.width, self.height = width, height
        self.held: Picture = np.zeros((rows * CELL_PX, columns * CELL_PX), np.uint8)
        self.rest: Picture = np.zeros_like(self.held)
        self.has_rest: NDArray[np.bool_] = np.zeros((rows, columns), np.bool_)
        self.rough: NDArray[np.bool_] = np.ones((rows, columns), np.bool_)
        """Blocks that hold no pixels of their own: ROUGH, FLAT, or nothing yet."""
        self._stood = np.zeros((rows, columns), np.uint8)
        self._next: Picture | None = None

    @property
    def picture(self) -> Picture:
        """The kept frame, (height, width)."""
        return self.held[: self.height, : self.width]

    def get_ready(self) -> None:
        """Do beforehand what of the next ``change`` can be done before the patch is known."""
        if self._next is None:
            self._next = self.held.copy()

    def change(self, patch: Patch) -> NDArray[np.bool_]:
        """Make the next kept frame. The one before is left as it is: somebody may still look at it.

        Gives the blocks that are remembered now, because something came over them.
        """
        parts = patch.parts
        new = marked((parts != BlockFate.SAME).view(np.uint8))
        self._stood += self._stood < RESTED_FRAMES
        if not new.any():
            return new
        self.held, self._next = self.held.copy() if self._next is None else self._next, None
        back = parts == BlockFate.BACK
        leaves = marked((new & ~back & ~self.rough & (self._stood == RESTED_FRAMES)).view(np.uint8))
        if leaves.any():
            put_blocks(self.rest, leaves, blocks_at(self.held, leaves))
            self.has_rest |= leaves
        for part, values in (
            (BlockFate.FINE, patch.fine << patch.bits if patch.bits else patch.fine),
            (BlockFate.ROUGH, np.repeat(np.repeat(patch.rough << _ROUGH_BITS, _HALF_PX, axis=1), _HALF_PX, axis=2)),
            (BlockFate.FLAT, np.repeat(patch.flat, _PIXELS).reshape(-1, CELL_PX, CELL_PX)),
        ):
            if values.size:
                put_blocks(self.held, parts == part, np.asarray(values, dtype=np.uint8))
        if back.any():
            put_blocks(self.held, back, blocks_at(self.rest, back))
        np.copyto(self.rough, (parts == BlockFate.ROUGH) | (parts == BlockFate.FLAT), where=new)
        np.copyto(self._stood, 0, where=new)
        return leaves


class Copier:
    """Writes frames down again that were kept before: the same to the pixel."""

    def __init__(self) -> None:
        self._screen: Screen | None = None

    def copied(self, y: Picture) -> Patch:
        """The patch that makes this frame of the one before."""
        height, width = y.shape
        whole = padded(y)
        screen = self._screen
        if screen is None or (screen.height, screen.width) != (height, width):
            screen = self._screen = Screen(width, height)
            parts = np.full(screen.rough.shape, BlockFate.FINE, np.uint8)
        else:
            parts = differing(whole, screen.held).view(np.uint8)  # a True is a FINE
        patch = Patch(width, height, 0, parts, blocks_at(whole, parts == BlockFate.FINE), screen.held)
        screen.change(patch)
        return patch


class Restorer:
    """Gives the kept frames back from their patches, one after the other."""

    def __init__(self) -> None:
        self._screen: Screen | None = None

    def restored(self, data: bytes) -> Picture:
        """The next kept frame, (height, width). Raises CodecError for bytes that are no patch of it."""
        try:
            width, height, bits, length = _HEAD.unpack_from(data)
        except struct.error as error:
            raise CodecError(f"a frame cannot be unpacked: {error}") from error
        screen = self._screen
        begins = screen is None or (screen.width, screen.height) != (width, height)
        if begins or screen is None:
            screen = Screen(width, height)
        if bits > MAX_BITS:
            raise CodecError(f"a frame without {bits} bits cannot be")
        patch = _unpacked(data[_HEAD.size :], bits, length, screen)
        if begins and not (patch.parts != BlockFate.SAME).all():
            raise CodecError("a frame changes one that is not there")
        screen.change(patch)
        self._screen = screen
        return screen.picture


def _unpacked(data: bytes, bits: int, plan_bytes: int, screen: Screen) -> Patch:
    shape = screen.rough.shape
    count = screen.rough.size
    parts = inflated(data[:plan_bytes], count)
    if parts.size != count or parts.max() > max(BlockFate):
        raise CodecError("a frame does not say what becomes of each of its blocks")
    parts = parts.reshape(shape).copy()
    if (parts[~screen.has_rest] == BlockFate.BACK).any():
        raise CodecError("a frame goes back to what never was there")
    drifted = parts[(parts == BlockFate.FINE) | (parts == BlockFate.DRIFTED)] == BlockFate.DRIFTED
    parts[parts == BlockFate.DRIFTED] = BlockFate.FINE
    many = {part: int(np.count_nonzero(parts == part)) for part in (BlockFate.FINE, BlockFate.ROUGH, BlockFate.FLAT)}
    sizes = (many[BlockFate.FLAT], many[BlockFate.ROUGH] * _HALF_PX, many[BlockFate.FINE] * _PIXELS)
    body = inflated(data[plan_bytes:], sum(sizes))
    if body.size != sum(sizes):
        raise CodecError(f"a frame of {many[BlockFate.FINE]} blocks has {body.size} bytes of them")
    flat = np.cumsum(body[: sizes[0]], dtype=np.uint8)
    rough = body[sizes[0] : sizes[0] + sizes[1]].reshape(-1, _HALF_PX).copy()
    rough[:, 0] = np.cumsum(rough[:, 0], dtype=np.uint8)
    rough[:, 1:] += rough[:, :1]
    new = body[sizes[0] + sizes[1] :].reshape(-1, CELL_PX, CELL_PX).copy()
    before = blocks_at(screen.held, parts == BlockFate.FINE)
    fine = new.copy()
    fine[drifted] += before[drifted] >> bits
    alone = new[~drifted]
    # Sums along eight pixels: pixel by pixel over all blocks at once, a fifth of what NumPy's cumsum takes.
    for down in range(1, CELL_PX):
        alone[:, down, 0] += alone[:, down - 1, 0]
    for across in range(1, CELL_PX):
        alone[:, :, across] += alone[:, :, across - 1]
    fine[~drifted] = alone
    return Patch(screen.width, screen.height, bits, parts, fine, screen.held, rough.reshape(-1, 2, 2), flat)


def _inside(fine: Picture) -> Picture:
    """The difference of each pixel to its neighbour: neighbours are alike, and that packs better."""
    rows = fine.copy()
    rows[:, :, 1:] -= fine[:, :, :-1]
    rows[:, 1:, 0] -= fine[:, :-1, 0]
    return rows


def _size(left: Picture) -> NDArray[np.int64]:
    """How much there is to write of each block: the sum of what is left, whichever its sign."""
    return np.asarray(np.minimum(left, -left).sum(axis=(1, 2), dtype=np.int64))
