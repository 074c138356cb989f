"""Kept frames: what changes is taken over, what does not costs nothing, and nobody can tell the two ends apart."""

from __future__ import annotations

import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.frame import Picture
from vision.recording.codec import CodecError, Keeper, Restorer

RNG = np.random.default_rng(4)


def plain(tone: int = 120, height: int = 96, width: int = 128) -> Picture:
    return np.full((height, width), tone, np.uint8)


def noisy(picture: Picture, sigma: float) -> Picture:
    shaken = picture + RNG.normal(0.0, sigma, picture.shape)
    return np.asarray(np.clip(np.round(shaken), 0, 255), dtype=np.uint8)


@given(
    st.lists(
        st.tuples(st.integers(1, 40), st.integers(1, 40), st.integers(0, 2**32 - 1), st.booleans()),
        min_size=1,
        max_size=6,
    )
)
@settings(max_examples=40, deadline=None)
def test_what_is_restored_is_what_was_kept_whatever_the_size(frames: list[tuple[int, int, int, bool]]) -> None:
    keeper, restorer = Keeper(), Restorer()
    for height, width, seed, even in frames:
        rng = np.random.default_rng(seed)
        y = rng.integers(0, 256, (height, width), np.uint8) if not even else np.full((height, width), seed % 256, "u1")
        kept, patch = keeper.keep(y)
        assert kept.shape == y.shape
        assert (restorer.restored(patch.packed()) == kept).all()


def test_the_first_frame_and_a_picture_without_noise_are_kept_exactly() -> None:
    keeper = Keeper()
    first = noisy(plain(), 30.0)
    assert (keeper.keep(first)[0] == first).all()
    changed = first.copy()
    changed[40:60, 40:70] = 255 - changed[40:60, 40:70]
    assert (keeper.keep(changed)[0] == changed).all()


def test_a_picture_that_stands_still_soon_costs_next_to_nothing() -> None:
    keeper = Keeper()
    sizes = [len(keeper.keep(noisy(plain(), 4.0))[1].packed()) for _ in range(20)]
    assert max(sizes[8:]) < sizes[0] / 10


def test_what_changes_is_taken_over_at_once_and_for_some_frames() -> None:
    keeper = Keeper()
    for _ in range(8):
        keeper.keep(noisy(plain(), 4.0))
    put_down = plain()
    put_down[16:48, 16:48] = 190
    shown = [keeper.keep(noisy(put_down, 4.0))[0][16:48, 16:48] for _ in range(4)]
    assert all(abs(float(part.mean()) - 190) < 1.5 for part in shown)
    # Looks that are to agree with each other each have noise of their own.
    assert all((one != other).mean() > 0.5 for one, other in pairwise(shown))


def test_no_pixel_is_further_off_than_the_noise() -> None:
    keeper = Keeper()
    keeper.keep(noisy(plain(), 4.0))
    y = noisy(plain(60), 4.0)
    assert int(np.abs(keeper.keep(y)[0].astype(int) - y).max()) <= 4
    assert (keeper.keep(plain(255))[0] >= 250).all()  # glare stays glare


def test_slow_light_is_followed() -> None:
    keeper = Keeper()
    for tone in range(100, 160):
        kept, _ = keeper.keep(noisy(plain(tone), 2.0))
        assert abs(float(kept.mean()) - tone) < 6.0


def test_light_that_is_switched_is_seen_at_once() -> None:
    keeper = Keeper()
    for _ in range(8):
        keeper.keep(noisy(plain(100), 3.0))
    assert abs(float(keeper.keep(noisy(plain(115), 3.0))[0].mean()) - 115) < 1.0


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_bytes_that_are_no_frame_are_refused(cut: int) -> None:
    whole = Keeper().keep(noisy(plain(), 9.0))[1].packed()
    with pytest.raises(CodecError):
        Restorer().restored(whole[:cut])
    with pytest.raises(CodecError):
        Restorer().restored(whole[:5] + zlib.compress(b"x" * cut))


def test_a_change_of_a_frame_that_is_not_there_is_refused() -> None:
    keeper = Keeper()
    for _ in range(8):
        _, patch = keeper.keep(plain())
    with pytest.raises(CodecError, match="not there"):
        Restorer().restored(patch.packed())
