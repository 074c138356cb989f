"""Cards that left a table that a lamp burns where they lay, and what may lie on cards that are not read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight, TableObservation
from tests.tables import TABLE, renderer_of
from vision.eyes import Eyes
from vision.frame import Picture
from vision.printed.card_shape import CardShapes
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow

PLACE = (300.0, -150.0)
LAMP_PX = 60  # nearly as large as a label


class Watched:
    """Eyes before which a card comes and goes, ten frames a second, on a table that a lamp lights in one spot."""

    def __init__(self) -> None:
        self._eyes, self._renderer = Eyes(TABLE), renderer_of(TABLE)
        self._index = 0

    def show(self, times: int, *cards: SceneCard, change: Callable[[Picture], Picture]) -> TableObservation:
        scene = Scene(cards, figure_at(TABLE, Side.WHITE, 3), figure_at(TABLE, Side.BLACK, 20), ())
        for _ in range(times):
            frame = self._renderer.render(scene, self._index, self._index / 10)
            look = self._eyes.look(replace(frame, y=change(frame.y)))
            self._index += 1
        return look.table

    def labels_px(self) -> list[tuple[int, int]]:
        """The middles of the usual card's labels."""
        calibration, (x, y) = self._eyes.calibration, PLACE
        assert calibration is not None
        across, down = CardShapes().usual[:2]
        ends = [(x - across / 2, y + down / 2, 0.0), (x + across / 2, y - down / 2, 0.0)]
        return [(round(at[0]), round(at[1])) for at in calibration.camera.project(ends).tolist()]


def unchanged(y: Picture) -> Picture:
    return y


def card(name: str, level: int = 0) -> SceneCard:
    return SceneCard(Card.parse(name), *PLACE, 0.0, level)


def spots(at: list[tuple[int, int]], radius_px: int, grey: int) -> Callable[[Picture], Picture]:
    """The lamp's mirror images at these pixels."""

    def lit(y: Picture) -> Picture:
        y = y.copy()
        for place in at:
            cv2.circle(y, place, radius_px, (grey,), -1)
        return y

    return lit


def test_a_pile_leaves_a_table_that_burns_where_its_labels_lay_if_that_was_seen_bare() -> None:
    never = Watched()
    never.show(6, change=unchanged)
    lamp = spots(never.labels_px(), LAMP_PX, 253)
    watched = Watched()
    assert watched.show(50, change=lamp).sight is Sight.STEADY
    for eyes in (watched, never):
        eyes.show(12, card("1a"), change=unchanged)
        laid = eyes.show(12, card("1a"), card("3b", 1), change=unchanged)
        assert [str(reading.card) for reading in laid.cards] == ["1a", "3b"]
    bared = watched.show(30, change=lamp)
    assert (bared.cards, bared.unread, bared.sight) == ((), (), Sight.STEADY)
    # Who never saw the table so cannot tell a card that burns from one that left.
    assert [str(reading.card) for reading in never.show(30, change=lamp).cards] == ["1a", "3b"]
