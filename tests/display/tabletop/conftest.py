"""A played table for the tests: its pictures without anything on them, and what lies there."""

from __future__ import annotations

from display.screens.camera import CameraPicture
from display.tabletop.model import Fan, LyingCard, TopView
from display.tabletop.places import Cutout, TablePictures
from engine.rules.cards import DECK, Card
from engine.rules.track import BySide, Side

SIZE = (800, 480)
ONE, THREE, FIVE = Card(1, "a"), Card(3, "b"), Card(5, "c")
LYING = LyingCard(FIVE, 300.0, -150.0, 0.0)
VIEW = TopView(cards=(LYING,), fans=(Fan(Side.WHITE, (THREE, ONE)),), figures=BySide((28.0, 0.0), (616.0, 0.0)), pile=9)


def cutout(width: int, height: int) -> Cutout:
    return Cutout(bytes((120, 60, 30, 255)) * (width * height), width, height, (width / 2, height / 2))


PICTURES = TablePictures(
    ground=CameraPicture(bytes((90, 60, 40)) * (240 * 114), 240, 114),
    scale=0.2,
    squash=0.866,
    origin_px=(58.0, 40.0),
    cards=dict.fromkeys(DECK, cutout(19, 26)),
    back=cutout(19, 26),
    card_scale=0.3,
    inks={},
    figures=BySide(cutout(10, 20), cutout(10, 20)),
    arms=BySide(cutout(20, 40), cutout(20, 40)),
)
