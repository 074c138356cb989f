"""From pixels to spaces and cards, against cameras whose truth is known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.cards import Card
from engine.table.observation import FigureProblem, FigureReading
from tests.tables import TABLE
from vision.agree.agreement import in_footprint
from vision.geometry import Camera, Floats, look_at
from vision.marks.labels import Label
from vision.marks.markers import Marker, diagonals_meet
from vision.printed.card_shape import CardShapes, LabelPose, Place, shift_mm
from vision.printed.table import Table, TablePoint
from vision.sights.observe import (
    HIDDEN,
    CardSight,
    FigureSight,
    LabelPlace,
    both_labels,
    card_sights,
    figure_reading,
    figure_sight,
    label_place,
)

SHAPES = CardShapes.of(TABLE)
CARD = Card.parse("3b")


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    def number(low: float, high: float) -> float:
        return draw(st.floats(low, high))

    return look_at(
        (308 + number(-250, 250), number(-550, -200), number(450, 800)),
        (308 + number(-60, 60), number(-120, -60), 0.0),
        number(-180, 180),
        number(60, 100),
        dist=(-0.035, 0.006, 0.0, 0.0, 0.0),
    )


def square(x: float, y: float, z: float, size: float, turn_deg: float) -> Floats:
    """A level square's corners from its top left, clockwise seen from above, (4, 3) mm."""
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    h = size / 2
    return np.array([[x + c * u - s * v, y + s * u + c * v, z] for u, v in ((-h, h), (h, h), (h, -h), (-h, -h))])


def tag(camera: Camera, x: float, y: float, z: float, turn_deg: float, table: Table = TABLE) -> Marker:
    """The tag of a figure whose base is at x, y on a surface at z."""
    ox, oy, oz = table.fencer_offset_mm
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    at = square(x + c * ox - s * oy, y + s * ox + c * oy, z + oz, table.fencer_size_mm, turn_deg)
    return Marker(4, camera.project(at))


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(cameras(), st.integers(1, 23), st.floats(-8.0, 8.0), st.floats(-12.0, 12.0), st.floats(-40.0, 40.0))
def test_a_figure_is_on_its_space_wherever_the_camera_is(
    camera: Camera, space: int, dx: float, dy: float, turn_deg: float
) -> None:
    place = TABLE.space_mm(space)
    reading = figure_reading(tag(camera, place.x + dx, dy, 0.0, turn_deg), camera, TABLE)
    assert reading.space == space
    assert reading.x_mm == pytest.approx(place.x + dx, abs=0.3)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(cameras(), st.integers(1, 22), st.floats(9.0, 19.0))
def test_between_two_spaces_is_an_answer_of_its_own(camera: Camera, space: int, dx: float) -> None:
    reading = figure_reading(tag(camera, TABLE.space_mm(space).x + dx, 0.0, 0.0, 0.0), camera, TABLE)
    assert (reading.space, reading.problem) == (None, FigureProblem.BETWEEN_SPACES)


@pytest.mark.parametrize(("x", "y"), [(-20.0, 0.0), (636.5, 0.0), (300.0, 20.0), (300.0, -60.0)])
def test_off_the_track_is_another(x: float, y: float) -> None:
    camera = look_at((308, -400, 600), (308, -88, 0))
    reading = figure_reading(tag(camera, x, y, 0.0, 0.0), camera, TABLE)
    assert (reading.space, reading.problem) == (None, FigureProblem.OFF_TRACK)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(st.integers(1, 23), st.floats(-5.0, 20.0), st.sampled_from([0, 90, 180, 270]))
def test_a_tag_on_edge_is_a_lying_figure(space: int, lean_deg: float, turn_deg: int) -> None:
    camera = look_at((308, -400, 600), (308, -88, 0))
    place = TABLE.tag_mm(space)
    flat = square(0.0, 0.0, 0.0, 20.0, turn_deg)
    lean = math.radians(90.0 + lean_deg)
    # Leaning further to the camera it would look just as a flat one does: no single picture tells these apart.
    tilted = flat @ np.array([[1, 0, 0], [0, math.cos(lean), -math.sin(lean)], [0, math.sin(lean), math.cos(lean)]]).T
    reading = figure_reading(Marker(4, camera.project(tilted + np.array([place.x, place.y, 12.0]))), camera, TABLE)
    assert (reading.space, reading.problem) in ((None, FigureProblem.LYING), (None, FigureProblem.OFF_TRACK))


