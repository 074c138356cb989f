"""A panel's press on the clock of the frames: when it happened, after the frame before and not after this one."""

from __future__ import annotations

import pytest

from engine.table.presses import Button, Press
from firmware.table.panel.buttons import RecordedPresses
from firmware.table.panel.devices import NoPart
from firmware.table.panel.patterns import AllPresses


class Panel(NoPart):
    """Its clock runs a hundred seconds ahead of the camera's."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.pressed: list[Press] = []

    def due(self, now_s: float) -> tuple[Press, ...]:
        assert now_s == self.now_s
        pressed, self.pressed = tuple(self.pressed), []
        return pressed


def due(panel: Panel, presses: AllPresses, frame_s: float) -> list[float]:
    panel.now_s = 100.0 + frame_s
    return [press.t_s for press in presses.due(frame_s)]


def test_two_presses_before_a_late_frame_are_as_far_apart_as_they_were() -> None:
    panel = Panel()
    presses = AllPresses(RecordedPresses(), panel, lambda: panel.now_s)
    assert due(panel, presses, 10.0) == []
    panel.pressed = [Press(110.1, Button.WHITE), Press(110.4, Button.WHITE)]
    assert due(panel, presses, 14.0) == pytest.approx([10.1, 10.4])


def test_a_press_falls_after_the_frame_before_and_not_after_this_one() -> None:
    panel = Panel()
    presses = AllPresses(RecordedPresses([Press(10.2, Button.UNDO)]), panel, lambda: panel.now_s)
    due(panel, presses, 10.0)
    panel.pressed = [Press(109.9, Button.WHITE), Press(111.0, Button.BLACK)]  # handed over late; a clock that ran off
    before, early, ahead = due(panel, presses, 10.5)
    assert before == 10.2
    assert 10.0 < early < 10.01
    assert ahead == 10.5
    panel.pressed = [Press(110.5, Button.WHITE)]
    assert due(panel, presses, 10.5) == [10.5]
