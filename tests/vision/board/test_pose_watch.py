"""Looking after the corner markers: seldom and one at a time while nothing is suspected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from engine.rules.track import Side
from tests.tables import TABLE
from tests.vision.board.conftest import pulled, seen_by, tags
from vision.board.calibration import Calibration, calibrate_corners, calibrate_markers, marker_corners_mm
from vision.board.pose_watch import FIRST_LOOKS, REFINE_EVERY_S, BoardSeen, PoseWatch
from vision.board.worst_case import apart_mm
from vision.frame import Picture
from vision.geometry import Box, Camera, look_at
from vision.marks.markers import Marker, MarkerFinder
from vision.printed.table import Corner, Table
from vision.synthetic import PRESETS, Renderer, Scene, default_camera, figure_at

pytestmark = pytest.mark.slow

Noting = Callable[..., Any]
Y = np.zeros((1296, 2304), np.uint8)


class Shown(MarkerFinder):
    """Finds what a test says is to be seen, and notes what was looked at: whole pictures, and the markers in parts."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(TABLE.dictionary)
        self.markers: list[Marker] = []
        self.whole = 0
        self.parts: list[set[int]] = []
        self._rng = np.random.default_rng(seed)

    def find(self, y: Picture, *, quick: bool = False) -> tuple[Marker, ...]:
        self.whole += 1
        return tuple(Marker(each.id, each.corners + self._rng.normal(0.0, 0.15, (4, 2))) for each in self.markers)

    def find_in(self, y: Picture, box: Box, *, quick: bool = False) -> tuple[Marker, ...]:
        inside = [
            each
            for each in self.markers
            if (each.corners > (box.x0, box.y0)).all() and (each.corners < (box.x1, box.y1)).all()
        ]
        self.parts.append({each.id for each in inside})
        return tuple(Marker(each.id, each.corners + self._rng.normal(0.0, 0.15, (4, 2))) for each in inside)


def off_mm(calibration: Calibration | None, camera: Camera) -> float:
    assert calibration is not None
    return float(apart_mm(camera, calibration.camera, TABLE).max())


class Watched:
    """A pose being watched, five frames a second, and how often another calibration was handed on."""

    def __init__(self, finder: Shown, given: Calibration | None = None, table: Table = TABLE) -> None:
        self.pose = PoseWatch(table, given, finder)
        self.finder = finder
        self.t_s = 0.0
        self.handed = 0

    def look(self, seconds: float, markers: list[Marker] | None = None, *, suspicious: bool = False) -> set[BoardSeen]:
        self.finder.markers = self.finder.markers if markers is None else markers
        states = set()
        for _ in range(round(5 * seconds)):
            before = self.pose.calibration
            self.pose.look(Y, self.t_s, suspicious=suspicious)
            self.handed += before is not None and self.pose.calibration is not before
            self.t_s += 0.2
            states.add(self.pose.board)
        return states


CAMERA = look_at((320, -390, 590), (300, -95, 0), 1.5, 67.5, dist=(0.02, -0.03, 0.0, 0.0, 0.0))


def test_one_corner_after_the_other_is_looked_at_and_two_on_suspicion() -> None:
    watched = Watched(Shown())
    watched.look(4, seen_by(CAMERA))
    for suspicious, parts in ((False, 4), (True, 2 * 20)):  # of twenty frames in four seconds
        asked: list[set[int]] = []
        watched.finder.parts = asked
        watched.look(4, suspicious=suspicious)
        assert set().union(*asked) == {0, 1, 2, 3}
        assert len(asked) == pytest.approx(parts, abs=1)
    assert watched.pose.board is BoardSeen.FOUND


def test_two_markers_and_both_tags_begin_and_the_far_ones_refine_when_their_heads_are_gone() -> None:
    watched = Watched(Shown())
    assert watched.look(3, seen_by(CAMERA, ids=(2, 3)) + tags(CAMERA)) == {BoardSeen.FOUND}
    first = watched.pose.calibration
    assert first is not None
    assert first.worst_mm is not None
    assert off_mm(first, CAMERA) < first.worst_mm < 5.5
    states = watched.look(30, seen_by(CAMERA) + tags(CAMERA, 5, 19))
    assert states == {BoardSeen.FOUND}
    assert watched.pose.best is not None
    assert watched.pose.best.used >= {0, 1, 2, 3}
    assert off_mm(watched.pose.best, CAMERA) < 1.0
    assert off_mm(watched.pose.calibration, CAMERA) < 1.5
    assert watched.handed <= 3
    handed = watched.handed
    watched.look(60)
    assert watched.handed == handed, "the same sight for a minute tells nothing new"


