"""An arm at rest is one whose sleeve cannot be told from the table; cards are none, and other light is none."""

from __future__ import annotations

from collections.abc import Container, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.belief import BRIEFLY_S, SURE
from vision.cells import Mask, Thumb, room_gain
from vision.change.arm import ArmWatch
from vision.change.gate import steepness
from vision.change.ground import GroundWatch, lamps_changed
from vision.change.outline import evidence
from vision.geometry import Floats

ROWS, COLUMNS = 80, 140
HAND_CELLS = 40.0
STILL: Mask = np.zeros((ROWS, COLUMNS), np.uint8)
TABLE: Mask = np.ones((ROWS, COLUMNS), np.uint8)


def look(
    watch: ArmWatch,
    now: Thumb,
    t_s: float,
    moving: Mask | bool = False,
    table: Mask = TABLE,
    cards: Mask = STILL,
    quiet: bool = False,
) -> Mask:
    """The cells of an arm; something moves in these cells, everywhere or nowhere."""
    moves = np.full_like(STILL, moving) if isinstance(moving, bool) else moving
    return watch.look(now, steepness(now), t_s, table, moving=moves, quiet=quiet, cards=cards, hand_cells=HAND_CELLS)


def picture(*blobs: tuple[int, int, int, int]) -> Thumb:
    """A dark table, and brighter things upon it: first and last row, first and last column."""
    thumb = 40.0 + np.random.default_rng(3).normal(0, 0.5, (ROWS, COLUMNS)).astype(np.float32)
    for top, bottom, left, right in blobs:
        thumb[top:bottom, left:right] = 150.0
    return thumb.astype(np.float32)


def arms(
    pictures: Sequence[Thumb],
    moving: Container[int] = (),
    *,
    watch: ArmWatch | None = None,
    there: Floats | None = None,
    pushed: int = 4,
    seconds: float = 0.1,
    cards: Mask = STILL,
    table: Mask = TABLE,
) -> list[Mask]:
    """What the watch takes for an arm in each picture; all moves in those named, in one of them to ``there``."""
    watch, found = watch or ArmWatch(), []
    for number, now in enumerate(pictures):
        if there is not None and number == pushed:
            watch.moved(there)
        found.append(look(watch, now, number * seconds, number in moving, table, cards))
    return found


def shown(
    *pictures: Thumb, moving: Container[int] = (), seconds: float = 0.2, ground: GroundWatch | None = None
) -> list[bool]:
    """Whether an arm is found in each of these pictures."""
    return [bool(mask.any()) for mask in arms(pictures, moving, watch=ArmWatch(ground), seconds=seconds)]


def seen(thumb: Thumb, cards: Mask = STILL) -> tuple[bool, bool]:
    """Whether something new is an arm, and whether it may be cards."""
    watch = ArmWatch()
    arm = bool(arms([picture()] * 4 + [thumb], watch=watch, cards=cards)[-1].any())
    return arm, arm and watch.may_be_cards


def test_only_what_reaches_the_pictures_edge_is_an_arm() -> None:
    assert seen(picture((30, ROWS, 50, 70))) == (True, False)
    assert seen(picture((20, 68, 50, 70))) == (False, False)


def test_cards_across_the_pictures_edge_are_read_and_none_once_their_labels_are() -> None:
    across, held = picture((58, ROWS, 50, 74)), picture((58, ROWS, 50, 74), (60, 66, 74, 84))
    card, none = np.zeros((ROWS, COLUMNS), np.uint8), np.zeros((ROWS, COLUMNS), np.uint8)
    card[57:, 49:75] = 1
    for thumb, cards, arm, may_be_cards in (
        (across, none, True, True),
        (across, card, False, False),
        (held, card, True, True),  # what holds it is still there
        (picture((30, ROWS, 50, 74)), none, True, False),
    ):
        assert seen(thumb, cards) == (arm, may_be_cards)


def test_of_cards_side_by_side_across_the_pictures_edge_those_that_are_read_make_no_arm_of_the_others() -> None:
    cards, read = picture((58, ROWS, 20, 92)), np.zeros((ROWS, COLUMNS), np.uint8)
    assert seen(cards, read) == (True, False)
    read[57:, 19:69] = 1
    assert seen(cards, read) == (True, True)
    read[57:, 19:93] = 1
    assert seen(cards, read) == (False, False)


