"""The eyes at the simulated table: one situation after the other, with what they must say of each."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from scene_clutter import SceneClutter

from engine.rules.cards import Card
from engine.rules.track import Side
from engine.table.observation import DoubtReason, FigureProblem, Sight, Why
from tests.tables import SMALL_TABLE, TABLE
from tests.vision.conftest import STANDING, Watched, card, lit, names, steady
from vision.belief import BRIEFLY_S
from vision.board.calibration import CalibrationError, MirroredError, calibrate
from vision.camera.settling import DIMMED_S, SETTLE_S
from vision.eyes import Eyes
from vision.frame import Frame, Picture
from vision.geometry import Box, Camera, Floats, look_at
from vision.look import Look
from vision.marks.foreign import ZBAR, ZXING, in_process
from vision.marks.markers import Marker, MarkerFinder, box_around
from vision.overlay import draw_recognised
from vision.printed.table import TablePoint
from vision.reading.detect import Detections
from vision.reading.second_look import SecondLook
from vision.synthetic import SceneCard, SceneFigure, SceneHand, camera_variant, figure_at
from vision.synthetic.camera import LENS

pytestmark = pytest.mark.slow
Noting = Callable[..., Any]
BUMPED = look_at((314, -400, 600), (312, -86, 0), 0.6, dist=LENS)


def pile(*names: str) -> tuple[SceneCard, ...]:
    return tuple(card(name, 250 + number % 3, -150, 3 * number - 5, number) for number, name in enumerate(names))


def table_of(look: Look) -> tuple[int | None, int | None, list[str]]:
    """White, Black and the cards in their order, those not in sight with a star."""
    seen = look.table
    cards = [f"{reading.card}*" if reading.covered else str(reading.card) for reading in seen.cards]
    return seen.figures.white.space, seen.figures.black.space, cards


def test_without_a_calibration_the_first_frames_make_one_and_the_table_is_agreed_on_in_five() -> None:
    watched = Watched()
    look = watched.show(5, cards=(card("3b", 200),))
    assert table_of(look) == (3, 20, ["3b"])
    assert steady(look)
    assert look.calibration is watched.eyes.calibration
    assert look.seen.cards == (Card.parse("3b"),)


@pytest.mark.parametrize("seed", range(4))
def test_a_hard_table_from_other_places_is_read_as_it_is(seed: int) -> None:
    watched = Watched("hard", camera_variant(TABLE, seed, 1.0), seed)
    names = ["1a", "2b", "3c", "4d", "5e"]
    cards = tuple(card(name, 110 + 80 * number, -160, 31 * number, number) for number, name in enumerate(names))
    look = watched.show(18, cards=cards, white=figure_at(TABLE, Side.WHITE, 9))
    white, black, found = table_of(look)
    assert (white, black, sorted(found)) == (9, 20, names)
    for reading, lying in zip(sorted(look.table.cards, key=lambda one: one.card), cards, strict=True):
        assert (reading.x_mm, reading.y_mm) == pytest.approx((lying.x_mm, lying.y_mm), abs=4.0)


def test_cards_come_are_covered_taken_back_swept_away() -> None:
    watched = Watched()
    full = pile("3b", "4c", "5e", "1a")
    for number in range(1, 5):
        look = watched.show(5, cards=full[:number])
    assert table_of(look)[2] == ["3b*", "4c*", "5e*", "1a"]
    assert steady(look)
    assert table_of(watched.show(8, cards=full[:3]))[2] == ["3b*", "4c*", "5e"]
    look = watched.show(8, cards=())
    assert table_of(look)[2] == []
    assert steady(look)


def test_a_pile_is_remembered_through_a_bump_and_can_be_swept_after_it() -> None:
    watched = Watched()
    full = pile("3b", "4c", "5e")
    for number in range(1, 4):
        before = watched.show(5, cards=full[:number])
    watched.seen_from(BUMPED)
    said = {watched.show(1).table.why for _ in range(4)}
    assert Why.MOVED in said
    after = watched.show(4)
    assert steady(after)
    assert table_of(after) == table_of(before)
    assert after.calibration is not before.calibration
    assert table_of(watched.show(8, cards=()))[2] == []


def test_figures_between_off_lying_and_two_on_one_space_are_answers() -> None:
    watched = Watched()
    here = figure_at(TABLE, Side.WHITE, 3)
    look = watched.show(white=replace(here, x_mm=here.x_mm + 14.0))
    assert look.table.figures.white.problem is FigureProblem.BETWEEN_SPACES
    look = watched.show(8, white=replace(here, y_mm=-40.0))
    assert look.table.figures.white.problem is FigureProblem.OFF_TRACK
    look = watched.show(20, white=None)  # a tag off the strip is followed there, too
    assert (look.seen.white, look.table.figures.white.problem) == (None, FigureProblem.HIDDEN)
    look = watched.show(white=figure_at(TABLE, Side.WHITE, 18))
    assert table_of(look)[:2] == (18, 20)
    look = watched.show(20, white=replace(here, lying=True))
    assert (look.table.sight, look.table.why, look.table.why_side) == (Sight.CHECKING, Why.TAG_HIDDEN, Side.WHITE)
    assert look.table.figures.white.problem is FigureProblem.HIDDEN
    assert look.table.figures.black.space == 20


def test_darkness_a_blank_picture_and_a_lost_camera_are_said_and_change_nothing() -> None:
    watched = Watched()
    before = table_of(watched.show(5, cards=pile("3b", "4c")))
    look = watched.show(8, light=0.04)
    assert (look.table.sight, look.table.why) == (Sight.BLIND, Why.DARK)
    assert table_of(look) == before
    look = watched.show(10, light=1.0)
    assert steady(look)
    for number in range(15):
        look = watched.blank(np.full((1296, 2304), 120, np.uint8))
        assert not steady(look)
        assert number < 4 or (look.table.sight, look.table.why) == (Sight.BLIND, Why.BOARD_LOST)
    look = watched.blank(np.full((1296, 2304), 255, np.uint8))
    assert look.table.why in (Why.GLARE, Why.BOARD_LOST)
    look = watched.blank(np.empty((0, 0), np.uint8))
    assert (look.table.sight, look.table.why) == (Sight.BLIND, Why.CAMERA_LOST)
    assert table_of(look) == before
    look = watched.show(8)
    assert steady(look)
    assert table_of(look) == before


def test_a_picture_out_of_focus_is_said_and_no_card_is_lost_by_it() -> None:
    watched = Watched()
    before = table_of(watched.show(12, cards=pile("3b")))
    look = watched.show(25, lambda y: np.asarray(cv2.GaussianBlur(y, (0, 0), 3.0), dtype=np.uint8))
    assert (look.table.sight, look.table.why) == (Sight.CHECKING, Why.BLUR)
    assert table_of(look) == before
    assert steady(watched.show(15))


def test_glare_on_a_tag_is_said_to_be_glare() -> None:
    watched = Watched()
    watched.show(12)
    at = watched.px(*TABLE.tag_mm(20))
    look = watched.show(4, lambda y: np.asarray(cv2.circle(y, at, 45, (255,), -1), dtype=np.uint8))
    assert (look.table.sight, look.table.why) == (Sight.CHECKING, Why.GLARE)
    assert look.table.figures.black.space == 20


def test_frames_of_another_size_are_refused() -> None:
    watched = Watched()
    watched.show(3)
    with pytest.raises(ValueError, match="expected 2304x1296 pixels as before, found 1152x648"):
        watched.blank(np.full((648, 1152), 90, np.uint8))


def test_a_resting_arm_keeps_what_it_hides() -> None:
    watched = Watched()
    cards = (card("3b", 200), card("4c", 320, level=1), card("5e", 470, level=2))
    before = table_of(watched.show(8, cards=cards))
    arm = SceneHand(Side.BLACK, 320.0, -130.0)
    for times in (3, 30):
        look = watched.show(times, hands=(arm,))
        assert (look.table.sight, look.table.why) == (Sight.CHECKING, Why.HAND)
        assert sorted(table_of(look)[2]) == sorted(before[2])
    assert Card.parse("4c") not in look.seen.cards
    look = watched.show(6, hands=())
    assert steady(look)
    assert table_of(look) == before


@pytest.mark.parametrize("first", range(4, 12))
def test_a_hand_that_comes_in_at_any_of_the_first_frames_is_gone_when_it_is_gone(first: int) -> None:
    watched = Watched()
    watched.show(first)
    for y_mm in (-260.0, -150.0, -40.0, -150.0, -260.0):
        look = watched.show(1, hands=(SceneHand(Side.BLACK, 420.0, y_mm),))
        assert not steady(look)
    assert steady(watched.show(4, hands=()))


def test_a_carried_card_is_not_on_the_table_and_lies_there_once_let_go() -> None:
    watched = Watched()
    watched.show(4)
    for x_mm in range(300, 460, 10):
        held = card("5a", x_mm, -150, level=3)
        look = watched.show(1, hands=(SceneHand(Side.BLACK, x_mm, -190.0, holds=replace(held, lifted_mm=25.0)),))
        assert table_of(look)[2] == []
    look = watched.show(6, hands=(), cards=(card("5a", 460),))
    assert table_of(look)[2] == ["5a"]


def test_a_card_held_still_for_long_is_believed_late_and_never_steady_and_what_the_hand_hides_stays() -> None:
    """What is read clearly outweighs a mask; nothing is judged while a hand is there."""
    watched = Watched()
    watched.show(8, cards=(card("3b", 330, -220),))
    for y_mm in (-300.0, -240.0, -190.0):
        held = replace(card("5a", 330, y_mm + 40.0, level=3), lifted_mm=18.0)
        assert not steady(watched.show(1, hands=(SceneHand(Side.BLACK, 330, y_mm, holds=held),)))
    for frame in range(60):
        look = watched.show(1)
        cards = [name.rstrip("*") for name in table_of(look)[2]]
        assert cards == ["3b"] or (frame >= 15 and cards == ["3b", "5a"])
        assert look.table.unread == ()
        assert not steady(look)
    look = watched.show(8, hands=())
    assert table_of(look)[2] == ["3b"]
    look = watched.show(8, cards=(card("3b", 330, -220), card("5a", 330, level=1)))
    assert table_of(look)[2] == ["3b", "5a"]


def test_a_card_that_is_read_and_does_not_lie_level_is_asked_about_and_believed_once_it_does() -> None:
    """Bent, leaning, or held by a hand out of sight: it is never passed over, or its player is told there is none."""
    watched = Watched()
    watched.show(8)
    look = watched.show(12, cards=(replace(card("5a", 330), lifted_mm=80.0),))
    assert table_of(look)[2] == []
    places = [(doubt.x_mm, doubt.y_mm) for doubt in look.table.doubts if doubt.why is DoubtReason.HALF_HIDDEN]
    assert places
    assert all(math.dist(place, (330, -150)) < 120.0 for place in places)
    look = watched.show(8, cards=(card("5a", 330),))
    assert (table_of(look)[2], look.table.doubts, steady(look)) == (["5a"], (), True)


def test_other_decks_are_reported_and_other_codes_ignored() -> None:
    watched = Watched()
    strange = replace(card("5a", 160), deck="B")
    look = watched.show(cards=(strange, card("3b", 300)), things=(SceneClutter("qr", 430, -160),))
    assert table_of(look)[2] == ["3b"]
    assert look.table.foreign_decks == ("B",)
    assert steady(look)
    # Neither is taken for a hand.
    assert sorted(card.x_mm for card in watched.eyes._carried.lying) == pytest.approx([160.0, 300.0], abs=2.0)


def test_a_given_calibration_is_used_as_it_is() -> None:
    watched = Watched()
    calibration = calibrate([watched.frame() for _ in range(3)], TABLE)
    watched.eyes = Eyes(TABLE, calibration)
    look = watched.show(4)
    assert look.calibration is calibration
    assert table_of(look)[:2] == (3, 20)


def test_a_given_calibration_of_another_pose_is_corrected_from_the_markers() -> None:
    watched = Watched()
    calibration = calibrate([watched.frame()], TABLE)
    watched.seen_from(BUMPED)
    watched.eyes = Eyes(TABLE, calibration)
    look = watched.show(8, white=figure_at(TABLE, Side.WHITE, 11))
    assert steady(look)
    assert table_of(look)[:2] == (11, 20)


def test_nothing_new_costs_little_more_than_the_gate(monkeypatch: pytest.MonkeyPatch, noting: Noting) -> None:
    watched = Watched("none")
    watched.show(14, cards=pile("3b"))
    reads: list[str] = []
    reader, finder = watched.eyes._detector._reader, watched.eyes._detector._finder
    monkeypatch.setattr(reader, "read", lambda *given, **how: reads.append("labels"))
    monkeypatch.setattr(finder, "find", noting(reads, lambda *given: "markers", lambda *given, **how: ()))
    for _ in range(12):
        frame = watched.frame()
        watched.eyes._pose._checked_s = frame.t_s
        look = watched.eyes.look(frame)
    assert reads == []
    assert table_of(look) == (3, 20, ["3b"])


def test_where_a_hand_only_passed_nothing_but_what_is_known_to_lie_there_is_read(
    monkeypatch: pytest.MonkeyPatch, noting: Noting
) -> None:
    watched = Watched("none")
    before = watched.show(16, cards=(card("3b", 300),)).detections.labels
    boxes: list[Box] = []
    reader = watched.eyes._detector._reader
    monkeypatch.setattr(reader, "read", noting(boxes, lambda y, box, *given: box, reader.read))
    for x_mm in (500.0, 400.0, 300.0, 200.0):
        watched.show(1, hands=(SceneHand(Side.BLACK, x_mm, -120.0),))
    look = watched.show(3, hands=())
    near = box_around(np.concatenate([label.corners for label in before]), 100.0, 2304, 1296)
    assert boxes
    assert all(box.joined(near) == near for box in boxes)
    # What lies as it lay is the same label still: nothing that was made of it is worked out anew.
    assert {id(label) for label in look.detections.labels} == {id(label) for label in before}
    look = watched.show(6, cards=(card("3b", 302), card("4c", 480)))
    assert table_of(look)[2] == ["3b", "4c"]
    assert not {id(label) for label in look.detections.labels} & {id(label) for label in before}


def test_light_that_flickers_gives_nothing_to_read_again(monkeypatch: pytest.MonkeyPatch, noting: Noting) -> None:
    watched = Watched("none")
    y = watched.frame().y
    for _ in range(16):
        watched.blank(y)
    index, reads = 0, list[int]()
    detector = watched.eyes._detector
    monkeypatch.setattr(detector, "_read", noting(reads, lambda *given: index, detector._read))
    for index in range(30):
        shown = y.copy()
        if index >= 2:
            shown[900:1000, 1000:1200] = 230  # white paper, put down and read in the light of that moment
        watched.blank(lit(shown, 1.03 if index < 10 or index % 2 else 0.97))
    assert reads
    assert max(reads) < 10


def test_everything_recognised_is_drawn_on_a_copy() -> None:
    watched = Watched()
    look = watched.show(5, cards=(card("3b", 200),))
    frame = watched.frame()
    bgr = np.asarray(cv2.cvtColor(frame.y, cv2.COLOR_GRAY2BGR), dtype=np.uint8)
    plain = bgr.copy()
    drawn = draw_recognised(bgr, look, caption="")
    assert np.array_equal(bgr, plain)
    changed = np.abs(drawn.astype(int) - plain).max(axis=2) > 40
    marks = [marker.corners for marker in (*look.detections.corners, *look.detections.tags)]
    marks += [label.corners for label in look.detections.labels]
    assert len(marks) == 8
    for corners in marks:
        low, high = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
        assert changed[low[1] - 2 : high[1] + 2, low[0] - 2 : high[0] + 2].mean() > 0.05
    assert not changed[:60, :400].any()
    assert (draw_recognised(bgr, look)[:60, :400] != plain[:60, :400]).any()


def test_before_the_board_is_found_nothing_is_drawn_but_the_state() -> None:
    look = Eyes(TABLE).look(Frame(0, 0.0, np.full((1296, 2304), 90, np.uint8)))
    assert (look.table.sight, look.table.why) == (Sight.BLIND, Why.BOARD_LOST)
    drawn = draw_recognised(np.full((1296, 2304, 3), 90, np.uint8), look, caption="")
    assert (drawn[20:-20, 20:-20] == 90).all()
    assert (drawn[0] != 90).any()  # the trouble is the whole picture


def test_a_figure_still_in_the_hand_is_not_agreed_on() -> None:
    watched = Watched()
    watched.show(4)
    for x_mm in range(84, 160, 6):
        lifted = SceneFigure(Side.WHITE, x_mm, 0.0, lifted_mm=20.0)
        look = watched.show(1, white=None, hands=(SceneHand(Side.WHITE, x_mm, -10.0, holds=lifted),))
        assert table_of(look)[0] == 3
    look = watched.show(5, white=figure_at(TABLE, Side.WHITE, 7), hands=())
    assert table_of(look)[0] == 7


def test_a_row_of_cards_that_is_taken_away_is_no_hand() -> None:
    """As at the end of a round: much of the picture changes at once, and nothing of it is an arm."""
    names = ("1a", "2b", "3c", "4d", "5e", "1b", "2c", "3d", "4e")
    row = tuple(card(name, 150.0 + 26.0 * at, level=at) for at, name in enumerate(names))
    watched = Watched()
    watched.show(times=14, cards=row)
    table = watched.show(times=25, cards=()).table
    assert (table.cards, table.sight) == ((), Sight.STEADY)


def test_a_fencer_whose_tag_was_read_with_a_pulled_corner_stands_again_at_once() -> None:
    """Though nothing changes at its place."""

    def pulled(marker: Marker) -> Marker:
        if marker.id != SMALL_TABLE.fencer_ids.black:
            return marker
        side_px = float(np.linalg.norm(marker.corners[1] - marker.corners[0]))
        return marker._replace(corners=marker.corners + np.array([[0, 0], [0, 0], [0.2, 0.2], [0, 0]]) * side_px)

    watched = Watched(table=SMALL_TABLE)
    assert watched.show(20).table.figures.black.problem is None
    watched.eyes._detector._tags = tuple(pulled(marker) for marker in watched.eyes._detector._tags)
    looks = watched.looks(40, cards=(card("4c", 320.0),))
    assert {look.table.figures.black.problem for look in looks[10:]} == {None}


@pytest.mark.parametrize("stops", [-3.0, 2.5], ids=["dusk", "a lamp"])
@pytest.mark.parametrize("back_s", [0.3, 1.0], ids=["at once", "slowly"])
def test_a_camera_that_exposes_anew_changes_nothing_of_what_lies_there(stops: float, back_s: float) -> None:
    """The exposure needs some frames to where it was, see ``Settling``; a lamp lights up between two frames."""
    watched = Watched()
    watched.scene = replace(STANDING, cards=(card("3b", 250.0),))
    taken = [watched.frame().y for _ in range(4)]
    switched_s, unlocked_s = 2.0, 2.0 + DIMMED_S
    for index in range(round(10 * (unlocked_s + SETTLE_S + 2.0))):
        t_s = index / 10
        back = min(1.0, max(0.0, (t_s - unlocked_s) / back_s))
        light = 2 ** (stops * (1 - back)) if t_s >= switched_s else 1.0
        linear = (taken[index % 4].astype(np.float32) / 255) ** 2.2 * light
        y = np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8)
        look = watched.eyes.look(Frame(index, t_s, y))
        if t_s >= switched_s:
            assert look.table.sight is not Sight.BLIND
            assert table_of(look) == (3, 20, ["3b"])
        if t_s >= unlocked_s + back_s + 1.0:
            assert look.table.since_s < switched_s
    assert steady(look)


@pytest.mark.parametrize(("elsewhere", "stands"), [(False, True), (True, False)])
def test_what_was_read_stands_where_the_board_is_only_known_more_exactly(
    elsewhere: bool, stands: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(table=SMALL_TABLE)
    before = watched.show(12, cards=(card("3b", 200.0), card("1a", 320.0)))
    assert (names(before), steady(before)) == (["1a", "3b"], True)
    eyes, calibration = watched.eyes, watched.eyes.calibration
    assert calibration is not None
    camera = replace(calibration.camera, t=calibration.camera.t + 0.5)
    eyes._pose._use(replace(calibration, camera=camera), elsewhere=elsewhere)
    given, look_at = [], eyes._detector.look

    def noted(*args: Any, **options: Any) -> Detections:
        given.append(args[5])
        return look_at(*args, **options)

    monkeypatch.setattr(eyes._detector, "look", noted)
    after = watched.looks(3)
    assert bool(given[0]) == stands  # which cards lie there
    assert all(steady(look) for look in after) == stands
    assert all(look.table.cards and look.table.since_s == before.table.since_s for look in after)


@pytest.mark.parametrize("silent", [{ZXING, ZBAR}, {ZXING}, {ZBAR}])
def test_while_no_reader_answers_a_new_card_is_waited_for_and_one_is_enough(silent: set[str]) -> None:
    quiet: set[str] = set()
    watched = Watched(table=SMALL_TABLE, run=lambda name, y, *how: None if name in quiet else in_process(name, y, *how))
    first, second = card("3b", 200.0), card("4c", 330.0)
    assert (names(before := watched.show(14, cards=(first,))), steady(before)) == (["3b"], True)
    quiet |= silent
    looks = watched.looks(30, cards=(first, second))
    if len(silent) == 2:
        assert not any(steady(look) for look in looks[3:])
        assert all(names(look) == ["3b"] for look in looks)
        quiet.clear()
        looks = watched.looks(8)
    assert (names(looks[-1]), steady(looks[-1])) == (["3b", "4c"], True)


@pytest.mark.parametrize("fps", [4, 10])
def test_a_table_of_which_a_part_is_never_looked_at_is_told_of_after_three_seconds_at_any_rate(
    fps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SecondLook, "waiting", property(lambda self: True))
    watched = Watched(table=SMALL_TABLE)
    watched.seconds_a_frame = 1 / fps
    steady_s = [look.table.t_s for look in watched.looks(5 * fps) if steady(look)]
    assert BRIEFLY_S <= steady_s[0] < BRIEFLY_S + 1.2


# A mirrored picture: no marker can be read in it, and that is told as what it is.

ACROSS, DOWN = (slice(None), slice(None, None, -1)), (slice(None, None, -1), slice(None))


@pytest.fixture(scope="module")
def still() -> Picture:
    return Watched(table=SMALL_TABLE).frame().y


def shown(eyes: Eyes, y: Picture, first: int, times: int) -> list[Look]:
    return [eyes.look(Frame(number, number / 10, y)) for number in range(first, first + times)]


@pytest.mark.parametrize("way", [ACROSS, DOWN])
@pytest.mark.parametrize("calibrated", [False, True])
def test_a_mirrored_picture_is_told_within_a_second_until_it_is_put_right(
    still: Picture, way: tuple[slice, slice], calibrated: bool
) -> None:
    table, mirrored = SMALL_TABLE, np.ascontiguousarray(still[way])
    eyes = Eyes(table, calibrate([Frame(0, 0.0, still)], table) if calibrated else None)
    looks = shown(eyes, mirrored, 0, 30)
    assert {(look.table.sight, look.table.why) for look in looks[2:]} == {(Sight.BLIND, Why.BOARD_LOST)}
    assert all(look.mirrored for look in looks[9:])
    (trouble,) = looks[-1].trouble
    assert (trouble.why, trouble.mirrored) == (Why.BOARD_LOST, True)
    # No place of the picture: all of it.
    assert trouble.outline.tolist()[2] == [table.camera.width - 1.0, table.camera.height - 1.0]
    looks = shown(eyes, still, 30, 20)
    assert not any(look.mirrored for look in looks[8:])
    assert steady(looks[-1])
    assert (looks[-1].seen.white, looks[-1].seen.black) == (3, 20)


def test_a_picture_without_a_board_is_not_mirrored(still: Picture) -> None:
    bare = np.random.default_rng(1).integers(90, 130, still.shape, np.uint8)
    for y in (bare, np.ascontiguousarray(still[:, 900:1400])):
        camera = SMALL_TABLE.camera._replace(width=y.shape[1], height=y.shape[0])
        assert not any(look.mirrored for look in shown(Eyes(replace(SMALL_TABLE, camera=camera)), y, 0, 20))


def test_the_search_for_a_mirrored_board_takes_the_place_of_another_and_adds_to_none(
    still: Picture, monkeypatch: pytest.MonkeyPatch, noting: Noting
) -> None:
    eyes, asked = Eyes(SMALL_TABLE), list[str]()
    for name, said in (("find_soon", "picture"), ("is_mirrored", "mirror")):
        ask = noting(asked, lambda *_, said=said: said, getattr(MarkerFinder, name))
        monkeypatch.setattr(MarkerFinder, name, ask)
    shown(eyes, np.ascontiguousarray(still[ACROSS]), 0, 12)
    assert asked.count("picture") == 12  # one search a frame, the mirror image's among them
    assert asked.count("mirror") == 2


def test_calibrating_says_that_the_picture_is_mirrored(still: Picture) -> None:
    with pytest.raises(MirroredError, match=r"found it mirrored.*; switch mirroring off"):
        calibrate([Frame(0, 0.0, np.ascontiguousarray(still[ACROSS]))], SMALL_TABLE)
    with pytest.raises(CalibrationError, match="found none") as told:
        calibrate([Frame(0, 0.0, np.zeros_like(still))], SMALL_TABLE)
    assert not isinstance(told.value, MirroredError)


# Two tags of one fencer in sight: neither is believed.


def around(camera: Camera, place: TablePoint) -> Floats:
    """The picture of a tag with its white margin at this place, (4, 2) px."""
    half = 0.6 * SMALL_TABLE.fencer_size_mm
    corners = ((-half, -half), (half, -half), (half, half), (-half, half))
    return camera.project([(place.x + dx, place.y + dy, place.z) for dx, dy in corners])


def with_spare(y: Picture, camera: Camera, own: TablePoint, spare: TablePoint) -> Picture:
    """The picture with a copy of what is at one place laid at another one."""
    there = around(camera, spare)
    way = cv2.getPerspectiveTransform(around(camera, own).astype(np.float32), there.astype(np.float32))
    mask = np.zeros(y.shape, np.uint8)
    cv2.fillPoly(mask, [np.round(there).astype(np.int32)], 1)
    moved = cv2.warpPerspective(y, way, (y.shape[1], y.shape[0]), flags=cv2.INTER_AREA)
    return np.asarray(np.where(mask, moved, y), dtype=np.uint8)


def test_a_spare_tag_on_another_space_leaves_the_fencer_nowhere_until_it_is_taken_away() -> None:
    camera = camera_variant(SMALL_TABLE, 4, 0.5)
    watched = Watched("none", camera, 4, table=SMALL_TABLE)
    watched.scene = replace(STANDING, white=figure_at(TABLE, Side.WHITE, 5), black=figure_at(TABLE, Side.BLACK, 17))
    still = watched.frame().y
    twice = with_spare(still, camera, SMALL_TABLE.tag_mm(5), SMALL_TABLE.tag_mm(12))
    eyes = Eyes(SMALL_TABLE)
    for number in range(12):
        look = eyes.look(Frame(number, number / 8, twice))
        assert look.table.figures.white.space is None
        assert look.table.sight is not Sight.STEADY
    assert (look.table.why, look.table.why_side) == (Why.TAG_HIDDEN, Side.WHITE)
    assert look.table.figures.black.space == 17
    spots = [trouble.outline.mean(axis=0) for trouble in look.trouble]
    places = camera.project([SMALL_TABLE.tag_mm(5), SMALL_TABLE.tag_mm(12)])
    assert len(spots) == 2
    assert all(min(np.hypot(*(spot - place)) for spot in spots) < 5.0 for place in places)
    for number in range(12, 36):
        look = eyes.look(Frame(number, number / 8, still))
    assert (look.table.figures.white.space, look.table.sight) == (5, Sight.STEADY)
