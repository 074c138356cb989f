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
