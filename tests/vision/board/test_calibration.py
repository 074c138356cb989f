"""The lens and the pose from corner markers, and the file they are kept in."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import TABLE
from tests.vision.board.conftest import LENS, pulled, seen_by, tag_corners_mm, tags
from vision.board.calibration import (
    Calibration,
    CalibrationError,
    calibrate,
    calibrate_corners,
    calibrate_markers,
    scaled_to,
)
from vision.board.calibration_text import calibration_text, load_calibration, read_calibration
from vision.board.lens_fit import (
    LENS_SD,
    MARKER_SD_MM,
    LensBelief,
    Square,
    centre_of,
    first_poses,
    fit_camera,
    outwards,
    parameters_about,
)
from vision.frame import Frame
from vision.geometry import Camera, Floats, look_at
from vision.marks.markers import Marker
from vision.synthetic import PRESETS, Renderer, Scene, default_camera


def worst_error_mm(calibration: Calibration, camera: Camera) -> float:
    """How far off the tags' places on the 23 spaces come out, mm."""
    tags = np.array([TABLE.tag_mm(space) for space in range(1, 24)])
    found = calibration.camera.at_height(camera.project(tags), float(tags[0, 2]))
    return float(np.linalg.norm(found - tags[:, :2], axis=1).max())


@st.composite
def cameras(draw: st.DrawFn) -> Camera:
    def number(low: float, high: float) -> float:
        return draw(st.floats(low, high))

    return look_at(
        (308 + number(-90, 90), number(-480, -300), number(520, 720)),
        (308 + number(-20, 20), number(-110, -60), 0.0),
        number(-15, 15),
        66.0 * number(0.97, 1.03),
        dist=LENS,
    )


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(cameras(), st.integers(0, 1000))
def test_places_on_the_piste_come_out_within_a_millimetre_and_a_half(camera: Camera, seed: int) -> None:
    calibration = calibrate_markers([seen_by(camera, noise_px=0.15, seed=seed)], TABLE, 2304, 1296)
    assert calibration.rms_px < 0.6
    assert worst_error_mm(calibration, camera) < 1.5


@pytest.mark.parametrize("bleed_px", [-0.8, -0.4, 0.3])
def test_light_that_bleeds_into_the_markers_does_not_bend_the_lens(bleed_px: float) -> None:
    camera = look_at((308, -420, 640), (300, -90, 0), 3.0, 67.0, dist=LENS)
    sharp = seen_by(camera, noise_px=0.05)
    bled = [Marker(marker.id, marker.corners + bleed_px * outwards(marker.corners)) for marker in sharp]
    calibration = calibrate_markers([bled], TABLE, 2304, 1296)
    assert calibration.rms_px < 0.2
    assert worst_error_mm(calibration, camera) < 0.5
    seen = {marker.id: marker.corners for marker in bled[1:]}
    moved = calibrate_corners(seen, TABLE, 2304, 1296, calibration.lens)
    assert moved.rms_px < 0.3
    assert worst_error_mm(moved, camera) < 0.7


@pytest.mark.parametrize("missing", [0, 1, 2, 3])
def test_three_markers_suffice(missing: int) -> None:
    camera = default_camera(TABLE)
    markers = seen_by(camera, noise_px=0.1, ids={0, 1, 2, 3} - {missing})
    assert worst_error_mm(calibrate_markers([markers], TABLE, 2304, 1296), camera) < 2.0


@pytest.mark.parametrize("ids", [(0, 1), (2, 3), (0, 3), (1, 2), (0, 2), (1, 3)])
def test_two_markers_suffice_with_the_fencers_tags_wherever_these_stand(ids: tuple[int, int]) -> None:
    camera = default_camera(TABLE)
    rng = np.random.default_rng(5)
    markers = seen_by(camera, noise_px=0.2, ids=ids)
    for number, space in ((4, 6), (5, 19)):
        nudged = camera.project(tag_corners_mm(space) + np.append(rng.normal(0.0, 2.0, 2), 0.0))
        markers.append(Marker(number, nudged + rng.normal(0.0, 0.2, (4, 2))))
    calibration = calibrate_markers([markers], TABLE, 2304, 1296)
    assert calibration.used == {*ids, 4, 5}
    assert calibration.worst_mm is not None
    assert worst_error_mm(calibration, camera) < min(calibration.worst_mm, 3.5)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("off_mm", [(14.0, -11.0), (14.0, 0.0), (10.0, 0.0), (10.0, -10.0), (-9.0, 9.0)])