def test_a_stepped_track_is_read_at_each_spaces_own_height() -> None:
    steps = tuple(TablePoint(28.0 * number, 0.0, 20.0 if 8 <= number < 15 else 0.0) for number in range(23))
    table = replace(TABLE, spaces_mm=steps)
    camera = look_at((150, -420, 520), (308, -88, 0))
    for space in range(1, 24):
        place = table.space_mm(space)
        reading = figure_reading(tag(camera, place.x + 5.0, 0.0, place.z, 3.0, table), camera, table)
        assert reading.space == space
        assert reading.x_mm == pytest.approx(place.x + 5.0, abs=0.5)


def test_without_a_tag_a_fencer_is_hidden_and_of_two_tags_the_one_on_a_space_counts() -> None:
    off, on = FigureReading(None, FigureProblem.OFF_TRACK, 9.0), FigureReading(9, None, 224.0)
    assert figure_sight([off, on], clear=True) == FigureSight(on, clear=True)
    assert figure_sight([], clear=False) == FigureSight(HIDDEN, clear=False)


def test_two_tags_of_one_side_on_the_track_are_told_and_one_that_is_read_twice_is_not() -> None:
    five, twelve = FigureReading(5, None, 112.0), FigureReading(12, None, 308.0)
    between = FigureReading(None, FigureProblem.BETWEEN_SPACES, 126.0)
    off, again = FigureReading(None, FigureProblem.OFF_TRACK, 330.0), FigureReading(5, None, 114.5)
    for other in (twelve, between):
        assert figure_sight([five, other], clear=True) == FigureSight(HIDDEN, clear=True, twice=True)
    assert figure_sight([five, again, off], clear=True) == FigureSight(five, clear=True)


def test_of_two_tags_that_lie_off_every_space_neither_is_believed() -> None:
    off, lying = FigureReading(None, FigureProblem.OFF_TRACK, 330.0), FigureReading(None, FigureProblem.LYING, 90.0)
    for both in ([off, lying], [lying, off]):
        assert figure_sight(both, clear=True) == FigureSight(HIDDEN, clear=True, twice=True)
    assert figure_sight([off], clear=True) == FigureSight(off, clear=True)


def test_a_card_with_a_bent_corner_lies_by_its_other_label_and_a_card_held_up_does_not() -> None:
    upper = LabelPlace(CARD, LabelPose((300.0, -150.0), 90.0))
    flat, bent, leaning = (upper._replace(misfit=misfit) for misfit in (1.0, 90.0, 15.0))
    for first, second in ((flat, bent), (bent, flat)):
        other = first._replace(pose=LabelPose(first.pose.towards(13.0, 51.0), 270.0), misfit=second.misfit)
        (sight,) = card_sights([first, other], SHAPES)
        assert sight.is_level
        assert [label.misfit for label in sight.labels] == [1.0]
    other = leaning._replace(pose=LabelPose(leaning.pose.towards(13.0, 51.0), 270.0))
    (sight,) = card_sights([leaning, other], SHAPES)
    assert not sight.is_level
    assert len(sight.labels) == 2


