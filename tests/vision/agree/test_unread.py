"""Codes that nobody can read: parts of cards that are known, or cards that nobody has read yet."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.rules.cards import DECK, Card
from vision.agree.agreement import HeldCard, HeldLabel, UnreadCode, UnreadMemory, unexplained, unread_code
from vision.agree.place_looks import may_cover
from vision.belief import SURE
from vision.geometry import look_at
from vision.printed.card_shape import CardShapes, LabelPose, finder_places
from vision.printed.table import CardSize, LabelMargin
from vision.sights.observe import CardSight, LabelPlace

CARD, OTHER = Card.parse("3b"), Card.parse("1a")
UPPER = LabelPose((250.0, -130.0), 100.0)
NARROW = CardShapes(25.0, CardSize(57.0, 88.0), LabelMargin(6.0, 6.0))


def sight(*labels: LabelPose, card: Card = CARD) -> CardSight:
    return CardSight(card, 0.0, 0.0, 0.0, tuple(LabelPlace(card, label) for label in labels))


def remembered(*labels: LabelPose) -> HeldCard:
    """The same card, read some looks ago."""
    return HeldCard(CARD, 0.0, 0.0, 0.0, 0.0, 0.0, tuple(HeldLabel(place, 0.0, turn) for place, turn in labels))


def lower(across_mm: float, down_mm: float, turn_deg: float = 180.0) -> LabelPose:
    """The other label of a card, so far from the upper one."""
    return LabelPose(UPPER.towards(across_mm, down_mm), (UPPER.turn_deg + turn_deg) % 360.0)


def corner(label: LabelPose, number: int = 0) -> UnreadCode:
    """One finder pattern of a label: top left, top right, bottom left."""
    return UnreadCode(finder_places(label, 25.0)[number], label.turn_deg % 90.0)


def known(count: int = 9, way: tuple[float, float] = (20.0, 51.0)) -> CardShapes:
    """Shapes learned from so many cards whose labels lie exactly; none of them the card in question."""
    pairs = [(card, UPPER, lower(*way)) for card in DECK if card not in (CARD, OTHER)]
    return CardShapes().learned(pairs[:count])


@pytest.mark.parametrize("shapes", [CardShapes(), NARROW, known()], ids=["unknown", "given", "learned"])
@pytest.mark.parametrize("number", range(3))
def test_the_corner_of_the_second_label_of_a_narrow_card_is_explained(shapes: CardShapes, number: int) -> None:
    code = corner(lower(20.0, 51.0), number)
    assert unexplained([code], [sight(UPPER)], (), shapes) == ()


@pytest.mark.parametrize("shapes", [NARROW, known()], ids=["given", "learned"])
def test_once_the_cards_are_known_a_code_elsewhere_on_them_is_none_of_theirs(shapes: CardShapes) -> None:
    code = corner(lower(20.0, 51.0 - 30.0))
    assert unexplained([code], [sight(UPPER)], (), CardShapes()) == ()
    assert unexplained([code], [sight(UPPER)], (), shapes) == (code,)


def test_a_card_that_showed_both_labels_explains_no_third() -> None:
    both = sight(UPPER, lower(20.0, 51.0))
    third = corner(lower(26.0, 59.0))
    for shapes in (CardShapes(), NARROW, known()):
        assert unexplained([third], [both], (), shapes) == (third,)
        assert unexplained([corner(lower(20.0, 51.0)), corner(UPPER, 2)], [both], (), shapes) == ()


def test_both_labels_may_have_been_read_in_different_looks() -> None:
    third = corner(lower(26.0, 59.0))
    assert unexplained([third], [sight(UPPER)], [remembered(lower(20.0, 51.0))], NARROW) == (third,)


def test_the_other_label_of_a_card_that_was_pushed_is_expected_where_the_one_that_is_read_tells() -> None:
    """Its own shape tells how far; what other cards have in common is too little to say so."""
    pushed = LabelPose((UPPER.place[0] - 4.0, UPPER.place[1] + 3.0), UPPER.turn_deg - 1.5)
    code = corner(LabelPose(pushed.towards(20.0, 51.0), pushed.turn_deg + 180.0))
    before = [remembered(UPPER, lower(20.0, 51.0))]
    own = known().learned([(CARD, UPPER, lower(20.0, 51.0))])
    assert unexplained([code], [sight(pushed)], before, own) == ()
    assert unexplained([code], [sight(pushed)], before, known()) == (code,)
    assert unexplained([code], [sight(pushed, LabelPose(pushed.towards(20.0, 43.0), 280.0))], before, own) == (code,)


def test_a_code_that_is_turned_otherwise_is_no_part_of_the_card() -> None:
    code = corner(lower(20.0, 51.0))
    turned = code._replace(turn_deg=(code.turn_deg + 45.0) % 90.0)
    assert unexplained([turned], [sight(UPPER)], (), CardShapes()) == (turned,)


def test_a_card_that_is_known_to_be_stuck_askew_is_expected_so() -> None:
    askew = lower(29.0, 45.0)
    shapes = known()
    assert unexplained([corner(askew)], [sight(UPPER)], (), shapes) != ()
    shapes = shapes.learned([(CARD, UPPER, askew)])
    assert unexplained([corner(askew)], [sight(UPPER)], (), shapes) == ()
    assert unexplained([corner(lower(20.0, 51.0))], [sight(UPPER)], (), shapes) != ()


@pytest.mark.parametrize("end", [1.0, -1.0])
def test_a_label_upside_down_is_a_part_of_its_card(end: float) -> None:
    code = corner(lower(end * 20.0, end * 51.0, turn_deg=0.0))
    assert unexplained([code], [sight(UPPER)], (), known()) == ()


def test_no_part_of_a_card_is_seen_upon_another_that_was_laid_on_it() -> None:
    other = lower(20.0, 51.0)
    code = corner(other)

    def held(laid_at_s: float, missing: int = 0) -> HeldCard:
        """A card in whose middle the code is seen."""
        return HeldCard(OTHER, *code.place, 10.0, laid_at_s, laid_at_s, (), nats=0.0 if missing else SURE)

    own = HeldCard(CARD, 0.0, 0.0, 10.0, 10.0, 10.0, (HeldLabel(UPPER.place, 10.0, UPPER.turn_deg),))

    def is_told(upon: HeldCard, t_s: float, shapes: CardShapes = NARROW) -> bool:
        return unexplained([code], [sight(UPPER)], [own, upon], shapes, t_s=t_s) == (code,)

    assert is_told(held(laid_at_s=14.0), t_s=14.5)
    assert not is_told(held(laid_at_s=14.0, missing=1), t_s=14.5)  # it is being taken away
    assert not is_told(held(laid_at_s=6.0), t_s=30.0)  # it lies beneath
    assert not is_told(held(laid_at_s=10.2), t_s=11.0)  # laid together: nobody knows which is the upper one
    assert is_told(held(laid_at_s=10.2), t_s=14.0)  # but a label upon it would have been seen by now
    assert not is_told(held(laid_at_s=14.0), t_s=14.5, shapes=CardShapes())  # nor how large it is


def test_a_finder_pattern_in_the_picture_has_a_place_and_a_turn_on_the_table() -> None:
    camera = look_at((308, -400, 600), (308, -88, 0))
    c, s = math.cos(math.radians(20.0)), math.sin(math.radians(20.0))
    square = np.array([[300 + c * u - s * v, -150 + s * u + c * v, 0] for u, v in ((-4, 4), (4, 4), (4, -4), (-4, -4))])
    code = unread_code(camera.project(square), camera)
    assert code.place == pytest.approx((300.0, -150.0), abs=0.1)
    assert code.turn_deg == pytest.approx(20.0, abs=0.5)


def test_a_code_that_came_since_a_label_was_read_may_lie_on_it_as_far_as_a_card_reaches() -> None:
    label, size = HeldLabel((100.0, -100.0), 5.0, 90.0), CardSize(63.0, 88.0)
    assert may_cover([UnreadMemory((100.0, -20.0), 5.1)], label, size)
    assert not may_cover([UnreadMemory((100.0, -11.0), 5.1)], label, size)  # too far for one card
    assert not may_cover([UnreadMemory((100.0, -20.0), 5.0)], label, size)  # it lay there while that was read
    assert not may_cover([], label, size)
