"""A mirrored picture: no marker can be read in it, and that is told as what it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.rules.track import Side
from engine.table.observation import Sight, Why
from tests.tables import SMALL_TABLE as TABLE
from tests.tables import renderer_of
from vision.board.calibration import CalibrationError, MirroredError, calibrate
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.look import Look
from vision.marks.markers import MarkerFinder
from vision.synthetic import Scene, figure_at

pytestmark = pytest.mark.slow

SCENE = Scene(white=figure_at(TABLE, Side.WHITE, 1), black=figure_at(TABLE, Side.BLACK, 23))
ACROSS, DOWN = (slice(None), slice(None, None, -1)), (slice(None, None, -1), slice(None))


@pytest.fixture(scope="module")
def still() -> Picture:
    return renderer_of(TABLE).render(SCENE, 0, 0.0).y


def shown(eyes: Eyes, y: Picture, first: int, times: int) -> list[Look]:
    return [eyes.look(Frame(number, number / 10, y)) for number in range(first, first + times)]


@pytest.mark.parametrize("way", [ACROSS, DOWN])
@pytest.mark.parametrize("calibrated", [False, True])
def test_it_is_told_within_a_second_until_it_is_put_right(
    still: Picture, way: tuple[slice, slice], calibrated: bool
) -> None:
    mirrored = np.ascontiguousarray(still[way])
    eyes = Eyes(TABLE, calibrate([Frame(0, 0.0, still)], TABLE) if calibrated else None)
    looks = shown(eyes, mirrored, 0, 30)
    assert {(look.table.sight, look.table.why) for look in looks[2:]} == {(Sight.BLIND, Why.BOARD_LOST)}
    assert all(look.mirrored for look in looks[9:])
    (trouble,) = looks[-1].trouble
    assert (trouble.why, trouble.mirrored) == (Why.BOARD_LOST, True)
    assert trouble.outline.tolist()[2] == [
        TABLE.camera.width - 1.0,
        TABLE.camera.height - 1.0,
    ]  # no place of the picture: all of it
    looks = shown(eyes, still, 30, 20)
    assert not any(look.mirrored for look in looks[8:])
    assert looks[-1].table.sight is Sight.STEADY
    assert (looks[-1].seen.white, looks[-1].seen.black) == (1, 23)


def test_a_picture_without_a_board_is_not_mirrored(still: Picture) -> None:
    bare = still.copy()
    bare[:, :] = np.random.default_rng(1).integers(90, 130, still.shape, np.uint8)
    for y in (bare, np.ascontiguousarray(still[:, 900:1400])):
        eyes = Eyes(replace(TABLE, camera=TABLE.camera._replace(width=y.shape[1], height=y.shape[0])))
        assert not any(look.mirrored for look in shown(eyes, y, 0, 20))


def test_the_search_takes_the_place_of_another_and_adds_to_none(
    still: Picture, monkeypatch: pytest.MonkeyPatch, noting: Callable[..., Callable[..., Any]]
) -> None:
    eyes, asked = Eyes(TABLE), list[str]()
    for name, said in (("find_soon", "picture"), ("is_mirrored", "mirror")):
        ask = noting(asked, lambda *_, said=said: said, getattr(MarkerFinder, name))
        monkeypatch.setattr(MarkerFinder, name, ask)
    shown(eyes, np.ascontiguousarray(still[ACROSS]), 0, 12)
    assert asked.count("picture") == 12  # one search a frame, the mirror image's among them
    assert asked.count("mirror") == 2


def test_calibrating_says_so(still: Picture) -> None:
    with pytest.raises(MirroredError, match=r"found it mirrored.*; switch mirroring off"):
        calibrate([Frame(0, 0.0, np.ascontiguousarray(still[ACROSS]))], TABLE)
    with pytest.raises(CalibrationError, match="found none") as told:
        calibrate([Frame(0, 0.0, np.zeros_like(still))], TABLE)
    assert not isinstance(told.value, MirroredError)