def test_figures_between_two_spaces_mislead_nobody(off_mm: tuple[float, float], seed: int) -> None:
    camera = default_camera(TABLE)
    markers = seen_by(camera, noise_px=0.2, seed=seed, ids=(2, 3))
    for number, x_mm in ((4, 28.0 + off_mm[0]), (5, 616.0 + off_mm[1])):
        markers.append(Marker(number, camera.project(tag_corners_mm(1) + np.array([x_mm, 0.0, 0.0]))))
    with suppress(CalibrationError):  # it says which figure to put on its space
        calibration = calibrate_markers([markers], TABLE, 2304, 1296)
        assert calibration.worst_mm is not None
        assert worst_error_mm(calibration, camera) < min(calibration.worst_mm, 6.0)


def test_one_marker_does_not_and_the_error_names_those_that_are_missing() -> None:
    markers = seen_by(default_camera(TABLE))[:1]
    with pytest.raises(CalibrationError, match=r"at least 2 of 4 in view, found 0; bring marker 1, 2, 3 into"):
        calibrate_markers([markers], TABLE, 2304, 1296)
    with pytest.raises(CalibrationError, match="found none"):
        calibrate_markers([[]], TABLE, 2304, 1296)


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_marker_that_lies_elsewhere_than_measured_is_left_out(number: int) -> None:
    corners = tuple(corner._replace(x=corner.x + 40.0 * (corner.id == number)) for corner in TABLE.corners)
    camera = default_camera(TABLE)
    calibration = calibrate_markers([seen_by(camera, replace(TABLE, corners=corners), 0.2)], TABLE, 2304, 1296)
    assert calibration.left_out == (number,)
    assert worst_error_mm(calibration, camera) < 1.0


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_of_a_marker_five_millimetres_off_nobody_knows_which_and_the_worst_case_says_so(number: int) -> None:
    corners = tuple(corner._replace(y=corner.y + 5.0 * (corner.id == number)) for corner in TABLE.corners)
    camera = default_camera(TABLE)
    good = calibrate_markers([seen_by(camera, noise_px=0.2)], TABLE, 2304, 1296)
    doubted = calibrate_markers([seen_by(camera, replace(TABLE, corners=corners), 0.2)], TABLE, 2304, 1296)
    assert good.worst_mm is not None
    assert doubted.worst_mm is not None
    assert good.worst_mm < 3.3 < 4.3 < doubted.worst_mm
    assert worst_error_mm(doubted, camera) < min(doubted.worst_mm, 3.0)


@pytest.mark.parametrize("other", [0, 1])
def test_a_pulled_corner_is_found_beside_a_marker_that_nobody_can_name(other: int) -> None:
    corners = tuple(corner._replace(y=corner.y + 8.0 * (corner.id == 0)) for corner in TABLE.corners)
    markers = seen_by(default_camera(TABLE), replace(TABLE, corners=corners), 0.2)
    found = calibrate_markers([pulled(markers, other, 1, (1.4, 1.4))], TABLE, 2304, 1296)
    assert found.left_out == (other,)


@pytest.mark.slow
@pytest.mark.parametrize("two", [False, True])
@pytest.mark.parametrize("corner", range(4))
@pytest.mark.parametrize("far_px", [5.0, 10.7, 15.0])
def test_a_corner_that_a_hand_pulled_is_left_out(far_px: float, corner: int, two: bool) -> None:
    camera = default_camera(TABLE)
    for way in (0.3, 1.9, 3.5, 5.1):
        by_px = far_px * np.array([np.cos(way), np.sin(way)])
        markers = pulled(seen_by(camera, noise_px=0.2, seed=corner), 3, corner, by_px.tolist())
        if two:
            markers = [*markers[2:], *tags(camera)[1:]]
        calibration = calibrate_markers([markers], TABLE, 2304, 1296)
        if not (two and far_px == 5.0):  # of two markers, one pulled so little may go unnoticed: it does little harm
            assert calibration.left_out == (3,)
        assert 3 in calibration.used, "the other three corners go on to count"
        assert worst_error_mm(calibration, camera) < 3.0


def test_markers_of_another_board_are_refused() -> None:
    rng = np.random.default_rng(2)
    corners = tuple(corner._replace(x=corner.x + rng.normal(0, 60), y=corner.y + 60) for corner in TABLE.corners)
    corners = (corners[0]._replace(y=-120.0), corners[1]._replace(x=400.0), *corners[2:])
    with pytest.raises(CalibrationError, match=r"corner markers.*expected .* found "):
        calibrate_markers([seen_by(default_camera(TABLE), replace(TABLE, corners=corners))], TABLE, 2304, 1296)


def test_one_bad_look_among_several_does_no_harm() -> None:
    camera = default_camera(TABLE)
    good = seen_by(camera)
    bad = [Marker(marker.id, marker.corners + 40.0) for marker in good]
    assert worst_error_mm(calibrate_markers([good, bad, good], TABLE, 2304, 1296), camera) < 0.7


