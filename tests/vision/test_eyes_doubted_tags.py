"""A tag that was read with a pulled corner is read again, though nothing changes at its place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.eyes import Eyes
from vision.marks.markers import Marker
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow

NUMBER = TABLE.fencer_ids[Side.BLACK]


def test_a_fencer_whose_tag_was_read_with_a_pulled_corner_stands_again_at_once() -> None:
    renderer, eyes = renderer_of(TABLE), Eyes(TABLE)
    scene = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))
    later = replace(scene, cards=(SceneCard(Card.parse("4c"), 320.0, -150.0),))
    problems = []
    for index in range(60):
        look = eyes.look(renderer.render(later if index >= 20 else scene, index, index / 10))
        if index == 19:
            eyes._detector._tags = tuple(_pulled(marker) for marker in eyes._detector._tags)
        problems.append(look.table.figures.black.problem)
    assert problems[15] is None
    assert problems[30:] == [None] * 30


def _pulled(marker: Marker) -> Marker:
    if marker.id != NUMBER:
        return marker
    side_px = float(np.linalg.norm(marker.corners[1] - marker.corners[0]))
    return marker._replace(corners=marker.corners + np.array([[0, 0], [0, 0], [0.2, 0.2], [0, 0]]) * side_px)
