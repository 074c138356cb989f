"""The eyes at cards upon cards, of every size, and at cards that light hides: read, asked about, never invented."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import cv2
import numpy as np
import pytest

from engine.rules.track import Side
from engine.table.observation import Sight, Why
from tests.tables import SMALL_TABLE
from tests.vision.conftest import Watched, card, lit, names, steady
from vision.belief import LONG_S
from vision.frame import Picture
from vision.printed.card_shape import CardShapes
from vision.printed.table import CardSize
from vision.synthetic import SceneCard, SceneHand
from vision.synthetic.scene import CardMake, StuckLabel

pytestmark = pytest.mark.slow

WHOLE, FAN = (card("2c", 300.0),), (card("2c", 300.0), card("4a", 322.0, level=1))
HIDDEN = (card("2c", 300.0), card("4a", 315.5, level=1))
"""Too little is left of the lower card's label."""
UNREAD_MM = 300.0 - 13.0 - 8.3


def small() -> Watched:
    return Watched(table=SMALL_TABLE)


@pytest.mark.parametrize(
    ("before", "laid", "cards", "unread"),
    [
        pytest.param((), FAN, ["2c", "4a"], (), id="two cards laid down as a fan, of which neither was seen whole"),
        pytest.param((), HIDDEN, ["4a"], (UNREAD_MM,), id="a card of which too little is left is told as unread"),
        pytest.param(WHOLE, HIDDEN, ["2c", "4a"], (), id="the cut label of a card that is known is no question"),
    ],
)
def test_of_a_card_under_another_what_is_left_is_enough_or_is_told(
    before: tuple[SceneCard, ...], laid: tuple[SceneCard, ...], cards: list[str], unread: tuple[float, ...]
) -> None:
    watched = small()
    watched.show(8, cards=before)
    look = watched.show(12, cards=laid)
    assert names(look) == cards
    assert [label.x_mm for label in look.table.unread] == pytest.approx(unread, abs=3.0)
    assert steady(look)
    look = watched.show(12, cards=(laid[0], replace(laid[1], x_mm=370.0)))
    assert (names(look), look.table.unread) == (["2c", "4a"], ())


def test_what_is_left_of_a_label_stands_again_once_the_hand_that_passed_it_is_gone() -> None:
    watched = small()
    watched.show(8)
    watched.show(12, cards=FAN)
    for x_mm in (330.0, 310.0, 290.0, 270.0):
        watched.show(1, hands=(SceneHand(Side.BLACK, x_mm, -120.0, height_mm=60.0),))
    looks = watched.looks(20, hands=())
    assert all(names(look) == ["2c", "4a"] for look in looks)
    assert {str(one) for one in looks[-1].seen.cards} == {"2c", "4a"}
    assert looks[-1].table.unread == ()


def test_however_long_an_arm_lay_on_a_fan_nothing_is_steady_before_all_of_it_was_looked_at() -> None:
    watched = small()
    watched.show(8)
    arm = SceneHand(Side.WHITE, 300.0, -95.0, height_mm=20.0)
    assert watched.show(45, cards=FAN, hands=(arm,)).table.why is Why.HAND
    looks = watched.looks(16, hands=())
    assert steady(looks[-1])
    assert all(names(look) == ["2c", "4a"] for look in looks if steady(look))


def test_a_whole_label_that_the_reader_loses_is_found_from_its_finder_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    watched = small()
    watched.show(14, cards=WHOLE)
    monkeypatch.setattr(watched.eyes._detector._reader, "_answer", lambda crop: ([], []))
    watched.eyes._detector._due |= watched.eyes._detector._zones.table  # type: ignore[union-attr]
    watched.eyes._carried = watched.eyes._carried._replace(rests=None)
    assert [str(one) for one in watched.show(5).seen.cards] == ["2c"]
    assert names(watched.show(8)) == ["2c"]


