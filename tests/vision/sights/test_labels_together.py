"""Which labels are on one card, and what two of them say of it: where they lie, and how they are turned."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.rules.cards import Card
from tests.tables import TABLE
from vision.printed.card_shape import CardShapes, LabelPose, Place, shift_mm
from vision.sights.observe import LabelPlace, both_labels, card_sights

SHAPES = CardShapes.of(TABLE)
CARD = Card.parse("3b")
ONE: Place = (200.0, -150.0)
OTHER: Place = (225.0, -200.0)
"""Where the labels of a card of the usual size lie, the first with its top upwards and the other half round."""


def label(place: Place, turn_deg: float, *, cut: bool = False) -> LabelPlace:
    """One whose top points this way: 90 is upwards."""
    return LabelPlace(CARD, LabelPose(place, turn_deg), cut)


def test_of_two_labels_the_one_that_is_turned_half_round_is_on_the_same_card() -> None:
    """The other one is a spare label beside it, even where it was read first and lies just as the card's own would."""
    spare, own = label(OTHER, 0.0), label((227.0, -201.0), 270.0)
    for others in ([spare, own], [own, spare]):
        card, beside = card_sights([label(ONE, 90.0), *others], SHAPES)
        assert card.poses == ((ONE, 90.0), own.pose)
        assert beside.labels == (spare,)


def test_of_two_labels_that_are_turned_alike_the_one_at_its_place_is_on_the_same_card() -> None:
    stray, own = label((240.0, -160.0), 270.0), label(OTHER, 270.0)
    for others in ([stray, own], [own, stray]):
        card, beside = card_sights([label(ONE, 90.0), *others], SHAPES)
        assert ([pose.place for pose in card.poses], beside.labels) == ([ONE, OTHER], (stray,))


def test_a_label_read_twice_is_no_card_with_two_labels() -> None:
    sights = card_sights([label(ONE, 90.0), label((ONE[0] + 12.0, ONE[1] - 12.0), 270.0)], SHAPES)
    assert [len(sight.labels) for sight in sights] == [1, 1]


@pytest.mark.parametrize(
    ("one", "other", "turn_deg"),
    [
        (label(ONE, 90.0), label(OTHER, 276.0), 93.0),
        (label(ONE, 86.0), label(OTHER, 270.0), 88.0),
        (label(ONE, 2.0), label(OTHER, 178.0), 0.0),
        (label(ONE, 90.0), label(OTHER, 96.0), 90.0),  # one of them was stuck on upside down
        (label(ONE, 90.0), label(OTHER, 276.0, cut=True), 90.0),
        (label(ONE, 90.0, cut=True), label(OTHER, 276.0), 96.0),
        (label(ONE, 90.0, cut=True), label(OTHER, 276.0, cut=True), 90.0),
    ],
)
def test_a_card_lies_as_both_its_labels_say_or_as_the_one_that_can_be_believed(
    one: LabelPlace, other: LabelPlace, turn_deg: float
) -> None:
    (sight,) = card_sights([one, other], SHAPES)
    assert (sight.turn_deg + 90.0) % 180.0 == pytest.approx((turn_deg + 90.0) % 180.0)
    assert (sight.x_mm, sight.y_mm) == pytest.approx((212.5, -175.0))
    assert sight.labels == (one, other)


@pytest.mark.parametrize("clear", [True, False])
def test_a_card_with_a_hand_at_it_does_not_show_its_labels(clear: bool) -> None:
    (sight,) = card_sights([label(ONE, 90.0), label(OTHER, 270.0)], SHAPES)
    assert len(both_labels([replace(sight, clear=clear)])) == clear


def test_a_cut_card_shows_both_its_labels_only_until_it_is_known() -> None:
    sights = card_sights([label(ONE, 90.0), label(OTHER, 270.0, cut=True)], SHAPES)
    assert [(card, one.place, other.place) for card, one, other in both_labels(sights)] == [(CARD, ONE, OTHER)]
    assert both_labels(sights, {CARD}) == ()


def test_a_card_that_was_pushed_by_its_own_length_has_moved_so_far() -> None:
    """One label is then where the other one was: which is which is told by how they are turned."""
    across, down = OTHER[0] - ONE[0], OTHER[1] - ONE[1]
    before = [LabelPose(ONE, 90.0), LabelPose(OTHER, 270.0)]
    now = [LabelPose(OTHER, 90.0), LabelPose((OTHER[0] + across, OTHER[1] + down), 270.0)]
    assert shift_mm(before, now, CARD, SHAPES) == pytest.approx(math.hypot(across, down))
    assert shift_mm(before, before[::-1], CARD, SHAPES) == 0.0


def test_a_card_that_showed_one_label_and_then_the_other_has_not_moved() -> None:
    assert shift_mm([LabelPose(ONE, 90.0)], [LabelPose(OTHER, 270.0)], CARD, SHAPES) == 0.0
    assert shift_mm([LabelPose(ONE, 90.0)], [LabelPose((260.0, -200.0), 270.0)], CARD, SHAPES) > 10.0
    assert shift_mm([LabelPose(ONE, 90.0)], [LabelPose(OTHER, 0.0)], CARD, SHAPES) == math.inf
