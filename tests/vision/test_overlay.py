"""Rings over what was agreed on and is not seen in a frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import BySide
from engine.table.observation import CardReading, FigureReading, Sight, TableObservation
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.board.calibration import Calibration, calibrate
from vision.frame import Picture
from vision.look import Drawn, Look, Seen
from vision.overlay import AGREED, draw_recognised
from vision.printed.table import TablePoint
from vision.synthetic import Scene

pytestmark = pytest.mark.slow

CARD = Card(3, "b")
LAID = CardReading(CARD, 300.0, -150.0, 0.0)


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    return calibrate([renderer_of(TABLE, "none").render(Scene(), 0, 0.0)], TABLE)


def drawn(calibration: Calibration, seen: Seen, *, covered: bool = False) -> Picture:
    figures = BySide(FigureReading(6), FigureReading(19))
    agreed = TableObservation(0.0, 0.0, figures, (replace(LAID, covered=covered),), Sight.STEADY)
    grey = np.full((calibration.camera.height, calibration.camera.width, 3), 90, np.uint8)
    return draw_recognised(grey, Look(seen, agreed, Drawn(), calibration, TABLE), caption="")


def ringed(picture: Picture, calibration: Calibration, place: TablePoint) -> bool:
    ((x_px, y_px),) = calibration.camera.project([place])
    part = picture[round(y_px) - 60 : round(y_px) + 60, round(x_px) - 60 : round(x_px) + 60]
    return bool((part == AGREED).all(axis=2).any())


def test_what_is_agreed_and_out_of_sight_has_a_ring_and_nothing_else(calibration: Calibration) -> None:
    white, black, card = TABLE.tag_mm(6), TABLE.tag_mm(19), TablePoint(LAID.x_mm, LAID.y_mm, 0.0)
    for seen, expected in (
        (Seen(6, 19, (CARD,)), (False, False, False)),
        (Seen(None, 19, (CARD,)), (True, False, False)),
        (Seen(6, None, ()), (False, True, True)),
    ):
        picture = drawn(calibration, seen)
        assert tuple(ringed(picture, calibration, place) for place in (white, black, card)) == expected


def test_a_card_under_others_has_none(calibration: Calibration) -> None:
    picture = drawn(calibration, Seen(6, 19, ()), covered=True)
    assert not ringed(picture, calibration, TablePoint(LAID.x_mm, LAID.y_mm, 0.0))
