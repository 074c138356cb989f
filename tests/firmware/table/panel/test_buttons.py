"""Presses: handed out once, in their time, and a recording's file read strictly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.rules.events import MatchEvent, TurnEvent, YieldEvent
from engine.rules.track import BySide, Side
from engine.table.desk import Settings, open_match
from engine.table.observation import FigureReading, Sight, TableObservation
from engine.table.presses import Button, Press
from engine.table.step import step
from firmware.table.panel.buttons import LivePresses, RecordedPresses, load_presses

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


def test_only_players_own_buttons_have_a_side() -> None:
    assert {button: button.side for button in Button if button.side} == {
        Button.WHITE: Side.WHITE,
        Button.BLACK: Side.BLACK,
    }


def test_presses_lie_beside_their_recording(tmp_path: Path) -> None:
    recording = tmp_path / "match.mp4"
    assert load_presses(recording).due(99.0) == ()
    (tmp_path / "match.mp4.buttons.json").write_text('[{"t": 4.2, "button": "white"}, {"t": 1, "button": "undo"}]')
    assert load_presses(recording).due(99.0) == (Press(1.0, Button.UNDO), Press(4.2, Button.WHITE))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "expected JSON"),
        ('{"t": 1}', "expected a list"),
        ('[{"t": "1", "button": "white"}]', r"\[0\].t: "),
        ('[{"t": true, "button": "white"}]', r"\[0\].t: "),
        ('[{"t": 1, "button": "white"}, {"t": 2, "button": "red"}]', r"\[1\].button: "),
        ("[3]", r"\[0\]: "),
    ],
)
def test_a_broken_press_file_is_named_with_its_entry(tmp_path: Path, text: str, named: str) -> None:
    path = tmp_path / "clip.buttons.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=named) as caught:
        load_presses(tmp_path / "clip")
    assert str(path) in str(caught.value)


def test_every_button_can_be_recorded(tmp_path: Path) -> None:
    entries = [{"t": number, "button": button.value} for number, button in enumerate(Button)]
    (tmp_path / "all.buttons.json").write_text(json.dumps(entries))
    assert [press.button for press in load_presses(tmp_path / "all").due(99.0)] == list(Button)
