"""Each disturbance has a strength that shows, a seed, and nothing else that is random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest
from scene_clutter import SceneClutter

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from tests.tables import TABLE as WHOLE_TABLE
from vision.frame import Picture
from vision.geometry import Floats
from vision.printed.table import CameraFrame
from vision.synthetic import (
    NONE,
    PRESETS,
    TYPICAL,
    Disturbances,
    Renderer,
    Scene,
    SceneCard,
    SceneHand,
    camera_variant,
    default_camera,
    figure_at,
)
from vision.synthetic.camera import NAMES

pytestmark = pytest.mark.slow

TABLE = replace(WHOLE_TABLE, camera=CameraFrame(580, 326, 66.0))
CARDS = (SceneCard(Card(3, "b"), 180, -150, 10), SceneCard(Card(5, "e"), 210, -160, -30, level=1))
MOVING = Scene(
    CARDS,
    figure_at(TABLE, Side.WHITE, 5),
    figure_at(TABLE, Side.BLACK, 17),
    (SceneHand(Side.BLACK, 400, -140, holds=SceneCard(Card(1, "a"), 400, -110), velocity_mm_s=(500.0, 100.0)),),
)


def rendered(strengths: Disturbances, scene: Scene = MOVING, seed: int = 1, index: int = 3) -> Picture:
    return Renderer(TABLE, disturbances=strengths, seed=seed).render(scene, index, index / 10).y


def sharpness(picture: Picture) -> float:
    return float(cv2.Laplacian(picture, cv2.CV_64F).var())


@pytest.mark.parametrize("name", NAMES)
def test_each_strength_changes_the_picture_the_more_the_stronger(name: str) -> None:
    clear = rendered(NONE).astype(int)
    away = [np.abs(rendered(replace(NONE, **{name: strength})) - clear).mean() for strength in (0.25, 0.5, 1.0)]
    if name == "shake":
        # How far one frame is off is chance; over frames it grows with the strength.
        away = [wander(strength) for strength in (0.25, 0.5, 1.0)]
    assert 0 < away[0] < away[1] < away[2]


def wander(strength: float) -> float:
    renderer = Renderer(TABLE, disturbances=Disturbances(shake=strength), seed=1)
    clear = rendered(NONE).astype(int)
    return float(np.mean([np.abs(renderer.render(MOVING, index, index / 10).y - clear).mean() for index in range(6)]))


def test_defocus_and_motion_take_sharpness_from_what_they_touch() -> None:
    still = replace(MOVING, hands=())
    assert sharpness(rendered(Disturbances(defocus=1.0), still)) < 0.7 * sharpness(rendered(NONE, still))
    assert np.array_equal(rendered(Disturbances(motion_blur=1.0), still), rendered(NONE, still))
    # A fast hand drags its card along x: upright edges blur, level ones stay.
    camera = default_camera(TABLE)
    x, y = camera.project([[400.0, -95.0, 0.0]])[0].astype(int)
    there = (slice(y - 12, y + 12), slice(x - 14, x + 14))
    blurred, sharp = rendered(Disturbances(motion_blur=1.0))[there], rendered(NONE)[there]
    assert across(blurred) < 0.6 * across(sharp)


def across(picture: Picture) -> float:
    return float(np.abs(cv2.Sobel(picture, cv2.CV_64F, 1, 0)).mean())


def test_noise_is_stronger_in_the_dark() -> None:
    renderer = Renderer(TABLE, disturbances=Disturbances(noise=1.0), seed=1)
    looks = np.stack([renderer.render(Scene(), index, 0.0).y for index in range(12)]).astype(float)
    spread, level = looks.std(axis=0), looks.mean(axis=0)
    dark, bright = spread[(level > 20) & (level < 60)], spread[(level > 150) & (level < 230)]
    assert dark.mean() > 1.2 * bright.mean() > 1.0
    # The noise has no bias: on average the clear picture comes back.
    assert abs((looks.mean(axis=0) - rendered(NONE, Scene())).mean()) < 0.5


def test_glare_adds_light_and_shadows_take_it() -> None:
    clear = rendered(NONE).astype(int)
    assert (rendered(Disturbances(glare=1.0)) - clear).min() >= 0
    assert (rendered(Disturbances(shadows=1.0)) - clear).max() <= 0


def test_less_light_is_darker() -> None:
    levels = [float(rendered(TYPICAL, replace(MOVING, light=light)).mean()) for light in (0.05, 0.4, 1.0, 1.4)]
    assert levels == sorted(levels)
    assert levels[0] < 15


def test_the_same_seed_gives_the_same_picture_to_the_bit() -> None:
    for strengths in PRESETS.values():
        assert np.array_equal(rendered(strengths), rendered(strengths))


def test_other_seeds_and_frames_give_other_pictures() -> None:
    looks = [rendered(TYPICAL), rendered(TYPICAL, seed=2), rendered(TYPICAL, index=4)]
    assert not any(np.array_equal(a, b) for a, b in ((looks[0], looks[1]), (looks[0], looks[2])))
    # Without disturbances neither has anything to change.
    assert np.array_equal(rendered(NONE), rendered(NONE, seed=2, index=9))


def story() -> Iterator[Scene]:
    """Cards come, are covered, go; a hand moves; the order of a pile changes; clutter appears."""
    yield Scene()
    yield Scene(CARDS)
    yield MOVING
    yield replace(MOVING, hands=tuple(replace(hand, x_mm=hand.x_mm - 60) for hand in MOVING.hands))
    yield Scene((replace(CARDS[0], level=1), replace(CARDS[1], level=0)), MOVING.white, None)
    yield Scene((CARDS[0], CARDS[0]), None, figure_at(TABLE, Side.BLACK, 6), things=(SceneClutter("mug", 500, -200),))
    yield Scene((CARDS[0],), None, figure_at(TABLE, Side.BLACK, 6))
    yield Scene(tuple(SceneCard(card, 100 + 18 * n, -150, 7 * n, n) for n, card in enumerate(DECK)), light=0.5)


@pytest.mark.parametrize("strengths", [NONE, TYPICAL])
@pytest.mark.parametrize("look", ["y", "picture"])
def test_what_was_rendered_before_leaves_no_trace(strengths: Disturbances, look: str) -> None:
    def shown(renderer: Renderer, scene: Scene, index: int) -> Picture:
        frame = renderer.render(scene, index, index / 10)
        assert frame.picture is not None
        return frame.y if look == "y" else frame.picture()

    used = Renderer(TABLE, disturbances=strengths, seed=4)
    for index, scene in enumerate(story()):
        fresh = Renderer(TABLE, disturbances=strengths, seed=4)
        assert np.array_equal(shown(used, scene, index), shown(fresh, scene, index)), index


def test_a_frame_keeps_its_pixels_when_the_next_is_rendered() -> None:
    for strengths in (NONE, TYPICAL):
        renderer = Renderer(TABLE, disturbances=strengths)
        first = renderer.render(Scene(), 0, 0.0)
        kept = first.y.copy()
        assert first.picture is not None
        colours = first.picture()
        renderer.render(MOVING, 1, 0.1)
        assert np.array_equal(first.y, kept)
        # A picture asked for late is still the picture of its own frame.
        assert np.array_equal(first.picture(), colours)


def test_strengths_lie_between_none_and_hard() -> None:
    for strength in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match=r"disturbance noise: expected a strength 0 \(none\) to 1 \(hard\)"):
            Disturbances(noise=strength)
    assert PRESETS.keys() == {"none", "typical", "hard"}


def test_camera_variants_differ_by_seed_grow_with_strength_and_keep_everything_in_view() -> None:
    def camera_at(seed: int, strength: float) -> Floats:
        return camera_variant(TABLE, seed, strength).position_mm

    home = default_camera(TABLE).position_mm
    assert np.array_equal(camera_at(1, 0.0), home)
    assert np.array_equal(camera_at(1, 0.5), camera_at(1, 0.5))
    assert not np.array_equal(camera_at(1, 0.5), camera_at(2, 0.5))
    assert np.linalg.norm(camera_at(1, 0.2) - home) < np.linalg.norm(camera_at(1, 0.5) - home)
    area = TABLE.play_area
    points = [corner[1:] for corner in TABLE.corners]
    points += [(x, y, 0.0) for x in (area.x0, area.x1) for y in (area.y0, area.y1)]
    for seed in range(20):
        px = camera_variant(TABLE, seed, 1.0).project(points)
        assert (px > 0).all()
        assert (px < (580, 326)).all()
