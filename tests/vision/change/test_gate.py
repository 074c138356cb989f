"""The change gate tells what happened on the table from what only happened to the light, the camera or its JPEG."""

from __future__ import annotations

from itertools import groupby

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.track import Side
from engine.table.observation import Sight
from tests.vision.conftest import Watched, card, names, steady
from vision.cells import CELL_PX, MAX_GAIN, box_of, cells_under, coarse, grown, stands_still, thumbnail
from vision.change.gate import ThumbChange, change, steepness, step_of_blocks
from vision.frame import Picture
from vision.geometry import Box
from vision.synthetic import SceneHand

pytestmark = pytest.mark.slow

HEIGHT, WIDTH = 648, 1152


def texture(seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Smooth structure such as a table with things on it has, between 60 and 200.

    Its waves run both ways across the picture: along waves that all run one way nobody can tell a shift.
    """
    rng = np.random.default_rng(seed)
    x_waves, y_waves, begins = rng.uniform((0.02, 0.02, 0), (0.09, 0.09, 6), (5, 3)).T
    along = x_waves[:, None] * np.arange(WIDTH + 40) + begins[:, None]
    down = np.array((1, -1, 1, -1, 1))[:, None] * y_waves[:, None] * np.arange(HEIGHT + 40)
    # The sum of sin(along + down) for every pixel, without a sine for every pixel.
    waves = np.cos(down).T @ np.sin(along) + np.sin(down).T @ np.cos(along)
    return np.asarray(130 + 14 * waves)


def compare(now: np.ndarray, before: np.ndarray) -> ThumbChange:
    seen = thumbnail(np.clip(now, 0, 255).astype(np.uint8))
    return change(seen, thumbnail(np.clip(before, 0, 255).astype(np.uint8)), steepness(seen))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(-1, 1), st.integers(-1, 1), st.floats(0.94, 1.06), st.floats(0.0, 6.0))
def test_a_small_shift_a_gain_and_noise_are_no_change(seed: int, dx: int, dy: int, gain: float, noise: float) -> None:
    whole = texture(seed)
    before, shifted = (
        whole[20 : 20 + HEIGHT, 20 : 20 + WIDTH],
        whole[20 + dy : 20 + dy + HEIGHT, 20 + dx : 20 + dx + WIDTH],
    )
    now = shifted * gain + np.random.default_rng(seed).normal(0, noise, before.shape)
    found = compare(now, before)
    assert not found.cells.any()
    assert found.shift_px < np.hypot(dx, dy) + 0.7


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(40, 500), st.integers(40, 1000), st.sampled_from([-40.0, 40.0]))
def test_a_thing_put_down_is_found_where_it_lies_and_nowhere_else(seed: int, y: int, x: int, tone: float) -> None:
    before = texture(seed)[:HEIGHT, :WIDTH]
    now = before.copy()
    now[y : y + 64, x : x + 64] += tone
    cells = compare(now + 1.0, before).cells
    inside = np.zeros_like(cells)
    inside[y // CELL_PX : (y + 63) // CELL_PX + 1, x // CELL_PX : (x + 63) // CELL_PX + 1] = 1
    assert cells[inside > 0].mean() > 0.5
    assert not cells[grown(inside, 1) == 0].any()


@pytest.mark.parametrize("shift", [0, 1, 2])
def test_the_shift_of_the_whole_is_told(shift: int) -> None:
    whole = 130 + 3 * (texture(3) - 130)
    found = compare(whole[:HEIGHT, shift : shift + WIDTH], whole[:HEIGHT, :WIDTH])
    assert found.shift_px == pytest.approx(shift, abs=0.4)


def test_a_picture_that_is_wholly_another_is_changed_everywhere() -> None:
    found = compare(texture(1)[:HEIGHT, :WIDTH][:, ::-1], texture(1)[:HEIGHT, :WIDTH])
    assert found.cells.mean() > 0.3
    assert found.share > 0.3


def test_clipped_white_takes_no_part_in_a_gain() -> None:
    before = texture(2)[:HEIGHT, :WIDTH]
    before[200:300, 300:500] = 400.0
    assert not compare(before * 0.95, before).cells.any()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 20), st.integers(0, 20), st.booleans())
def test_only_the_cells_that_are_asked_for_are_told_and_nothing_beside_them(
    seed: int, y: int, x: int, beside: bool
) -> None:
    before = texture(seed)[:HEIGHT, :WIDTH]
    within = np.zeros((HEIGHT // CELL_PX, WIDTH // CELL_PX), np.uint8)
    within[30:60, 50:90] = 1
    now = before.copy()
    top, left = (30 + y - 8, 50 + x - 8) if beside else (38 + y // 2, 58 + x // 2)
    now[top * CELL_PX : (top + 8) * CELL_PX, left * CELL_PX : (left + 8) * CELL_PX] += 50.0
    if beside:
        now[30 * CELL_PX : 60 * CELL_PX, 50 * CELL_PX : 90 * CELL_PX] = before[240:480, 400:720]
    seen = thumbnail(np.clip(now, 0, 255).astype(np.uint8))
    found = change(seen, thumbnail(np.clip(before, 0, 255).astype(np.uint8)), steepness(seen), within)
    assert not (found.cells * (1 - within)).any()
    assert bool(found.cells.any()) is not beside


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.floats(-0.06, 0.06))
def test_how_much_brighter_all_of_it_is_is_told(seed: int, gain: float) -> None:
    before = texture(seed)[:HEIGHT, :WIDTH]
    assert compare(before * (1.0 + gain), before).gain == pytest.approx(gain, abs=0.01)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("tone", [-40.0, 0.0, 40.0])
def test_the_bands_of_a_lamp_that_pulses_are_no_change_and_a_thing_between_them_is(seed: int, tone: float) -> None:
    """A row is exposed after the one above it: the lamp's pulse runs down the picture."""
    before = texture(seed)[:HEIGHT, :WIDTH]
    pulse = 2 * np.pi * 3 * np.arange(HEIGHT)[:, None] / HEIGHT
    laid = before.copy()
    laid[200:264, 400:464] += tone
    found = compare(laid * (1.0 + 0.1 * np.sin(pulse + 1.7)), before * (1.0 + 0.1 * np.sin(pulse)))
    inside = np.zeros_like(found.cells)
    inside[25:33, 50:58] = 1
    assert not found.cells[grown(inside, 1) == 0].any()
    assert found.cells[inside > 0].mean() > 0.5 if tone else not found.cells.any()
    assert np.shape(found.gain) == (HEIGHT // CELL_PX, 1)


def test_light_that_changes_otherwise_is_explained_by_no_bands() -> None:
    before = texture(3)[:HEIGHT, :WIDTH]
    beside = np.where(np.arange(WIDTH) < WIDTH // 2, 1.15, 0.85)
    found = compare(before * beside, before)
    assert np.shape(found.gain) == ()
    assert found.cells.mean() > 0.3


def test_cells_under_a_mark() -> None:
    corners = np.array([[17.0, 9.0], [40.0, 9.0], [40.0, 30.0], [17.0, 30.0]])
    assert cells_under(corners) == (slice(1, 4), slice(2, 5))
    assert cells_under(corners, 3) == (slice(0, 7), slice(0, 8))
    assert box_of(cells_under(corners)) == Box(16, 8, 40, 32)
    assert cells_under(np.array([[np.nan, 3.0], [2.0, 1.0]])) == (slice(0, 1), slice(0, 0))


# The coarse look that spares a full one: what it must notice, and what it must not mind.

ODD = 650, 1150  # no whole number of blocks


def table(seed: int = 1) -> Picture:
    """A grainy table with darker and lighter parts."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0 : ODD[0], 0 : ODD[1]]
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
@given(st.integers(0, ODD[0] - 240), st.integers(0, ODD[1] - 170), st.sampled_from([-35, 35]))
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


# Pictures of heavy JPEG: their cells jump by whole steps, and that is no change of the table.


def packed(y: Picture, quality: int) -> Picture:
    """A picture as it comes out of JPEG of this quality."""
    _, data = cv2.imencode(".jpg", y, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), dtype=np.uint8)


def slope(low: float, high: float, seed: int = 1, noise: float = 3.0) -> Picture:
    """An even surface that grows brighter to the right, with noise."""
    rows = np.linspace(low, high, 1152) + np.zeros((648, 1))
    rng = np.random.default_rng(seed)
    return np.clip(np.round(rows + noise * rng.standard_normal(rows.shape)), 0, 255).astype(np.uint8)


# Of the mean of a block the standard's table has 16 at quality 50, 40 at 20, 67 at 12, 160 at 5; an eighth of that.
@pytest.mark.parametrize(("quality", "step"), [(20, 5.0), (12, 67 / 8), (8, 12.5), (5, 20.0)])
def test_the_step_of_a_strongly_compressed_picture_is_found(quality: int, step: float) -> None:
    assert step_of_blocks(thumbnail(packed(slope(30, 230), quality))) == pytest.approx(step, rel=0.02)


@pytest.mark.parametrize("quality", [30, 50, 80, 100])
def test_a_finely_compressed_picture_has_no_step_that_would_count_as_change(quality: int) -> None:
    assert step_of_blocks(thumbnail(packed(slope(30, 230), quality))) < 4.0


def test_two_even_surfaces_are_no_ladder() -> None:
    two = slope(80, 80, noise=0.5)
    two[:, 500:] = slope(120, 120, noise=0.5)[:, 500:]
    assert step_of_blocks(thumbnail(two)) == 0.0
    assert step_of_blocks(np.zeros((40, 40), np.float32)) == 0.0


def test_several_uneven_surfaces_are_no_ladder() -> None:
    even = np.arange(40, 160, 20)
    uneven = np.add.outer(even, np.arange(8)).ravel()
    for levels, step in ((even, 20.0), (uneven, 0.0)):
        assert step_of_blocks(np.repeat(levels, 2)[None].repeat(81, axis=0).astype(np.float32)) == step


def test_cells_that_jump_by_a_step_are_no_change_and_a_card_is() -> None:
    before, now = packed(slope(60, 160, seed=1), 12), packed(slope(60, 160, seed=2) + np.uint8(4), 12)
    seen, older = thumbnail(now), thumbnail(before)
    assert np.count_nonzero(np.abs(seen - older) > 6.0) > 300  # by more than what counts as change
    assert not change(seen, older, steepness(seen)).cells.any()
    laid = slope(60, 160, seed=2)
    laid[200:440, 400:570] = 200
    seen = thumbnail(packed(laid, 12))
    cells = change(seen, older, steepness(seen)).cells
    assert cells[27:53, 52:69].all()
    assert np.count_nonzero(cells) < 30 * 22


@pytest.mark.parametrize(("quality", "strength"), [(12, "typical"), (12, "hard"), (6, "typical")])
def test_a_picture_of_heavy_jpeg_is_no_hand_for_ever(quality: int, strength: str) -> None:
    watched, first = Watched(strength, seed=5), card("2c", 300.0)

    def pack(y: Picture) -> Picture:
        return packed(y, quality)

    assert all(steady(look) for look in watched.looks(16, pack, cards=(first,))[-2:])
    hand = (SceneHand(Side.WHITE, 420.0, -150.0, height_mm=20.0),)
    assert {look.table.sight for look in watched.looks(4, pack, hands=hand)} == {Sight.CHECKING}
    then = watched.looks(16, pack, cards=(first, card("4a", 420.0, -170.0, 10.0)), hands=())
    # One look of many cannot be read so coarsely packed; nothing is doubted for longer.
    waits = [len(list(run)) for still, run in groupby(map(steady, then)) if not still]
    assert max(waits) <= 3
    assert names([look for look in then if steady(look)][-1]) == ["2c", "4a"]
