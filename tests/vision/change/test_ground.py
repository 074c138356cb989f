"""The table as it was last seen bare, and whether a place looks like that."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cells import CONTRAST, Mask, Thumb
from vision.change.ground import GroundWatch

SIZE = (60, 80)
CARD = (slice(20, 40), slice(30, 44))
NOTHING = np.zeros(SIZE, np.uint8)


def table(light: float = 1.0) -> Thumb:
    stripes = 120.0 + 40.0 * (np.arange(SIZE[1]) // 8 % 2)
    return np.asarray(np.broadcast_to(light * stripes, SIZE), np.float32).copy()


def place() -> Mask:
    cells = np.zeros(SIZE, np.uint8)
    cells[CARD] = 1
    return cells


def with_card(thumb: Thumb, level: float = 230.0) -> Thumb:
    thumb = thumb.copy()
    thumb[CARD] = level
    return thumb


def known(thumb: Thumb) -> GroundWatch:
    ground = GroundWatch()
    ground.learn(thumb, NOTHING)
    return ground


@pytest.mark.parametrize("light", [0.7, 1.0, 1.2])
def test_a_place_that_looks_like_the_bare_table_is_bare_in_any_light(light: float) -> None:
    ground = known(table())
    assert ground.is_bare(table(light), place())
    assert not ground.changed(table(light)).any()
    assert not ground.unknown(table()).any()


def test_a_card_there_is_no_bare_table() -> None:
    ground, laid = known(table()), with_card(table())
    assert not ground.is_bare(laid, place())
    assert (ground.changed(laid) == place()).all()


def test_of_what_is_left_of_a_card_a_shadow_counts_for_nothing_and_a_corner_for_all() -> None:
    ground, row, corner = known(table()), table(), table()
    row[20:21, 30:38] -= 2 * CONTRAST  # 8 of 280 cells
    assert ground.is_bare(row, place())
    corner[20:24, 30:33] -= 2 * CONTRAST  # 12 of them
    assert not ground.is_bare(corner, place())


def test_a_place_that_burnt_without_a_card_tells_nothing() -> None:
    burning = with_card(table(), 255.0)
    assert not known(burning).is_bare(burning, place())
    burning[20:31, 30:44] = 200.0  # over half of it does not
    assert known(burning).is_bare(burning, place())


def test_nothing_is_known_before_a_table_was_seen_bare_nor_once_that_is_forgotten() -> None:
    ground = GroundWatch()
    assert not ground.is_bare(table(), place())
    assert ground.unknown(table()).all()
    assert not ground.changed(with_card(table())).any()
    ground.learn(table(), NOTHING)
    assert not ground.is_bare(table(), np.zeros(SIZE, np.uint8))  # a card that lies out of the picture
    ground.forget()
    assert not ground.is_bare(table(), place())
    assert ground.unknown(table()).all()
    assert not ground.changed(with_card(table())).any()


def test_beneath_a_card_the_table_stays_as_it_was_known_and_a_card_from_the_beginning_hides_it() -> None:
    ground = known(table())
    ground.learn(with_card(table()), place())
    assert ground.is_bare(table(), place())
    fresh = GroundWatch()
    fresh.learn(with_card(table()), place())
    assert not fresh.is_bare(table(), place())
    assert not fresh.changed(table()).any()
    assert (fresh.unknown(table()) == place()).all()
    fresh.learn(table(), NOTHING)
    assert fresh.is_bare(table(), place())
    assert (fresh.changed(with_card(table())) == place()).all()


def test_what_came_is_told_from_light_and_from_what_left_and_from_what_is_known() -> None:
    hand = table()
    hand[30:, 50:66] = 200.0
    ground = known(table())
    there = np.zeros(SIZE, np.uint8)
    there[30:, 50:66] = 1
    assert not GroundWatch().came(hand, NOTHING).any()
    for thumb, cells, came in (
        (table(1.2), NOTHING, NOTHING),
        (table(0.3), NOTHING, NOTHING),
        (hand, NOTHING, there),
        (1.2 * hand, NOTHING, there),
        (0.3 * hand, NOTHING, there),
        (hand, there, NOTHING),
        (with_card(hand), place(), there),
    ):
        assert (ground.came(np.asarray(thumb, np.float32), cells) == came).mean() > 0.99
    assert not known(hand).came(table(), NOTHING).any()
    assert (known(hand).came(with_card(table()), NOTHING) == place()).mean() > 0.99  # what left beside it is told apart


def test_light_on_the_bare_table_is_no_thing_that_lies_there() -> None:
    down, across = np.mgrid[: SIZE[0], : SIZE[1]]
    beam = np.exp(-((down - 30) ** 2 + (across - 40) ** 2) / 400)
    light, ground = np.asarray(table() * (1.0 + 0.6 * beam), np.float32), known(table())
    assert not ground.came(light, NOTHING).any()
    assert not ground.laid(light, NOTHING, 5).any()
    assert (ground.laid(with_card(table()), NOTHING, 5) == place()).mean() > 0.99
    assert not ground.bare(light)[25:35, 35:45].any()  # nor is it known that nothing lies there
