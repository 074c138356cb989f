"""Board to pixels and back."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import Camera, field_of_view, look_at

LENS = (-0.05, 0.01, 0.0005, -0.0003, 0.0)


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    def number(low: float, high: float) -> float:
        return draw(st.floats(low, high, allow_nan=False))

    position = (number(150, 450), number(-550, -250), number(450, 800))
    target = (number(250, 370), number(-120, -20), 0.0)
    dist = draw(st.sampled_from([(0.0,) * 5, LENS]))
    return look_at(position, target, number(-180, 180), number(50, 75), dist=dist)


@given(cameras(), st.floats(200, 420), st.floats(-160, 0), st.floats(-10, 60))
def test_a_point_projected_is_found_again_at_its_height(camera: Camera, x: float, y: float, z: float) -> None:
    there = camera.at_height(camera.project([[x, y, z]]), z)
    assert there == pytest.approx(np.array([[x, y]]), abs=0.01)


@given(cameras(), st.floats(200, 420), st.floats(-160, 0), st.floats(-10, 60))
def test_the_ray_of_a_pixel_goes_through_the_point(camera: Camera, x: float, y: float, z: float) -> None:
    (direction,) = camera.directions(camera.project([[x, y, z]]))
    to_point = np.array([x, y, z]) - camera.position_mm
    assert np.linalg.norm(direction) == pytest.approx(1.0)
    assert np.linalg.norm(np.cross(direction, to_point)) < 0.01
    assert camera.depth_mm([[x, y, z]])[0] > 0


def test_the_target_is_in_the_middle_and_up_is_up() -> None:
    camera = look_at((308, -400, 600), (308, -80, 0))
    middle, right, far, high = camera.project([[308, -80, 0], [318, -80, 0], [308, -70, 0], [308, -80, 10]])
    assert middle == pytest.approx([1151.5, 647.5])
    assert right[0] > middle[0]
    assert far[1] < middle[1]
    assert high[1] < middle[1]
    assert camera.position_mm == pytest.approx([308, -400, 600])


def test_roll_turns_the_camera_clockwise() -> None:
    camera = look_at((0, 0, 500), (0, 0, 0), roll_deg=90, width=1000, height=800)
    middle, far = camera.project([[0, 0, 0], [0, 10, 0]])
    # The camera's top now points right (+x), so what is far (+y) appears at the left.
    assert far[0] < middle[0]
    assert far[1] == pytest.approx(middle[1])


def test_the_field_of_view_is_horizontal() -> None:
    focal_px = field_of_view(90.0, 1000, 500)[0, 0]
    assert focal_px == pytest.approx(500.0)


def test_a_picture_holds_the_pixels_up_to_its_edges_and_none_beyond() -> None:
    camera = look_at((0, 0, 500), (0, 100, 0), width=640, height=480)
    px = np.array([[0.0, 0.0], [639.0, 479.0], [-0.5, 10.0], [10.0, 479.5], [np.nan, 10.0]])
    assert camera.holds(px).tolist() == [True, True, False, False, False]


def test_no_points_give_no_points() -> None:
    camera = look_at((0, -10, 100), (0, 0, 0))
    assert camera.project(np.empty((0, 3))).shape == (0, 2)
    assert camera.at_height(np.empty((0, 2)), 0.0).shape == (0, 2)


def test_a_camera_cannot_be_changed_through_its_arrays() -> None:
    camera = look_at((0, -10, 100), (0, 0, 0))
    with pytest.raises(ValueError, match="read-only"):
        camera.t[0] = 1.0


def test_wrong_shapes_and_places_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot look at its own place"):
        look_at((1, 2, 3), (1, 2, 3))
    with pytest.raises(ValueError, match="between 0 and 180"):
        look_at((0, 0, 1), (0, 0, 0), hfov_deg=180)
    with pytest.raises(ValueError, match=r"dist must have shape \(5,\) or \(8,\), found \(4,\)"):
        Camera(np.eye(3), np.zeros(4), np.eye(3), np.zeros(3), 10, 10)
    with pytest.raises(ValueError, match="points of 3 numbers each"):
        look_at((0, -10, 100), (0, 0, 0)).project([[1.0, 2.0]])
