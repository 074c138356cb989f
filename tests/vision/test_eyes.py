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
from tests.tables import TABLE, renderer_of
from vision.board.calibration import calibrate
from vision.eyes import Eyes
from vision.frame import Frame
from vision.geometry import Box, Camera, look_at
from vision.look import Look
from vision.marks.markers import box_around
from vision.overlay import draw_recognised
from vision.synthetic import (
    PRESETS,
    Renderer,
    Scene,
    SceneCard,
    SceneFigure,
    SceneHand,
    camera_variant,
    figure_at,
)
from vision.synthetic.poses import LENS

pytestmark = pytest.mark.slow
Noting = Callable[..., Any]
BUMPED = look_at((314, -400, 600), (312, -86, 0), 0.6, dist=LENS)


class Watched:
    """Eyes that are shown a scene which changes from call to call, ten frames a second unless told otherwise."""

    def __init__(self, strength: str = "typical", camera: Camera | None = None, seed: int = 1) -> None:
        self.strength, self.seed = strength, seed
        self.renderer = renderer_of(TABLE, strength, seed)
        if camera is not None:
            self.renderer = Renderer(TABLE, camera, PRESETS[strength], seed)
        self.eyes = Eyes(TABLE)
        self.scene = Scene(white=figure_at(TABLE, Side.WHITE, 3), black=figure_at(TABLE, Side.BLACK, 20))
        self.index = 0
        self.seconds_a_frame = 0.1

    def show(self, times: int = 6, **changes: object) -> Look:
        self.scene = replace(self.scene, **changes)  # type: ignore[arg-type]
        for _ in range(times):
            look = self.eyes.look(self.frame())
        return look

    def frame(self) -> Frame:
        frame = self.renderer.render(self.scene, self.index, self.index * self.seconds_a_frame)
        self.index += 1
        return frame

    def blank(self, y: np.ndarray) -> Look:
        self.index += 1
        return self.eyes.look(Frame(self.index, self.index / 10, y))

    def bump(self) -> None:
        self.renderer = Renderer(TABLE, BUMPED, PRESETS[self.strength], self.seed)


def card(name: str, x_mm: float, y_mm: float = -150.0, turn_deg: float = 0.0, level: int = 0) -> SceneCard:
    return SceneCard(Card.parse(name), x_mm, y_mm, turn_deg, level)


def pile(*names: str) -> tuple[SceneCard, ...]:
    return tuple(card(name, 250 + number % 3, -150, 3 * number - 5, number) for number, name in enumerate(names))


def table_of(look: Look) -> tuple[int | None, int | None, list[str]]:
    """White, Black and the cards in their order, those not in sight with a star."""
    seen = look.table
    cards = [f"{reading.card}*" if reading.covered else str(reading.card) for reading in seen.cards]
    return seen.figures.white.space, seen.figures.black.space, cards


def steady(look: Look) -> bool:
    return look.table.sight is Sight.STEADY


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
    look = watched.show(9, cards=cards, white=figure_at(TABLE, Side.WHITE, 9))
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
    watched.bump()
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
    look = watched.show(white=figure_at(TABLE, Side.WHITE, 18))
    assert table_of(look)[:2] == (18, 20)
    look = watched.show(20, white=replace(here, lying=True))
    assert (look.table.sight, look.table.why, look.table.why_side) == (Sight.CHECKING, Why.TAG_HIDDEN, Side.WHITE)
    assert look.table.figures.white.problem is FigureProblem.HIDDEN
    assert look.table.figures.black.space == 20


def test_a_tag_off_the_strip_is_followed_there_too() -> None:
    watched = Watched()
    here = figure_at(TABLE, Side.WHITE, 3)
    watched.show(8, white=replace(here, y_mm=-40.0))
    look = watched.show(20, white=None)
    assert look.seen.white is None
    assert look.table.figures.white.problem is FigureProblem.HIDDEN


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
    for _ in range(25):
        frame = watched.frame()
        y = np.asarray(cv2.GaussianBlur(frame.y, (0, 0), 3.0), dtype=np.uint8)
        look = watched.eyes.look(replace(frame, y=y))
    assert (look.table.sight, look.table.why) == (Sight.CHECKING, Why.BLUR)
    assert table_of(look) == before
    assert steady(watched.show(15))


def test_glare_on_a_tag_is_said_to_be_glare() -> None:
    watched = Watched()
    watched.show(12)
    for _ in range(4):
        frame = watched.frame()
        place = watched.renderer.camera.project([TABLE.tag_mm(20)])[0].astype(int)
        cv2.circle(frame.y, (int(place[0]), int(place[1])), 45, 255, -1)
        look = watched.eyes.look(frame)
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
    watched.bump()
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
        lit = y.astype(np.float32)
        if index >= 2:
            lit[900:1000, 1000:1200] = 230.0  # white paper, put down and read in the light of that moment
        watched.blank(np.clip(lit * (1.03 if index < 10 or index % 2 else 0.97), 0, 255).astype(np.uint8))
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
