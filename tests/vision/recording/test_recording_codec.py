"""Kept frames: what changes is taken over, what does not costs nothing, and nobody can tell the two ends apart."""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.zones import Zones
from vision.cells import Mask
from vision.frame import Picture
from vision.geometry import Box
from vision.recording.blocks import CodecError
from vision.recording.codec import RESTED_FRAMES, BlockFate, Restorer
from vision.recording.keeper import FRAMES_AFTER_CHANGE, REFRESHED_EVERY_FRAMES, Keeper

RNG = np.random.default_rng(4)
HEIGHT, WIDTH = 320, 480
NOISE = 4.0


@pytest.fixture(autouse=True)
def the_same_noise() -> None:
    """In every test, whichever ran before it."""
    RNG.bit_generator.state = np.random.default_rng(4).bit_generator.state


def plain(tone: int = 120, height: int = HEIGHT, width: int = WIDTH) -> Picture:
    return np.full((height, width), tone, np.uint8)


def noisy(picture: Picture, sigma: float = NOISE) -> Picture:
    shaken = picture + RNG.normal(0.0, sigma, picture.shape)
    return np.asarray(np.clip(np.round(shaken), 0, 255), dtype=np.uint8)


def label(seed: int) -> Picture:
    """Modules of three pixels, black or white, as a code has them."""
    modules = np.random.default_rng(seed).integers(0, 2, (24, 24), np.uint8) * 180 + 40
    return np.repeat(np.repeat(modules, 3, axis=0), 3, axis=1).astype(np.uint8)


