"""Other light on the same surface is told from another surface, by the pattern that shows in both or does not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.belief import BRIEFLY_S
from vision.cells import Mask, Thumb, room_gain
from vision.change.arm import ArmWatch
from vision.change.gate import steepness
from vision.change.ground import GroundWatch, lamps_changed
from vision.geometry import Floats

ROWS, COLUMNS = 80, 140
PIECE = (slice(20, 60), slice(30, 90))
INSIDE = (slice(28, 52), slice(38, 82))
STILL: Mask = np.zeros((ROWS, COLUMNS), np.uint8)


def grain(seed: int, spread: float = 5.0) -> Thumb:
    """A surface with a pattern of a few cells, about 100 bright."""
    fine = np.random.default_rng(seed).normal(0.0, 1.0, (ROWS, COLUMNS))
    fine = fine + np.roll(fine, 1, 1) + np.roll(fine, 2, 1)
    return np.asarray(100.0 + spread * fine / 3**0.5, dtype=np.float32)


def noisy(thumb: Thumb, seed: int = 9) -> Thumb:
    return np.asarray(thumb + np.random.default_rng(seed).normal(0, 0.5, thumb.shape), dtype=np.float32)


def arms(
    pictures: list[Thumb], moving: tuple[int, ...] = (), watch: ArmWatch | None = None, there: Floats | None = None
) -> list[Mask]:
    """What the watch takes for an arm in each picture; all moves in those named, in the first as ``there`` says."""
    watch, found = watch or ArmWatch(), []
    for number, thumb in enumerate(pictures):
        if there is not None and number == moving[0]:
            watch.moved(there)
        moves = np.full_like(STILL, number in moving)
        now = thumb, steepness(thumb), number / 10, np.ones_like(STILL)
        found.append(watch.look(*now, moving=moves, quiet=False, cards=STILL, hand_cells=30.0))
    return found


def watched(now: Thumb, before: Thumb, for_s: float = 0.3) -> Mask:
    """What the watch takes for an arm in the end."""
    return arms([before] * 4 + [now] * round(10 * for_s))[-1]


def cone(across: int, down: int) -> Thumb:
    """How many times as bright a lamp at this cell makes each: 0.5 where it hardly reaches, 2 under it."""
    rows, columns = np.mgrid[0:ROWS, 0:COLUMNS]
    return np.asarray(0.5 + 1.5 * np.exp(-((columns - across) ** 2 + (rows - down) ** 2) / 1500.0), dtype=np.float32)


def slats() -> Thumb:
    """The sun through a blind, its shadows with sharp edges; brighter on one side of the table."""
    rows, columns = np.mgrid[0:ROWS, 0:COLUMNS]
    return np.asarray(np.where((rows + columns) // 12 % 2, 1.0, 1.35) * (1.2 - columns / 300.0), dtype=np.float32)


def spot() -> Thumb:
    """A lamp over one side of the table; more than a quarter of the picture hardly knows of it."""
    rows, columns = np.mgrid[0:ROWS, 0:COLUMNS]
    return np.asarray(1.0 + 0.8 * np.exp(-((columns - 95) ** 2 + (rows - 40) ** 2) / 1250.0), dtype=np.float32)


OTHER_LAMPS = {
    "a cone": (cone(20, 70), cone(110, 10)),
    "a blind": (np.ones_like(slats()), slats()),
    "a spot": (spot(), np.ones_like(spot())),
}


@pytest.mark.parametrize("lamps", OTHER_LAMPS)
def test_other_lamps_are_told_from_an_arm_and_from_what_a_camera_does_when_one_comes(lamps: str) -> None:
    first, second = OTHER_LAMPS[lamps]
    before, lit = grain(1) * first, grain(1) * second
    assert lamps_changed(noisy(lit), before)
    assert lamps_changed(before, noisy(lit))
    arm = before.copy()
    arm[:, 20:80] = 180.0  # two fifths of the picture
    for gain in (0.75, 1.0, 1.3):
        assert not lamps_changed(noisy(arm * np.float32(gain)), before)
        assert not lamps_changed(noisy(before * np.float32(gain)), before)


@pytest.mark.parametrize("lamps", OTHER_LAMPS)
def test_other_lamps_bring_no_arm_and_hide_none(lamps: str) -> None:
    first, second = OTHER_LAMPS[lamps]
    plain = grain(1, spread=0.5)
    before, lit = plain * first, plain * second
    assert not watched(lit, before, for_s=0.1).any()
    assert not watched(lit, before).any()
    arm = slice(45, ROWS), slice(60, 80)
    coming, there = lit.copy(), before.copy()
    coming[arm] = there[arm] = 200.0
    for shown, moving in (([before] * 4 + [lit, coming, coming], (4, 5)), ([before] * 4 + [there] * 3, (4,))):
        assert all(mask[arm].any() for mask in arms(shown, moving)[-2:])


@pytest.mark.parametrize("lamps", OTHER_LAMPS)
def test_other_lamps_and_a_push_at_once_bring_no_arm_and_hide_none(lamps: str) -> None:
    first, second = OTHER_LAMPS[lamps]
    before, pushed = grain(1) * first, np.roll(grain(1), 3, 1) * second
    there = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    coming = pushed.copy()
    arm = slice(45, ROWS), slice(60, 80)
    coming[arm] = 200.0
    found = arms([before] * 4 + [pushed] * 3 + [coming] * 2, (4, 7), there=there)
    assert not any(mask.any() for mask in found[4:7])
    assert all(mask[arm].any() for mask in found[7:])


def test_in_other_light_nothing_is_known_of_the_bare_table_and_beside_an_arm_it_is() -> None:
    """Lamps that go on over a white cloth burn it here and there, where nothing came."""
    before, ground = grain(1), GroundWatch()
    arm = before.copy()
    arm[30:, 60:90] = 30.0
    ground.learn(before, STILL)
    watch = ArmWatch(ground)
    arms([before] * 4 + [arm, before], watch=watch)
    assert not ground.unknown(before).any()
    arms([before * cone(110, 10)], watch=watch)
    assert ground.unknown(before).all()


@pytest.mark.parametrize("lamps", OTHER_LAMPS)
def test_an_arm_that_rests_while_the_lamps_change_stays_one(lamps: str) -> None:
    first, second = OTHER_LAMPS[lamps]
    arm = slice(45, ROWS), slice(60, 80)
    before, there, lit = grain(1) * first, grain(1) * first, grain(1) * second
    there[arm] = lit[arm] = 200.0
    found = [bool(mask[arm].any()) for mask in arms([before] * 4 + [there] * 3 + [lit] * 3, (4,))]
    assert found == [False] * 4 + [True] * 6


@pytest.mark.parametrize("push", [4, 6, 9])
def test_a_push_alone_is_no_other_lamp_and_the_hand_that_pushed_is_seen(push: int) -> None:
    stripes = np.asarray(60.0 + 100.0 * ((np.arange(COLUMNS) // 14) % 2) + 0 * STILL, dtype=np.float32)
    pushed, there = np.roll(stripes, push, 1), np.array([[1.0, 0.0, push], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    arm = slice(45, ROWS), slice(60, 80)
    pushed[arm] = 230.0
    mask = arms([noisy(stripes)] * 4 + [noisy(pushed)] * 3, (4,), there=there)[-1]
    assert mask[arm].any()
    assert not mask[:40].any()


def test_of_a_lamp_with_a_sharp_shadow_at_most_its_border_is_in_doubt_and_not_for_long() -> None:
    lit = grain(1)
    lit[:, :70] *= 1.6
    doubted = watched(noisy(lit), grain(1))
    assert not doubted[:, :62].any()
    assert not doubted[:, 78:].any()
    assert not watched(noisy(lit), grain(1), BRIEFLY_S + 0.5).any()


def test_an_arm_in_the_light_of_a_lamp_is_one() -> None:
    reached = grain(1)
    reached[:, :70] *= 1.6
    reached[30:, 40:60] = 60.0
    assert watched(noisy(reached), grain(1))[34:76, 43:57].all()


@pytest.mark.parametrize("gain", [0.2, 0.9, 1.0, 1.8])
def test_the_light_of_the_room_is_told_although_much_came_with_it(gain: float) -> None:
    lit = grain(1) * np.float32(gain)
    lit[:, 80:] = 250.0  # three sevenths of the picture
    assert room_gain(lit, grain(1)) == pytest.approx(gain, rel=0.03)


def test_a_lamp_that_goes_out_is_no_arm_and_an_arm_in_the_dark_is_one() -> None:
    lit = np.full((ROWS, COLUMNS), 100.0, np.float32)  # without a pattern that could be known again
    lit[:, :70] += 90.0
    lit[30:50, 20:60] = 230.0
    dim = lit * np.float32(0.25)
    assert not watched(noisy(dim), lit).any()
    arm = dim.copy()
    arm[30:, 90:110] = 40.0
    found = watched(noisy(arm), lit)
    assert found[40:76, 93:107].mean() > 0.9
    assert not found[:, :80].any()