def test_a_wide_lens_very_low_over_the_table_is_no_reason_to_refuse_four_markers() -> None:
    """There only the markers' height over the track is in doubt, which the worst case tells."""
    camera = look_at((308, -330, 185), (308, -60, 0), 0.0, 102.0, dist=(-0.04, 0.01, 0.0, 0.0, 0.0))
    table = replace(TABLE, camera=TABLE.camera._replace(hfov_deg=102.0))
    calibration = calibrate_markers([seen_by(camera, noise_px=0.2)], table, 2304, 1296)
    assert calibration.worst_mm is not None
    assert worst_error_mm(calibration, camera) < 2.0 < calibration.worst_mm


@pytest.mark.slow
def test_rendered_frames_calibrate_through_all_disturbances() -> None:
    renderer = Renderer(TABLE, None, PRESETS["hard"], seed=4)
    frames = [renderer.render(Scene(), index, index / 10) for index in range(3)]
    calibration = calibrate(frames, TABLE)
    assert calibration.rms_px < 1.5
    assert worst_error_mm(calibration, renderer.camera) < 1.5


def test_frames_without_markers_are_refused() -> None:
    with pytest.raises(CalibrationError, match="corner markers"):
        calibrate([Frame(0, 0.0, np.full((1296, 2304), 128, np.uint8))], TABLE)


def test_a_bumped_camera_is_found_again_with_the_same_lens() -> None:
    before = look_at((308, -400, 600), (308, -88, 0), dist=LENS)
    after = look_at((320, -390, 610), (300, -80, 0), 2.0, dist=LENS)
    calibration = calibrate_markers([seen_by(before)], TABLE, 2304, 1296)
    corners = {marker.id: marker.corners for marker in seen_by(after)[:3]}
    moved = calibrate_corners(corners, TABLE, 2304, 1296, calibration.lens)
    # As well as it was known: what the new place tells of it counts, too.
    assert np.allclose(moved.camera.K, calibration.camera.K, rtol=2e-3)
    assert worst_error_mm(moved, after) < 1.5


def test_every_space_is_reported_with_its_tag() -> None:
    views = calibration_of(default_camera(TABLE)).spaces(TABLE)
    assert [view.space for view in views] == list(range(1, 24))
    assert all(view.visible for view in views)
    assert all(40.0 < view.tag_side_px < 60.0 for view in views)


def test_spaces_out_of_the_picture_are_not_visible() -> None:
    beside = look_at((0, -400, 600), (0, -88, 0), dist=LENS)
    views = Calibration(beside, 0.0, 0.0).spaces(TABLE)
    shown = [view.space for view in views if view.visible]
    assert shown == list(range(1, shown[-1] + 1))
    assert 10 < shown[-1] < 20


def calibration_of(camera: Camera) -> Calibration:
    return calibrate_markers([seen_by(camera, noise_px=0.1)], TABLE, camera.width, camera.height)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(cameras(), st.integers(0, 1000))
