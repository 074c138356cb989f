"""What the simulated camera shows is where geometry says it is, disturbed as far as it should be, and always alike."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from scene_clutter import SceneClutter

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from tests.tables import TABLE
from vision.frame import Frame, Picture
from vision.geometry import Box, Floats
from vision.printed.table import CameraFrame, Corner
from vision.printed.tags import aruco_dictionary, payload
from vision.synthetic import (
    HARD,
    NONE,
    PRESETS,
    TYPICAL,
    Disturbances,
    Renderer,
    Scene,
    SceneCard,
    SceneFigure,
    SceneHand,
    camera_variant,
    default_camera,
    figure_at,
)
from vision.synthetic.background import decor_sprites, ground
from vision.synthetic.camera import NAMES
from vision.synthetic.cardface import INSET_MM, card_plane
from vision.synthetic.drawing import Optics, Sprite, Texture, level_plane
from vision.synthetic.renderer import Compositor
from vision.synthetic.scene import CARD_HEIGHT_MM, CARD_WIDTH_MM

pytestmark = pytest.mark.slow

STANDING = Scene(white=figure_at(TABLE, Side.WHITE, 9), black=figure_at(TABLE, Side.BLACK, 14))
SMALL = replace(TABLE, camera=CameraFrame(580, 326, 66.0))
OPTICS = Optics(default_camera(SMALL))
CARDS = (SceneCard(Card(3, "b"), 180, -150, 10), SceneCard(Card(5, "e"), 210, -160, -30, level=1))
MOVING = Scene(
    CARDS,
    figure_at(TABLE, Side.WHITE, 5),
    figure_at(TABLE, Side.BLACK, 17),
    (SceneHand(Side.BLACK, 400, -140, holds=SceneCard(Card(1, "a"), 400, -110), velocity_mm_s=(500.0, 100.0)),),
)
DRAWN = Path(__file__).with_name("drawn.png")


def test_the_table_is_drawn_as_it_was_when_somebody_looked_at_it_last(request: pytest.FixtureRequest) -> None:
    """By the means of four by four pixels, which other processors round by a little otherwise."""
    back = SceneCard(DECK[2], 300, -200, 20, face_up=False, back="7KQ2XN")
    lifted = SceneFigure(Side.WHITE, 140.0, 10.0, 10.0, lifted_mm=30.0)
    other = Scene((back,), None, replace(figure_at(TABLE, Side.BLACK, 17), lying=True), light=0.7)
    other = replace(other, hands=(SceneHand(Side.WHITE, 140.0, 0.0, -60.0, holds=lifted),))
    looks = []
    for number, (strengths, scene) in enumerate(((NONE, MOVING), (TYPICAL, other), (HARD, MOVING))):
        frame = Renderer(SMALL, camera_variant(SMALL, number), strengths, seed=number).render(scene, 3, 0.3)
        for picture in (frame.bgr(), cv2.cvtColor(frame.y, cv2.COLOR_GRAY2BGR)):
            looks.append(cv2.resize(picture, (145, 82), interpolation=cv2.INTER_AREA))
    drawn = np.vstack(looks)
    if request.config.getoption("update_snapshots"):
        cv2.imwrite(str(DRAWN), drawn)
    apart = np.abs(drawn.astype(int) - cv2.imread(str(DRAWN)))
    assert apart.max() <= 3
    assert apart.mean() < 0.1


@pytest.fixture(scope="module")
def clear() -> Renderer:
    return Renderer(TABLE, disturbances=NONE)


@pytest.fixture(scope="module")
def typical() -> Renderer:
    return Renderer(TABLE, camera_variant(TABLE, 3), TYPICAL, seed=3)


def markers_in(picture: Picture) -> dict[int, Floats]:
    """Each marker found and its four corners in pixels."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(aruco_dictionary(), parameters).detectMarkers(picture)
    if ids is None:
        return {}
    found = sorted(zip(np.ravel(ids), corners, strict=True), key=lambda marker: -cv2.contourArea(marker[1]))
    return {int(number): np.asarray(corner, np.float64).reshape(4, 2) for number, corner in found}


def labels_in(frame: Frame) -> list[tuple[str, Floats]]:
    """The text and the middle in pixels of every QR label read."""
    found = []
    for code in zxingcpp.read_barcodes(frame.y, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)):
        place = code.position
        corners = [place.top_left, place.top_right, place.bottom_right, place.bottom_left]
        found.append((code.text, np.array([[corner.x, corner.y] for corner in corners], dtype=float).mean(axis=0)))
    return found


