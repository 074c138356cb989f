"""Cards seen too briefly: asked about where another card may hide them, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import FigureReading, TableObservation
from tests.tables import seen_card
from vision.agree.agreement import FrameReading, Memory, PlaceLook, PlaceState, step
from vision.printed.card_shape import Place
from vision.sights.observe import CardSight, FigureSight

FIRST, SECOND = Card(4, "d"), Card(4, "c")
STANDING = BySide(FigureSight(FigureReading(5, None, 112.0)), FigureSight(FigureReading(12, None, 308.0)))


def sight(card: Card, x_mm: float = 300.0, clear: bool = True) -> CardSight:
    places = ((x_mm - 13.0, -96.0), (x_mm + 13.0, -144.0))
    return seen_card(card, x_mm, -120.0, 90.0, places, clear=clear)


class Looking:
    def __init__(self) -> None:
        self.memory, self.t_s = Memory(), 0.0

    def look(
        self,
        *cards: CardSight,
        hand: bool = False,
        times: int = 1,
        places: tuple[PlaceLook, ...] = (),
        unread: tuple[Place, ...] = (),
        burnt: tuple[Place, ...] = (),
    ) -> TableObservation:
        for _ in range(times):
            self.t_s += 0.2
            reading = FrameReading(self.t_s, STANDING, cards, places, hand, unread=unread, burnt=burnt)
            self.memory, table = step(self.memory, reading)
        return table


def test_a_card_covered_before_it_was_agreed_on_is_a_glimpse() -> None:
    eyes = Looking()
    eyes.look(times=3)
    eyes.look(sight(FIRST))
    table = eyes.look(sight(SECOND, 303.0), times=4)
    assert [reading.card for reading in table.cards] == [SECOND]
    assert table.glimpsed == (FIRST,)


def test_under_a_hand_one_look_is_not_enough_and_two_at_one_place_are() -> None:
    for looks, glimpsed in ((1, ()), (2, (FIRST,))):
        eyes = Looking()
        eyes.look(times=3)
        eyes.look(sight(FIRST, clear=False), hand=True, times=looks)
        table = eyes.look(sight(SECOND, 303.0), times=4)
        assert table.glimpsed == glimpsed


def test_a_card_carried_past_is_no_glimpse() -> None:
    eyes = Looking()
    eyes.look(times=3)
    for x_mm in (200.0, 240.0, 280.0):
        eyes.look(sight(FIRST, x_mm, clear=False), hand=True)
    assert eyes.look(sight(SECOND, 303.0), times=4).glimpsed == ()


def test_a_card_whose_place_is_in_plain_sight_is_no_glimpse() -> None:
    eyes = Looking()
    eyes.look(times=3)
    eyes.look(sight(FIRST))
    assert eyes.look(sight(SECOND, 420.0), times=4).glimpsed == ()


def test_a_glimpse_ends_when_the_card_is_shown_or_what_hid_it_leaves() -> None:
    for shown in (True, False):
        eyes = Looking()
        eyes.look(times=3)
        eyes.look(sight(FIRST))
        assert eyes.look(sight(SECOND, 303.0), times=4).glimpsed == (FIRST,)
        if shown:
            table = eyes.look(sight(SECOND, 303.0), sight(FIRST, 400.0), times=4)
            assert {reading.card for reading in table.cards} == {FIRST, SECOND}
        else:
            moved = tuple(replace(card, x_mm=card.x_mm + 200, placed_s=eyes.t_s) for card in eyes.memory.cards.held)
            eyes.memory = replace(eyes.memory, cards=replace(eyes.memory.cards, held=moved))
            table = eyes.look(sight(SECOND, 503.0))
        assert table.glimpsed == ()


def test_a_card_that_is_agreed_on_and_covered_later_is_no_glimpse() -> None:
    eyes = Looking()
    eyes.look(times=3)
    eyes.look(sight(FIRST), times=4)
    table = eyes.look(sight(SECOND, 303.0), times=4)
    assert {reading.card for reading in table.cards} == {FIRST, SECOND}
    assert table.glimpsed == ()


def gone_from(card: CardSight) -> tuple[PlaceLook, ...]:
    return tuple(PlaceLook(card.card, place, PlaceState.DIFFERENT) for place, _ in card.poses)


def test_a_card_whose_place_was_covered_before_it_was_surely_gone_is_in_doubt() -> None:
    for looks, listed, doubted in ((1, True, False), (2, False, True), (3, False, True)):
        eyes = Looking()
        eyes.look(sight(FIRST), times=4)
        eyes.look(places=gone_from(sight(FIRST)), times=looks)
        table = eyes.look(sight(SECOND, 303.0), times=4)
        assert (FIRST in {reading.card for reading in table.cards}) == listed
        assert (FIRST in table.glimpsed) == doubted


def test_a_code_nobody_can_read_is_told_after_some_looks_and_while_a_hand_hides_it() -> None:
    eyes = Looking()
    eyes.look(times=3)
    eyes.look(unread=((210.0, -90.0),), times=2)
    assert eyes.look().unread == ()
    table = eyes.look(unread=((211.0, -90.5),), times=3)
    (label,) = table.unread
    assert (label.x_mm, label.y_mm, round(label.since_s, 1)) == (211.0, -90.5, 1.4)
    assert eyes.look(hand=True).unread == (label,)
    assert eyes.look(unread=((210.5, -90.0),)).unread == (label,)
    assert eyes.look().unread == ()


def test_what_light_burns_out_is_an_unread_label_and_told_apart() -> None:
    eyes = Looking()
    codes = ((210.0, -90.0), (300.0, -150.0))
    table = eyes.look(unread=codes, burnt=codes, times=3)
    assert [(round(label.x_mm), label.glares) for label in table.unread] == [(210, True), (300, True)]
    now = eyes.look(unread=codes, burnt=codes[1:])
    assert [label.glares for label in now.unread] == [False, True]
    assert now.unread == table.unread  # in another light it is the same label
