"""Edges of markers tell how sharp and how well lit a picture is, whichever way it is smeared."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.frame import Picture
from vision.marks.markers import Marker
from vision.printed.tags import aruco_dictionary
from vision.why.sharpness import EdgeWatch, noise_of, picture_edge_px

SIDE = 80
AT = np.array([[100.0, 90.0], [100.0 + SIDE, 90.0], [100.0 + SIDE, 90.0 + SIDE], [100.0, 90.0 + SIDE]]) - 0.5
MARKER = Marker(2, AT)


def picture(black: int = 30, white: int = 190) -> Picture:
    """A marker on white paper on a grey table."""
    y = np.full((260, 300), 110, np.uint8)
    y[80 : 100 + SIDE, 90 : 110 + SIDE] = white
    bits = cv2.aruco.generateImageMarker(aruco_dictionary("DICT_APRILTAG_36h11"), 2, SIDE)
    y[90 : 90 + SIDE, 100 : 100 + SIDE] = np.where(bits > 0, white, black)
    return y


def smeared(y: Picture, across: int, down: int) -> Picture:
    return np.asarray(cv2.blur(y, (across, down), borderType=cv2.BORDER_REPLICATE), dtype=np.uint8)


def test_a_smear_widens_edges_whichever_way_it_goes() -> None:
    sharp = EdgeWatch().look(picture(), (MARKER,))
    assert sharp is not None
    assert sharp.edge_px < 2.5
    assert sharp.contrast == pytest.approx(160, abs=3)
    assert sharp.white == pytest.approx(190, abs=2)
    for across, down in ((7, 1), (1, 7)):
        seen = EdgeWatch().look(smeared(picture(), across, down), (MARKER,))
        assert seen is not None
        assert seen.edge_px == pytest.approx(7.0, abs=1.0)
    both = EdgeWatch().look(smeared(picture(), 7, 7), (MARKER,))
    assert both is not None
    assert both.edge_px > 8.5


def test_the_sharpest_marker_counts_and_one_covered_tells_nothing() -> None:
    y = np.hstack([picture(), smeared(picture(), 9, 9)])
    other = Marker(1, AT + np.array([300.0, 0.0]))
    alone, together = EdgeWatch().look(y, (MARKER,)), EdgeWatch().look(y, (MARKER, other))
    assert alone is not None
    assert together is not None
    assert together.edge_px == alone.edge_px
    y[:, :300] = 90
    left = EdgeWatch().look(y, (MARKER, other))
    assert left is not None
    assert left.edge_px > 8.5
    assert EdgeWatch().look(np.full((260, 300), 90, np.uint8), (MARKER,)) is None


def test_a_marker_that_moved_is_displaced_also_for_a_watch_that_saw_it_before() -> None:
    watch = EdgeWatch()
    for shift, displaced in ((0, False), (1, False), (4, True), (-4, True), (0, False)):
        seen = watch.look(np.roll(picture(), (shift, shift), (0, 1)), (MARKER,))
        assert (seen is None or seen.displaced) is displaced


def test_edges_of_a_whole_picture_without_any_marker() -> None:
    sharp, soft = picture_edge_px(picture()), picture_edge_px(smeared(picture(), 9, 9))
    one_way = picture_edge_px(smeared(picture(), 1, 9))
    assert sharp is not None
    assert soft is not None
    assert one_way is not None
    assert sharp <= 2.0
    assert soft > 4.5
    assert one_way > 4.0
    assert picture_edge_px(np.full((260, 300), 90, np.uint8)) is None


def test_noise_is_measured_beside_the_edges() -> None:
    rng = np.random.default_rng(1)
    noisy = np.clip(picture() + rng.normal(0, 6, (260, 300)), 0, 255).astype(np.uint8)
    assert noise_of(picture()) < 1.5
    assert 4.5 < noise_of(noisy) < 9.0
