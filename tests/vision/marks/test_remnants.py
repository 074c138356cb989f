"""Labels that the next card cuts into: read from what is left, or known to be there; never taken for another."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from scene_clutter import SceneClutter

from engine.rules.cards import DECK, Card
from engine.rules.track import Side
from tests.tables import TABLE
from vision.frame import Picture
from vision.geometry import Box, Camera
from vision.marks.finders import find_finders
from vision.marks.labels import Label, LabelReader
from vision.marks.markers import box_around
from vision.marks.remnants import Remnant, search_remnants
from vision.marks.work import MAX_WORK
from vision.printed.card_shape import CardShapes, LabelPose, finder_places, rectangle_mm
from vision.printed.tags import QR_MODULES
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, camera_variant, figure_at
from vision.synthetic.camera import default_camera

pytestmark = pytest.mark.slow

MODULE_PX = 3.0
STANDING = (figure_at(TABLE, Side.WHITE, 4), figure_at(TABLE, Side.BLACK, 20))
LOWER = Card.parse("3b")


def seen(
    *cards: SceneCard, strength: str = "typical", seed: int = 3, clutter: tuple[SceneClutter, ...] = ()
) -> Picture:
    renderer = Renderer(TABLE, camera_variant(TABLE, seed), PRESETS[strength], seed)
    return renderer.render(Scene(cards, *STANDING, things=clutter), 0, 0.0).y


def area(camera: Camera) -> Box:
    corners = [(200, -250, 0), (420, -250, 0), (420, -70, 0), (200, -70, 0)]
    return box_around(camera.project(corners), 0.0, camera.width, camera.height)


def searched(*given: Any) -> tuple[Remnant, ...]:
    """What a search finds, all its steps taken, each of which a frame has time for."""
    steps = search_remnants(*given)
    while True:
        try:
            assert next(steps) < MAX_WORK
        except StopIteration as end:
            return tuple(end.value)


def remnants(y: Picture, seed: int = 3) -> tuple[list[Label], tuple[Remnant, ...]]:
    camera, reader = camera_variant(TABLE, seed), LabelReader()
    box = area(camera)
    reading = reader.read(y, box, MODULE_PX)
    found = searched(y, box, camera, TABLE, MODULE_PX, reading.labels, reading.unread, reader)
    return [*reading.labels], found


def under(offset_mm: float, strength: str, seed: int, turn_deg: float = 0.0) -> tuple[list[Label], tuple[Remnant, ...]]:
    lower = SceneCard(LOWER, 300.0, -160.0, turn_deg)
    along = math.radians(turn_deg)
    upper = SceneCard(
        Card.parse("5d"), 300.0 + offset_mm * math.cos(along), -160.0 + offset_mm * math.sin(along), turn_deg, level=1
    )
    return remnants(seen(lower, upper, strength=strength, seed=seed), seed)


@pytest.mark.parametrize("strength", ["typical", "hard"])
@pytest.mark.parametrize("turn_deg", [0.0, 31.0])
def test_with_two_thirds_of_a_label_left_the_card_is_read(strength: str, turn_deg: float) -> None:
    """Neither library reads any of these: the next card hides a finder pattern of the label."""
    for seed, offset_mm in ((1, 25.0), (2, 24.0), (3, 23.0)):
        labels, found = under(offset_mm, strength, seed, turn_deg)
        assert LOWER not in {label.card for label in labels}
        above, cut = Card.parse("5d"), [remnant.label for remnant in found if remnant.label is not None]
        assert {label.card for label in (*labels, *cut)} == {above, LOWER}  # a reader may fail at what lies above, too
        (label,) = (label for label in cut if label.card != above)
        at = camera_variant(TABLE, seed).at_height(label.corners, 0.0)
        upright = np.array([[-12.5, 12.5], [12.5, 12.5], [12.5, -12.5], [-12.5, -12.5]]) + np.array([-13.0, 25.5])
        c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
        expected = upright @ np.array([[c, s], [-s, c]]) + (300.0, -160.0)
        assert np.abs(at - expected).max() < 2.5  # mm, of a card that lies on the table


def test_with_one_finder_pattern_left_the_code_is_known_to_be_there() -> None:
    _, found = under(15.5, "typical", 1)
    assert [remnant.label for remnant in found] == [None]


def test_what_is_left_is_never_taken_for_another_card() -> None:
    for number, offset_mm in enumerate(np.arange(5.0, 31.0, 3.7)):
        labels, found = under(float(offset_mm), "hard", number % 5, turn_deg=float(number * 13 % 60))
        cards = {label.card for label in labels} | {remnant.label.card for remnant in found if remnant.label}
        assert cards <= {LOWER, Card.parse("5d")}, (number, offset_mm)


def test_other_codes_are_no_remnants() -> None:
    clutter = (SceneClutter("qr", 300.0, -160.0, 20.0), SceneClutter("qr", 360.0, -200.0, 75.0, "HELLO"))
    labels, found = remnants(seen(clutter=clutter))
    assert (labels, found) == ([], ())


def test_another_decks_half_hidden_card_is_not_ours() -> None:
    lower = SceneCard(LOWER, 300.0, -160.0, deck="B")
    upper = SceneCard(Card.parse("5d"), 324.0, -160.0, level=1)
    _, found = remnants(seen(lower, upper))
    assert [remnant.label for remnant in found] == [None]


def test_finder_patterns_are_found_where_a_cards_labels_have_them() -> None:
    camera = camera_variant(TABLE, 2)
    card = SceneCard(DECK[11], 310.0, -150.0, 23.0)
    y = seen(card, seed=2)
    found = find_finders(y, area(camera), camera, TABLE.qr_mm / QR_MODULES, MODULE_PX)
    middle, way = LabelPose((310.0, -150.0), 90.0 + 23.0), CardShapes.of(TABLE).usual
    upper = LabelPose(middle.towards(-way.across_mm / 2, -way.down_mm / 2), 90.0 + 23.0)
    lower = LabelPose(middle.towards(way.across_mm / 2, way.down_mm / 2), 270.0 + 23.0)
    expected = (*finder_places(upper, TABLE.qr_mm), *finder_places(lower, TABLE.qr_mm))
    assert len(found) == len(expected) == 6
    for place in expected:
        nearest = min(found, key=lambda finder: math.dist(finder[:2], place))
        assert math.dist(nearest[:2], place) < 1.0
        assert abs((nearest.turn_deg - 23.0 + 45.0) % 90.0 - 45.0) < 3.0
        assert nearest.black < nearest.white


@pytest.mark.parametrize(("around", "found"), [(200, 1), (60, 0)], ids=["on paper", "on a dark cloth"])
def test_a_ring_is_a_finder_pattern_where_white_is_around_it(around: int, found: int) -> None:
    camera, module_mm = camera_variant(TABLE, 2), TABLE.qr_mm / QR_MODULES
    y = np.full(seen(seed=2).shape, around, np.uint8)
    for modules, grey in ((7, 60), (5, 200), (3, 60)):
        half_mm = modules / 2 * module_mm
        px = camera.project(rectangle_mm((300.0, -160.0), 0.0, half_mm, half_mm))
        cv2.fillConvexPoly(y, np.round(px).astype(np.int32), grey)
    assert len(find_finders(y, area(camera), camera, module_mm, MODULE_PX)) == found


def test_a_label_that_begins_where_another_is_cut_is_read_too() -> None:
    """Its finder patterns lie where the lower label would go on, and are none of that."""
    fan = [SceneCard(card, 280.0 + number * 21.5, -160.0, level=number) for number, card in enumerate(DECK[3:6])]
    labels, found = remnants(seen(*fan, seed=1), seed=1)
    cut = {remnant.label.card for remnant in found if remnant.label is not None}
    assert cut | {label.card for label in labels} == set(DECK[3:6])


def test_a_half_hidden_card_is_read_in_a_picture_of_few_pixels() -> None:
    small = replace(TABLE, camera=TABLE.camera._replace(width=1280, height=720))
    camera, reader = default_camera(small), LabelReader()
    fan = (SceneCard(LOWER, 240.0, -150.0, 3.0), SceneCard(Card.parse("3d"), 262.0, -152.0, 1.0, level=1))
    y = Renderer(small, camera, PRESETS["typical"], 4).render(Scene(fan, *STANDING), 0, 0.0).y
    box, module_px = area(camera), 1.7
    read = reader.read(y, box, module_px)
    found = searched(y, box, camera, small, module_px, read.labels, read.unread, reader)
    assert LOWER not in {label.card for label in read.labels}
    assert LOWER in {remnant.label.card for remnant in found if remnant.label is not None}
