"""Which pixels of a frame a recording keeps: what did not change not again, what no reader looks at only roughly.

A sensor's noise makes every frame differ from the one before in every pixel, and a table that trembles by half a pixel
in every edge, so frames as they come cannot be kept small. Here a block of 8 by 8 pixels stays as it was until it
differs by more than noise and trembling; then it is taken over from the camera for a few frames, so that every look
after a change has pixels of its own, and the whole of it now and then. Pixels are kept as finely as the noise is:
rounded to a step below the noise's standard deviation, exactly where there is none. What moves, and an arm that rests,
are kept in sixteen greys a block: there the eyes read nothing. What they look like beside the table is kept in one.
In light so bad that all of this comes to more than an evening has room for, what changed is taken over for fewer
frames, and the whole less often, until it comes to less.

The eyes look at the kept frames, not at the camera's, so whoever looks at them later sees the very same.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.zones import Zones
from vision.cells import BLOCK_PX, CELL_PX, Mask, Thumb, coarse, grown, median, stands_still
from vision.frame import Picture
from vision.geometry import Box
from vision.recording.blocks import blocks_at, halved, marked, padded, put_blocks
from vision.recording.codec import MAX_BITS, BlockFate, Parts, Patch, Screen

FRAMES_AFTER_CHANGE: Final = 4  # one more than the eyes read after a change
REFRESHED_EVERY_FRAMES: Final = 150  # fifteen seconds at ten a second; the eyes look at everything every ten. Chosen
_ROOM_BLOCKS: Final = 700  # a frame: with a block of noise in some 30 bytes 1.5 GB in two hours at ten frames a second
_THRIFTY_FROM_BLOCKS: Final = 20_000  # over that: some turns of a busy table. Chosen
_THRIFTY_AFTER_CHANGE: Final = 2  # frames in place of FRAMES_AFTER_CHANGE; held by bench_recording.py
_BEGINNING_FRAMES: Final = 20  # until it is known where the table is; that comes once
_THRIFTY_REFRESHED: Final = 4  # times as seldom

# Grey levels by which something differs: so many times the noise and so much more, at most the last. Chosen so
# that `bench_recording.py` reads everything as without recording.
_OVER_NOISE: Final = 2.25
_MIN_CHANGE: Final = 2.0
_MAX_NOISE: Final = 24.0

_TREMBLES: Final = 0.3  # of a step between pixels in half size: an edge that shifts by 0.8 px, a quarter of a module
_MAX_FLICKER: Final = 0.08  # light that flickers is not followed; what changes by more was switched, or set anew
_MIN_FLICKER: Final = 0.004  # a grey level of white
_GLARE_FROM: Final = 250  # of 255, as for the eyes: a sensor that is full, less what noise takes away
_MEAN_CHANGE: Final = 4.0  # under the least that the change gate and the watch for arms take for a change
_MOVES: Final = 16.0  # the most the change gate lets noise explain: what differs by more moves to the eyes, too
_MOVES_PER_STEP: Final = 0.5  # of a step between neighbouring blocks: an edge that trembles; chosen
_MIN_MOVING: Final = 24  # twice what the eyes take for motion
_MAX_MOVING: Final = 0.25  # of the table's blocks; where more differs the camera moved, or a lamp was switched
_SURELY: Final = 12.0  # grey levels over the limit: another thing lies there, not the same one a little shifted
_SURELY_AROUND: Final = 2  # with it, the rest of a label is taken over, whose modules may be the same by chance
_NOISE_MEAN: Final = 1.13  # the mean difference of two noisy pixels, in standard deviations of the noise
_NOISE_EVERY_FRAMES: Final = 8  # a sensor's noise changes with the light, and that slowly
_NOISE_ROWS: Final = 32  # every so many rows are enough to measure it
_STIRS_BLOCKS: Final = 40  # noise and trembling alone change fewer; a label has fifty and more. Chosen
_HALF_PX: Final = CELL_PX // 2  # of a block in a picture of half the size

_Blocks = NDArray[np.bool_]
_Greys = NDArray[np.float32]


class _Kept(NamedTuple):
    """A frame that was kept and is not yet what the next one is held against: ``Keeper.settle``."""

    y: Picture
    parts: Parts
    left: _Blocks
    half: Picture
    quarters: Picture
    means: Picture
    stirs: bool


class Keeper:
    """Turns a camera's luminance frames into kept ones, one after the other."""

    def __init__(self) -> None:
        self._screen: Screen | None = None
        self._zones: Zones | None = None
        self._detail: _Blocks | None = None
        self._markers: _Blocks | None = None
        self._arm: Mask | None = None
        self._count = self._noise_due = self._refreshed = self._over = 0
        self._noise = 0.0
        self._half_noise = 0.0
        self._due: NDArray[np.uint8] = np.zeros((0, 0), np.uint8)
        self._slack: Picture = np.zeros((0, 0), np.uint8)  # so much trembling changes a block
        self._slack_rest = self._slack
        self._half: Picture = np.zeros((0, 0), np.uint8)  # what was kept, in half its size
        self._half_rest = self._half
        self._means: Picture = np.zeros((0, 0), np.uint8)  # and the mean of each block
        self._means_rest = self._means
        self._rested_as: Thumb = np.zeros((0, 0), np.float32)
        self._rests = False
        self._kept: _Kept | None = None

    def aim(self, zones: Zones | None, arm: Mask | None = None) -> None:
        """From the next frame on keep only these zones in detail; None: everything.

        ``arm`` are the blocks in which the eyes read nothing because an arm lies there.
        """
        self._arm = arm
        if zones is not self._zones and self._screen is not None:
            self._zones = zones
            shape = self._screen.rough.shape
            self._detail = None if zones is None else marked(detail_mask(zones, shape))
            self._markers = None if zones is None else marked(_under(shape, *zones.marker_boxes.values()))

    def keep(self, y: Picture) -> tuple[Picture, Patch]:
        """The kept frame, of the same size, and what changes the one before into it."""
        self.settle()
        screen = self._screen
        same_size = screen is not None and (screen.height, screen.width) == y.shape
        if screen is not None and same_size and self._may_be_spared(y):
            return screen.picture, _nothing_new(screen)
        whole = padded(y)
        half = halved(whole)
        quarter = halved(half)
        means = halved(quarter)
        bits = 0
        steady: Picture | None = None
        if screen is None or not same_size:
            screen = self._screen = self._begun(y.shape[1], y.shape[0])
            parts = np.full(means.shape, BlockFate.FINE, np.uint8)
        else:
            steady = _steadied(means, self._means)
            if steady is not None:
                half = np.asarray(cv2.LUT(half, steady), dtype=np.uint8)
                quarter = halved(half)
                means = halved(quarter)
            if self._count >= self._noise_due:
                self._noise_due = self._count + _NOISE_EVERY_FRAMES
                self._noise, self._half_noise = _noise(whole, screen.held), _noise(half, self._half)
            parts = self._parts(screen, half, means)
            bits = min(round(float(np.log2(max(self._noise / _NOISE_MEAN, 1.0)))), MAX_BITS)
        self._count += 1
        fine, rough, flat = parts == BlockFate.FINE, parts == BlockFate.ROUGH, parts == BlockFate.FLAT
        values = blocks_at(whole, fine)
        if steady is not None and values.size:
            values = np.asarray(cv2.LUT(values.reshape(-1, CELL_PX), steady), dtype=np.uint8).reshape(values.shape)
        if bits:
            step = np.uint8(1 << bits >> 1)
            values = np.right_shift(np.minimum(values, 255 - step) + step, bits, dtype=np.uint8)
        quarters = quarter.reshape(means.shape[0], 2, means.shape[1], 2).transpose(0, 2, 1, 3)[rough]
        patch = Patch(screen.width, screen.height, bits, parts, values, screen.held, quarters >> 2, means[flat])
        left = screen.change(patch)
        most = max(int(np.count_nonzero(self._due)), len(values))
        self._kept = _Kept(y, parts, left, half, quarters, means, most > _STIRS_BLOCKS or bool(rough.any()))
        return screen.picture, patch

    def settle(self) -> None:
        """Get ready for the next frame, which is held against the last one.

        It is a quarter of what keeping takes and nobody needs to wait for it: the last frame can be looked at before.
        ``keep`` does it where it was not done.
        """
        kept, self._kept = self._kept, None
        if kept is None or self._screen is None:
            return
        self._remember(kept.parts, kept.left, kept.half, kept.quarters, kept.means)
        self._rests = not kept.stirs and min(kept.y.shape) >= BLOCK_PX
        if self._rests:
            self._rested_as = coarse(kept.y)
        self._screen.get_ready()

    def _may_be_spared(self, y: Picture) -> bool:
        """Whether nothing changed in the last frame and this one looks like it; never two in a row."""
        if not self._rests or self._refresh_is_due() or not stands_still(coarse(y), self._rested_as, _MAX_FLICKER):
            return False
        self._rests = False
        self._count += 1
        self._over = max(0, self._over - _ROOM_BLOCKS)
        return True

    def _begun(self, width: int, height: int) -> Screen:
        screen = Screen(width, height)
        self._zones = self._detail = self._markers = self._arm = None  # zones of frames of another size
        self._count = self._noise_due = self._refreshed = self._over = 0
        self._noise, self._half_noise = 0.0, 0.0
        shape = screen.rough.shape
        self._due = np.full(shape, FRAMES_AFTER_CHANGE - 1, np.uint8)
        self._slack, self._slack_rest, self._means, self._means_rest = (np.zeros(shape, np.uint8) for _ in range(4))
        self._half = np.zeros((shape[0] * _HALF_PX, shape[1] * _HALF_PX), np.uint8)
        self._half_rest = np.zeros_like(self._half)
        self._rests = False
        return screen

    def _remember(self, parts: Parts, left: _Blocks, half: Picture, quarters: Picture, means: Picture) -> None:
        """Keep the picture in half its size, and by how much the next one may differ from it."""
        new = parts != BlockFate.SAME
        if not new.any():
            return
        if left.any():
            put_blocks(self._half_rest, left, blocks_at(self._half, left))
            self._slack_rest[left] = self._slack[left]
            self._means_rest[left] = self._means[left]
        np.copyto(self._means, means, where=new)
        self._slack[new] = 0
        fine, back = parts == BlockFate.FINE, parts == BlockFate.BACK
        if fine.any():
            values = blocks_at(half, fine)
            put_blocks(self._half, fine, values)
            steep = np.maximum(_steepness(values) - np.float32(self._half_noise), 0) * np.float32(_TREMBLES)
            self._slack[fine] = steep.astype(np.uint8)
        if quarters.size:
            put_blocks(self._half, parts == BlockFate.ROUGH, np.repeat(np.repeat(quarters, 2, axis=1), 2, axis=2))
        if back.any():
            put_blocks(self._half, back, blocks_at(self._half_rest, back))
            self._slack[back] = self._slack_rest[back]
            self._means[back] = self._means_rest[back]

    def _parts(self, screen: Screen, half: Picture, means: Picture) -> Parts:
        least = min(_OVER_NOISE * self._half_noise + _MIN_CHANGE, _MAX_NOISE)
        limit = _more(self._slack, least)
        differs = halved(halved(np.asarray(cv2.absdiff(half, self._half), dtype=np.uint8)))
        apart = np.asarray(cv2.absdiff(means, self._means), dtype=np.uint8)
        changed = differs > limit
        detail = self._detail
        parts = np.zeros(changed.shape, np.uint8)
        rough = np.zeros_like(changed)
        if detail is not None and self._markers is not None:
            changed = (changed | screen.rough) & detail
            flat = ((apart > _MEAN_CHANGE) | ~screen.rough) & ~detail
            parts[flat] = BlockFate.FLAT
            if changed.any() or self._arm is not None:
                rough = self._rough(screen, means, apart, detail) & ~self._markers
        fresh = changed & ~rough
        if fresh.any():
            back = self._back(screen, half, means, fresh, least)
            fresh &= ~back
            surely = fresh & (differs > _more(limit, _SURELY)) & ~screen.rough
            if surely.any():
                around = marked(grown(surely.view(np.uint8), _SURELY_AROUND))
                back &= ~around
                fresh |= around & ~rough if detail is None else around & ~rough & detail
            self._due[fresh] = _THRIFTY_AFTER_CHANGE if self._thrifty else FRAMES_AFTER_CHANGE
            self._due[back] = 0
            parts[back] = BlockFate.BACK
        self._due[rough] = 0
        if detail is not None:
            np.multiply(self._due, detail, out=self._due)
        if self._refresh_is_due():
            self._refreshed = self._count
            np.maximum(self._due, ~screen.rough, out=self._due)
        fine = self._due > 0 if detail is not None else (self._due > 0) | screen.rough
        parts[fine] = BlockFate.FINE
        # An arm that lies still need not be written again.
        parts[rough & ((apart > _MEAN_CHANGE) | ~screen.rough)] = BlockFate.ROUGH
        self._due -= fine & (self._due > 0)
        if self._count > _BEGINNING_FRAMES:
            self._over = max(0, self._over + int(np.count_nonzero(fine)) - _ROOM_BLOCKS)
        return parts

    @property
    def _thrifty(self) -> bool:
        """Whether more was kept lately than an evening has room for."""
        return self._over > _THRIFTY_FROM_BLOCKS

    def _refresh_is_due(self) -> bool:
        every = REFRESHED_EVERY_FRAMES * (_THRIFTY_REFRESHED if self._thrifty else 1)
        return self._count - self._refreshed >= every

    def _rough(self, screen: Screen, means: Picture, apart: Picture, detail: _Blocks) -> _Blocks:
        """The blocks in which the eyes will read nothing, because something moves there, or an arm rests."""
        steps = cv2.morphologyEx(means, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
        most = cv2.convertScaleAbs(steps, alpha=_MOVES_PER_STEP, beta=_MOVES)
        moving = (detail & (apart > most)).view(np.uint8)
        opened = cv2.morphologyEx(moving, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        found = marked(np.asarray(opened, dtype=np.uint8))
        if not _MIN_MOVING <= np.count_nonzero(found) <= _MAX_MOVING * np.count_nonzero(detail):
            found = np.zeros_like(found)
        arm = self._arm
        if arm is None or arm.shape != found.shape:
            return found
        return found | (screen.rough & detail & (arm > 0))

    def _back(self, screen: Screen, half: Picture, means: Picture, asked: _Blocks, least: float) -> _Blocks:
        """Which of the ``asked`` blocks look as they did before something came over them."""
        known = asked & screen.has_rest
        if not known.any():
            return known
        now, then = blocks_at(half, known), blocks_at(self._half_rest, known)
        differs = cv2.absdiff(now.reshape(-1, _HALF_PX**2), then.reshape(-1, _HALF_PX**2))
        apart = np.asarray(differs, dtype=np.uint8).mean(axis=1, dtype=np.float32)
        found = np.zeros_like(known)
        slack = self._slack_rest[known]
        means_apart = np.asarray(cv2.absdiff(means, self._means_rest), dtype=np.uint8)[known]
        found[known] = (apart <= slack + np.float32(least)) & (means_apart <= slack + _MEAN_CHANGE)
        other = asked & ~found
        return found & ~marked(grown(other.view(np.uint8), _SURELY_AROUND))


def _steadied(now: Picture, before: Picture) -> Picture | None:
    """Each grey without flicker, (256,); None where nothing flickers, or all of it became brighter.

    Parts of a picture that are kept from several frames would else differ in brightness, as if something moved there.
    Glare stays what it is, and nothing becomes glare.
    """
    some = (slice(1, None, 4), slice(1, None, 4)) if now.shape[0] > 8 else (slice(None), slice(None))
    gain = float(median(now[some] / np.maximum(before[some], 1).astype(np.float32)))
    if not _MIN_FLICKER < abs(gain - 1.0) <= _MAX_FLICKER:
        return None
    greys = np.arange(256)
    steady = np.minimum(np.round(greys / gain), _GLARE_FROM - 1)
    return np.where(greys >= _GLARE_FROM, greys, steady).astype(np.uint8)


def _more(values: Picture, by: float) -> Picture:
    whole = np.uint8(round(by))
    return np.minimum(values, 255 - whole) + whole


def _nothing_new(screen: Screen) -> Patch:
    none = np.zeros((0,), np.uint8)
    parts = np.zeros(screen.rough.shape, np.uint8)
    patch = Patch(
        screen.width, screen.height, 0, parts, none.reshape(0, 8, 8), screen.held, none.reshape(0, 2, 2), none
    )
    screen.change(patch)
    return patch


def detail_mask(zones: Zones, shape: tuple[int, ...]) -> Mask:
    """The blocks that readers may look at closely: the boxes of the zones and of the corner markers."""
    return _under(shape, zones.play_box, zones.strip_box, *zones.marker_boxes.values())


def _under(shape: tuple[int, ...], *boxes: Box) -> Mask:
    mask = np.zeros(shape, np.uint8)
    for box in boxes:
        mask[
            max(0, box.y0 // CELL_PX - 1) : max(0, -(-box.y1 // CELL_PX) + 1),
            max(0, box.x0 // CELL_PX - 1) : max(0, -(-box.x1 // CELL_PX) + 1),
        ] = 1
    return mask


def _steepness(values: Picture) -> _Greys:
    """How much neighbouring pixels of each block (n, 4, 4) differ, across or down, whichever is more."""
    flat = values.reshape(-1, _HALF_PX**2)
    across = np.asarray(cv2.absdiff(flat[:, 1:], flat[:, :-1]), dtype=np.uint8)
    across[:, _HALF_PX - 1 :: _HALF_PX] = 0  # from the end of one row to the beginning of the next
    down = np.asarray(cv2.absdiff(flat[:, _HALF_PX:], flat[:, :-_HALF_PX]), dtype=np.uint8)
    most = np.maximum(across.sum(axis=1, dtype=np.uint16), down.sum(axis=1, dtype=np.uint16))
    return np.asarray(most, dtype=np.float32) / np.float32(_HALF_PX * (_HALF_PX - 1))


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
    return float(median(means)) / float(np.sqrt(2.0))
