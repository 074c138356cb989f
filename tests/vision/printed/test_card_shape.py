"""What is known of the cards' shape: given, learned from those that show both labels, or guessed."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.cards import DECK, Card
from vision.printed.card_shape import HEIGHTS_MM, LEARNED_LOOKS, WIDTHS_MM, CardShapes, LabelPose, other_label_mm
from vision.printed.table import CardSize, LabelMargin

CARD, OTHER = Card.parse("3b"), Card.parse("1a")
numbers = st.floats(-200.0, 200.0)


def both(
    across_mm: float, down_mm: float, *, turn_deg: float = 77.0, other_deg: float = 180.0
) -> tuple[LabelPose, LabelPose]:
    """Both labels of a card somewhere on the table."""
    one = LabelPose((250.0, -130.0), turn_deg)
    return one, LabelPose(one.towards(across_mm, down_mm), (turn_deg + other_deg) % 360.0)


def shown(*ways: tuple[float, float], looks: int = 1, shapes: CardShapes | None = None) -> CardShapes:
    """What is known once cards with these ways between their labels were looked at."""
    shapes = CardShapes() if shapes is None else shapes
    for _ in range(looks):
        shapes = shapes.learned((card, *both(*way)) for card, way in zip(DECK, ways, strict=False))
    return shapes


@given(numbers, numbers, st.floats(0.0, 360.0), numbers, numbers)
def test_a_place_seen_from_a_label_and_back(x: float, y: float, turn_deg: float, across: float, down: float) -> None:
    label = LabelPose((x, y), turn_deg)
    assert label.to(label.towards(across, down)) == pytest.approx((across, down), abs=1e-6)


def test_an_upright_label_has_its_right_towards_x_and_its_foot_towards_the_players() -> None:
    assert LabelPose((10.0, 20.0), 90.0).towards(3.0, 4.0) == pytest.approx((13.0, 16.0))


def test_before_any_card_was_seen_a_common_size_is_assumed() -> None:
    shapes = CardShapes()
    assert not shapes.known
    assert shapes.usual[:2] == (63.0 - 12.0 - 25.0, 88.0 - 12.0 - 25.0)
    assert shapes.outline == (63.0, 88.0)


def test_with_one_of_both_given_the_other_is_learned() -> None:
    only_size = shown((20.0, 51.0), shapes=CardShapes(25.0, CardSize(57.0, 90.0)))
    assert only_size.outline == CardSize(57.0, 90.0)
    assert only_size.usual[:2] == pytest.approx((20.0, 51.0))
    only_margin = shown((20.0, 51.0), shapes=CardShapes(25.0, None, LabelMargin(4.0, 7.0)))
    assert only_margin.outline == pytest.approx((53.0, 90.0))


@given(st.floats(*WIDTHS_MM), st.floats(*HEIGHTS_MM), st.floats(4.0, 8.0), st.floats(4.0, 8.0), st.booleans())
def test_until_something_is_known_a_card_of_any_size_is_expected(
    wide: float, high: float, across: float, down: float, upside_down: bool
) -> None:
    one, other = both(wide - 2 * across - 25.0, high - 2 * down - 25.0, other_deg=0.0 if upside_down else 180.0)
    assert other_label_mm(CardShapes(), CARD, one, other) == 0.0
    assert other_label_mm(CardShapes(), CARD, other, one) == 0.0


def test_a_label_askew_is_not_where_the_other_one_may_be() -> None:
    one, other = both(26.0, 51.0, other_deg=90.0)
    assert other_label_mm(CardShapes(), CARD, one, other) == math.inf


def test_the_own_way_of_a_card_is_the_mean_of_some_looks_whichever_label_is_named_first() -> None:
    shapes = CardShapes()
    for number in range(LEARNED_LOOKS + 5):
        pair = both(20.0 + (-1) ** number, 51.0)
        shapes = shapes.learned([(CARD, *(pair if number % 3 else pair[::-1]))])
    own = shapes.own[CARD]
    assert own.looks == LEARNED_LOOKS
    assert own.there[:2] == pytest.approx((20.0, 51.0), abs=0.3)
    assert own.back[:2] == pytest.approx((20.0, 51.0), abs=0.3)
    assert shapes.learned([(CARD, *both(20.5, 51.0))]) is shapes


def test_labels_that_were_stuck_on_anew_are_learned_anew() -> None:
    shapes = CardShapes().learned([(CARD, *both(20.0, 51.0))] * 2)
    shapes = shapes.learned([(CARD, *both(30.0, 45.0))])
    assert shapes.own[CARD].there[:2] == pytest.approx((30.0, 45.0))
    assert shapes.own[CARD].looks == 1


def test_a_label_upside_down_says_nothing_of_other_cards_and_is_expected_of_its_own() -> None:
    one, other = both(20.0, 51.0, other_deg=0.0)
    shapes = CardShapes().learned([(CARD, one, other)])
    assert not shapes.known
    assert shapes.usual[:2] == (26.0, 51.0)
    assert other_label_mm(shapes, CARD, one, other) == other_label_mm(shapes, CARD, other, one) == 0.0
    # Where it would be if it were stuck on as it should.
    turned = other._replace(turn_deg=(other.turn_deg + 180.0) % 360.0)
    assert other_label_mm(shapes, CARD, one, turned) == math.inf
