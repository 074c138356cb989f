"""Two tags of one fencer in sight: neither is believed, whichever was read first and whatever a hand covers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.rules.track import BySide, Side
from engine.table.observation import FigureReading, Sight, Why
from tests.tables import SMALL_TABLE as TABLE
from vision.agree.agreement import FrameReading, Memory, step
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.geometry import Camera, Floats
from vision.printed.table import TablePoint
from vision.sights.observe import HIDDEN, FigureSight
from vision.synthetic import PRESETS, Renderer, Scene, camera_variant, figure_at

pytestmark = pytest.mark.slow

LOOKS = 3  # a fencer is agreed on after so many
STANDING = BySide(FigureSight(FigureReading(4, None, 84.0)), FigureSight(FigureReading(20, None, 532.0)))


def test_of_two_tags_of_a_fencer_neither_is_believed_until_one_is_seen_alone_without_a_hand() -> None:
    true, spare = FigureReading(5, None, 112.0), FigureReading(12, None, 308.0)
    memory, now_s = Memory(), 0.0

    def looks(count: int, reading: FigureReading, *, twice: bool = False, hand: bool = False) -> list[int | None]:
        nonlocal memory, now_s
        spaces = []
        for _ in range(count):
            now_s += 0.1
            both = BySide(FigureSight(reading, not hand, twice), STANDING.black)
            memory, seen = step(memory, FrameReading(now_s, both, hand=hand))
            spaces.append(seen.figures.white.space)
            assert not (twice or hand) or seen.sight is not Sight.STEADY
        return spaces

    assert looks(LOOKS, spare)[-1] == 12  # the spare one alone is all there is to see
    assert looks(LOOKS, HIDDEN, twice=True, hand=True)[-1] is None
    assert {*looks(30, spare, hand=True)} == {None}  # the true one may be under that hand
    assert {*looks(5, HIDDEN, twice=True)} == {None}
    assert looks(LOOKS, true) == [None] * (LOOKS - 1) + [5]
    assert looks(LOOKS - 1, HIDDEN, twice=True) == [5] * (LOOKS - 1)
    assert looks(LOOKS, true) == [5] * LOOKS


def around(camera: Camera, place: TablePoint) -> Floats:
    """The picture of a tag with its white margin at this place, (4, 2) px."""
    half = 0.6 * TABLE.fencer_size_mm
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return camera.project([(place.x + dx, place.y + dy, place.z) for dx, dy in corners])


def with_spare(y: Picture, camera: Camera, own: TablePoint, spare: TablePoint) -> Picture:
    """The picture with a copy of what is at one place laid at another one."""
    there = around(camera, spare)
    way = cv2.getPerspectiveTransform(around(camera, own).astype(np.float32), there.astype(np.float32))
    mask = np.zeros(y.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(there).astype(np.int32)], 1)
    moved = cv2.warpPerspective(y, way, (y.shape[1], y.shape[0]), flags=cv2.INTER_AREA)
    return np.asarray(np.where(mask, moved, y), dtype=np.uint8)


def test_a_spare_tag_on_another_space_leaves_the_fencer_nowhere_until_it_is_taken_away() -> None:
    camera = camera_variant(TABLE, 4, 0.5)
    scene = Scene((), figure_at(TABLE, Side.WHITE, 5), figure_at(TABLE, Side.BLACK, 17))
    still = Renderer(TABLE, camera, PRESETS["none"], 4).render(scene, 0, 0.0).y
    twice = with_spare(still, camera, TABLE.tag_mm(5), TABLE.tag_mm(12))
    eyes = Eyes(TABLE)
    for number in range(12):
        look = eyes.look(Frame(number, number / 8, twice))
        assert look.table.figures.white.space is None
        assert look.table.sight is not Sight.STEADY
    assert (look.table.why, look.table.why_side) == (Why.TAG_HIDDEN, Side.WHITE)
    assert look.table.figures.black.space == 17
    spots = [trouble.outline.mean(axis=0) for trouble in look.trouble]
    places = camera.project([TABLE.tag_mm(5), TABLE.tag_mm(12)])
    assert len(spots) == 2
    assert all(min(np.hypot(*(spot - place)) for spot in spots) < 5.0 for place in places)
    for number in range(12, 36):
        look = eyes.look(Frame(number, number / 8, still))
    assert (look.table.figures.white.space, look.table.sight) == (5, Sight.STEADY)