def square(x: float, y: float, z: float, side: float) -> Floats:
    half = side / 2
    return np.array(
        [[x - half, y + half, z], [x + half, y + half, z], [x + half, y - half, z], [x - half, y - half, z]]
    )


def test_marker_corners_are_where_the_camera_projects_them(clear: Renderer) -> None:
    found = markers_in(clear.render(STANDING, 0, 0.0).y)
    truth = {corner.id: square(corner.x, corner.y, corner.z, TABLE.board_size_mm) for corner in TABLE.corners}
    truth[4] = square(*TABLE.tag_mm(9), TABLE.fencer_size_mm)
    truth[5] = square(*TABLE.tag_mm(14), TABLE.fencer_size_mm)
    assert found.keys() == truth.keys()
    for number, corners in truth.items():
        assert np.abs(found[number] - clear.camera.project(corners)).max() < 0.5, number


def test_a_turned_camera_with_a_stepped_track_is_true_too() -> None:
    steps = tuple(place._replace(z=4.0 * (number // 4)) for number, place in enumerate(TABLE.spaces_mm))
    table = replace(TABLE, spaces_mm=steps)
    camera = camera_variant(table, 5, 1.0)
    found = markers_in(Renderer(table, camera).render(Scene(white=figure_at(table, Side.WHITE, 23)), 0, 0.0).y)
    assert found.keys() >= {0, 3, 4}
    tag = square(*table.tag_mm(23), table.fencer_size_mm)
    assert np.abs(found[4] - camera.project(tag)).max() < 0.5


def label_centres_mm(qr_mm: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where the two labels' middles lie from the card's middle, u right and v up, mm."""
    u = -CARD_WIDTH_MM / 2 + INSET_MM + qr_mm / 2
    v = CARD_HEIGHT_MM / 2 - INSET_MM - qr_mm / 2
    return (u, v), (-u, -v)


def test_every_label_is_read_at_its_place(clear: Renderer) -> None:
    cards = tuple(
        SceneCard(card, 120.0 + 115.0 * (number % 4), -108.0 - 110.0 * (number // 4), 73.0 * number)
        for number, card in enumerate(DECK[::3][:8])
    )
    read = labels_in(clear.render(Scene(cards), 0, 0.0))
    assert len(read) == 16
    for card in cards:
        for centre in label_centres_mm(TABLE.qr_mm):
            wanted = clear.camera.project(card_plane(card).at([centre]))[0]
            text, middle = min(read, key=lambda label: float(np.linalg.norm(label[1] - wanted)))
            assert text == payload(card.card, "A")
            assert np.linalg.norm(middle - wanted) < 2.0


def test_nearly_all_labels_are_read_in_ordinary_pictures_and_fewer_in_hard_ones(typical: Renderer) -> None:
    cards = tuple(
        SceneCard(card, 110.0 + 98.0 * (n % 5), -105.0 - 100.0 * (n // 5), 31.0 * n) for n, card in enumerate(DECK[:10])
    )
    scene = replace(STANDING, cards=cards)
    ordinary = typical.render(scene, 0, 0.0)
    assert len(labels_in(ordinary)) >= 19
    assert markers_in(ordinary.y).keys() == {0, 1, 2, 3, 4, 5}
    hard = Renderer(TABLE, camera_variant(TABLE, 3), HARD, seed=3)
    frames = [labels_in(hard.render(scene, index, index / 10)) for index in range(4)]
    assert max(len(read) for read in frames) < 20
    assert len({text for read in frames for text, _ in read}) >= 8


def test_the_upper_card_of_a_pile_hides_the_lower(clear: Renderer) -> None:
    pile = (SceneCard(Card(1, "a"), 300, -160, 2, level=0), SceneCard(Card(2, "b"), 301, -161, 4, level=1))
    assert {text for text, _ in labels_in(clear.render(Scene(pile), 0, 0.0))} == {"EG1:A:2B"}
    turned = (replace(pile[0], level=1), replace(pile[1], level=0))
    assert {text for text, _ in labels_in(clear.render(Scene(turned), 0, 0.0))} == {"EG1:A:1A"}


def test_a_card_face_down_shows_nothing_and_a_foreign_one_its_deck(clear: Renderer) -> None:
    cards = (SceneCard(Card(1, "a"), 200, -160, face_up=False), SceneCard(Card(4, "c"), 400, -160, deck="B"))
    assert {text for text, _ in labels_in(clear.render(Scene(cards), 0, 0.0))} == {"EG1:B:4C"}


def test_a_hand_hides_tag_and_labels_beneath_it(typical: Renderer) -> None:
    place = TABLE.tag_mm(9)
    over_tag = SceneHand(Side.WHITE, place.x + 10, place.y + 50, -100)
    seen = markers_in(typical.render(replace(STANDING, hands=(over_tag,)), 0, 0.0).y)
    assert seen.keys() == {0, 1, 2, 3, 5}
    card = SceneCard(Card(3, "d"), 300, -170)
    over_card = SceneHand(Side.BLACK, 300, -100, -90)
    assert labels_in(typical.render(Scene((card,)), 1, 0.1))
    assert not labels_in(typical.render(Scene((card,), hands=(over_card,)), 2, 0.2))


def test_a_figure_hides_what_is_behind_it_not_its_own_tag(clear: Renderer) -> None:
    behind = figure_at(TABLE, Side.WHITE, 12)
    before = SceneFigure(Side.BLACK, behind.x_mm, behind.y_mm - 52.0)
    assert markers_in(clear.render(Scene(white=behind), 0, 0.0).y).keys() == {0, 1, 2, 3, 4}
    assert markers_in(clear.render(Scene(white=behind, black=before), 0, 0.0).y).keys() == {0, 1, 2, 3, 5}


def test_a_figure_in_a_hand_carries_its_tag_with_it(clear: Renderer) -> None:
    held = SceneFigure(Side.BLACK, 300.0, -60.0, lifted_mm=20.0)
    lifted = markers_in(clear.render(Scene(hands=(SceneHand(Side.BLACK, 380.0, 10.0, -30.0, holds=held),)), 0, 0.0).y)
    offset = TABLE.fencer_offset_mm
    tag = square(300.0 + offset.x, -60.0 + offset.y, 20.0 + offset.z, TABLE.fencer_size_mm)
    assert np.abs(lifted[5] - clear.camera.project(tag)).max() < 0.5


def test_a_figure_lying_down_shows_no_readable_tag_on_the_board(clear: Renderer) -> None:
    upright = figure_at(TABLE, Side.WHITE, 12)
    assert 4 in markers_in(clear.render(Scene(white=upright), 0, 0.0).y)
    assert 4 not in markers_in(clear.render(Scene(white=replace(upright, lying=True)), 0, 0.0).y)


def test_the_colour_picture_is_the_same_look(typical: Renderer) -> None:
    scene = replace(STANDING, cards=(SceneCard(Card(5, "a"), 200, -150, 10),))
    frame = typical.render(scene, 7, 0.7)
    assert frame.picture is not None
    picture = frame.picture()
    assert picture.shape == (1296, 2304, 3)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    assert np.abs(grey.astype(int) - frame.y).mean() < 2.0
    assert markers_in(np.asarray(grey, dtype=np.uint8)).keys() == {0, 1, 2, 3, 4, 5}
    assert (picture.max(axis=2).astype(int) - picture.min(axis=2)).mean() > 20  # not grey


# Each disturbance has a strength that shows, a seed, and nothing else that is random.


def rendered(strengths: Disturbances, scene: Scene = MOVING, seed: int = 1, index: int = 3) -> Picture:
    return Renderer(SMALL, disturbances=strengths, seed=seed).render(scene, index, index / 10).y


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
    renderer = Renderer(SMALL, disturbances=Disturbances(shake=strength), seed=1)
    clear = rendered(NONE).astype(int)
    return float(np.mean([np.abs(renderer.render(MOVING, index, index / 10).y - clear).mean() for index in range(6)]))


def test_defocus_and_motion_take_sharpness_from_what_they_touch() -> None:
    still = replace(MOVING, hands=())
    assert sharpness(rendered(Disturbances(defocus=1.0), still)) < 0.7 * sharpness(rendered(NONE, still))
    assert np.array_equal(rendered(Disturbances(motion_blur=1.0), still), rendered(NONE, still))
    # A fast hand drags its card along x: upright edges blur, level ones stay.
    camera = default_camera(SMALL)
    x, y = camera.project([[400.0, -95.0, 0.0]])[0].astype(int)
    there = (slice(y - 12, y + 12), slice(x - 14, x + 14))
    blurred, sharp = rendered(Disturbances(motion_blur=1.0))[there], rendered(NONE)[there]
    assert across(blurred) < 0.6 * across(sharp)


def across(picture: Picture) -> float:
    return float(np.abs(cv2.Sobel(picture, cv2.CV_64F, 1, 0)).mean())


def test_noise_is_stronger_in_the_dark() -> None:
    renderer = Renderer(SMALL, disturbances=Disturbances(noise=1.0), seed=1)
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
    yield Scene((CARDS[0], CARDS[0]), None, figure_at(SMALL, Side.BLACK, 6), things=(SceneClutter("mug", 500, -200),))
    yield Scene((CARDS[0],), None, figure_at(SMALL, Side.BLACK, 6))
    yield Scene(tuple(SceneCard(card, 100 + 18 * n, -150, 7 * n, n) for n, card in enumerate(DECK)), light=0.5)


@pytest.mark.parametrize("strengths", [NONE, TYPICAL])
@pytest.mark.parametrize("look", ["y", "picture"])
def test_what_was_rendered_before_leaves_no_trace(strengths: Disturbances, look: str) -> None:
    def shown(renderer: Renderer, scene: Scene, index: int) -> Picture:
        frame = renderer.render(scene, index, index / 10)
        assert frame.picture is not None
        return frame.y if look == "y" else frame.picture()

    used = Renderer(SMALL, disturbances=strengths, seed=4)
    for index, scene in enumerate(story()):
        fresh = Renderer(SMALL, disturbances=strengths, seed=4)
        assert np.array_equal(shown(used, scene, index), shown(fresh, scene, index)), index


def test_a_frame_keeps_its_pixels_when_the_next_is_rendered() -> None:
    for strengths in (NONE, TYPICAL):
        renderer = Renderer(SMALL, disturbances=strengths)
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
        return camera_variant(SMALL, seed, strength).position_mm

    home = default_camera(SMALL).position_mm
    assert np.array_equal(camera_at(1, 0.0), home)
    assert np.array_equal(camera_at(1, 0.5), camera_at(1, 0.5))
    assert not np.array_equal(camera_at(1, 0.5), camera_at(2, 0.5))
    assert np.linalg.norm(camera_at(1, 0.2) - home) < np.linalg.norm(camera_at(1, 0.5) - home)
    area = SMALL.play_area
    points = [corner[1:] for corner in SMALL.corners]
    points += [(x, y, 0.0) for x in (area.x0, area.x1) for y in (area.y0, area.y1)]
    for seed in range(20):
        px = camera_variant(SMALL, seed, 1.0).project(points)
        assert (px > 0).all()
        assert (px < (580, 326)).all()


# The pieces: rectangles, textures, what is painted anew.


def test_what_is_seen_infinitely_far_outside_is_not_seen() -> None:
    assert OPTICS.blocks((-1e300, -1e300), (-1e299, -1e299)).empty
    assert OPTICS.blocks((1e299, 1e299), (1e300, 1e300)).empty
    assert OPTICS.blocks((-1e300, -1e300), (1e300, 1e300)) == OPTICS.blocks((0, 0), (579, 325))


def test_layers_that_only_change_places_are_painted_anew() -> None:
    black = Sprite(Box(0, 0, 8, 8), np.zeros((8, 8), np.uint8), np.zeros((8, 8), np.uint8))
    white = Sprite(Box(4, 0, 12, 8), np.zeros((8, 8), np.uint8), np.full((8, 8), 255, np.uint8))
    compositor = Compositor(np.full((8, 16), 100, np.uint8), 0.0)
    assert compositor.show([("a", black), ("b", white)])[0].tolist() == [0] * 4 + [255] * 8 + [100] * 4
    assert compositor.show([("b", white), ("a", black)])[0].tolist() == [0] * 8 + [255] * 4 + [100] * 4
    assert compositor.show([])[0].tolist() == [100] * 16


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


def test_no_decor_in_a_corner_markers_way() -> None:
    assert decor_sprites(SMALL, OPTICS)
    assert not decor_sprites(replace(SMALL, corners=(*SMALL.corners, Corner(6, 300.0, 45.0, 0.0))), OPTICS)


def test_two_that_ask_at_once_get_one_ground() -> None:
    table = replace(TABLE, qr_mm=TABLE.qr_mm + 0.01)  # that nobody asked for before
    with ThreadPoolExecutor(2) as both:
        first, second = both.map(ground, (table, table))
    assert first is second