def test_text_and_back_is_the_same_to_the_last_bit(camera: Camera, seed: int) -> None:
    calibration = calibrate_markers([seen_by(camera, noise_px=0.3, seed=seed)], TABLE, 2304, 1296)
    text = calibration_text(calibration)
    again = read_calibration(text)
    assert calibration_text(again) == text
    for one, other in zip(astuple(again.camera), astuple(calibration.camera), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(again.lens.covariance, calibration.lens.covariance)
    assert (again.rms_px, again.rms_mm) == (calibration.rms_px, calibration.rms_mm)
    assert (again.worst_mm, again.off_mm) == (calibration.worst_mm, calibration.off_mm)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("version = 1", "version = 2", "version 1 was expected, found 2"),
        ("[pose]", "[pos]", "fault: pose: expected"),
        ("width = 2304", "width = 'wide'", "fault"),
        ("rotation = [", "rotation = [[1, 2, 3],", "fault"),
        ("[lens]", "[lens", "not TOML"),
        ("translation_mm = [", "translation_mm = [1.0, ", r"pose.translation_mm: expected a list of 3"),
        ("width = 2304", "width = 0", r"lens.width: expected a whole number from 1 to 16384, found 0"),
        ("height = 1296", "height = -1296", r"lens.height: expected a whole number from 1 to 16384, found -1296"),
        ("distortion = [", "distortion = [nan, 0, 0, 0, 0]  # [", "distortion[^a-z]*: expected a finite number"),
        ("focal_px = [", "focal_px = [inf, inf]  # [", "focal_px[^a-z]*: expected a finite number"),
        ("worst_mm = ", "worst_mm = -", "worst_mm: expected a number from 0"),
        ("covariance = [", "covariance = [[1.0]]  # [", r"lens.covariance: expected a list of 5"),
        ("covariance = [[", "covariance = [[-", "the lens's covariance is impossible"),
    ],
)
def test_a_faulty_file_is_named_with_its_fault(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = calibration_text(calibration_of(default_camera(TABLE)))
    assert old in text
    path = tmp_path / "calibration.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(CalibrationError, match=told) as caught:
        load_calibration(path)
    assert str(path) in str(caught.value)
    assert "engarde calibrate" in str(caught.value)


def test_a_file_that_does_not_say_how_good_it_is_is_read_as_before() -> None:
    text = calibration_text(calibration_of(default_camera(TABLE)))
    old = "\n".join(line for line in text.splitlines() if not line.startswith(("worst_mm", "off_mm", "covariance")))
    read = read_calibration(old)
    assert (read.worst_mm, read.off_mm, read.lens_covariance) == (None, (), None)
    assert read.lens.covariance[0, 0] == pytest.approx(LENS_SD**2)


def test_half_the_pixels_see_the_same_table() -> None:
    calibration = calibration_of(default_camera(TABLE))
    half = scaled_to(calibration, 1152, 648)
    points = np.array([TABLE.tag_mm(space) for space in (1, 12, 23)])
    assert half.camera.project(points) * 2 + 0.5 == pytest.approx(calibration.camera.project(points), abs=1e-6)
    assert scaled_to(half, 1152, 648) is half


@pytest.mark.parametrize("hfov_deg", [45.0, 85.0, 102.0])
def test_a_lens_that_nobody_told_is_found_with_the_board(hfov_deg: float) -> None:
    """The table file says 66 degrees; two markers and both figures are in view, as when figures hide the far ones."""
    beside_mm = 500 * math.tan(math.radians(33)) / math.tan(math.radians(hfov_deg / 2))
    camera = look_at((308, -0.7 * beside_mm, beside_mm), (308, -95, 0), hfov_deg=hfov_deg, dist=LENS)
    near = seen_by(camera, noise_px=0.2, ids=(2, 3))
    calibration = calibrate_markers([near + tags(camera)], TABLE, camera.width, camera.height)
    assert calibration.used == {2, 3, 4, 5}
    assert calibration.worst_mm is not None
    assert worst_error_mm(calibration, camera) < min(4.0, calibration.worst_mm)


def test_a_lens_that_was_found_with_the_board_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    camera = look_at((308.0, -300.0, 600.0), (308.0, -60.0, 0.0), 0.0, 102.0, 2304, 1296)
    corners = {marker.id: marker.corners for marker in seen_by(camera, noise_px=0.25)}
    found = calibrate_corners(corners, TABLE, camera.width, camera.height)

    def search(squares: Sequence[Square], belief: LensBelief) -> tuple[Floats, ...]:
        assert belief.covariance[0, 0] == pytest.approx(LENS_SD**2), "a lens that was let go begins with the known one"
        return first_poses(squares, belief)

    monkeypatch.setattr("vision.board.calibration.first_poses", search)
    again = calibrate_corners(corners, TABLE, camera.width, camera.height, near=found.camera)
    assert worst_error_mm(again, camera) == pytest.approx(worst_error_mm(found, camera), abs=0.1)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_markers_that_all_lie_the_wrong_way_round_are_refused(seed: int) -> None:
    camera = default_camera(TABLE)
    corners = {marker.id: np.roll(marker.corners, 2, axis=0) for marker in seen_by(camera, noise_px=0.25, seed=seed)}
    corners |= {tag.id: tag.corners for tag in tags(camera)}
    with pytest.raises(CalibrationError):
        calibrate_corners(corners, TABLE, camera.width, camera.height)


@pytest.mark.parametrize("near_mm", [-8.0, -1.0, 1.0, 8.0])
def test_a_camera_that_looks_down_is_one_whichever_way_round_its_turn_was_found(near_mm: float) -> None:
    camera = look_at((308.0, near_mm, 700.0), (308.0, 0.0, 0.0), 0.0, 66.0, 2304, 1296, LENS)
    squares = [
        Square(marker.id, marker.corners, np.array(corner[1:]), TABLE.board_size_mm, MARKER_SD_MM)
        for marker, corner in zip(seen_by(camera, noise_px=0.25), TABLE.corners, strict=True)
    ]
    belief, start = LensBelief.of_field(66.0, 2304, 1296), parameters_about(camera, centre_of(squares))
    turn = start[:3] * (1 - 2 * math.pi / np.linalg.norm(start[:3]))
    one, other = (
        fit_camera(squares, belief, (2304, 1296), pose) for pose in (start, np.concatenate([turn, start[3:]]))
    )
    assert one is not None
    assert other is not None
    assert one.is_about(other)
    assert other.is_about(one)
