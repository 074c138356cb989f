"""What the simulated camera shows is where geometry says it is, and what is hidden is not seen."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
import zxingcpp
from scene_clutter import SceneClutter

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from tests.tables import TABLE
from vision.frame import Frame, Picture
from vision.geometry import Floats
from vision.printed.tags import aruco_dictionary, payload
from vision.synthetic import (
    HARD,
    NONE,
    TYPICAL,
    Renderer,
    Scene,
    SceneCard,
    SceneFigure,
    SceneHand,
    camera_variant,
    figure_at,
)
from vision.synthetic.cardface import INSET_MM, card_plane
from vision.synthetic.scene import CARD_HEIGHT_MM, CARD_WIDTH_MM

pytestmark = pytest.mark.slow

STANDING = Scene(white=figure_at(TABLE, Side.WHITE, 9), black=figure_at(TABLE, Side.BLACK, 14))


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


def test_foreign_codes_are_really_there(clear: Renderer) -> None:
    clutter = (
        SceneClutter("qr", 620, -200, 20, text="HTTPS://EXAMPLE.ORG"),
        SceneClutter("mug", 720, 120),
        SceneClutter("pen", -90, -120, 70),
        SceneClutter("coin", 0, -200),
    )
    frame = clear.render(replace(STANDING, things=clutter), 0, 0.0)
    assert [text for text, _ in labels_in(frame)] == ["HTTPS://EXAMPLE.ORG"]
    bare = clear.render(STANDING, 1, 0.0)
    for thing in clutter:
        x, y = clear.camera.project([[thing.x_mm, thing.y_mm, 1.0]])[0].astype(int)
        there = (slice(y - 20, y + 20), slice(x - 20, x + 20))
        assert np.abs(frame.y[there].astype(int) - bare.y[there]).max() > 30, thing.kind


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