@pytest.mark.parametrize("pushed", [False, True], ids=["where it was", "where the camera shows it now"])
def test_a_label_that_is_cut_now_is_looked_for(pushed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = small()
    watched.show(8, cards=WHOLE)
    if pushed:
        watched.show(12, cards=FAN)
    monkeypatch.setattr("vision.marks.remnants.find_finders", lambda *given: ())
    if pushed:
        camera = watched.renderer.camera
        watched.seen_from(replace(camera, t=camera.t + np.array([12.0, 5.0, 0.0])))
    look = watched.show(26 if pushed else 12, cards=FAN)
    assert (names(look), steady(look)) == (["2c", "4a"], True)
    assert {str(label.card) for label in look.detections.labels if label.cut} == {"2c"}
    assert [reading.covered for reading in look.table.cards] == [False, False]


def test_another_card_where_a_cut_one_lay_is_not_taken_for_it() -> None:
    watched = small()
    watched.show(8, cards=WHOLE)
    watched.show(12, cards=FAN)
    look = watched.show(14, cards=(card("3b", 300.0), FAN[1]))
    assert {str(one) for one in look.seen.cards} == {"3b", "4a"}
    # For all that can be seen the new card may have been laid upon it.
    covered = {str(reading.card): reading.covered for reading in look.table.cards}
    assert covered == {"2c": True, "3b": False, "4a": False}


def test_in_other_light_what_was_left_of_labels_is_found_again_with_one_look_each() -> None:
    """Nine cards, four under others, as lamps go out and on: looking at each cut code twice would take eleven looks."""
    watched = small()
    watched.show(8)
    nine = ("2c", "4a", "1b", "3d", "5e", "2a", "3a", "1c", "4e")
    fans = tuple(card(name, 119.0 + 22.0 * k + 90.0 * (k // 3), level=k) for k, name in enumerate(nine))
    watched.show(40, cards=fans)
    for gain in (0.4, 1.0):
        looks = watched.looks(18, partial(lit, gain=gain))
        unsteady = [number for number, look in enumerate(looks) if not steady(look)]
        assert unsteady == list(range(len(unsteady)))
        assert len(unsteady) <= 8
        assert (names(looks[-1]), looks[-1].table.unread) == (sorted(nine), ())


# Cards of other sizes, whose labels somebody stuck on by hand.


def make(
    width_mm: float,
    height_mm: float,
    upper: tuple[float, float, float] = (0.0, 0.0, 0.0),
    lower: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> CardMake:
    """A card with labels 6 mm from its edges, each so far off to the right and up, and turned by so much."""
    x, y = width_mm / 2 - 18.5, height_mm / 2 - 18.5
    labels = (
        StuckLabel(-x + upper[0], y + upper[1], upper[2]),
        StuckLabel(x + lower[0], -y + lower[1], 180.0 + lower[2]),
    )
    return CardMake(CardSize(width_mm, height_mm), labels)


SIZES = [make(44.0, 63.5), make(57.0, 88.0), make(70.0, 110.0), make(57.0, 88.0, (3.0, -2.0, 4.0), (-2.0, 3.0, -4.0))]
any_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.size.width_mm:g}x{size.size.height_mm:g}")


@any_size
def test_two_labels_are_one_card_of_which_the_size_is_learned(size: CardMake) -> None:
    watched = Watched()
    look = watched.show(20, cards=(card("2c", 300.0, make=size),))
    (reading,) = look.table.cards
    assert (reading.x_mm, reading.y_mm) == pytest.approx((300.0, -150.0), abs=1.5)
    # Learned from one card alone it is wrong by as much as that one's labels are off.
    exact = size.labels[0].turn_deg == 0.0
    assert watched.eyes.card_shapes.outline == pytest.approx(size.size, abs=1.0 if exact else 9.0)
    assert steady(look)


@any_size
def test_the_corner_of_a_half_covered_cards_own_second_label_is_no_question(size: CardMake) -> None:
    """Laid half covered at once, before anything is known of the cards: only one of its labels can be read."""
    watched = Watched()
    watched.show(6)
    wide, high = size.size
    # The upper card leaves one finder pattern of the lower one's lower label in sight.
    above = card("4a", 250.0 + wide / 2 + 4.0, -150.0 - high / 2 + 20.0, level=1, make=size)
    look = watched.show(12, cards=(card("2c", 250.0, make=size), above))
    assert (names(look), look.table.unread, steady(look)) == (["2c", "4a"], (), True)


def test_a_new_card_of_which_too_little_is_left_is_told_whatever_the_size() -> None:
    size, watched = SIZES[1], Watched()
    first = card("3b", 150.0, make=size)
    watched.show(8, cards=(first,))
    look = watched.show(12, cards=(first, card("2c", 300.0, make=size), card("4a", 315.5, level=1, make=size)))
    assert names(look) == ["3b", "4a"]
    (label,) = look.table.unread
    assert (label.x_mm, label.y_mm) == pytest.approx((300.0 - 10.0 - 8.3, -150.0 + 25.5), abs=10.0)


def test_a_label_upside_down_makes_no_second_card_and_no_question() -> None:
    odd, watched = card("2c", 300.0, make=make(57.0, 88.0, (0.0, 0.0, 180.0))), Watched()
    (reading,) = watched.show(12, cards=(odd,)).table.cards
    assert (reading.x_mm, reading.y_mm) == pytest.approx((300.0, -150.0), abs=1.5)
    # One label alone, then the other one: it lies where it lay.
    for upper_x, upper_y in ((310.0, -190.0), (290.0, -110.0)):
        look = watched.show(12, cards=(odd, card("4a", upper_x, upper_y, level=1, make=SIZES[1])))
        assert (names(look), look.table.unread, steady(look)) == (["2c", "4a"], (), True)
        assert reading.laid_at_s in {other.laid_at_s for other in look.table.cards if other.card == reading.card}


def test_a_label_upside_down_that_is_read_alone_is_laid_at_once() -> None:
    """Where it says that its card lies there is none, and beside that the card itself came."""
    odd, watched = make(57.0, 88.0, (0.0, 0.0, 180.0), (0.0, 0.0, 180.0)), Watched()
    watched.show(round(LONG_S / 0.1) + 20)
    look = watched.show(12, cards=(card("2c", 300.0, make=odd), card("4a", 320.0, -180.0, level=1, make=odd)))
    assert (names(look), steady(look)) == (["2c", "4a"], True)


def test_a_card_that_was_only_ever_read_half_covered_leaves_with_the_others() -> None:
    """It lies at the edge of the mat: its bare place is no even cloth."""
    watched, size = Watched(), make(63.0, 88.0)
    watched.show(6)
    laid = (card("2c", 300.0, -86.0, make=size), card("4a", 322.0, -86.0, level=1, make=size))
    assert names(watched.show(16, cards=laid)) == ["2c", "4a"]
    assert names(watched.show(25, cards=())) == []


# Cards in light that burns.


def test_a_pile_leaves_a_table_that_burns_where_its_labels_lay_if_that_was_seen_bare() -> None:
    watched, never = Watched(), Watched()
    across, down = CardShapes().usual[:2]
    ends = [(300.0 - across / 2, -150.0 + down / 2), (300.0 + across / 2, -150.0 - down / 2)]

    def lamp(y: Picture) -> Picture:
        """Its mirror images, nearly as large as a label."""
        y = y.copy()
        for end in ends:
            cv2.circle(y, watched.px(*end), 60, (253,), -1)
        return y

    assert steady(watched.show(50, lamp))
    never.show(6)
    for eyes in (watched, never):
        eyes.show(12, cards=(card("1a", 300.0),))
        assert names(eyes.show(12, cards=(card("1a", 300.0), card("3b", 300.0, level=1)))) == ["1a", "3b"]
    bared = watched.show(30, lamp, cards=()).table
    assert (bared.cards, bared.unread, bared.sight) == ((), (), Sight.STEADY)
    # Who never saw the table so cannot tell a card that burns from one that left.
    assert names(never.show(30, lamp, cards=())) == ["1a", "3b"]
