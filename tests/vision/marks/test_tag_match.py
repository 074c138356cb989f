"""Fencers' tags of which an edge is hidden or a part lies in the shade are found where they stand, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.track import Side
from tests.tables import TABLE, renderer_of
from vision.frame import Picture
from vision.marks.tag_match import match_tags
from vision.sights.observe import figure_reading
from vision.synthetic import Scene, figure_at

pytestmark = pytest.mark.slow

RENDERER = renderer_of(TABLE, "typical", 1)
WHITE, BLACK = TABLE.fencer_ids.white, TABLE.fencer_ids.black


def shown(white: int, black: int, turn_deg: float = 0.0) -> Picture:
    """White's fencer on a space, turned by so much, and Black's."""
    figure = replace(figure_at(TABLE, Side.WHITE, white), turn_deg=turn_deg)
    return RENDERER.render(Scene(white=figure, black=figure_at(TABLE, Side.BLACK, black)), 0, 0.0).y


def spaces(y: Picture, *wanted: int) -> dict[int, int | None]:
    """On which space each of these tags is found."""
    found = match_tags(y, RENDERER.camera, TABLE, wanted)
    return {tag.id: figure_reading(tag, RENDERER.camera, TABLE).space for tag in found}


def tag_px(space: int) -> np.ndarray:
    """The corners of an upright tag on a space, (4, 2) px, from its top left."""
    place, half = TABLE.tag_mm(space), TABLE.fencer_size_mm / 2
    ways = ((-half, half), (half, half), (half, -half), (-half, -half))
    return RENDERER.camera.project([(place.x + x, place.y + y, place.z) for x, y in ways])


@given(st.integers(1, 23), st.integers(1, 23), st.floats(-12.0, 12.0))
def test_tags_are_found_on_their_spaces_however_they_are_put_down(white: int, black: int, turn_deg: float) -> None:
    if abs(white - black) > 1:
        assert spaces(shown(white, black, turn_deg), WHITE, BLACK) == {WHITE: white, BLACK: black}


@pytest.mark.parametrize("edge", range(4))
@pytest.mark.parametrize("space", [1, 9, 23])
def test_a_tag_is_found_although_paper_lies_over_its_edge(space: int, edge: int) -> None:
    y, corners = shown(space, 15), tag_px(space)
    near, far = corners[[edge, (edge + 1) % 4]], corners[[(edge + 3) % 4, (edge + 2) % 4]]
    covered = np.concatenate([near - 0.5 * (far - near), (near + 0.15 * (far - near))[::-1]])
    cv2.fillConvexPoly(y, np.rint(covered).astype(np.int32), 200)
    assert spaces(y, WHITE) == {WHITE: space}


@pytest.mark.parametrize("dark", [0.2, 0.3, 0.45])
@pytest.mark.parametrize("across", [0.2, 0.35, 0.5, 0.65, 0.8])
@pytest.mark.parametrize("level", [False, True])
def test_a_tag_is_found_that_a_hard_shadow_falls_across(across: float, dark: float, level: bool) -> None:
    y, (x_px, y_px) = shown(9, 15), tag_px(9)[0] + across * (tag_px(9)[2] - tag_px(9)[0])
    light = np.ones_like(y, dtype=np.float32)
    light[(slice(int(y_px), None), slice(None)) if level else (slice(None), slice(int(x_px), None))] = dark
    assert spaces((y * cv2.GaussianBlur(light, (0, 0), 2.0)).astype(np.uint8), WHITE) == {WHITE: 9}


def test_where_a_tag_is_not_nothing_is_found() -> None:
    y = shown(9, 15)
    assert spaces(y, *(number for number in range(8) if number not in (WHITE, BLACK))) == {}
    x_px, y_px = tag_px(9).mean(axis=0).astype(int)
    y[y_px - 60 : y_px + 60, x_px - 60 : x_px + 60] = 90
    assert spaces(y, WHITE) == {}
    noise = np.random.default_rng(5).integers(0, 255, y.shape).astype(np.uint8)
    for blur in (0.8, 2.0, 4.0):
        assert spaces(np.asarray(cv2.GaussianBlur(noise, (0, 0), blur), np.uint8), *range(8)) == {}
