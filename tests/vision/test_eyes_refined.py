"""A board that is only known more exactly than before: the picture is the same, so what was read in it stands."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.eyes import Eyes
from vision.geometry import Camera
from vision.look import Look
from vision.reading.detect import Detections
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow
CARDS = (SceneCard(Card(3, "b"), 200.0, -150.0), SceneCard(Card(1, "a"), 320.0, -150.0))


@pytest.mark.parametrize(("elsewhere", "steady"), [(False, True), (True, False)])
def test_what_was_read_stands_where_the_picture_did_not_move(
    elsewhere: bool, steady: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    renderer, eyes = renderer_of(TABLE), Eyes(TABLE)
    scene = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20), cards=CARDS)

    def looks(first: int, count: int) -> list[Look]:
        return [eyes.look(renderer.render(scene, index, index / 10)) for index in range(first, first + count)]

    before = looks(0, 12)[-1].table
    assert before.sight is Sight.STEADY
    assert [placed.card for placed in before.cards] == [card.card for card in CARDS]
    calibration = eyes.calibration
    assert calibration is not None
    old = calibration.camera
    new = Camera(old.K, old.dist, old.R, old.t + 0.5, old.width, old.height)
    eyes._pose._use(replace(calibration, camera=new), elsewhere=elsewhere)
    given = []
    look_at = eyes._detector.look

    def noted(*args: Any, **options: Any) -> Detections:
        given.append(args[5])
        return look_at(*args, **options)

    monkeypatch.setattr(eyes._detector, "look", noted)
    after = [look.table for look in looks(12, 3)]
    assert bool(given[0]) == steady  # which cards lie there
    assert all(table.sight is Sight.STEADY for table in after) == steady
    assert all(table.cards and table.since_s == before.since_s for table in after)
