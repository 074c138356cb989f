"""Light on cards that nobody reads, and when a hand was there last."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.eyes import Eyes
from vision.synthetic import Scene, SceneCard, SceneHand, figure_at

pytestmark = pytest.mark.slow


def test_a_card_laid_into_light_that_burned_already_is_told_of_as_perhaps_there() -> None:
    """A four that is not read since light fell on it; another card is laid on it, and not a grey of it is seen."""
    renderer, eyes, four = renderer_of(TABLE), Eyes(TABLE), Card.parse("4c")
    scene = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))
    lying = replace(scene, cards=(SceneCard(four, 320.0, -150.0),))
    hand = replace(lying, hands=(SceneHand(Side.BLACK, 320.0, -150.0),))
    x_px, y_px = renderer.camera.project([(320.0, -150.0, 0.0)])[0].astype(int)
    told = []
    for index, shown in enumerate([scene] * 6 + [lying] * 14 + [hand] * 6 + [lying] * 20):
        frame = renderer.render(shown, index, index / 10)
        if index >= 14 and not shown.hands:
            cv2.circle(frame.y, (int(x_px), int(y_px)), 110, 255, -1)
        told.append(eyes.look(frame).table)
    assert [card.card for card in told[-1].cards] == [four]
    assert all(light.since_s < 1.9 for table in told[:20] for light in table.outshone)  # the hand comes then
    (light,) = told[-1].outshone
    assert light.glares
    assert 1.9 <= light.since_s <= 2.7
    assert (light.x_mm, light.y_mm) == pytest.approx((320.0, -150.0), abs=12.0)


def test_a_card_that_sparkles_in_its_sleeve_is_told_of_while_it_lies_there() -> None:
    renderer, eyes = renderer_of(TABLE), Eyes(TABLE)
    scene = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))
    lying = replace(scene, cards=(SceneCard(Card.parse("4c"), 320.0, -150.0),))
    hand = replace(lying, hands=(SceneHand(Side.BLACK, 320.0, -150.0),))
    x_px, y_px = renderer.camera.project([(320.0, -150.0, 0.0)])[0]
    spots = np.random.default_rng(1).normal((x_px, y_px), 70.0, (260, 2)).astype(int).tolist()
    told = []
    for index, shown in enumerate([scene] * 20 + [hand] * 6 + [lying] * 50 + [hand] * 6 + [scene] * 12):
        frame = renderer.render(shown, index, index / 10)
        if shown.cards:
            for spot in spots:
                cv2.circle(frame.y, spot, 8, 255, -1)
        told.append(eyes.look(frame).table)
    assert not any(table.cards for table in told)
    assert all(len(table.unread) >= 1 for table in told[38:76])
    assert all(thing.glares and 2.0 <= thing.since_s <= 2.8 for table in told[38:76] for thing in table.unread)
    assert told[-1].unread == ()


def test_once_the_lamps_are_others_whatever_burns_may_be_a_card() -> None:
    renderer, eyes = renderer_of(TABLE), Eyes(TABLE)
    empty = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))
    scene = replace(empty, cards=(SceneCard(Card.parse("5c"), 180.0, -150.0),))
    lying = replace(scene, cards=(*scene.cards, SceneCard(Card.parse("4c"), 400.0, -150.0)))
    hand = replace(lying, hands=(SceneHand(Side.BLACK, 400.0, -150.0),))
    x_px, y_px = renderer.camera.project([(400.0, -150.0, 0.0)])[0]
    spots = np.random.default_rng(1).normal((x_px, y_px), 70.0, (260, 2)).astype(int).tolist()
    told = []
    for index, shown in enumerate([empty] * 20 + [scene] * 12 + [hand] * 6 + [lying] * 60):
        frame = renderer.render(shown, index, index / 10)
        if len(shown.cards) == 2:
            for spot in spots:
                cv2.circle(frame.y, spot, 8, 255, -1)
        if index >= 52:
            frame.y[:] = np.clip(frame.y * 1.15, 0, 255)
        told.append(eyes.look(frame).table)
    assert [str(card.card) for card in told[-1].cards] == ["5c"]
    assert len(told[-1].unread) >= 1
    assert all(thing.glares and 3.2 <= thing.since_s <= 4.0 for thing in told[-1].unread)
