"""The pieces the simulated camera is made of: rectangles, sprites, balls, smears, shadows, labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from tests.tables import TABLE as WHOLE_TABLE
from vision.geometry import Box
from vision.printed.table import CameraFrame, Corner
from vision.synthetic.background import decor_sprites
from vision.synthetic.bodies import tip_height_mm
from vision.synthetic.camera import NONE, Disturbances, default_camera, shift_kernel
from vision.synthetic.cardface import card_back, card_face, label_picture
from vision.synthetic.drawing import Optics, Sprite, Texture, laid_over, level_plane, sprite_of
from vision.synthetic.renderer import Compositor, joined
from vision.synthetic.scene import CARD_THICKNESS_MM, SceneCard, SceneFigure, SceneHand
from vision.synthetic.solids import Limb, balls_rect, draw_balls, sweep
from vision.synthetic.studio import Light, Studio, smeared

TABLE = replace(WHOLE_TABLE, camera=CameraFrame(580, 326, 66.0))
OPTICS = Optics(default_camera(TABLE))

edges = st.integers(0, 40)
rects = st.builds(lambda x, y, w, h: Box(x, y, x + w, y + h), edges, edges, st.integers(1, 15), st.integers(1, 15))


def test_what_is_seen_infinitely_far_outside_is_not_seen() -> None:
    assert OPTICS.blocks((-1e300, -1e300), (-1e299, -1e299)).empty
    assert OPTICS.blocks((1e299, 1e299), (1e300, 1e300)).empty
    assert OPTICS.blocks((-1e300, -1e300), (1e300, 1e300)) == OPTICS.blocks((0, 0), (579, 325))


@given(st.lists(rects, max_size=8))
def test_joined_rectangles_hold_all_and_never_overlap(given_rects: list[Box]) -> None:
    apart = joined(given_rects)
    for rect in given_rects:
        assert any(rect.clipped(other) == rect for other in apart)
    for number, rect in enumerate(apart):
        assert all(rect.clipped(other).empty for other in apart[number + 1 :])


@st.composite
def sprites(draw: st.DrawFn) -> Sprite:
    rect = draw(rects)
    shape = (rect.y1 - rect.y0, rect.x1 - rect.x0)
    keep, add = draw(st.integers(0, 255)), draw(st.none() | st.integers(0, 200))
    return Sprite(rect, np.full(shape, keep, np.uint8), None if add is None else np.full(shape, add, np.uint8))


@pytest.mark.slow
@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(sprites(), max_size=4), min_size=1, max_size=5), st.sampled_from([0.0, 0.7, 1.2]))
def test_painting_only_what_changed_is_as_good_as_painting_all(scenes: list[list[Sprite]], blur_px: float) -> None:
    background = np.arange(48 * 48, dtype=np.uint32).reshape(48, 48).astype(np.uint8)
    names = {id(sprite): number for number, sprite in enumerate(sprite for scene in scenes for sprite in scene)}
    used = Compositor(background, blur_px)
    for scene in [*scenes, [*scenes[0][::-1], *scenes[-1]]]:
        layers = [((names[id(sprite)], place), sprite) for place, sprite in enumerate(dict.fromkeys(scene))]
        assert np.array_equal(used.show(layers), Compositor(background, blur_px).show(layers))


def test_layers_that_only_change_places_are_painted_anew() -> None:
    black = Sprite(Box(0, 0, 8, 8), np.zeros((8, 8), np.uint8), np.zeros((8, 8), np.uint8))
    white = Sprite(Box(4, 0, 12, 8), np.zeros((8, 8), np.uint8), np.full((8, 8), 255, np.uint8))
    compositor = Compositor(np.full((8, 16), 100, np.uint8), 0.0)
    assert compositor.show([("a", black), ("b", white)])[0].tolist() == [0] * 4 + [255] * 8 + [100] * 4
    assert compositor.show([("b", white), ("a", black)])[0].tolist() == [0] * 8 + [255] * 4 + [100] * 4
    assert compositor.show([])[0].tolist() == [100] * 16


def test_a_sprite_mixes_by_its_opacity() -> None:
    pixels = np.dstack([np.full((2, 2), 60, np.uint8), np.full((2, 2), 102, np.uint8)])  # four tenths opaque
    canvas = np.full((4, 4), 200, np.uint8)
    sprite_of(Box(1, 1, 3, 3), pixels).paint(canvas, Box(0, 0, 4, 2))
    assert canvas.tolist() == [[200] * 4, [200, 180, 180, 200], [200] * 4, [200] * 4]
    below = np.dstack([np.full((2, 2), 100, np.uint8), np.full((2, 2), 255, np.uint8)])
    assert laid_over(below, pixels)[0, 0].tolist() == [120, 255]


@given(st.floats(-3, 3), st.floats(0, 3))
def test_a_shift_kernel_moves_the_middle_and_keeps_the_light(shift_px: float, smear_px: float) -> None:
    kernel = shift_kernel(shift_px, smear_px).astype(float)
    assert kernel.sum() == pytest.approx(1.0, abs=1e-5)
    assert (kernel >= 0).all()
    # Correlation with weights right of the middle moves a picture to the left.
    middle = float((np.arange(len(kernel)) - len(kernel) // 2) @ kernel)
    assert -middle == pytest.approx(shift_px, abs=1e-4)


@settings(deadline=None)
@given(st.floats(-50, 50), st.floats(-50, 50))
def test_a_smear_keeps_light_and_place(dx: float, dy: float) -> None:
    pixels = np.zeros((160, 160, 2), np.uint8)
    pixels[72:88, 72:88] = 240
    after = smeared(pixels, (dx, dy))
    assert after.shape == pixels.shape
    assert int(after.sum()) == pytest.approx(int(pixels.sum()), rel=0.06)
    rows, columns = np.nonzero(after[..., 0])
    weights = after[rows, columns, 0].astype(float)
    assert np.average(columns, weights=weights) == pytest.approx(79.5, abs=0.8)
    assert np.average(rows, weights=weights) == pytest.approx(79.5, abs=0.8)
    if abs(dx) > 2:
        assert int(columns.max() - columns.min()) >= 15 + 0.6 * abs(dx)


@pytest.mark.parametrize("order", [1, -1])
def test_the_nearer_ball_covers_the_farther_in_any_order(order: int) -> None:
    near = Limb((300, -100, 60), (300, -100, 60), 12, 12, "pawn red")
    far = Limb((300, -90, 5), (300, -90, 5), 30, 30, "pawn green")
    balls = sweep([near, far][::order])
    rect = balls_rect(OPTICS, balls)
    picture = draw_balls(OPTICS, balls, rect, 1)
    x, y = (OPTICS.camera.project([[300, -100, 60]])[0] - (rect.x0, rect.y0)).round().astype(int)
    blue, green, red, opacity = picture[y, x].tolist()
    assert opacity == 255
    assert red > green
    assert picture[0, 0].tolist() == [0, 0, 0, 0]
    grey = draw_balls(OPTICS, balls, rect, 1, colour=False)
    assert grey[y, x, 0] == pytest.approx(0.114 * blue + 0.587 * green + 0.299 * red, abs=1)


@settings(deadline=None, max_examples=30)
@given(st.floats(100, 500), st.floats(-250, 20), st.floats(0, 40), st.floats(-180, 180))
def test_a_flat_texture_lies_where_its_plane_is(x: float, y: float, z: float, turn: float) -> None:
    spot = np.zeros((80, 80, 2), np.uint8)
    spot[46:70, 50:74] = 255  # its middle is at texel 62 (from the left) and 58 (from the top)
    texture = Texture(spot, 2.4)
    where = level_plane(x, y, z, turn)
    rect = OPTICS.rect_of(where.at(texture.outline()))
    drawn = OPTICS.draw(texture, where, rect)[..., 0].astype(float)
    rows, columns = np.mgrid[rect.y0 : rect.y1, rect.x0 : rect.x1]
    seen = np.array([(columns * drawn).sum(), (rows * drawn).sum()]) / drawn.sum()
    wanted = OPTICS.camera.project(where.at([[(62 - 40) / 2.4, -(58 - 40) / 2.4]]))[0]
    assert np.abs(seen - wanted).max() < 0.2


def test_a_shadow_falls_away_from_the_lamp_and_needs_strength() -> None:
    dark = Light(OPTICS, Disturbances(shadows=1.0), seed=5)
    assert (
        Studio(TABLE, OPTICS, Light(OPTICS, NONE, 5), False, 0.0).shadow([], np.array([[300.0, -100, 40, 8]]), 4, 1)
        is None
    )
    shadow = Studio(TABLE, OPTICS, dark, False, 0.0).shadow([], np.array([[300.0, -100.0, 40.0, 8.0]]), 4.0, 1.0)
    assert shadow is not None
    darkness = 255.0 - shadow.keep
    rows, columns = np.mgrid[shadow.rect.y0 : shadow.rect.y1, shadow.rect.x0 : shadow.rect.x1]
    middle = np.array([(columns * darkness).sum(), (rows * darkness).sum()]) / darkness.sum()
    place = OPTICS.camera.at_height([middle], 0.0)[0]
    lamp = np.array([dark.lamp.x_mm, dark.lamp.y_mm])
    assert np.linalg.norm(place - lamp) > np.linalg.norm(np.array([300.0, -100.0]) - lamp) + 8.0
    assert place == pytest.approx(np.array([300.0, -100.0]) + 40.0 * np.array(dark.lamp.slope), abs=4.0)


@pytest.mark.slow
def test_labels_sit_near_two_opposite_corners_and_the_back_is_the_same_for_all() -> None:
    faces = [card_face(card, "A", 25.0).pixels for card in DECK]
    assert len({face.tobytes() for face in faces}) == 25
    for face in faces:
        label = (slice(33, 33 + 126), slice(33, 33 + 126))  # 6.5 mm and 21 modules at 6 texels each
        assert np.array_equal(face[label], face[::-1, ::-1][label])
        assert face[label].min() < 50 < 200 < face[label].max()
    assert card_back(25.0).pixels.shape == faces[0].shape
    assert label_picture("EG1:A:3B", 3).shape == (87, 87)
    assert (label_picture("EG1:A:3B", 3)[:12] == 255).all()


def test_finger_tips_are_where_they_grip() -> None:
    hand = SceneHand(Side.WHITE, 0.0, 0.0)
    card = SceneCard(Card(1, "a"), 0.0, 0.0, level=3, lifted_mm=10.0)
    figure = SceneFigure(Side.WHITE, 0.0, 0.0, lifted_mm=10.0)
    assert tip_height_mm(replace(hand, height_mm=33.0)) == 33.0
    assert tip_height_mm(replace(hand, holds=card)) == pytest.approx(10.0 + 4 * CARD_THICKNESS_MM)
    assert tip_height_mm(replace(hand, holds=figure)) > 40.0
    assert 0 < tip_height_mm(hand) < 15


def test_no_decor_in_a_corner_markers_way() -> None:
    assert decor_sprites(TABLE, OPTICS)
    assert not decor_sprites(replace(TABLE, corners=(*TABLE.corners, Corner(6, 300.0, 45.0, 0.0))), OPTICS)
