"""What lay at a label's place before the label came, and whether it looks like that again."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.cards import Card
from tests.tables import TABLE
from vision.agree.place_looks import PlaceMemory
from vision.cells import CELL_PX, thumbnail
from vision.marks.labels import Label

A = Card.parse("3b")
SIZE = (480, 640)
CORNERS = np.array([[200.0, 160.0], [280.0, 160.0], [280.0, 240.0], [200.0, 240.0]])
AT = np.array([240.0, 200.0])
NO_HAND = np.zeros((SIZE[0] // CELL_PX, SIZE[1] // CELL_PX), np.uint8)


def cloth(light: float = 1.0) -> np.ndarray:
    """A cloth with broad stripes."""
    stripes = 90.0 + 30.0 * (np.arange(SIZE[1]) // 40 % 2)
    noise = np.random.default_rng(4).normal(0, 2, SIZE)
    return np.clip(light * (np.broadcast_to(stripes, SIZE) + noise), 0, 255).astype(np.uint8)


def with_label(y: np.ndarray, dark: bool = False) -> np.ndarray:
    y = y.copy()
    y[150:250, 190:290] = 60 if dark else 230
    y[165:235:20, 205:275] = 20
    return y


def laid() -> PlaceMemory:
    places = PlaceMemory(TABLE)
    places.rested(thumbnail(cloth()))
    y = with_label(cloth())
    places.remember(thumbnail(y), [Label("A", A, CORNERS)], NO_HAND)
    return places


@pytest.mark.parametrize("light", [0.7, 1.0, 1.3])
def test_the_bare_place_is_known_in_any_light(light: float) -> None:
    assert laid().is_as_before(thumbnail(cloth(light)), A, AT)


def test_the_label_itself_another_card_or_a_sleeve_there_is_no_bare_place() -> None:
    places = laid()
    assert not places.is_as_before(thumbnail(with_label(cloth())), A, AT)
    assert not places.is_as_before(thumbnail(with_label(cloth(), dark=True)), A, AT)


def test_nothing_is_known_of_what_lay_there_at_the_first_look_or_since_the_view_moved() -> None:
    places, y = PlaceMemory(TABLE), with_label(cloth())
    places.remember(thumbnail(y), [Label("A", A, CORNERS)], NO_HAND)
    assert not places.is_as_before(thumbnail(cloth()), A, AT)
    assert not laid().is_as_before(thumbnail(cloth()), Card.parse("1a"), AT)
