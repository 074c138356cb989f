"""An arm at rest: one whose sleeve cannot be told from the table is an arm all the same, cards are none."""

from __future__ import annotations

import numpy as np
import pytest

from vision.belief import BRIEFLY_S
from vision.cells import Mask, Thumb
from vision.change.arm import ArmWatch
from vision.change.gate import steepness
from vision.change.ground import GroundWatch

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


def seen(thumb: Thumb, cards: Mask | None = None) -> tuple[bool, bool]:
    """Whether something new is an arm, and whether it is a doubtful one."""
    watch = ArmWatch()
    for number, now in enumerate([picture()] * 4 + [thumb]):
        arm = look(watch, now, number / 10, cards=STILL if cards is None else cards)
    return bool(arm.any()), bool(arm.any()) and watch.doubtful


def test_an_arm_from_the_edge_is_sure_and_a_hand_without_one_doubtful() -> None:
    assert seen(picture((30, ROWS, 50, 70))) == (True, False)
    assert seen(picture((20, 68, 50, 70))) == (True, True)


def test_what_is_no_longer_than_a_card_is_none() -> None:
    assert seen(picture((20, 52, 50, 74))) == (False, False)


@pytest.mark.parametrize("known", [False, True])
def test_a_row_of_cards_is_none_once_their_labels_are_read(known: bool) -> None:
    cards = np.zeros((ROWS, COLUMNS), np.uint8)
    if known:
        cards[19:46, 29:101] = 1
    assert seen(picture((20, 45, 30, 100)), cards) == (not known, not known)


def test_cards_across_the_pictures_edge_are_read_and_none_once_their_labels_are() -> None:
    across, held = picture((58, ROWS, 50, 74)), picture((58, ROWS, 50, 74), (60, 66, 74, 90))
    card, none = np.zeros((ROWS, COLUMNS), np.uint8), np.zeros((ROWS, COLUMNS), np.uint8)
    card[57:, 49:75] = 1
    for thumb, cards, arm, may_be_cards in (
        (across, none, True, True),
        (across, card, False, False),
        (held, card, True, True),  # what holds it is still there
        (picture((30, ROWS, 50, 74)), none, True, False),
    ):
        watch = ArmWatch()
        for number, now in enumerate([picture()] * 4 + [thumb]):
            found = look(watch, now, number / 10, cards=cards)
        assert (bool(found.any()), bool(found.any()) and watch.may_be_cards) == (arm, may_be_cards)


def test_after_a_bump_only_what_reaches_in_is_an_arm_until_the_view_was_learned() -> None:
    watch = ArmWatch()
    shifted = picture((20, 68, 50, 70))
    found = []
    for number, now in enumerate([picture()] * 4 + [shifted] * 6):
        if number == 4:
            watch.moved(np.eye(3))
        arm = look(watch, now, number / 10)
        found.append(bool(arm.any()))
    assert not any(found)


def test_after_a_bump_the_table_seen_elsewhere_is_no_arm_and_an_arm_is() -> None:
    watch = ArmWatch()
    floor, further, arm = (0, ROWS, 0, 30), (0, ROWS, 0, 42), (30, ROWS, 80, 100)
    there = np.array([[1.0, 0.0, 12.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    found = []
    for number, now in enumerate([picture(floor)] * 4 + [picture(further)] * 4 + [picture(further, arm)] * 2):
        if number == 4:
            watch.moved(there)
        cells = look(watch, now, number / 10, number in (4, 8))
        found.append(bool(cells.any()))
    assert found[4:8] == [False] * 4
    assert found[8:] == [True] * 2


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


def test_an_arm_that_passes_beside_what_rests_does_not_keep_it_an_arm() -> None:
    """A thing was put there, over the picture's edge; others go on playing beside it."""
    watch = ArmWatch()
    thing, other = (30, ROWS, 20, 40), (20, ROWS, 80, 100)
    found = []
    for number in range(100):
        passes = number > 20 and number % 10 in (0, 1)
        moving = np.full_like(STILL, number in (4, 5))
        moving[20:, 80:100] |= number > 20 and number % 10 in (0, 1, 2)
        now = picture(*[thing] * (number > 4), *[other] * passes)
        arm = look(watch, now, number / 5, moving)
        found.append(bool(arm[40, 30]))
    assert found[6]
    assert found[60]
    assert not any(found[-20:])


def test_what_rested_for_long_and_moves_is_an_arm_again() -> None:
    moved = picture((33, ROWS, 52, 72))
    assert after_a_long_rest(moved, moved, moved, moved)[-1] == (True, False)


def test_an_arm_that_rested_for_long_leaves_none_behind() -> None:
    empty = picture()
    assert after_a_long_rest(empty, empty, empty, empty)[-1] == (False, False)


def shown(
    *pictures: Thumb, moving: tuple[int, ...] = (), seconds: float = 0.2, ground: GroundWatch | None = None
) -> list[bool]:
    """Whether an arm is found in each of these pictures; something moves in those named."""
    watch = ArmWatch(ground)
    return [bool(look(watch, now, number * seconds, number in moving).any()) for number, now in enumerate(pictures)]


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
    watch, table = ArmWatch(), np.ones((ROWS, COLUMNS), np.uint8)
    table[:30] = 0
    bare, arm = picture(), picture()
    bare[:30, 50:70], arm[:, 50:70] = thing, sleeve
    found = [
        look(watch, now, number / 5, number in (6, 7), table=table).any()
        for number, now in enumerate([arm] * 6 + [bare] * 30)
    ]
    assert not any(found[-5:])


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
    """Its fingers are no longer than a card."""
    fingers, hand = picture((20, 48, 50, 70)), picture((20, 68, 50, 70))
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