def label(camera: Camera, x: float, y: float, turn_deg: float, *, z: float = 0.0) -> Label:
    return Label("A", CARD, camera.project(square(x, y, z, 25.0, turn_deg)))


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(cameras(), st.floats(120, 500), st.floats(-210, -110), st.floats(0, 360), st.booleans())
def test_either_label_or_both_give_the_middle_of_the_card(
    camera: Camera, x: float, y: float, turn_deg: float, both: bool
) -> None:
    c, s = math.cos(math.radians(turn_deg)), math.sin(math.radians(turn_deg))
    # Its middle is 12.5 mm to the right of the upper label's middle as one reads it, and 25 mm below.
    upper = label(camera, x - 12.5 * c - 25.0 * s, y - 12.5 * s + 25.0 * c, turn_deg)
    lower = label(camera, x + 12.5 * c + 25.0 * s, y + 12.5 * s - 25.0 * c, turn_deg + 180.0)
    places = [label_place(one, camera, TABLE) for one in ((upper, lower) if both else (lower,))]
    (sight,) = card_sights([place for place in places if place is not None], SHAPES)
    assert (sight.card, len(sight.labels)) == (CARD, 2 if both else 1)
    assert (sight.x_mm, sight.y_mm) == pytest.approx((x, y), abs=1.0)
    assert abs((sight.turn_deg - (turn_deg + 90.0) + 90.0) % 180.0 - 90.0) < 1.0


def lying(*labels: Label, camera: Camera) -> tuple[CardSight, ...]:
    places = [label_place(one, camera, TABLE) for one in labels]
    sights = card_sights([place for place in places if place is not None], SHAPES)
    return tuple(sight for sight in sights if sight.is_level)


def test_labels_elsewhere_or_held_up_are_not_on_the_table() -> None:
    camera = look_at((308, -400, 600), (308, -88, 0))
    assert lying(label(camera, 300, -150, 10), camera=camera)
    assert not lying(label(camera, 300, -45, 10), camera=camera)
    assert not lying(label(camera, 300, -220, 10, z=120.0), camera=camera)
    leaning = camera.project(square(300, -150, 0, 25, 0) * (1, 0.5, 1) + (0, -75, 0))
    assert not lying(Label("A", CARD, leaning), camera=camera)
    mirrored = label(camera, 300, -150, 10)
    assert not lying(mirrored._replace(corners=mirrored.corners[::-1]), camera=camera)


def test_the_same_card_at_two_places_is_two_sights() -> None:
    one = LabelPlace(CARD, LabelPose((200.0, -150.0), 90.0))
    far = LabelPlace(CARD, LabelPose((400.0, -150.0), 90.0))
    other_end = LabelPlace(CARD, LabelPose((225.0, -200.0), 270.0))
    assert len(card_sights([one, far], SHAPES)) == 2
    (sight,) = card_sights([one, other_end], SHAPES)
    assert sight == CardSight(CARD, 212.5, -175.0, 90.0, (one, other_end))


def test_a_footprint_is_the_cards_outline_turned() -> None:
    assert in_footprint(0, 0, 90.0, (30.0, 43.0), 0.0)
    assert not in_footprint(0, 0, 90.0, (33.0, 43.0), 0.0)
    assert in_footprint(0, 0, 0.0, (43.0, 30.0), 0.0)
    assert not in_footprint(0, 0, 0.0, (30.0, 43.0), 0.0)
    assert in_footprint(0, 0, 0.0, (30.0, 43.0), 12.0)


def test_the_middle_of_a_square_seen_askew_is_where_its_diagonals_meet() -> None:
    camera = look_at((308, -700, 300), (308, -88, 0))
    corners = camera.project(square(300, -100, 0, 30, 20))
    true = camera.project([[300, -100, 0]])[0]
    assert diagonals_meet(corners) == pytest.approx(true, abs=0.02)
    assert np.linalg.norm(corners.mean(axis=0) - true) > 0.3


# Which labels are on one card, and what two of them say of it.

ONE: Place = (200.0, -150.0)
OTHER: Place = (225.0, -200.0)
"""Where the labels of a card of the usual size lie, the first with its top upwards and the other half round."""


def at(place: Place, turn_deg: float, *, cut: bool = False) -> LabelPlace:
    """One whose top points this way: 90 is upwards."""
    return LabelPlace(CARD, LabelPose(place, turn_deg), cut)


def test_of_two_labels_the_one_that_is_turned_half_round_is_on_the_same_card() -> None:
    """The other one is a spare label beside it, even where it was read first and lies just as the card's own would."""
    spare, own = at(OTHER, 0.0), at((227.0, -201.0), 270.0)
    for others in ([spare, own], [own, spare]):
        card, beside = card_sights([at(ONE, 90.0), *others], SHAPES)
        assert card.poses == ((ONE, 90.0), own.pose)
        assert beside.labels == (spare,)