def zones(height: int = HEIGHT, width: int = WIDTH) -> Zones:
    """The table is all but a broad edge; one marker in its corner."""
    cells: Mask = np.ones((height // 8, width // 8), np.uint8)
    inner = Box(40, 40, width - 40, height - 40)
    return Zones(cells, cells, cells, inner, inner, {0: Box(40, 40, 72, 72)}, 3.0)


def settled(picture: Picture, frames: int = 12) -> Keeper:
    """A keeper that saw this picture for so long that nothing is left to be taken over."""
    keeper = Keeper()
    keeper.keep(noisy(picture))
    keeper.aim(zones())
    for _ in range(frames):
        keeper.keep(noisy(picture))
    return keeper


def roused(keeper: Keeper, picture: Picture) -> Keeper:
    """The same, one frame later: of two frames in which nothing seems to change one is spared."""
    keeper.keep(noisy(picture))
    return keeper


def close(kept: Picture, picture: Picture, where: tuple[slice, slice], sigmas: float = 5.0) -> bool:
    return bool((np.abs(kept[where].astype(int) - picture[where]) <= sigmas * NOISE).all())


@pytest.mark.slow
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


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30), st.integers(0, 50), st.booleans()), max_size=20))
@settings(max_examples=12, deadline=None)
def test_what_is_restored_is_what_was_kept_whatever_happens_on_the_table(
    course: list[tuple[int, int, int, bool]],
) -> None:
    keeper, restorer, seen = Keeper(), Restorer(), set()
    table = plain()
    arm = np.zeros((HEIGHT // 8, WIDTH // 8), np.uint8)
    aimed = zones()
    for what, row, column, resting in [(0, 0, 0, False)] * 3 + course:
        at = (slice(row * 8, row * 8 + 72), slice(column * 8, column * 8 + 72))
        shown = table.copy()
        if what == 1:
            table[at] = label(row * 51 + column)[: table[at].shape[0], : table[at].shape[1]]
        elif what == 2:
            shown[row * 8 :, column * 8 :] = 60 + 3 * row  # an arm
            arm[:] = 0
            arm[row:, column:] = resting
        elif what == 3:
            keeper.aim(None if resting else aimed)
        elif what == 4:
            table = np.clip(table.astype(int) + row - 15, 0, 255).astype(np.uint8)
        keeper.aim(aimed, arm if arm.any() else None)
        kept, patch = keeper.keep(noisy(shown))
        seen |= set(np.unique(patch.parts).tolist())
        assert (restorer.restored(patch.packed()) == kept).all()


@pytest.mark.slow
@given(st.lists(st.booleans(), min_size=8, max_size=8))
@settings(max_examples=8, deadline=None)
def test_a_frame_is_kept_the_same_whether_or_not_somebody_settled_before_it(beforehand: list[bool]) -> None:
    """A label comes, goes and comes again; the frames in which nothing changes are spared in both, or in neither."""
    one, other = Keeper(), Keeper()
    for number in range(2 * len(beforehand)):
        table = plain()
        table[80:152, 80:152] = label(1 + number // 8) if number % 8 in range(2, 6) else 120
        shown = noisy(table)
        for keeper in (one, other):
            keeper.aim(zones() if number else None)
        (first, patch), (second, again) = one.keep(shown), other.keep(shown)
        assert (first == second).all()
        assert patch.packed() == again.packed()
        before = second.copy()
        if beforehand[number % len(beforehand)]:
            other.settle()
            other.settle()
        assert (second == before).all()  # somebody still looks at it


def test_the_first_frame_and_a_picture_without_noise_are_kept_exactly() -> None:
    keeper = Keeper()
    first = noisy(plain(), 30.0)
    assert (keeper.keep(first)[0] == first).all()
    keeper = Keeper()
    even = plain()
    keeper.keep(even)
    changed = even.copy()
    changed[40:64, 40:72] = 255 - changed[40:64, 40:72]
    assert (keeper.keep(changed)[0] == changed).all()


def test_a_picture_that_stands_still_soon_costs_next_to_nothing() -> None:
    keeper = settled(plain(), 4)
    sizes = [len(keeper.keep(noisy(plain()))[1].packed()) for _ in range(20)]
    assert max(sizes) < 300


@pytest.mark.slow
def test_a_table_that_trembles_by_half_a_pixel_costs_little() -> None:
    picture = plain()
    picture[80:152, 80:152], picture[80:152, 200:272] = label(1), label(2)
    beside = np.roll(picture, 1, axis=1)
    trembling = ((picture.astype(int) + beside) // 2).astype(np.uint8)
    keeper = settled(picture)
    sizes = [len(keeper.keep(noisy(which))[1].packed()) for which in (trembling, trembling, picture, picture) * 8]
    assert sum(sizes) / len(sizes) < 500


def test_what_changes_is_taken_over_at_once_and_for_some_frames() -> None:
    keeper = settled(plain())
    put_down = plain()
    put_down[80:152, 80:152] = label(3)
    at = (slice(80, 152), slice(80, 152))
    keeper.aim(None)  # as long as nobody knows where the table is, all is kept in detail
    roused(keeper, put_down)
    shown = [keeper.keep(noisy(put_down))[0][at] for _ in range(FRAMES_AFTER_CHANGE)]
    assert all(close(part, label(3), (slice(None), slice(None))) for part in shown)
    # Looks that are to agree with each other each have noise of their own.
    assert all((one != other).mean() > 0.5 for one, other in pairwise(shown))


@pytest.mark.parametrize("seed", range(8))
def test_a_label_laid_exactly_upon_another_leaves_nothing_of_it(seed: int) -> None:
    """Half of their modules are the same by chance; none may be left of the first where they differ."""
    picture = plain()
    at = (slice(80, 152), slice(83, 155))
    picture[at] = label(100 + seed)
    keeper = settled(picture)
    other = picture.copy()
    other[at] = label(200 + seed)
    keeper.keep(noisy(other))
    kept = keeper.keep(noisy(other))[0]
    assert close(kept, other, at)


def test_what_moves_is_kept_roughly_and_in_detail_as_soon_as_it_rests() -> None:
    keeper = settled(plain())
    hand = plain()
    hand[104:248, 160:320] = noisy(plain(40, 144, 160), 12.0)
    inside = (slice(120, 232), slice(176, 304))
    first, moving = keeper.keep(noisy(hand))
    assert (moving.parts[15:29, 22:38] == BlockFate.ROUGH).all()
    assert abs(float(first[inside].mean()) - 40) < 4
    kept, resting = keeper.keep(noisy(hand))
    assert (resting.parts[15:29, 22:38] == BlockFate.FINE).all()
    assert close(kept, hand, inside)
    assert len(moving.packed()) < len(resting.packed()) / 3


def test_an_arm_that_rests_is_not_written_again() -> None:
    keeper = settled(plain())
    hand = plain()
    hand[104:248, 160:320] = 40
    keeper.keep(noisy(hand))
    arm = np.zeros((HEIGHT // 8, WIDTH // 8), np.uint8)
    arm[12:32, 19:41] = 1
    keeper.aim(zones(), arm)
    parts = keeper.keep(noisy(hand))[1].parts
    assert (parts[14:30, 21:39] == BlockFate.SAME).all()


def test_what_an_arm_passed_over_is_not_written_again_and_is_as_it_was() -> None:
    picture = plain()
    picture[120:192, 200:272] = label(9)
    keeper = settled(picture, RESTED_FRAMES + FRAMES_AFTER_CHANGE)
    before = keeper.keep(noisy(picture))[0].copy()
    hand = picture.copy()
    hand[104:248, 160:320] = 40
    keeper.keep(noisy(hand))
    keeper.keep(noisy(picture))  # it moves away
    kept, patch = keeper.keep(noisy(picture))
    assert (patch.parts[15:24, 25:34] == BlockFate.BACK).sum() > 60
    inside = (slice(120, 192), slice(200, 272))
    assert close(kept, picture, inside, 6.0)
    back = np.repeat(np.repeat(patch.parts == BlockFate.BACK, 8, axis=0), 8, axis=1)
    assert (kept[back] == before[back]).all()


def test_another_label_under_the_arm_is_seen() -> None:
    picture = plain()
    at = (slice(120, 192), slice(200, 272))
    picture[at] = label(9)
    keeper = settled(picture, RESTED_FRAMES + FRAMES_AFTER_CHANGE)
    hand = picture.copy()
    hand[104:248, 160:320] = 40
    keeper.keep(noisy(hand))
    after = picture.copy()
    after[at] = label(10)
    for _ in range(3):
        kept = keeper.keep(noisy(after))[0]
    assert close(kept, after, at)


def test_a_camera_that_is_pushed_is_kept_in_detail() -> None:
    picture = noisy(plain(), 0.0)
    picture[:, ::48] = 30
    for number in range(4):
        picture[64 * number + 40 : 64 * number + 72 + 40, 80 : 80 + 72] = label(number)
    keeper = settled(picture)
    pushed = np.roll(picture, 11, axis=1)
    kept, patch = roused(keeper, pushed).keep(noisy(pushed))
    assert not (patch.parts == BlockFate.ROUGH).any()
    assert close(kept, pushed, (slice(80, 240), slice(80, 400)), 6.0)


@pytest.mark.slow
def test_everything_is_taken_over_now_and_then() -> None:
    keeper = Keeper()
    whole = [(keeper.keep(noisy(plain()))[1].parts == BlockFate.FINE).all() for _ in range(REFRESHED_EVERY_FRAMES + 2)]
    assert sum(whole[FRAMES_AFTER_CHANGE:]) == 1


def test_no_pixel_is_further_off_than_the_noise() -> None:
    keeper = Keeper()
    keeper.keep(noisy(plain()))
    y = noisy(plain(60))
    assert int(np.abs(keeper.keep(y)[0].astype(int) - y).max()) <= NOISE
    assert (keeper.keep(plain(255))[0] >= 250).all()  # glare stays glare


@pytest.mark.slow
def test_slow_light_is_followed() -> None:
    keeper = Keeper()
    for tone in range(100, 160):
        kept, _ = keeper.keep(noisy(plain(tone), 2.0))
        assert abs(float(kept.mean()) - tone) < 0.1 * tone


def test_light_that_is_switched_is_seen_at_once() -> None:
    keeper = settled(plain(100), 8)
    kept = keeper.keep(noisy(plain(130)))[0]
    assert abs(float(kept.mean()) - 130) < 1.0


@pytest.mark.parametrize("cut", range(0, 60, 7))
def test_bytes_that_are_no_frame_are_refused(cut: int) -> None:
    whole = Keeper().keep(noisy(plain(), 9.0))[1].packed()
    with pytest.raises(CodecError):
        Restorer().restored(whole[:cut])
    with pytest.raises(CodecError):
        Restorer().restored(whole[:5] + zlib.compress(b"x" * cut))


def test_a_frame_larger_than_any_camera_takes_is_refused() -> None:
    with pytest.raises(CodecError, match="16384x16384"):
        Restorer().restored(struct.pack(">HHBI", 16384, 16384, 0, 0))
    with pytest.raises(CodecError, match="5001x5000"):
        Restorer().restored(struct.pack(">HHBI", 5001, 5000, 0, 0))


def test_a_change_of_a_frame_that_is_not_there_is_refused() -> None:
    _, patch = settled(plain()).keep(plain())
    with pytest.raises(CodecError, match="not there"):
        Restorer().restored(patch.packed())


def test_going_back_to_what_never_was_there_is_refused() -> None:
    keeper, restorer = Keeper(), Restorer()
    restorer.restored(keeper.keep(noisy(plain()))[1].packed())
    plan = zlib.compress(bytes([BlockFate.BACK]) * (HEIGHT // 8 * WIDTH // 8))
    head = struct.pack(">HHBI", WIDTH, HEIGHT, 0, len(plan))
    with pytest.raises(CodecError, match="never was there"):
        restorer.restored(head + plan + zlib.compress(b""))


def frames_taken_over(keeper: Keeper, picture: Picture) -> int:
    """In how many of the next frames, of which the first shows something new, this is written."""
    return sum(int((keeper.keep(noisy(picture))[1].parts == BlockFate.FINE).sum()) > 60 for _ in range(8))


@pytest.mark.slow
def test_where_more_changes_than_an_evening_has_room_for_it_is_kept_for_fewer_frames(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.recording.keeper._ROOM_BLOCKS", 5)
    monkeypatch.setattr("vision.recording.keeper._THRIFTY_FROM_BLOCKS", 300)
    table = plain()
    keeper = settled(table, 24)
    taken = []
    for seed in range(3):
        table = table.copy()
        table[80:152, 100:172] = label(seed)
        taken.append(frames_taken_over(keeper, table))
    assert taken == [FRAMES_AFTER_CHANGE, 2, 2]
    monkeypatch.setattr("vision.recording.keeper._ROOM_BLOCKS", 200)
    for _ in range(60):
        keeper.keep(noisy(table))  # while nothing happens the room comes back
    table = table.copy()
    table[80:152, 100:172] = label(9)
    assert frames_taken_over(keeper, table) == FRAMES_AFTER_CHANGE
