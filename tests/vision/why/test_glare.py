"""Light that burns out what should be read, told for as long as it keeps anything from being read."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Why
from tests.tables import TABLE, renderer_of, seen_card
from tests.vision.why.conftest import Told
from vision.belief import BRIEFLY_S
from vision.cells import Thumb, cells_under, thumbnail
from vision.frame import Picture
from vision.synthetic import Scene, SceneCard, figure_at
from vision.why.why import Hint, is_burnt

pytestmark = pytest.mark.slow

SHAPE = (60, 80)
LABEL = (slice(20, 28), slice(30, 38))


def burning(*bright: tuple[tuple[slice, slice], float]) -> Thumb:
    thumb = np.full(SHAPE, 90, np.float32)
    for cells, grey in bright:
        thumb[cells] = grey
    return thumb


def test_a_tag_a_fifth_of_which_burns_is_burnt() -> None:
    corners = np.array([[240.0, 160.0], [296.0, 160.0], [296.0, 216.0], [240.0, 216.0]])
    assert is_burnt(burning(((slice(20, 24), slice(30, 34)), 255.0)), corners)
    assert not is_burnt(burning(((slice(20, 22), slice(30, 33)), 255.0)), corners)
    assert not is_burnt(burning((LABEL, 240.0)), corners)  # paper in much light, which can be read


class Table(Told):
    """A table with a card on it; things are drawn beside that in so much grey, and light that burns on them."""

    def __init__(self) -> None:
        white, black = figure_at(TABLE, Side.WHITE, 5), figure_at(TABLE, Side.BLACK, 18)
        scene = Scene((SceneCard(Card.parse("3b"), 200.0, -150.0),), white, black)
        self.bare = renderer_of(TABLE, "none").render(scene, 0, 0.0).y
        super().__init__(self.bare)

    def shows(self, *things: tuple[float, float, float, int]) -> Picture:
        """Rectangles: their middle and half their sides in mm, in so much grey."""
        y = self.bare.copy()
        for x_mm, half_x_mm, half_y_mm, grey in things:
            corners = [
                (x_mm + dx * half_x_mm, -150.0 + dy * half_y_mm, 0.0) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            cv2.fillConvexPoly(y, self.camera.project(corners).astype(np.int32), (grey,))
        return y

    def told(self, y: Picture, t_s: float, hand: bool = False, *, at_mm: float | None = None, labels: int = 0) -> Hint:
        """The hint for this picture; ``hand``: one is everywhere, or about this place and no wider than a card.

        So many ``labels`` of the card are read.
        """
        assert self.sees(y, t_s) is None
        near = np.full(thumbnail(y).shape, hand, np.uint8)
        if at_mm is not None:
            ends = self.camera.project([(at_mm - 20.0, -150.0, 0.0), (at_mm + 20.0, -150.0, 0.0)])
            near[:] = 0
            near[cells_under(ends, 2)] = 1
        (card,) = self.held
        places = tuple(label.place for label in card.labels[:labels])
        sights = (seen_card(card.card, card.x_mm, card.y_mm, card.turn_deg, places),) if labels else ()
        return self.hint(t_s, near, sights=sights)


CARD, BURN, SPECK = (420.0, 31.0, 44.0, 150), (420.0, 12.0, 12.0, 255), (420.0, 8.0, 8.0, 255)
LAMP = (420.0, 20.0, 30.0, 255)


def test_light_is_told_at_first_or_once_a_hand_was_there_and_its_place_for_as_long_as_it_burns() -> None:
    """On the table without a card; where a card came; where less than a label came; where the card was taken away."""
    table, briefly_s = Table(), 2 * BRIEFLY_S
    lamp, laid, less = table.shows(LAMP), table.shows(CARD, BURN), table.shows(SPECK)
    assert table.told(lamp, 0.0).why is Why.GLARE
    assert table.told(lamp, briefly_s + 0.1) == Hint(None)
    assert table.told(table.bare, 10.0) == Hint(None)
    assert table.told(table.bare, 20.0, hand=True).things == ()
    for after_s, why in ((0.1, Why.GLARE), (briefly_s - 0.1, Why.GLARE), (briefly_s + 0.1, None), (30.0, None)):
        hint = table.told(laid, 20.0 + after_s)
        assert hint.why is why
        ((place, since_s),) = hint.things
        assert place == pytest.approx((420.0, -150.0), abs=8.0)
        assert since_s == 20.0
    assert table.told(table.bare, 51.0) == Hint(None)
    assert table.told(less, 52.0, hand=True).things == ()
    assert table.told(less, 52.1) == Hint(None)


def test_light_tells_since_when_no_hand_was_at_it() -> None:
    table, briefly_s = Table(), 2 * BRIEFLY_S
    table.told(table.bare, 0.0)
    laid = table.shows(CARD, BURN)
    assert table.told(laid, 10.0) == Hint(None)  # nobody was there
    table.told(laid, 20.0, hand=True, at_mm=300.0)
    assert table.told(laid, 20.1) == Hint(None)  # nor in the light
    table.told(laid, 21.0, hand=True, at_mm=420.0)
    table.told(laid, 21.2, hand=True, at_mm=460.0)  # leaving
    for t_s in (21.3, 21.0 + briefly_s, 60.0):
        ((_, since_s),) = table.told(laid, t_s).things
        assert since_s == 21.0


def test_each_light_on_what_came_is_told() -> None:
    table = Table()
    table.told(table.bare, 0.0)
    table.told(table.bare, 20.0, hand=True)
    both = table.shows(CARD, BURN, (320.0, 31.0, 44.0, 150), (320.0, 12.0, 12.0, 255))
    assert sorted(round(x) for (x, _), _ in table.told(both, 20.1).things) == pytest.approx([320, 420], abs=5)


def test_light_on_a_card_that_is_read_is_told_where_a_label_of_it_is_not() -> None:
    """Another card may lie on that one, and both its labels burn."""
    table = Table()
    table.told(table.bare, 0.0, labels=2)
    table.told(table.bare, 20.0, hand=True, labels=2)
    lamp, small = table.shows((200.0, 20.0, 30.0, 255)), table.shows((200.0, 12.0, 12.0, 255))
    assert table.told(lamp, 20.1, labels=2).outshone == ()
    for labels in (1, 0):
        assert table.told(small, 20.2, labels=labels).outshone == ()
        ((place, since_s),) = table.told(lamp, 20.2, labels=labels).outshone
        assert place == pytest.approx((200.0, -150.0), abs=8.0)
        assert since_s == 20.0