def test_after_a_bump_only_what_reaches_in_is_an_arm_until_the_view_was_learned() -> None:
    shifted = picture((20, 68, 50, 70))
    assert not any(mask.any() for mask in arms([picture()] * 4 + [shifted] * 6, there=np.eye(3)))


def test_after_a_bump_the_table_seen_elsewhere_is_no_arm_and_an_arm_is() -> None:
    floor, further, arm = (0, ROWS, 0, 30), (0, ROWS, 0, 42), (30, ROWS, 80, 100)
    pictures = [picture(floor)] * 4 + [picture(further)] * 4 + [picture(further, arm)] * 2
    found = arms(pictures, (4, 8), there=np.array([[1.0, 0.0, 12.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]))
    assert [bool(mask.any()) for mask in found[4:]] == [False] * 4 + [True] * 2


def after_a_long_rest(*later: Thumb) -> list[tuple[bool, bool]]:
    """An arm comes in and rests until it is taken for a thing; then these pictures: an arm? anything kept back?"""
    watch = ArmWatch()
    arm = picture((30, ROWS, 50, 70))
    shown = [picture()] * 4 + [arm] * 14 + list(later)
    found = []
    for number, now in enumerate(shown):
        mask = look(watch, now, float(number), number > 0 and now is not shown[number - 1])
        found.append((bool(mask.any()), bool(watch.absorbed.any())))
    assert found[:17] == [(False, False)] * 4 + [(True, False)] * 13
    assert found[17] == (False, True)
    return found[18:]


def test_what_rested_for_long_is_no_arm_and_nothing_is_believed_there() -> None:
    same = picture((30, ROWS, 50, 70))
    assert after_a_long_rest(same, same, same) == [(False, True)] * 3


def test_a_thing_stays_one_when_a_hand_passed_over_it() -> None:
    passing, same = picture((30, ROWS, 50, 70), (20, ROWS, 80, 100)), picture((30, ROWS, 50, 70))
    assert after_a_long_rest(passing, same, same, same)[-1] == (False, True)


@pytest.mark.parametrize(("left", "right"), [(80, 100), (30, 60)], ids=["beside", "over"])
def test_an_arm_that_passes_what_rests_does_not_keep_it_an_arm(left: int, right: int) -> None:
    """A thing was put there, over the picture's edge; others go on playing beside it, or over it."""
    watch = ArmWatch()
    thing, other = (30, ROWS, 20, 40), (20, ROWS, left, right)
    found = []
    for number in range(100):
        passes = number > 20 and number % 10 in (0, 1)
        moving = np.full_like(STILL, number in (4, 5))
        moving[20:, left:right] |= number > 20 and number % 10 in (0, 1, 2)
        now = picture(*[thing] * (number > 4), *[other] * passes)
        arm = look(watch, now, number / 5, moving)
        found.append(bool(arm[40, 25]))
    assert found[6]
    assert found[60]
    assert not any(found[80:90] + found[94:])


def test_what_rested_for_long_and_moves_elsewhere_is_an_arm_again() -> None:
    moved = picture((33, ROWS, 75, 95))
    assert after_a_long_rest(moved, moved, moved, moved)[-1] == (True, False)


def test_an_arm_that_rested_for_long_leaves_none_behind() -> None:
    empty = picture()
    assert after_a_long_rest(empty, empty, empty, empty)[-1] == (False, False)


@pytest.mark.parametrize("frames", [1, 6, 50])
def test_an_arm_in_the_first_frames_leaves_none_behind_when_it_goes(frames: int) -> None:
    arm = picture((30, ROWS, 50, 70))
    found = shown(*[arm] * frames, *[picture()] * 6, moving=(frames,))
    assert not any(found[frames + 2 :])


@pytest.mark.parametrize("frames", [1, 6, 50])
def test_an_arm_that_comes_back_where_the_first_frames_had_one_is_an_arm(frames: int) -> None:
    arm = picture((30, ROWS, 50, 70))
    found = shown(*[arm] * frames, *[picture()] * 5, *[arm] * 4, *[picture()] * 3, moving=(frames, frames + 5))
    assert found[frames + 5 : frames + 9] == [True] * 4
    assert not any(found[-2:])


def test_one_arm_goes_while_another_comes_elsewhere() -> None:
    first, second = picture((30, ROWS, 20, 40)), picture((30, ROWS, 90, 110))
    found = shown(*[first] * 4, *[second] * 6, *[picture()] * 3, moving=(4, 10))
    assert found[4:10] == [True] * 6
    assert not any(found[-2:])


def test_a_change_of_light_without_an_outline_is_no_arm_for_long() -> None:
    plain = picture()
    ramp = np.clip((np.arange(COLUMNS) - 10) / 130.0, 0.0, 1.0) ** 2
    lit = (plain * (1.0 + ramp)).astype(np.float32)
    found = shown(*[plain] * 4, *[lit] * 30, moving=(4,))
    assert not any(found[4 + 15 :])


def test_what_moves_far_from_the_table_keeps_nothing_from_being_learned() -> None:
    """A television in the corner of the picture, and an arm that rests for long beside it."""
    watch = ArmWatch()
    table = np.zeros((ROWS, COLUMNS), np.uint8)
    table[20:, 40:] = 1
    corner = np.zeros_like(table)
    corner[:6, :10] = 1
    thing = picture((30, ROWS, 60, 80))
    found = []
    for number, now in enumerate([picture()] * 4 + [thing] * 20):
        arm = look(watch, now, float(number), corner, table=table)
        found.append(bool(arm.any()))
    assert found[4]
    assert not found[-1]


def test_an_arm_that_hides_an_outline_beside_the_table_is_an_arm() -> None:
    """It looks like the cloth, lies along a pale thing that reaches to the table, and shows upon the table alone."""
    watch, cloth, dark, pale = ArmWatch(), np.float32(110.0), np.float32(40.0), np.float32(180.0)
    table = np.zeros((ROWS, COLUMNS), np.uint8)
    table[:58] = 1
    empty = picture() - dark + cloth
    empty[:58] += dark - cloth
    empty[58:, 50:70] += pale - cloth
    arm = empty.copy()
    arm[10:, 50:70] = cloth
    found = []
    for number, now in enumerate([empty] * 4 + [arm] * 6):
        cells = look(watch, now, number / 10, number == 4, table=table)
        found.append((bool(cells.any()), watch.untold))
    assert found[4:] == [(True, False)] * 6


@pytest.mark.parametrize(("sleeve", "thing"), [(70.0, 150.0), (85.0, 200.0), (100.0, 250.0)])
def test_an_arm_that_lay_over_a_thing_beside_the_table_leaves_none_behind(sleeve: float, thing: float) -> None:
    """The thing's own edges show where the arm lay, once that has gone; upon the table nothing shows."""
    table = np.ones((ROWS, COLUMNS), np.uint8)
    table[:30] = 0
    bare, arm = picture(), picture()
    bare[:30, 50:70], arm[:, 50:70] = thing, sleeve
    found = arms([arm] * 6 + [bare] * 30, (6, 7), seconds=0.2, table=table)
    assert not any(mask.any() for mask in found[-5:])


def test_an_arm_that_a_flicker_breaks_into_pieces_now_and_then_stays_one() -> None:
    """Of what is left then it cannot be told that it is an arm; in the frames between it can."""
    arm, broken = picture((30, ROWS, 50, 70)), picture((30, 48, 50, 70), (54, ROWS, 50, 70))
    assert not any(shown(*[picture()] * 4, *[broken] * 24, moving=(4,))[-5:])  # alone: no arm for long
    found = shown(*[picture()] * 4, *[arm, arm, broken] * 10, moving=(4,))
    assert found[4:] == [True] * 30
    moved = shown(*[picture()] * 4, *[arm] * 10, *[broken] * 24, moving=(4, 14))
    assert not any(moved[-5:])  # what is left once it moved is another thing


@pytest.mark.parametrize("looks", [1, 2])
def test_a_hand_that_pauses_for_one_look_is_no_part_of_the_table(looks: int) -> None:
    """Of its fingers too little is in the picture to be an arm."""
    fingers, hand = picture((76, ROWS, 50, 70)), picture((20, ROWS, 50, 70))
    found = shown(*[picture()] * 4, *[fingers] * (1 + looks), hand, moving=(4, 5 + looks))
    assert found[-1] == (looks == 1)


def planks(*, sleeve: bool) -> Thumb:
    """Planks, one of them dark, and a sleeve along that one's edge and across the table: one of its sides shows."""
    thumb = picture() + np.float32(60.0)
    thumb[:, 50:60] -= 80.0
    if sleeve:
        thumb[:, 50:70] = 137.0
    return thumb


@pytest.mark.parametrize("looks", [1, 10, 30])
def test_a_sleeve_that_looks_like_the_planks_leaves_no_arm_behind_when_it_goes(looks: int) -> None:
    """It hides an edge of theirs: in time it passes for the table, and the edge that comes back for a thing."""
    bare, sleeve, untold = planks(sleeve=False), planks(sleeve=True), 1 + round(BRIEFLY_S / 0.2)
    ground = GroundWatch()
    ground.learn(bare, np.zeros_like(STILL))
    found = shown(*[bare] * 4, *[sleeve] * (1 + looks), *[bare] * 8, moving=(4, 5 + looks), ground=ground)
    assert found[4 : 5 + looks] == [True] * min(1 + looks, untold) + [False] * (1 + looks - untold)
    assert not any(found[5 + looks :])


def test_a_pile_taken_away_leaves_no_arm_behind_though_few_of_its_labels_were_seen() -> None:
    """Pushed together for the end of the round, over the picture's edge; then both hands of cards are shown there."""
    ground, few = GroundWatch(), np.zeros_like(STILL)
    ground.learn(picture(), STILL)
    watch = ArmWatch(ground)
    pile, shown = picture((35, ROWS, 20, 110)), picture()
    shown[45:65, 30:55] = shown[45:65, 75:100] = 100.0
    few[35:60, 20:60] = 1
    for number, now in enumerate([picture()] * 4 + [pile] * 4 + [shown] * 4):
        cards = few if number >= 4 else STILL
        assert not look(watch, now, number / 10, number == 8, cards=cards, quiet=number < 8).any()
    arm = picture((35, ROWS, 20, 60))
    assert look(watch, arm, 1.2, True, cards=few).any(), "what is new there is an arm all the same"


# Other light on the same surface is told from another surface, by the pattern that shows in both or does not.


def grain(seed: int, spread: float = 5.0) -> Thumb:
    """A surface with a pattern of a few cells, about 100 bright."""
    fine = np.random.default_rng(seed).normal(0.0, 1.0, (ROWS, COLUMNS))
    fine = fine + np.roll(fine, 1, 1) + np.roll(fine, 2, 1)
    return np.asarray(100.0 + spread * fine / 3**0.5, dtype=np.float32)


def noisy(thumb: Thumb, seed: int = 9) -> Thumb:
    return np.asarray(thumb + np.random.default_rng(seed).normal(0, 0.5, thumb.shape), dtype=np.float32)


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


# Of two pictures of a place it is told which of them shows a thing there, on any ground and in any light.

PART = np.zeros((ROWS, COLUMNS), np.bool_)
PART[30:, 50:72] = True


def cloth(seed: int, waves: float) -> Thumb:
    """A table, even or with a pattern of some cells."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    pattern = np.sin(x / rng.uniform(1.5, 4.0)) * np.sin(y / rng.uniform(1.5, 4.0))
    return np.asarray(110 + waves * pattern + rng.normal(0, 1.0, (ROWS, COLUMNS)), dtype=np.float32)


def with_arm(table: Thumb, tone: float) -> Thumb:
    return np.where(PART, np.float32(tone), table).astype(np.float32)


WHOLE = (slice(0, ROWS), slice(0, COLUMNS))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.0, 18.0), st.sampled_from([30.0, 60.0, 170.0, 200.0]))
def test_an_arm_stands_out_and_is_outlined_in_the_picture_it_is_in(seed: int, waves: float, tone: float) -> None:
    table = cloth(seed, waves)
    arm = with_arm(table, tone)
    assert evidence(arm, table, WHOLE, PART, STILL) > SURE / 2
    assert evidence(table, arm, WHOLE, PART, STILL) < -SURE / 2


def tartan() -> Thumb:
    """A dark cloth with broad stripes both ways, and thin bright lines."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    broad = 12.0 * (x // 9 % 2) + 12.0 * (y // 9 % 2)
    lines = 60.0 * ((x % 18 == 0) | (y % 18 == 0))
    return np.asarray(45 + broad + lines + np.random.default_rng(2).normal(0, 0.5, x.shape), dtype=np.float32)


def test_a_dark_sleeve_over_a_tartan_leaves_the_bare_cloth_behind_and_no_arm() -> None:
    """What differs ends at the cloth's stripes, whose edges show now; the cloth around has the same stripes."""
    bare, arm = tartan(), with_arm(tartan(), 70.0)
    assert not any(shown(arm, arm, arm, bare, bare, bare, moving=(3,)))
    assert shown(bare, bare, bare, arm, arm, arm, moving=(3,)) == [False, False, False, True, True, True]


@pytest.mark.parametrize("waves", [0.0, 15.0])
def test_light_that_grows_over_many_cells_has_no_outline(waves: float) -> None:
    table = cloth(3, waves)
    ramp = np.clip((np.arange(COLUMNS) - 20) / 100.0, 0.0, 1.0).astype(np.float32)
    lit = (table * (1.0 + 0.5 * ramp)).astype(np.float32)
    assert evidence(lit, table, WHOLE, PART, STILL) < SURE / 4
    assert evidence(table, table, WHOLE, PART, STILL) < SURE / 4


@pytest.mark.parametrize("waves", [0.0, 15.0])
def test_a_mark_that_stands_in_light_without_a_border_gives_it_none(waves: float) -> None:
    """A tag, or a card that nobody read yet, black on white, in the glow of a lamp: one change, and no arm."""
    table = cloth(5, waves)
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    glow = 60.0 * np.exp(-((x - 70.0) ** 2 + (y - 40.0) ** 2) / 900.0)
    lit = (table + glow).astype(np.float32)
    part = glow > 12.0
    part[36:44, 106:114] = True
    lit[36:44, 106:114] += 120.0
    assert evidence(lit, table, WHOLE, part, STILL) < SURE / 4


def test_with_too_little_of_an_outline_left_nothing_is_said() -> None:
    table = cloth(1, 0.0)
    arm = with_arm(table, 200.0)
    assert 0.0 < evidence(arm, table, WHOLE, PART, TABLE) < SURE / 4
    beside = np.zeros_like(STILL)
    beside[:, 61:] = 1  # half of it is enough
    assert evidence(arm, table, WHOLE, PART, beside) > SURE / 2
    assert evidence(table, arm, WHOLE, PART, beside) < -SURE / 2


def test_an_arm_that_was_taken_for_the_bare_table_is_forgotten_once_it_has_left() -> None:
    arm, ground = picture((30, ROWS, 50, 70)), GroundWatch()
    ground.learn(arm, STILL)
    arms([arm] * 4 + [picture()] * 4, (4,), watch=ArmWatch(ground))
    assert not ground.came(picture(), STILL).any()
    assert ground.unknown(picture())[30:, 50:70].all()
    assert ground.came(picture((10, 25, 100, 120)), STILL)[12:23, 102:118].all()


def test_an_arm_that_left_while_something_moved_is_forgotten_once_nothing_moves() -> None:
    arm, ground = picture((30, ROWS, 50, 70)), GroundWatch()
    ground.learn(arm, STILL)
    watch = ArmWatch(ground)
    for number, now in enumerate([arm] * 4 + [picture()] * 6):
        look(watch, now, number / 10, number in (4, 5, 6), quiet=number not in (4, 5))
    assert ground.unknown(picture())[30:, 50:70].all()
