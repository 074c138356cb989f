"""The eyes at cards of other sizes, whose labels somebody stuck on by hand."""

from __future__ import annotations

import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import TABLE, renderer_of
from vision.eyes import Eyes
from vision.look import Look
from vision.printed.table import CardSize
from vision.synthetic import Scene, SceneCard, figure_at
from vision.synthetic.scene import CardMake, StuckLabel

pytestmark = pytest.mark.slow

STANDING = (figure_at(TABLE, Side.WHITE, 3), figure_at(TABLE, Side.BLACK, 20))


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


class Watched:
    """Eyes before which cards come and go, ten frames a second."""

    def __init__(self) -> None:
        self.eyes = Eyes(TABLE)
        self._renderer = renderer_of(TABLE)
        self._index = 0

    def show(self, *cards: SceneCard, times: int = 12) -> Look:
        scene = Scene(cards, *STANDING)
        for _ in range(times):
            look = self.eyes.look(self._renderer.render(scene, self._index, self._index / 10))
            self._index += 1
        return look


def card(name: str, x_mm: float, make: CardMake, level: int = 0, y_mm: float = -150.0) -> SceneCard:
    return SceneCard(Card.parse(name), x_mm, y_mm, 0.0, level, make=make)


SIZES = [make(44.0, 63.5), make(57.0, 88.0), make(70.0, 110.0), make(57.0, 88.0, (3.0, -2.0, 4.0), (-2.0, 3.0, -4.0))]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.size.width_mm:g}x{size.size.height_mm:g}")
def test_two_labels_are_one_card_of_which_the_size_is_learned(size: CardMake) -> None:
    watched = Watched()
    look = watched.show(card("2c", 300.0, size), times=20)
    (reading,) = look.table.cards
    assert (reading.x_mm, reading.y_mm) == pytest.approx((300.0, -150.0), abs=1.5)
    # Learned from one card alone it is wrong by as much as that one's labels are off.
    exact = size.labels[0].turn_deg == 0.0
    assert watched.eyes.card_shapes.outline == pytest.approx(size.size, abs=1.0 if exact else 9.0)
    assert look.table.sight is Sight.STEADY


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.size.width_mm:g}x{size.size.height_mm:g}")
def test_the_corner_of_a_half_covered_cards_own_second_label_is_no_question(size: CardMake) -> None:
    """Laid half covered at once, before anything is known of the cards: only one of its labels can be read."""
    watched = Watched()
    watched.show(times=6)
    wide, high = size.size
    # The upper card leaves one finder pattern of the lower one's lower label in sight.
    below = card("2c", 250.0, size)
    above = card("4a", 250.0 + wide / 2 + 4.0, size, 1, -150.0 - high / 2 + 20.0)
    table = watched.show(below, above).table
    assert {str(reading.card) for reading in table.cards} == {"2c", "4a"}
    assert table.unread == ()
    assert table.sight is Sight.STEADY


def test_a_new_card_of_which_too_little_is_left_is_told_whatever_the_size() -> None:
    size = make(57.0, 88.0)
    watched = Watched()
    watched.show(card("3b", 150.0, size), times=8)
    table = watched.show(card("3b", 150.0, size), card("2c", 300.0, size), card("4a", 315.5, size, 1)).table
    assert [str(reading.card) for reading in table.cards] == ["3b", "4a"]
    (label,) = table.unread
    assert (label.x_mm, label.y_mm) == pytest.approx((300.0 - 10.0 - 8.3, -150.0 + 25.5), abs=10.0)


def test_a_label_upside_down_makes_no_second_card_and_no_question() -> None:
    odd = make(57.0, 88.0, (0.0, 0.0, 180.0))
    watched = Watched()
    table = watched.show(card("2c", 300.0, odd)).table
    (reading,) = table.cards
    assert (reading.x_mm, reading.y_mm) == pytest.approx((300.0, -150.0), abs=1.5)
    lying_s = reading.laid_at_s
    # One label alone, then the other one: it lies where it lay.
    for upper_x, upper_y in ((310.0, -190.0), (290.0, -110.0)):
        cover = card("4a", upper_x, make(57.0, 88.0), 1, upper_y)
        table = watched.show(card("2c", 300.0, odd), cover).table
        assert {str(reading.card) for reading in table.cards} == {"2c", "4a"}
        assert next(r.laid_at_s for r in table.cards if str(r.card) == "2c") == lying_s
        assert table.unread == ()
        assert table.sight is Sight.STEADY


def test_a_card_that_was_only_ever_read_half_covered_leaves_with_the_others() -> None:
    """It lies at the edge of the mat: its bare place is no even cloth."""
    size = make(63.0, 88.0)
    watched = Watched()
    watched.show(times=6)
    table = watched.show(card("2c", 300.0, size, 0, -86.0), card("4a", 322.0, size, 1, -86.0), times=16).table
    assert {str(reading.card) for reading in table.cards} == {"2c", "4a"}
    assert watched.show(times=25).table.cards == ()
