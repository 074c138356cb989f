"""Eyes whose camera is unlocked for a moment in another light: what lies there stays, and soon all is steady again."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import Sight
from tests.tables import TABLE, renderer_of
from vision.camera.settling import DIMMED_S, SETTLE_S
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.synthetic import Scene, SceneCard, figure_at

pytestmark = pytest.mark.slow
SCENE = Scene(
    white=figure_at(TABLE, Side.WHITE, 3),
    black=figure_at(TABLE, Side.BLACK, 20),
    cards=(SceneCard(Card.parse("3b"), 250.0, -150.0),),
)


def lit(y: Picture, stops: float) -> Picture:
    """The picture with so many times twice the light, burnt out where that is too much."""
    linear = (y.astype(np.float32) / 255) ** 2.2 * 2**stops
    return np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8)


@pytest.mark.parametrize("stops", [-3.0, 2.5], ids=["dusk", "a lamp"])
@pytest.mark.parametrize("back_s", [0.3, 1.0], ids=["at once", "slowly"])
def test_a_camera_that_exposes_anew_changes_nothing_of_what_lies_there(stops: float, back_s: float) -> None:
    """The exposure needs some frames to where it was, see ``Settling``; a lamp lights up between two frames."""
    renderer, eyes = renderer_of(TABLE), Eyes(TABLE)
    taken = [renderer.render(SCENE, index, index / 10).y for index in range(4)]
    switched_s, unlocked_s = 2.0, 2.0 + DIMMED_S
    for index in range(round(10 * (unlocked_s + SETTLE_S + 2.0))):
        t_s = index / 10
        back = min(1.0, max(0.0, (t_s - unlocked_s) / back_s))
        light = stops * (1 - back) if t_s >= switched_s else 0.0
        look = eyes.look(Frame(index, t_s, lit(taken[index % 4], light)))
        if t_s >= switched_s:
            assert look.table.sight is not Sight.BLIND
            assert [str(each.card) for each in look.table.cards] == ["3b"]
            assert (look.table.figures.white.space, look.table.figures.black.space) == (3, 20)
        if t_s >= unlocked_s + back_s + 1.0:
            assert look.table.since_s < switched_s
    assert look.table.sight is Sight.STEADY
