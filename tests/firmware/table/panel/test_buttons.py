"""Presses: handed out once, in their time, and a recording's file read strictly."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.events import MatchEvent, TurnEvent, YieldEvent
from engine.rules.track import BySide, Side
from engine.table.desk import Settings, open_match
from engine.table.observation import FigureReading, Sight, TableObservation
from engine.table.presses import Button, Press
from engine.table.step import step
from firmware.table.panel.buttons import (
    Contact,
    Edge,
    Gesture,
    GestureKind,
    LivePresses,
    RecordedPresses,
    debounce,
    load_presses,
)
from firmware.table.panel.devices import Buttons
from firmware.table.panel.patterns import AllPresses

SETTINGS = Settings(settle_s=1.0, quiet_s=0.5, patience_s=4.0, give_up_s=10.0)


def test_recorded_presses_come_once_and_in_their_time() -> None:
    presses = RecordedPresses([Press(2.0, Button.BLACK), Press(1.0, Button.WHITE)])
    assert presses.due(0.9) == ()
    assert presses.due(1.0) == (Press(1.0, Button.WHITE),)
    assert presses.due(5.0) == (Press(2.0, Button.BLACK),)
    assert presses.due(9.0) == ()


def test_live_presses_come_once_and_carry_the_earliest_time_at_which_they_were_pressed() -> None:
    presses = LivePresses()
    presses.post(Button.ACT)
    presses.post(Button.UNDO)
    assert presses.due(3.5) == (Press(3.5, Button.ACT), Press(3.5, Button.UNDO))
    assert presses.due(3.6) == ()
    assert presses.due(4.6) == ()
    presses.post(Button.ACT)  # told after the look at 4.6: pressed at any time since the one at 3.6 was shown
    assert presses.due(4.7) == (Press(3.6, Button.ACT),)


@pytest.mark.parametrize("camera_s", [0.1, 0.2, 0.35, 1.0])
def test_no_two_presses_closer_than_half_a_second_give_a_round_away_at_the_screen(camera_s: float) -> None:
    """However slow the camera is; and a hand that waits long enough after the question does give up."""
    for tenths in (1, 3, 4, 4.5, 4.9):
        assert not _gives_up(camera_s, tenths / 10)
    assert _gives_up(camera_s, 0.6 + 4 * camera_s)


def _gives_up(camera_s: float, between_s: float) -> bool:
    """Whether two presses so far apart at the window do: each is told after the look in which it falls."""
    desk, _ = open_match(MatchEvent("ferti-advanced", Side.WHITE, 5))
    presses, found = LivePresses(), []
    first_s = 5.05
    pressed = [first_s, first_s + between_s]
    for look in range(round(15.0 / camera_s)):
        now_s = look * camera_s
        figures = BySide(FigureReading(1, None, None), FigureReading(23, None, None))
        seen = TableObservation(now_s, 0.0, figures, (), Sight.STEADY, None)
        desk, entries = step(desk, seen, presses.due(now_s), SETTINGS)
        found += [entry.event for entry in entries if entry.t_s > first_s]
        while pressed and pressed[0] < now_s + 0.01:  # the window is asked once the look is drawn
            pressed.pop(0)
            presses.post(Button.ACT)
    assert isinstance(found[0], TurnEvent)
    return YieldEvent(()) in found


def test_presses_lie_beside_their_recording(tmp_path: Path) -> None:
    recording = tmp_path / "match.mp4"
    assert load_presses(recording).due(99.0) == ()
    entries = [{"t": 9.5 - number, "button": button.value} for number, button in enumerate(Button)]
    (tmp_path / "match.mp4.buttons.json").write_text(json.dumps(entries))
    pressed = tuple(Press(9.5 - number, button) for number, button in enumerate(Button))
    assert load_presses(recording).due(99.0) == pressed[::-1]


PRESS, HOLD = GestureKind.PRESS, GestureKind.HOLD


def _edges(*times_s: float) -> list[Edge]:
    """Edges at these times, going down first and then up and down in turn."""
    return [Edge(t_s, place % 2 == 0) for place, t_s in enumerate(times_s)]


def _told(edges: list[Edge], until_s: float) -> list[tuple[str, object]]:
    _, gestures = debounce(Contact(), edges, until_s)
    return [(gesture.kind.value, pytest.approx(gesture.t_s)) for gesture in gestures]


def test_a_contact_that_has_opened_is_held_no_longer() -> None:
    contact, _ = debounce(Contact(), _edges(1.0, 1.99), 1.995)
    assert debounce(contact, (), 2.005) == (contact, ())  # a second after the press, and not yet surely up


def test_an_edge_that_comes_twice_changes_nothing() -> None:
    twice = [Edge(1.0, True), Edge(1.01, True), Edge(1.1, False), Edge(1.11, False)]
    assert _told(twice, 5.0) == [("press", 1.0)]


# Whole milliseconds as powers of two, so that sums are exact.
TICK_S = 1 / 1024
edge_lists = st.lists(st.integers(1, 1500), max_size=20).map(
    lambda gaps: _edges(*[sum(gaps[: place + 1]) * TICK_S for place in range(len(gaps))])
)


@given(edge_lists, st.lists(st.integers(0, 40_000), max_size=30))
def test_how_often_one_looks_makes_no_difference(edges: list[Edge], looks: list[int]) -> None:
    end_s = 50.0
    at_once = debounce(Contact(), edges, end_s)
    contact, waiting = Contact(), list(edges)
    gestures: tuple[Gesture, ...] = ()
    for look_s in [*sorted(look * TICK_S for look in looks), end_s]:
        taken = [edge for edge in waiting if edge.t_s <= look_s]
        waiting = waiting[len(taken) :]
        contact, more = debounce(contact, taken, look_s)
        gestures += more
    assert (contact, gestures) == at_once


@given(edge_lists)
def test_presses_alternate_with_at_most_one_hold_each(edges: list[Edge]) -> None:
    _, gestures = debounce(Contact(), edges, 100.0)
    kinds = [gesture.kind for gesture in gestures]
    assert kinds[:1] in ([], [PRESS])
    for before, after in pairwise(kinds):
        assert (before, after) != (HOLD, HOLD)
    assert [gesture.t_s for gesture in gestures] == sorted(gesture.t_s for gesture in gestures)
    assert kinds.count(PRESS) <= sum(edge.down for edge in edges)


class Panel(Buttons):
    """Its clock runs a hundred seconds ahead of the camera's."""

    def __init__(self) -> None:
        super().__init__()
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
