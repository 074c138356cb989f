"""Which places of labels are looked at, and what is said of those that tell nothing by themselves."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from engine.rules.cards import Card
from vision.agree.held_card import HeldCard, HeldLabel, PlaceState
from vision.agree.place_looks import PlaceDoubts, looks_at
from vision.change.gate import Mask

A, B = Card.parse("3b"), Card.parse("1a")
NOTHING = np.zeros((20, 30), np.uint8)


def held(card: Card, at_s: float) -> HeldCard:
    """A card with one label at (100, 80) mm, laid and read at a time."""
    return HeldCard(card, 112.5, 55.0, 90.0, at_s, at_s, (HeldLabel((100.0, 80.0), at_s, 90.0),))


def looked(
    cards: tuple[HeldCard, ...],
    *,
    verdict: PlaceState = PlaceState.UNSURE,
    is_bare: Callable[[HeldCard], bool] = lambda card: False,
    may_be_covered: Callable[[HeldLabel], bool] = lambda label: False,
    hand: bool = False,
    near_hand: Mask = NOTHING,
) -> dict[Card, PlaceState]:
    """What is said of these cards' places, where the modules of all of their labels say the same."""
    said = {(card.card, label): verdict for card in cards for label in card.labels}
    table: Any = None
    camera: Any = SimpleNamespace(project=lambda mm: np.array(mm)[:, :2])
    found: Any = SimpleNamespace(near_hand=near_hand, kept_back=NOTHING, hand=hand)
    doubts = PlaceDoubts(lambda _: False, is_bare, may_be_covered)
    looks = looks_at(cards, (), said, NOTHING, 20.0, camera, table, found, doubts)
    return {look.card: look.verdict for look in looks}


def anywhere(_: HeldCard) -> bool:
    """Every place looks as the table did without any card."""
    return True


def test_where_a_labels_place_tells_nothing_all_of_its_cards_place_may() -> None:
    assert looked((held(A, 1.0),)) == {A: PlaceState.UNSURE}
    assert looked((held(A, 1.0),), is_bare=lambda card: card.card == A) == {A: PlaceState.BARE}
    same = looked((held(A, 1.0),), verdict=PlaceState.SAME, is_bare=anywhere)
    assert same == {A: PlaceState.SAME}


def test_what_is_seen_there_may_be_what_nobody_can_read() -> None:
    only_b = {A: PlaceState.DIFFERENT, B: PlaceState.UNSURE}
    pile, of_b = (held(A, 1.0), held(B, 2.0)), lambda label: label.read_s == 2.0
    assert looked(pile, verdict=PlaceState.DIFFERENT, may_be_covered=of_b) == only_b
    bared = looked((held(B, 2.0),), verdict=PlaceState.DIFFERENT, is_bare=anywhere, may_be_covered=of_b)
    assert bared == {B: PlaceState.BARE}
    assert looked((held(B, 2.0),), verdict=PlaceState.SAME, may_be_covered=of_b) == {B: PlaceState.SAME}


def test_a_card_under_another_is_not_bared_by_what_lies_on_it() -> None:
    pile = (held(A, 1.0), held(B, 2.0))
    assert looked(pile, is_bare=anywhere) == {A: PlaceState.UNSURE, B: PlaceState.BARE}


def test_while_a_hand_is_over_the_table_a_place_clear_of_it_is_bare_and_nothing_else_is_said() -> None:
    card, at_it = (held(A, 1.0),), NOTHING.copy()
    at_it[9:12, 12:14] = 1
    assert looked(card, hand=True, verdict=PlaceState.DIFFERENT) == {}
    assert looked(card, hand=True, is_bare=anywhere, verdict=PlaceState.DIFFERENT) == {A: PlaceState.BARE}
    assert looked(card, hand=True, is_bare=anywhere, near_hand=at_it) == {}