def test_a_board_known_more_exactly_is_another_calibration_of_the_same_place() -> None:
    watched = Watched(Shown())
    watched.look(1, seen_by(CAMERA, ids=(2, 3)))
    watched.look(30, seen_by(CAMERA) + tags(CAMERA, 5, 19))
    assert (watched.handed, watched.pose.places) == (1, 1)


def test_two_markers_alone_begin_where_they_tell_enough_and_one_does_not() -> None:
    watched = Watched(Shown())
    assert watched.look(2, seen_by(CAMERA, ids=(3,)) + tags(CAMERA)[:1]) == {BoardSeen.LOST}
    assert watched.pose.calibration is None
    assert BoardSeen.FOUND in watched.look(4, seen_by(CAMERA, ids=(2, 3)))
    assert off_mm(watched.pose.calibration, CAMERA) < 5.0


@pytest.mark.parametrize("far_px", [5.0, 10.7, 15.0])
@pytest.mark.parametrize("ids", [(2, 3), (0, 1, 2, 3)])
def test_a_corner_pulled_by_a_hand_from_the_first_look_on_does_no_harm_and_none_when_it_leaves(
    ids: tuple[int, ...], far_px: float
) -> None:
    watched = Watched(Shown())
    whole = seen_by(CAMERA, ids=ids) + tags(CAMERA)
    states = watched.look(5, pulled(whole, 3, 1, (far_px, 2.0)))
    assert states == {BoardSeen.FOUND}
    assert off_mm(watched.pose.calibration, CAMERA) < 3.0
    states = watched.look(20, whole)
    assert states == {BoardSeen.FOUND}
    assert off_mm(watched.pose.calibration, CAMERA) < 2.5
    assert watched.handed <= 3


@pytest.mark.parametrize("far_px", [4.0, 8.0, 14.0])
def test_a_marker_a_little_off_while_others_are_in_place_is_covered_and_not_moved(far_px: float) -> None:
    watched = Watched(Shown())
    whole = seen_by(CAMERA) + tags(CAMERA)
    watched.look(10, whole)
    handed, before = watched.handed, watched.pose.calibration
    shifted = [Marker(each.id, each.corners + (far_px if each.id == 1 else 0.0)) for each in whole]
    assert watched.look(15, shifted, suspicious=True) == {BoardSeen.FOUND}
    assert watched.pose.calibration is before
    assert watched.look(15, whole) == {BoardSeen.FOUND}
    assert watched.handed == handed


def test_a_bump_with_two_markers_in_view_is_found_again() -> None:
    watched = Watched(Shown())
    watched.look(5, seen_by(CAMERA) + tags(CAMERA))
    after = look_at((332, -380, 596), (303, -92, 0), 2.5, 67.5, dist=(0.02, -0.03, 0.0, 0.0, 0.0))
    states = watched.look(4, seen_by(after, ids=(2, 3)) + tags(after, 4, 20))
    assert states == {BoardSeen.FOUND, BoardSeen.MOVED}
    assert watched.pose.board is BoardSeen.FOUND
    assert watched.pose.places == 2
    assert off_mm(watched.pose.calibration, after) < 2.5


def test_a_given_calibration_of_another_place_is_put_right() -> None:
    elsewhere = look_at((250, -420, 560), (310, -80, 0), -2.0, 66.0)
    given = calibrate_markers([seen_by(elsewhere)], TABLE, 2304, 1296)
    watched = Watched(Shown(), given)
    states = watched.look(4, seen_by(CAMERA, ids=(2, 3)) + tags(CAMERA))
    assert states == {BoardSeen.MOVED, BoardSeen.FOUND}
    assert watched.pose.board is BoardSeen.FOUND
    assert off_mm(watched.pose.calibration, CAMERA) < 4.0


def test_a_given_calibration_that_fits_stays_as_it_is() -> None:
    given = calibrate_markers([seen_by(CAMERA) + tags(CAMERA)], TABLE, 2304, 1296)
    watched = Watched(Shown(), given)
    assert watched.look(40, seen_by(CAMERA) + tags(CAMERA)) == {BoardSeen.FOUND}
    assert watched.handed == 0


SIX = replace(TABLE, corners=(*TABLE.corners, Corner(6, 154.0, 45.0, 0.0), Corner(7, 462.0, 45.0, 0.0)))


