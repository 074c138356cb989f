"""Which places of labels are looked at, and what is said of those that tell nothing by themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.rules.cards import Card
from tests.tables import TABLE, seen_card
from vision.agree.agreement import CardMemory, HeldCard, HeldLabel, Memory, PlaceState, UnreadMemory
from vision.agree.place_looks import PlaceMemory
from vision.cells import CELL_PX, thumbnail
from vision.marks.labels import Label
from vision.printed.card_shape import USUAL_SIZE

A, B = Card.parse("3b"), Card.parse("1a")
NOTHING = np.zeros((20, 30), np.uint8)


def held(card: Card, at_s: float) -> HeldCard:
    """A card with one label at (100, 80) mm, laid and read at a time."""
    return HeldCard(card, 112.5, 55.0, 90.0, at_s, at_s, (HeldLabel((100.0, 80.0), at_s, 90.0),))


def looked(
    cards: tuple[HeldCard, ...],
    *,
    as_before: bool = False,
    verdict: PlaceState = PlaceState.UNSURE,
    is_bare: Callable[[HeldCard], bool] = lambda card: False,
    unread_s: float = -math.inf,
    read_mm: tuple[float, float] | None = None,
    cut: bool = False,
) -> dict[Card, PlaceState]:
    """What is said of these cards' places, were all of them as before the label came, or not.

    A label of another card is read at ``read_mm``, whole or ``cut``; a code beside theirs that nobody can read came in
    sight at ``unread_s``.
    """
    places = PlaceMemory(TABLE)
    sights = () if read_mm is None else (seen_card(B, *read_mm, 90.0, (read_mm,), cut=(read_mm,) * cut),)
    camera: Any = SimpleNamespace(project=lambda mm: np.array(mm)[:, :2])
    found: Any = SimpleNamespace(near_hand=NOTHING, kept_back=NOTHING, hand=False)
    thumb = NOTHING.astype(np.float32)
    with pytest.MonkeyPatch.context() as until:
        until.setattr(PlaceMemory, "is_as_before", lambda *_: as_before)
        until.setattr("vision.agree.place_looks.still_there", lambda *_: verdict)
        looks = places.looks(
            Memory(cards=CardMemory(cards), unread=(UnreadMemory((110.0, 80.0), unread_s),)),
            sights,
            NOTHING,
            thumb,
            USUAL_SIZE,
            20.0,
            camera,
            found,
            waits_at=lambda _: False,
            is_bare=is_bare,
        )
    return {look.card: look.verdict for look in looks}


def test_where_a_labels_place_tells_nothing_all_of_its_cards_place_may() -> None:
    assert looked((held(A, 1.0),)) == {A: PlaceState.UNSURE}
    assert looked((held(A, 1.0),), is_bare=lambda card: card.card == A) == {A: PlaceState.BARE}
    same = looked((held(A, 1.0),), verdict=PlaceState.SAME, is_bare=lambda card: True)
    assert same == {A: PlaceState.SAME}


def test_what_is_seen_there_may_be_what_nobody_can_read() -> None:
    only_b = {A: PlaceState.DIFFERENT, B: PlaceState.UNSURE}
    pile = (held(A, 3.0), held(B, 2.0))
    assert looked(pile, verdict=PlaceState.DIFFERENT, unread_s=2.5) == only_b
    assert looked((held(B, 2.0),), as_before=True, unread_s=2.5) == {B: PlaceState.BARE}
    assert looked((held(B, 2.0),), verdict=PlaceState.SAME, unread_s=2.5) == {B: PlaceState.SAME}


def test_a_card_under_another_is_not_bared_by_what_lies_on_it() -> None:
    pile = (held(A, 1.0), held(B, 2.0))
    assert looked(pile, is_bare=lambda card: True) == {A: PlaceState.UNSURE, B: PlaceState.BARE}
    assert looked(pile, as_before=True) == {A: PlaceState.UNSURE, B: PlaceState.BARE}


def test_one_that_seemed_to_be_lifted_is_looked_at_under_what_came_to_lie_there() -> None:
    pile = (replace(held(A, 1.0), nats=-1.0), held(B, 2.0))
    assert looked(pile, as_before=True) == {A: PlaceState.BARE, B: PlaceState.BARE}


@pytest.mark.parametrize("verdict", list(PlaceState))
def test_where_another_label_is_read_whole_lies_another(verdict: PlaceState) -> None:
    assert looked((held(A, 1.0),), verdict=verdict, read_mm=(103.0, 77.0)) == {A: PlaceState.DIFFERENT}
    assert looked((held(A, 1.0),), verdict=verdict, read_mm=(112.0, 80.0)) == {A: verdict}
    assert looked((held(A, 1.0),), verdict=verdict, read_mm=(100.0, 80.0), cut=True) == {A: verdict}


# What lay at a label's place before the label came, and whether it looks like that again.

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
