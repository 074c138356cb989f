"""Cards that lean on others: told from those in a hand by how long they rest, and by nothing that came beside them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.cards import Card
from tests.tables import TABLE, seen_card
from tests.vision.sights.test_flat import CAMERAS, card
from vision.cells import CELL_PX, Mask, cells_under
from vision.change.ground import GroundWatch
from vision.marks.labels import Label
from vision.sights.flat import pose_of
from vision.sights.sightings import Sightings

CAMERA = CAMERAS["before"]
SHAPE = (CAMERA.height // CELL_PX, CAMERA.width // CELL_PX)
NOTHING: Mask = np.zeros(SHAPE, np.uint8)
BENEATH = seen_card(Card.parse("2b"), 270.0, -150.0, 90.0, ((270.0, -150.0),))
LEANING = tuple(
    Label(TABLE.deck_letter, Card.parse("4c"), CAMERA.project(corners))
    for corners in card(310.0, -150.0, 0.0, 12.0, 90.0, 0.0)
)


@pytest.mark.parametrize(
    ("on_another", "rests", "hand", "lies"),
    [(True, True, False, True), (False, True, False, False), (True, False, False, False), (True, True, True, False)],
)
def test_a_card_that_leans_on_another_lies_there_once_it_rested_longer_than_a_hand_and_none_is_beside_it(
    on_another: bool, rests: bool, hand: bool, lies: bool
) -> None:
    ground, thumb = GroundWatch(), np.full(SHAPE, 90.0, np.float32)
    ground.learn(thumb, NOTHING)
    if hand:
        thumb = thumb.copy()
        thumb[cells_under(CAMERA.project([(350.0, -190.0, 0.0), (420.0, -110.0, 0.0)]))] = 200.0
    places = [pose_of(CAMERA.at_height(label.corners, 0.0)).place for label in LEANING] * rests
    seen = Sightings(TABLE, ground).look((), LEANING, NOTHING, NOTHING, CAMERA, [BENEATH] * on_another, thumb, places)
    assert [str(sight.card) for sight in seen.cards] == ["4c"] * lies
    assert [str(sight.card) for sight in seen.askew] == ["4c"] * (not lies)
