"""Looking after the corner markers: seldom and one at a time while nothing is suspected."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.track import Side
from vision.markers import MarkerFinder
from vision.pose_watch import FIRST_LOOKS, Board, PoseWatch
from vision.synthetic import PRESETS, Renderer, Scene, figure_at
from vision.table import load_table

TABLE = load_table(Path(__file__).parents[2] / "hardware" / "table.toml")
CORNERS = sorted(corner.id for corner in TABLE.corners)


def test_one_corner_after_the_other_is_looked_at_and_two_on_suspicion(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))
    y = Renderer(TABLE, None, PRESETS["none"], 1).render(scene, 0, 0.0).y
    pose = PoseWatch(TABLE, None, MarkerFinder(TABLE.dictionary))
    for number in range(FIRST_LOOKS):
        pose.look(y, number / 10, suspicious=False)
    asked: list[list[int]] = []
    near = pose._near
    monkeypatch.setattr(pose, "_near", lambda y, ids: asked.append(list(ids)) or near(y, ids))
    for second in range(10, 14):
        pose.look(y, float(second), suspicious=False)
        pose.look(y, second + 0.5, suspicious=False)
    assert [len(ids) for ids in asked] == [1] * 4
    assert sorted(number for ids in asked for number in ids) == CORNERS
    asked.clear()
    for second in range(14, 16):
        pose.look(y, float(second), suspicious=True)
    assert [len(ids) for ids in asked] == [2, 2]
    assert sorted(number for ids in asked for number in ids) == CORNERS
    assert pose.board is Board.FOUND