def test_of_two_labels_that_are_turned_alike_the_one_at_its_place_is_on_the_same_card() -> None:
    stray, own = at((240.0, -160.0), 270.0), at(OTHER, 270.0)
    for others in ([stray, own], [own, stray]):
        card, beside = card_sights([at(ONE, 90.0), *others], SHAPES)
        assert ([pose.place for pose in card.poses], beside.labels) == ([ONE, OTHER], (stray,))


def test_a_label_read_twice_is_no_card_with_two_labels() -> None:
    sights = card_sights([at(ONE, 90.0), at((ONE[0] + 12.0, ONE[1] - 12.0), 270.0)], SHAPES)
    assert [len(sight.labels) for sight in sights] == [1, 1]


@pytest.mark.parametrize(
    ("one", "other", "turn_deg"),
    [
        (at(ONE, 90.0), at(OTHER, 276.0), 93.0),
        (at(ONE, 86.0), at(OTHER, 270.0), 88.0),
        (at(ONE, 2.0), at(OTHER, 178.0), 0.0),
        (at(ONE, 90.0), at(OTHER, 96.0), 90.0),  # one of them was stuck on upside down
        (at(ONE, 90.0), at(OTHER, 276.0, cut=True), 90.0),
        (at(ONE, 90.0, cut=True), at(OTHER, 276.0), 96.0),
        (at(ONE, 90.0, cut=True), at(OTHER, 276.0, cut=True), 90.0),
    ],
)
def test_a_card_lies_as_both_its_labels_say_or_as_the_one_that_can_be_believed(
    one: LabelPlace, other: LabelPlace, turn_deg: float
) -> None:
    (sight,) = card_sights([one, other], SHAPES)
    assert (sight.turn_deg + 90.0) % 180.0 == pytest.approx((turn_deg + 90.0) % 180.0)
    assert (sight.x_mm, sight.y_mm) == pytest.approx((212.5, -175.0))
    assert sight.labels == (one, other)


@pytest.mark.parametrize("clear", [True, False])
def test_a_card_with_a_hand_at_it_does_not_show_its_labels(clear: bool) -> None:
    (sight,) = card_sights([at(ONE, 90.0), at(OTHER, 270.0)], SHAPES)
    assert len(both_labels([replace(sight, clear=clear)])) == clear


def test_a_cut_card_shows_both_its_labels_only_until_it_is_known() -> None:
    sights = card_sights([at(ONE, 90.0), at(OTHER, 270.0, cut=True)], SHAPES)
    assert [(card, one.place, other.place) for card, one, other in both_labels(sights)] == [(CARD, ONE, OTHER)]
    assert both_labels(sights, {CARD}) == ()


def test_a_card_that_was_pushed_by_its_own_length_has_moved_so_far() -> None:
    """One label is then where the other one was: which is which is told by how they are turned."""
    across, down = OTHER[0] - ONE[0], OTHER[1] - ONE[1]
    before = [LabelPose(ONE, 90.0), LabelPose(OTHER, 270.0)]
    now = [LabelPose(OTHER, 90.0), LabelPose((OTHER[0] + across, OTHER[1] + down), 270.0)]
    assert shift_mm(before, now, CARD, SHAPES) == pytest.approx(math.hypot(across, down))
    assert shift_mm(before, before[::-1], CARD, SHAPES) == 0.0


def test_a_card_that_showed_one_label_and_then_the_other_has_not_moved() -> None:
    assert shift_mm([LabelPose(ONE, 90.0)], [LabelPose(OTHER, 270.0)], CARD, SHAPES) == 0.0
    assert shift_mm([LabelPose(ONE, 90.0)], [LabelPose((260.0, -200.0), 270.0)], CARD, SHAPES) > 10.0
    assert shift_mm([LabelPose(ONE, 90.0)], [LabelPose(OTHER, 0.0)], CARD, SHAPES) == math.inf
