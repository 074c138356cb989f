"""Light on cards that nobody reads, and when a hand was there last."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from engine.rules.track import Side
from tests.tables import SMALL_TABLE
from tests.vision.conftest import Watched, card, lit, names
from vision.frame import Picture
from vision.synthetic import SceneHand

pytestmark = pytest.mark.slow

FOUR = card("4c", 320.0)


def sparkles(x_mm: float) -> Callable[[Picture], Picture]:
    """A card in its sleeve that mirrors light in many spots."""
    at = Watched(table=SMALL_TABLE).renderer.camera.project([(x_mm, -150.0, 0.0)])[0]
    spots = np.random.default_rng(1).normal(at, 70.0, (260, 2)).astype(int).tolist()

    def lit_up(y: Picture) -> Picture:
        for spot in spots:
            cv2.circle(y, spot, 8, (255,), -1)
        return y

    return lit_up


@pytest.mark.parametrize("gain", [1.0, 1.15])
def test_a_card_laid_into_light_that_burned_already_is_told_of_as_perhaps_there(gain: float) -> None:
    """A four that is not read since light fell on it; another card is laid on it, and not a grey of it is seen.

    Nor is it otherwise where the markers' paper nearly burns.
    """
    eyes = Watched(table=SMALL_TABLE)
    at = eyes.px(320.0, -150.0)

    def burning(y: Picture) -> Picture:
        return np.asarray(cv2.circle(bright(y), at, 110, (255,), -1), dtype=np.uint8)

    def bright(y: Picture) -> Picture:
        return lit(y, gain)

    early = eyes.looks(6, bright) + eyes.looks(8, bright, cards=(FOUR,)) + eyes.looks(6, burning)
    assert all(light.since_s < 1.9 for look in early for light in look.table.outshone)  # the hand comes then
    eyes.show(6, bright, hands=(SceneHand(Side.BLACK, 320.0, -150.0),))
    last = eyes.show(20, burning, hands=())
    assert names(last) == ["4c"]
    (light,) = last.table.outshone
    assert light.glares
    assert 1.9 <= light.since_s <= 2.7
    assert (light.x_mm, light.y_mm) == pytest.approx((320.0, -150.0), abs=12.0)


def test_a_card_that_sparkles_in_its_sleeve_is_told_of_while_it_lies_there() -> None:
    eyes, light, hand = Watched(table=SMALL_TABLE), sparkles(320.0), (SceneHand(Side.BLACK, 320.0, -150.0),)
    looks = eyes.looks(20) + eyes.looks(6, light, cards=(FOUR,), hands=hand) + eyes.looks(50, light, hands=())
    looks += eyes.looks(6, light, hands=hand) + eyes.looks(12, cards=(), hands=())
    told = [look.table for look in looks]
    assert not any(table.cards for table in told)
    assert all(len(table.unread) >= 1 for table in told[38:76])
    assert all(thing.glares and 2.0 <= thing.since_s <= 2.8 for table in told[38:76] for thing in table.unread)
    assert told[-1].unread == ()


def test_once_the_lamps_are_others_whatever_burns_may_be_a_card() -> None:
    eyes, light = Watched(table=SMALL_TABLE), sparkles(400.0)
    first, second = card("5c", 180.0), card("4c", 400.0)
    eyes.show(20)
    eyes.show(12, cards=(first,))
    eyes.show(6, light, cards=(first, second), hands=(SceneHand(Side.BLACK, 400.0, -150.0),))
    eyes.show(14, light, hands=())
    last = eyes.show(46, lambda y: lit(light(y), 1.15))
    assert names(last) == ["5c"]
    assert last.table.unread
    assert all(thing.glares and 3.2 <= thing.since_s <= 4.0 for thing in last.table.unread)
