"""When automatics are locked and unlocked, whatever happens at the table: dusk, lamps, hands, a focus that fails."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from vision.camera.settling import (
    DIMMED_S,
    HAND_KEPT_S,
    MAX_SETTLE_S,
    Automatics,
    CameraFeedback,
    Do,
    Focus,
    Order,
    Settling,
    Shown,
    brightness_of,
)
from vision.frame import Picture

FRAME_S = 0.25
OPEN, LOCK = Order(Do.OPEN_EXPOSURE), Order(Do.LOCK_EXPOSURE)
KEEP_FOCUSING, LOCK_FOCUS = Order(Do.KEEP_FOCUSING), Order(Do.LOCK_FOCUS)
AREA = (0.25, 0.5, 0.75, 1.0)


def room(tone: float, table_share: float) -> Picture:
    """A room of this tone, with the table in it."""
    picture = np.full((32, 32), tone, np.uint8)
    picture[16:, 8:24] = min(255.0, tone * table_share)
    return picture


class Camera:
    """A camera that does as it is ordered: bright as the light says while locked, usual while it exposes by itself."""

    def __init__(self, expected_mm: float | None = None) -> None:
        self.feedback = CameraFeedback(expected_mm=expected_mm)
        self.settling = Settling(self.feedback, 0.0)
        self.now_s, self.light, self.usual, self.held_at = 0.0, 1.0, 100.0, 1.0
        self.locked, self.table_share = False, 1.0
        self.focus, self.placed, self.scanning = Focus.SHARP, False, True
        self.converges, self.hand = True, False
        self.area: tuple[float, float, float, float] | None = None
        self.distance_mm: float | None = None
        self.told = True
        self.orders: list[tuple[float, Order]] = []

    def frame(self) -> tuple[Order, ...]:
        self.now_s += FRAME_S
        if self.told:
            self.feedback.shown = Shown(self.hand, self.distance_mm, self.area)
        if not self.locked:
            self.held_at = self.light
        tone = min(255.0, self.usual * (self.light / self.held_at) ** (1 / 2.2))
        done = self.settling.step(Automatics(self.converges, self.focus), room(tone, self.table_share), self.now_s)
        for order in done:
            self._carry_out(order)
        self.orders += [(self.now_s, order) for order in done]
        return done

    def _carry_out(self, order: Order) -> None:
        match order.do:
            case Do.OPEN_EXPOSURE:
                self.locked = False
            case Do.LOCK_EXPOSURE:
                self.locked = True
            case Do.FOCUS_ONCE | Do.KEEP_FOCUSING:
                self.scanning, self.placed = True, False
            case Do.LOCK_FOCUS:
                assert self.focus in (Focus.SHARP, Focus.UNTOLD), "locked out of focus"
                self.scanning = False
            case Do.FOCUS_AT:
                self.scanning, self.placed = False, True

    def frames(self, for_s: float) -> list[Order]:
        return [order for _ in range(round(for_s / FRAME_S)) for order in self.frame()]


class Evening(RuleBasedStateMachine):
    """Anything may happen; what must hold is said in the invariants."""

    @initialize(expected_mm=st.none() | st.floats(300, 900), focus=st.sampled_from(Focus))
    def opens(self, expected_mm: float | None, focus: Focus) -> None:
        self.camera = Camera(expected_mm)
        self.camera.focus = focus

    def _go_on(self, for_s: float) -> None:
        for _ in range(round(for_s / FRAME_S)):
            before = self.camera.locked
            done = self.camera.frame()
            if self.camera.hand and self.camera.told:
                assert OPEN not in done, "unlocked while a hand is in view"
                assert not any(order.do is Do.FOCUS_ONCE for order in done)
            if not before and OPEN in done:  # asked for by hand
                assert self.camera.focus is Focus.NONE or any(order.do is Do.FOCUS_ONCE for order in done)

    @rule(for_s=st.floats(0.1, 20))
    def waits(self, for_s: float) -> None:
        self._go_on(for_s)

    @rule(light=st.floats(0.01, 20))
    def lamp(self, light: float) -> None:
        self.camera.light = light
        self._go_on(FRAME_S)

    @rule(to=st.floats(0.05, 5), for_s=st.floats(5, 60))
    def dusk(self, to: float, for_s: float) -> None:
        frames = round(for_s / FRAME_S)
        step = (to / self.camera.light) ** (1 / frames)
        for _ in range(frames):
            self.camera.light *= step
            self._go_on(FRAME_S)

    @rule(hand=st.booleans())
    def hand(self, hand: bool) -> None:
        self.camera.hand = hand
        self._go_on(FRAME_S)

    @rule(told=st.booleans())
    def eyes_blind(self, told: bool) -> None:
        self.camera.told = told
        self._go_on(FRAME_S)

    @rule(focus=st.sampled_from([Focus.SHARP, Focus.FAILED, Focus.SEARCHING]))
    def focuses(self, focus: Focus) -> None:
        if self.camera.focus in (Focus.SHARP, Focus.FAILED, Focus.SEARCHING):
            self.camera.focus = focus

    @rule(converges=st.booleans())
    def exposes(self, converges: bool) -> None:
        self.camera.converges = converges

    @rule(distance_mm=st.none() | st.floats(200, 1000))
    def board_found(self, distance_mm: float | None) -> None:
        self.camera.distance_mm, self.camera.area = distance_mm, AREA if distance_mm else None

    @rule()
    def asks_again(self) -> None:
        self.camera.feedback.settle_again()
        self._go_on(FRAME_S)

    def teardown(self) -> None:
        """Left alone, with nothing in view, everything is locked before long and as bright as it should be."""
        camera = self.camera
        camera.hand, camera.told = False, True
        camera.frames(2 * MAX_SETTLE_S + HAND_KEPT_S + DIMMED_S)
        assert camera.locked
        ratio = camera.light / camera.held_at
        assert 0.45 < ratio < 2.2 or camera.usual * ratio ** (1 / 2.2) >= 255
        if camera.focus in (Focus.SHARP, Focus.UNTOLD):
            assert not camera.scanning
        if camera.focus is Focus.FAILED and (camera.distance_mm or camera.feedback.expected_mm):
            assert not camera.scanning


# No smaller example is looked for where it fails: each evening takes a while.
Evening.TestCase.settings = settings(
    settings.default, max_examples=30, stateful_step_count=25, phases=[Phase.explicit, Phase.generate]
)
TestEvening = pytest.mark.slow(Evening.TestCase)


def test_white_that_comes_near_to_burning_out_counts_before_a_whole_stop() -> None:
    camera = Camera()
    camera.usual = 200.0
    camera.frames(30.0)
    camera.light = 1.5
    assert OPEN in camera.frames(DIMMED_S + 1)


@pytest.mark.slow
def test_a_driver_that_does_not_keep_its_exposure_is_asked_ever_less() -> None:
    camera = Camera()
    camera.frames(1.0)
    bad_s = 0.0
    for _ in range(round(3600 / FRAME_S)):
        camera.frame()
        if camera.locked:
            camera.held_at = 0.1  # ten times as bright once it is locked
            bad_s += FRAME_S
    opened = [now_s for now_s, order in camera.orders if order == OPEN]
    assert len(opened) < 30  # in an hour
    assert bad_s < 30.0


def test_the_brightness_is_measured_anew_where_the_table_is_found() -> None:
    camera = Camera()
    camera.table_share = 1.8  # lighter than the room
    camera.frames(30.0)
    camera.area = AREA
    assert camera.frames(60.0) == []
    camera.light, camera.area = 0.3, None  # found elsewhere while the light changes
    assert OPEN in camera.frames(DIMMED_S + 1)


def test_focus_again_that_fails_with_no_distance_known_leaves_the_focus_to_the_camera() -> None:
    camera = Camera()
    camera.frames(30.0)
    camera.focus, camera.area = Focus.FAILED, AREA
    camera.feedback.settle_again()
    assert camera.frames(1.0) == [OPEN, Order(Do.FOCUS_ONCE, AREA)]
    assert KEEP_FOCUSING in camera.frames(20.0)
    camera.focus = Focus.SHARP
    assert LOCK_FOCUS in camera.frames(20.0)


def test_the_median_of_the_table_is_its_brightness_whatever_lies_on_a_part_of_it() -> None:
    picture = np.full((80, 80), 10, np.uint8)
    picture[40:, 20:60] = 90
    picture[50:64, 30:50] = 255  # a card
    assert brightness_of(picture, AREA) == 90
    assert brightness_of(picture, None) == 10
    assert brightness_of(picture, (0.5, 0.5, 0.5, 0.5)) == 0.0
