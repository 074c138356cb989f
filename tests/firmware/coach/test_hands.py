"""Hands that lie open: which cards are in them, and what the referee is handed."""

from __future__ import annotations

from engine.cards import Card
from engine.observation import CardReading, FigureReading, Sight, TableObservation, UnreadLabel
from engine.track import BySide
from firmware.coach.hands import HYSTERESIS_MM, OpenHands, Zones
from vision.table import PlayArea, Table

AREA = PlayArea(68.0, 548.0, -260.0, -60.0)
LINE_MM = -160.0


def seen(*cards: tuple[str, float, float], labels: tuple[float, ...] = ()) -> TableObservation:
    readings = tuple(CardReading(Card.parse(name), x, y, 0.0) for name, x, y in cards)
    unread = tuple(UnreadLabel(200.0, y, 0.0) for y in labels)
    figures = BySide(FigureReading(1), FigureReading(23))
    return TableObservation(1.0, 0.0, figures, readings, Sight.STEADY, glimpsed=(Card(1, "e"),), unread=unread)


def test_zones_follow_the_play_area(table: Table) -> None:
    assert Zones.of(table.play_area) == Zones(LINE_MM, 308.0) == Zones.of(AREA)
    moved = AREA._replace(y0=-300.0, y1=-100.0)
    assert Zones.of(moved).line_y_mm == -200.0


def test_a_card_on_the_line_stays_what_it_was() -> None:
    hands = OpenHands(Zones.of(AREA))
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


def test_whose_hand_it_is_and_what_is_handed_on() -> None:
    hands = OpenHands(Zones.of(AREA))
    sifted = hands.sift(
        seen(("3b", 307.0, -200.0), ("4b", 309.0, -200.0), ("5b", 308.0, -100.0), labels=(-200.0, -100.0))
    )
    assert hands.hands == BySide((Card(3, "b"),), (Card(4, "b"),))
    assert [reading.card for reading in sifted.cards] == [Card(5, "b")]
    assert [label.y_mm for label in sifted.unread] == [-100.0]
    assert sifted.glimpsed == ()