def test_markers_of_the_table_file_that_never_lay_there_cost_next_to_nothing() -> None:
    four, six = Watched(Shown()), Watched(Shown(), table=SIX)
    for watched in (four, six):
        assert watched.look(60, seen_by(CAMERA) + tags(CAMERA)) == {BoardSeen.FOUND}
    assert four.handed == six.handed
    assert six.finder.whole == four.finder.whole
    # Eight first looks at six boxes instead of four, and then one box more in every second one.
    assert len(six.finder.parts) <= len(four.finder.parts) + 2 * FIRST_LOOKS + 60 / 2 + 2
    assert off_mm(six.pose.calibration, CAMERA) == pytest.approx(off_mm(four.pose.calibration, CAMERA), abs=0.3)


def test_six_markers_serve_where_the_heads_hide_two() -> None:
    watched = Watched(Shown(), table=SIX)
    seen = seen_by(CAMERA, SIX, ids=(2, 3, 6, 7)) + tags(CAMERA)
    assert watched.look(5, seen) == {BoardSeen.FOUND}
    assert watched.pose.calibration is not None
    assert watched.pose.calibration.used >= {2, 3, 6, 7}
    assert off_mm(watched.pose.calibration, CAMERA) < 1.5


def test_a_refined_calibration_waits_its_time(monkeypatch: pytest.MonkeyPatch, noting: Noting) -> None:
    watched = Watched(Shown())
    seen = seen_by(CAMERA, ids=(2, 3)) + tags(CAMERA)
    watched.look(3, seen)
    refined_s: list[float] = []
    fit = noting(refined_s, lambda *_: watched.t_s, calibrate_corners)
    monkeypatch.setattr("vision.board.pose_watch.calibrate_corners", fit)
    for _ in range(3):  # always a reason to fit again
        watched.look(2 * REFINE_EVERY_S, pulled(seen, 3, 1, (6.0, 0.0)))
        watched.look(2 * REFINE_EVERY_S, seen)
    assert len(refined_s) > 3
    assert all(after - before >= REFINE_EVERY_S - 1e-9 for before, after in pairwise(refined_s))


@pytest.mark.parametrize("corners", [(0,), (1, 2)])
def test_a_hand_at_one_of_two_markers_is_no_bump_and_a_turn_about_the_other_is(corners: tuple[int, ...]) -> None:
    watched = Watched(Shown())
    seen = seen_by(CAMERA, ids=(2, 3)) + tags(CAMERA)
    watched.look(5, seen)
    covered = seen
    for corner in corners:
        covered = pulled(covered, 3, corner, (12.0, 9.0))
    assert watched.look(10, covered, suspicious=True) == {BoardSeen.FOUND}
    assert watched.pose.places == 1
    turned = [Marker(each.id, each.corners + (9.0 if each.id == 3 else 0.0)) for each in seen]
    assert BoardSeen.MOVED in watched.look(2, turned, suspicious=True)


def test_a_due_fit_is_made_at_rest_and_otherwise_some_seconds_later(monkeypatch: pytest.MonkeyPatch) -> None:
    rested, busy = Watched(Shown()), Watched(Shown())
    for watched in (rested, busy):
        watched.look(12, seen_by(CAMERA, ids=(2, 3)) + tags(CAMERA))
    before = busy.pose.best
    seen = seen_by(CAMERA) + tags(CAMERA)
    counted_s: list[float] = []
    for watched in (rested, busy):
        for second in range(30):
            watched.look(1, seen)
            if watched is rested:
                watched.pose.refine_at_rest(second)
            if watched.pose.best is not before and watched.pose.best is not None and 0 in watched.pose.best.used:
                counted_s.append(second)
                break
    at_rest_s, otherwise_s = counted_s
    assert at_rest_s < otherwise_s <= at_rest_s + REFINE_EVERY_S + 1


def test_the_starting_position_is_read_from_drawn_pictures() -> None:
    scene = Scene(white=figure_at(TABLE, Side.WHITE, 1), black=figure_at(TABLE, Side.BLACK, 23))
    camera = default_camera(TABLE)
    renderer = Renderer(TABLE, camera, PRESETS["typical"], 3)
    pose = PoseWatch(TABLE, None, MarkerFinder(TABLE.dictionary))
    for number in range(FIRST_LOOKS):
        y = renderer.render(scene, number, number / 10).y
        # Heads of 80 mm: what lies behind them is painted out.
        for corner in (0, 1):
            low = renderer.camera.project(marker_corners_mm(TABLE)[corner]).min(axis=0).astype(int) - 12
            y = y.copy()
            y[low[1] : low[1] + 60, low[0] : low[0] + 45] = 90
        pose.look(y, number / 10, suspicious=False)
    assert {marker.id for marker in pose.corners} == {2, 3}
    assert pose.calibration is not None
    assert pose.calibration.worst_mm is not None
    assert off_mm(pose.calibration, renderer.camera) < min(3.0, pose.calibration.worst_mm)
