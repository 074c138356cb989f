"""Held against cards and tags whose pose is known: what lies level is told from what is held up, tilted or lying."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import Camera, Floats, look_at
from vision.sights.flat import ANY_PRINT, PrintScale, flat_fit, lie_flat, pose_of

QR_MM = 25.0
CAMERAS = {
    "before": look_at((308, -420, 600), (308, -88, 0), 0, 75),
    "low": look_at((308, -600, 420), (308, -88, 0), 0, 75),
    "beside": look_at((-100, -250, 600), (308, -88, 0), 0, 75),
}


def card(
    x_mm: float, y_mm: float, turn_deg: float, tilt_deg: float, axis_deg: float, least_mm: float, scale: float = 1.0
) -> list[Floats]:
    """Both labels' corners, (4, 3) mm, of a card of which the lowest corner is so high; tilted about an axis."""
    half = scale * QR_MM / 2
    label = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    labels = np.stack([label + np.array((-12.5, 25.0, 0)), np.array((12.5, -25.0, 0)) - label])
    turn, tilt, axis = math.radians(turn_deg), math.radians(tilt_deg), math.radians(axis_deg)
    spin = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    way = np.array([math.cos(axis), math.sin(axis), 0.0])
    cross = np.array([[0, 0, way[1]], [0, 0, -way[0]], [-way[1], way[0], 0]])
    lean = np.eye(3) + math.sin(tilt) * cross + (1 - math.cos(tilt)) * cross @ cross
    there = labels @ (lean @ spin).T + (x_mm, y_mm, 0.0)
    return list(there + np.array((0, 0, least_mm - there[..., 2].min())))


def lies(labels: list[Floats], camera: Camera, noise_px: Floats | float = 0.0, printed: PrintScale = ANY_PRINT) -> bool:
    fits = [flat_fit(camera.project(label) + noise_px, camera, QR_MM, 0.0, printed) for label in labels]
    return lie_flat(*(math.inf if fit is None else fit.misfit for fit in fits))


places = st.tuples(st.floats(120, 500), st.floats(-230, -100), st.floats(0, 360))
some_camera = st.sampled_from(sorted(CAMERAS))


@given(some_camera, places, st.integers(0, 2**32 - 1), st.floats(0.97, 1.02))
def test_what_lies_is_flat_however_it_is_printed_and_its_corners_are_found(
    where: str, place: tuple[float, float, float], seed: int, scale: float
) -> None:
    noise_px = np.clip(np.random.default_rng(seed).normal(0.0, 0.5, (4, 2)), -1.0, 1.0)
    assert lies(card(*place, 0.0, 0.0, 0.0, scale), CAMERAS[where], noise_px)


@given(some_camera, places, st.floats(35, 60), st.floats(-40, 40), st.floats(30, 80))
def test_a_card_as_a_hand_holds_it_is_not_flat(
    where: str, place: tuple[float, float, float], tilt_deg: float, axis_deg: float, least_mm: float
) -> None:
    """Also where it is tilted to the camera, so that it is as long as a flat one: the wrong end is narrower."""
    assert not lies(card(*place, tilt_deg, axis_deg, least_mm), CAMERAS[where])


@pytest.mark.parametrize("where", sorted(CAMERAS))
@pytest.mark.parametrize("scale", [0.97, 1.0])
def test_once_the_print_is_known_a_card_held_level_is_told_by_its_size(where: str, scale: float) -> None:
    known, camera = PrintScale.of([scale] * 8), CAMERAS[where]
    assert lies(card(300, -150, 10, 0, 0, 0, scale), camera, printed=known)
    assert lies(card(300, -150, 10, 0, 0, 6, scale), camera, printed=known)  # on a pile
    assert not lies(card(300, -150, 10, 0, 0, 45, scale), camera, printed=known)


def test_the_print_is_known_the_better_the_more_showed_it() -> None:
    none, one, many = (PrintScale.of([0.97] * count) for count in (0, 1, 20))
    assert none == ANY_PRINT
    assert 1.0 > one.mean > many.mean > 0.97
    assert none.sd > one.sd > many.sd


def test_what_is_seen_in_a_mirror_or_beyond_the_horizon_is_not_flat() -> None:
    camera, (label, _) = CAMERAS["before"], card(300, -150, 10, 0, 0, 0)
    px = camera.project(label)
    assert flat_fit(px - (0, 3000), camera, QR_MM) is None
    assert flat_fit(px[:1].repeat(4, axis=0), camera, QR_MM) is None
    mirrored = flat_fit(px[::-1], camera, QR_MM)
    assert mirrored is not None
    assert not lie_flat(mirrored.misfit)


def test_the_pose_is_that_of_what_is_printed() -> None:
    (label, _) = card(300, -150, 90, 0, 0, 0)
    pose = pose_of(label[:, :2])
    assert pose.place == pytest.approx((275.0, -162.5))
    assert pose.turn_deg == pytest.approx(180.0)
    assert pose.towards(1.0, 0.0) == pytest.approx((275.0, -161.5))
