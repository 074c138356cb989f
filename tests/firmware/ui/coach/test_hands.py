"""Hands that lie open: which cards are in them, and what the referee is handed."""

from __future__ import annotations

from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import CardReading, Doubt, DoubtReason, FigureReading, Sight, TableObservation
from firmware.ui.coach.coach import HYSTERESIS_MM, OpenHands
from tests.tables import seen_card
from vision.agree.agreement import FrameReading, Memory, PlaceLook, PlaceState, step
from vision.printed.table import PlayArea, Table
from vision.sights.observe import CardSight, FigureSight

AREA = PlayArea(68.0, 548.0, -260.0, -60.0)
LINE_MM = -160.0


def perhaps(card: Card) -> Doubt:
    return Doubt(0.0, 0.0, 0.0, DoubtReason.COVERED, card)


def seen(*cards: tuple[str, float, float], labels: tuple[float, ...] = ()) -> TableObservation:
    readings = tuple(CardReading(Card.parse(name), x, y, 0.0) for name, x, y in cards)
    unread = tuple(Doubt(200.0, y, 0.0) for y in labels)
    figures = BySide(FigureReading(1), FigureReading(23))
    return TableObservation(1.0, 0.0, figures, readings, Sight.STEADY, doubts=(perhaps(Card(1, "e")), *unread))


def test_hands_lie_in_the_lower_half_of_the_play_area(table: Table) -> None:
    assert table.play_area == AREA
    moved = OpenHands(AREA._replace(y0=-300.0, y1=-100.0))
    assert len(moved.sift(seen(("3b", 100.0, -199.0))).cards) == 1
    assert moved.sift(seen(("4b", 100.0, -201.0))).cards == ()


def test_a_card_on_the_line_stays_what_it_was() -> None:
    hands = OpenHands(AREA)
    near = HYSTERESIS_MM - 1
    assert hands.sift(seen(("3b", 100.0, LINE_MM - near))).cards == ()
    assert hands.hands.white == (Card(3, "b"),)
    assert hands.sift(seen(("3b", 100.0, LINE_MM + near))).cards == ()
    (played,) = hands.sift(seen(("3b", 100.0, LINE_MM + HYSTERESIS_MM + 1))).cards
    assert played.card == Card(3, "b")
    assert len(hands.sift(seen(("3b", 100.0, LINE_MM - near))).cards) == 1
    assert hands.sift(seen(("3b", 100.0, LINE_MM - HYSTERESIS_MM - 1))).cards == ()
    hands.forget()
    assert len(hands.sift(seen(("3b", 100.0, LINE_MM + near))).cards) == 1


class Glimpsing:
    """The real agreement of many looks, and the hands behind it."""

    def __init__(self) -> None:
        self.memory, self.t_s = Memory(), 0.0
        self.hands = OpenHands(AREA)
        self.look(times=3)

    def look(self, *cards: CardSight, times: int = 1, gone: tuple[CardSight, ...] = ()) -> tuple[Card, ...]:
        places = tuple(PlaceLook(card.card, place, PlaceState.DIFFERENT) for card in gone for place, _ in card.poses)
        for _ in range(times):
            self.t_s += 0.2
            self.memory, table = step(self.memory, FrameReading(self.t_s, STANDING, cards, places))
            self.glimpsed = table.glimpsed
            sifted = self.hands.sift(table)
        return sifted.glimpsed


STANDING = BySide(FigureSight(FigureReading(5, None, 112.0)), FigureSight(FigureReading(12, None, 308.0)))
HAND_Y, PLAYED_Y = -208.0, -110.0
FIRST, SECOND, THIRD, FOURTH = Card(4, "d"), Card(4, "c"), Card(1, "a"), Card(2, "a")


def sight(card: Card, y_mm: float, x_mm: float = 300.0) -> CardSight:
    return seen_card(card, x_mm, y_mm, 90.0, ((x_mm - 13.0, y_mm + 24.0), (x_mm + 13.0, y_mm - 24.0)))


def test_a_card_that_lay_in_a_hand_and_is_in_doubt_is_not_asked_about() -> None:
    for y_mm, asked in ((HAND_Y, ()), (PLAYED_Y, (FIRST,))):
        eyes = Glimpsing()
        lying = sight(FIRST, y_mm)
        eyes.look(lying, times=4)
        eyes.look(times=2, gone=(lying,))
        assert eyes.look(sight(SECOND, y_mm, 303.0), times=4) == asked
        assert eyes.glimpsed == (FIRST,)
