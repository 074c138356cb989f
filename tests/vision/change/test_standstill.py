"""The coarse look that spares a full one: what it must notice, and what it must not mind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.cells import MAX_GAIN, coarse, stands_still
from vision.frame import Picture

pytestmark = pytest.mark.slow

HEIGHT, WIDTH = 650, 1150  # no whole number of blocks


def table(seed: int = 1) -> Picture:
    """A grainy table with darker and lighter parts."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    grain = 120 + 40 * np.sin(x / 190) * np.cos(y / 130) + rng.normal(0, 6, x.shape)
    return np.asarray(np.clip(grain, 0, 255), np.uint8)


def alike(now: Picture, before: Picture, most: float = MAX_GAIN) -> bool:
    return stands_still(coarse(now), coarse(before), most)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 1000), st.floats(0.9, 1.1), st.integers(-1, 1))
def test_noise_flicker_and_a_pixel_of_shaking_are_no_change(seed: int, gain: float, shift: int) -> None:
    now = np.clip(np.roll(table(seed), shift, axis=0) * gain, 0, 255).astype(np.uint8)
    assert alike(now, table())


@settings(max_examples=25, deadline=None)
@given(st.integers(0, HEIGHT - 240), st.integers(0, WIDTH - 170), st.sampled_from([-35, 35]))
def test_a_thing_of_a_cards_size_is_noticed_wherever_it_comes(y: int, x: int, tone: int) -> None:
    now = table(2).astype(np.int16)
    now[y : y + 240, x : x + 170] += tone
    assert not alike(np.clip(now, 0, 255).astype(np.uint8), table())


@pytest.mark.parametrize("gain", [0.5, 0.65, 0.9, 1.1, 1.4])
def test_a_lamp_that_goes_on_or_off_is_noticed_by_as_much_as_is_asked_for(gain: float) -> None:
    lit = np.clip(table() * gain, 0, 255).astype(np.uint8)
    for most in (MAX_GAIN, 0.08):
        assert alike(lit, table(), most) is (abs(gain - 1.0) < most)


def test_a_picture_of_another_size_is_another_picture() -> None:
    assert not alike(table()[:-64], table())
    assert not alike(table()[:40, :60], table())
